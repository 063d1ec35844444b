# The C types of ways.py; what they are for is told there.

from dcells_async.kernels.tally cimport Tally

cdef int DONE, GROW, PRODUCT
cdef long long LIMB

cdef class Ways(Tally):
    cdef int fill(self, int until) noexcept nogil
    cdef void times(self, int node, int one, int other) noexcept nogil
