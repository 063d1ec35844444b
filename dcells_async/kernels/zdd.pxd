# The C types of zdd.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets
from dcells_async.kernels.algebra cimport Algebra
from dcells_async.kernels.memo cimport Memo

cdef int JOIN, PRODUCT
cdef unsigned long long M63, GOLDEN, MIX, STIR
cdef int PAUSED, DONE, STOPPED, GROW
cdef int EVERY
cdef int ENTER, TRY, RETURN, UNITE, MARK, NUMBER
cdef int PLAIN, DROP, TAKE, PART, REST

cdef class ZddKernel(SparseSets):
    cdef readonly Algebra algebra
    cdef readonly Memo memo
    cdef bint mrv, split, ordered, all_colors, multiple, simple
    cdef int[::1] low, high, option_of
    cdef int[::1] kind, slot, slot_end, result, current, members
    cdef int[::1] trail, trail_at
    cdef long long[::1] keys
    cdef int n_trail, value, stamp, n_members
    cdef long long first, second_key
    cdef readonly long long memory_limit
    cdef readonly object options_made, lows_made, highs_made
    cdef readonly bint too_large

    cdef void begin(self) noexcept nogil
    cdef int run(self, long long until, long long target) noexcept nogil
    cdef int glance(self) noexcept nogil
    cdef int survey(self) noexcept nogil
    cdef long long mixed(self, int x, int half, int a, int b) noexcept nogil
    cdef int smallest(self, int item) noexcept nogil
    cdef void branch(self, int item) noexcept nogil
    cdef void largest_first(self, int item) noexcept nogil
    cdef bint try_next(self) noexcept nogil
    cdef void undo(self) noexcept nogil
    cdef void refund(self, int chosen) noexcept nogil
    cdef bint commit(self, int chosen, int but) noexcept nogil
    cdef bint hide(self, int item, int color, int alive) noexcept nogil
    cdef bint drop(self, int node, bint check) noexcept nogil
    cdef bint gather(self, int item) noexcept nogil
    cdef void keep_part(self, bint rest) noexcept nogil
    cdef void merge(self) noexcept nogil
