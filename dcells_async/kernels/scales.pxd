# The C types of scales.py; what they are for is told there.

from dcells_async.kernels.family cimport Family

cdef long long MOST, LEAST

cdef class Scales(Family):
    cdef readonly int fault
    cdef int n_weighed
    cdef bint heavy
    cdef long long[::1] weights, best

    cdef void weigh(self, int nodes) noexcept nogil
    cdef bint prefers_high(self, int node) noexcept nogil
    cdef long long with_option(self, int node) noexcept nogil
    cdef bint is_too_much(self, int node) noexcept nogil
