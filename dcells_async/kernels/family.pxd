# The C types of family.py; what they are for is told there.

cdef class Family:
    cdef readonly int n_nodes, n_options, root
    cdef int[::1] options, lows, highs

    cdef int level(self, int node) noexcept nogil
    cdef int fault(self) noexcept nogil
    cdef int mark(self, int[::1] places) noexcept nogil
    cdef void move(self, int[::1] places, int[::1] options, int[::1] lows, int[::1] highs) noexcept nogil
