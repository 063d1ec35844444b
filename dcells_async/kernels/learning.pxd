# The C types of learning.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets
from dcells_async.kernels.xcc cimport XccKernel
from dcells_async.kernels.xccdc cimport XccdcKernel, TRY

cdef int MOST, WEIGHTED

cdef class LearningXcc(XccKernel):
    cdef bint commit(self, int chosen) noexcept nogil
    cdef int choose_item(self) noexcept nogil

cdef class LearningXccdc(XccdcKernel):
    cdef int choose_item(self) noexcept nogil
    cdef void settled(self) noexcept nogil
    cdef void fail(self) noexcept nogil
