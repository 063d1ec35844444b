# The C types of clashes.py; what they are for is told there.

cimport cython

from dcells_async.kernels.bitwise cimport ones
from dcells_async.kernels.marks cimport Marks, Rivals

cdef class Clashes:
    cdef readonly int n_items, n_primary, n_options
    cdef int width, n_covered, stride
    cdef Rivals rivals
    cdef int[::1] number, place, begin, item, start, word
    cdef unsigned long long[::1] row, root, mask, covered

    cdef void permute(self, int[::1] option_start, int[::1] source, int[::1] target) noexcept nogil
    cdef void fill(self) noexcept nogil
    cdef void list_words(self) noexcept nogil
