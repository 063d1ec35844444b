# The C types of xcc.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets

cdef int PAUSED, FULL, DONE, STOPPED, GROW
cdef int ENTER, CHOOSE, FIRST, NEXT

cdef class XccKernel(SparseSets):
    cdef int[::1] slot, slot_end, lent

    cdef int run(self, long long until, long long target) noexcept nogil
    cdef int choose_item(self) noexcept nogil
    cdef void branch(self, int item) noexcept nogil
    cdef bint commit(self, int chosen) noexcept nogil
    cdef bint hide(self, int item, int color, int alive, bint check) noexcept nogil
