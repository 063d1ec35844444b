# The C types of mcc.py; what they are for is told there.

from dcells_async.kernels.bounded cimport BACK, CHOOSE, ENTER, BoundedSets

cdef int PAUSED, FULL, DONE, STOPPED, GROW, ASK

cdef class MccKernel(BoundedSets):
    cdef double[::1] ahead

    cdef int run(self, long long until, long long target) noexcept nogil
    cdef int choose_item(self) noexcept nogil
    cdef void branch(self, int item) noexcept nogil
    cdef void prefer_cheapest(self, int item) noexcept nogil
    cdef void ascend(self) noexcept nogil
    cdef void give_up(self) noexcept nogil
