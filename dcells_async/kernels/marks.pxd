# The C types of marks.py; what they are for is told there.

cdef class Marks:
    cdef readonly int n_sets
    cdef int[::1] start, word
    cdef unsigned long long[::1] mask

    cdef int count(self, int[::1] option_start, int[::1] key, int[::1] last) noexcept nogil
    cdef void fill(self, int[::1] option_start, int[::1] key, int[::1] last) noexcept nogil

cdef class Rivals:
    cdef bint colored
    cdef Marks of_item, of_class
    cdef int[::1] item, entry_class

    cdef void strike(self, unsigned long long[::1] row, Py_ssize_t begin, int entry) noexcept nogil

cdef int number(int[::1] item, int[::1] color, int[::1] order, int[::1] seen, int[::1] of_item, int[::1] of_entry) noexcept nogil
cdef int largest(int[::1] numbers) noexcept nogil
cdef void order_by(int[::1] color, int[::1] place, int[::1] order) noexcept nogil
