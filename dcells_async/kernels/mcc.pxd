# The C types of mcc.py; what they are for is told there.

cimport cython

from dcells_async.kernels.priced cimport PricedSets

cdef int PAUSED, FULL, DONE, STOPPED, GROW, ASK
cdef int ENTER, CHOOSE, BACK

cdef class MccKernel(PricedSets):
    cdef int[::1] low, high, first
    cdef double[::1] ahead

    cdef bint begin(self) noexcept nogil
    cdef int run(self, long long until, long long target) noexcept nogil
    cdef int choose_item(self) noexcept nogil
    cdef void branch(self, int item) noexcept nogil
    cdef void prefer_cheapest(self, int item) noexcept nogil
    cdef void ascend(self) noexcept nogil
    cdef void refund(self, int node, int end) noexcept nogil
    cdef bint commit(self, int chosen) noexcept nogil
    cdef bint discard(self, int first) noexcept nogil
    cdef void give_up(self) noexcept nogil
    cdef bint hide(self, int taken) noexcept nogil
    @cython.final
    cdef inline bint drop(self, int node) noexcept nogil
    @cython.final
    cdef inline bint lose(self, int node) noexcept nogil
