# The C types of bits.py; what they are for is told there.

cimport cython

from dcells_async.kernels.bitwise cimport lowest, ones
from dcells_async.kernels.clashes cimport Clashes
from dcells_async.kernels.search cimport Search

cdef int PAUSED, FULL, DONE, STOPPED, GROW
cdef int ENTER, NEXT
cdef int NONE_LEFT, STARVED, ENDLESS, FEW

cdef inline void meet(unsigned long long[::1] rows, Py_ssize_t at, Py_ssize_t below, unsigned long long[::1] table, Py_ssize_t own, Py_ssize_t n) noexcept nogil

cdef class BitsKernel(Search):
    cdef Clashes clashes
    cdef tuple given, without
    cdef object kept
    cdef bint is_ready
    cdef int n_primary, width, stride, n_above, least
    cdef unsigned long long[::1] rows, first
    cdef int[::1] item, slot, tried, lent, size, suspect, chosen, live, above, number

    cdef void begin(self) noexcept nogil
    cdef void arrive(self) noexcept nogil
    cdef void strike(self, int option, int level) noexcept nogil
    cdef int run(self, long long until, long long target) noexcept nogil
    @cython.final
    cdef inline void narrow(self, int option, Py_ssize_t further) noexcept nogil
    @cython.final
    cdef inline int next_option(self) noexcept nogil
    @cython.final
    cdef inline int choose(self, int option) noexcept nogil
    @cython.final
    cdef inline int smallest(self, Py_ssize_t at, int limit) noexcept nogil
    @cython.final
    cdef inline int smallest_of_few(self, Py_ssize_t at, int n) noexcept nogil
    @cython.final
    cdef inline int smallest_counted(self, Py_ssize_t at, int limit) noexcept nogil
    cdef bint record(self) noexcept nogil
    cdef void compare(
        self, unsigned long long[::1] row, int level, int[::1] gone
    ) noexcept nogil
