# The C types of mcc.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets

cdef int PAUSED, FULL, DONE, STOPPED, GROW
cdef int ENTER, BACK

cdef class MccKernel(SparseSets):
    cdef int[::1] low, high
    cdef double[::1] ahead

    cdef bint begin(self) noexcept nogil
    cdef int run(self, long long until, long long target) noexcept nogil
    cdef int choose_item(self) noexcept nogil
    cdef void branch(self, int item) noexcept nogil
    cdef void ascend(self) noexcept nogil
    cdef void refund(self, int node) noexcept nogil
    cdef bint commit(self, int chosen) noexcept nogil
    cdef bint hide(self, int taken) noexcept nogil
    cdef bint drop(self, int spared) noexcept nogil
    cdef bint lose(self, int node) noexcept nogil
