# The C types of states.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets

cdef class States(SparseSets):
    cdef bint multiple
    cdef int[::1] low, high, option_of, trail, starved
    cdef int n_trail, n_starved

    cdef void set_bounds(self) noexcept nogil
    cdef bint commit(self, int chosen, int but) noexcept nogil
    cdef bint hide(self, int item, int color, int alive) noexcept nogil
    cdef bint drop(self, int node, bint check) noexcept nogil
    cdef void refund(self, int chosen) noexcept nogil
