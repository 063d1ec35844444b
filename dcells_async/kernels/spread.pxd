# The C types of spread.py; what they are for is told there.

from dcells_async.kernels.family cimport Family
from dcells_async.kernels.tally cimport Tally

cdef long long LIMB

cdef class Spread(Family):
    cdef long long width
    cdef int n_placed, at
    cdef long long[::1] begins, places
    cdef unsigned int[::1] limbs, ways, uses

    cdef void lay_out(self, int nodes) noexcept nogil
    cdef void spread(self, int nodes) noexcept nogil
    cdef void pass_on(self, int node, int child) noexcept nogil
    cdef void use(self, int node) noexcept nogil
