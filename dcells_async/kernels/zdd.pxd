# The C types of zdd.py; what they are for is told there.

from dcells_async.kernels.gaps cimport gap_below
from dcells_async.kernels.levels cimport Levels
from dcells_async.kernels.levels cimport ENTER, TRY, RETURN, UNITE, MARK, NUMBER
from dcells_async.kernels.levels cimport PLAIN, DROP, TAKE, PART, REST

cdef int JOIN, PRODUCT
cdef int PAUSED, DONE, STOPPED, GROW
cdef int EVERY

cdef class ZddKernel(Levels):
    cdef int run(self, long long until, long long target) noexcept nogil
    cdef void branch(self, int item) noexcept nogil
    cdef void largest_first(self, int item) noexcept nogil
    cdef bint try_next(self) noexcept nogil
    cdef void undo(self) noexcept nogil
    cdef void merge(self) noexcept nogil
