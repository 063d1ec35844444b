# The C types of walk.py; what they are for is told there.

from dcells_async.kernels.family cimport Family

cdef int PAUSED, FULL, DONE, STOPPED, OVER

cdef class WalkKernel(Family):
    cdef readonly long long nodes, updates, covers
    cdef readonly int depth
    cdef object start, total, first
    cdef int node, n_turns
    cdef bint keep
    cdef volatile bint stopping
    cdef int[::1] numbers, chosen, turns, turn_depth
    cdef int[::1] found, found_ends
    cdef int n_found, n_found_ends

    cdef int run(self, long long until, long long target) noexcept nogil
    cdef void go_low(self) noexcept nogil
    cdef void go_high(self) noexcept nogil
    cdef void turn_back(self) noexcept nogil
    cdef bint record(self) noexcept nogil
