# The C types of levels.py; what they are for is told there.

from dcells_async.kernels.algebra cimport Algebra
from dcells_async.kernels.memo cimport Memo
from dcells_async.kernels.signed cimport SignedStates

cdef int ENTER, TRY, RETURN, UNITE, MARK, NUMBER
cdef int PLAIN, DROP, TAKE, PART, REST

cdef class Levels(SignedStates):
    cdef readonly Algebra algebra
    cdef readonly Memo memo
    cdef bint split, ordered
    cdef int[::1] kind, slot, slot_end, result, trail_at
    cdef long long[::1] keys
    cdef int value
    cdef readonly long long memory_limit
    cdef readonly object options_made, lows_made, highs_made
    cdef readonly bint too_large
