# The C types of family.py; what they are for is told there.

cdef class Family:
    cdef readonly int n_nodes, n_options, root
    cdef int[::1] options, lows, highs

    cdef int level(self, int node) noexcept nogil
