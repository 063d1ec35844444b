# The C types of bounded.py; what they are for is told there.

cimport cython

from dcells_async.kernels.priced cimport PricedSets

cdef int ENTER, CHOOSE, BACK

cdef class BoundedSets(PricedSets):
    cdef int[::1] low, high, first

    cdef bint begin(self) noexcept nogil
    cdef bint commit(self, int chosen) noexcept nogil
    cdef bint hide(self, int taken) noexcept nogil
    @cython.final
    cdef inline bint drop(self, int node) noexcept nogil
    cdef bint discard(self, int first) noexcept nogil
    @cython.final
    cdef inline bint lose(self, int node) noexcept nogil
    cdef void refund(self, int node, int end) noexcept nogil
    cdef int retrace(self, int levels) noexcept nogil
    cdef bint is_fit(self, int x, int size) noexcept nogil
    cdef void pay(self, int node) noexcept nogil
