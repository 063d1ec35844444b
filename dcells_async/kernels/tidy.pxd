# The C types of tidy.py; what they are for is told there.

from dcells_async.kernels.family cimport Family

cdef int CHECKING, MARKING, PLACING, MOVING

cdef class Tidy(Family):
    cdef readonly int fault, n_kept
    cdef readonly bint reaches_nothing
    cdef int stage, at
    cdef int[::1] places, new_options, new_lows, new_highs

    cdef void check(self, int nodes) noexcept nogil
    cdef void mark(self, int nodes) noexcept nogil
    cdef void place(self, int nodes) noexcept nogil
    cdef void move(self, int nodes) noexcept nogil
