# The C types of remains.py; what they are for is told there.

from dcells_async.kernels.search cimport Search

cdef class Remains:
    cdef readonly int n_items, n_primary, n_options
    cdef bint colored
    cdef int n_levels
    cdef Search search
    cdef int[::1] option_start, option_item, option_color
    cdef int[::1] cover, tint, death, left, open

    cdef void mark(self, int[::1] chosen) noexcept nogil
    cdef void find(self, int[::1] chosen) noexcept nogil
    cdef void pick(self, int level, int[::1] number, int[::1] kept, int[::1] start) noexcept nogil
    cdef int renumber(self, int[::1] number) noexcept nogil
    cdef void copy(self, int[::1] number, int[::1] kept, int[::1] item, int[::1] color) noexcept nogil
