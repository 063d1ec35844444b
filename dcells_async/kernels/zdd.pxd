# The C types of zdd.py; what they are for is told there.

from dcells_async.kernels.signed cimport SignedStates
from dcells_async.kernels.algebra cimport Algebra
from dcells_async.kernels.memo cimport Memo

cdef int JOIN, PRODUCT
cdef int PAUSED, DONE, STOPPED, GROW
cdef int EVERY
cdef int ENTER, TRY, RETURN, UNITE, MARK, NUMBER
cdef int PLAIN, DROP, TAKE, PART, REST

cdef class ZddKernel(SignedStates):
    cdef readonly Algebra algebra
    cdef readonly Memo memo
    cdef bint split, ordered
    cdef int[::1] kind, slot, slot_end, result, trail_at
    cdef long long[::1] keys
    cdef int value
    cdef readonly long long memory_limit
    cdef readonly object options_made, lows_made, highs_made
    cdef readonly bint too_large

    cdef int run(self, long long until, long long target) noexcept nogil
    cdef void branch(self, int item) noexcept nogil
    cdef void largest_first(self, int item) noexcept nogil
    cdef bint try_next(self) noexcept nogil
    cdef void undo(self) noexcept nogil
    cdef void merge(self) noexcept nogil
