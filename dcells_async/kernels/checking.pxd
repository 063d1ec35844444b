# The C types of checking.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets

cdef const char *fault_of_permutations(
    SparseSets sets, int[::1] length, int[::1] seen, int[::1] before
) noexcept nogil

cdef class Checking:
    cdef SparseSets sets
    cdef int[::1] length, drops, option_of, live, seen, live_nodes, all_nodes, nodes
    cdef int levels
    cdef bint whole, flagged, entire

    cdef const char *find(self) noexcept nogil
