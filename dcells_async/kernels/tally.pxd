# The C types of tally.py; what they are for is told there.

from dcells_async.kernels.family cimport Family

cdef int PRODUCT, AT_ONCE
cdef long long LIMB

cdef class Tally(Family):
    cdef int n_counted
    cdef long long n_moved
    cdef long long[::1] begins
    cdef unsigned int[::1] limbs, limbs_before

    cdef bint fill(self, int nodes) noexcept nogil
    cdef void move(self, int nodes) noexcept nogil
    cdef void add(self, int node, int one, int other) noexcept nogil
    cdef void multiply(self, int node, int one, int other) noexcept nogil
    cdef int descend(self, unsigned int[::1] rank, long long begin, long long end, int[::1] found, int at) noexcept nogil
    cdef bint is_below(self, unsigned int[::1] rank, long long begin, long long end, int node) noexcept nogil
