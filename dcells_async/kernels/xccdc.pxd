# The C types of xccdc.py; what they are for is told there.

from dcells_async.kernels.domains cimport Domains

cdef int PAUSED, FULL, DONE, STOPPED, GROW
cdef int WITNESS, SETTLE, UNDO, ENTER, CHOOSE, INCLUDE, BACK
cdef int PASS, TRY, DROP

cdef class XccdcKernel(Domains):
    cdef readonly long long purged
    cdef int phase, cursor, node, held
    cdef int[::1] degree, trail_at
    cdef double[::1] left

    cdef int run(self, long long until, long long target) noexcept nogil
    cdef void settled(self) noexcept nogil
    cdef void fail(self) noexcept nogil
    cdef void choose(self) noexcept nogil
    cdef int choose_item(self) noexcept nogil
    cdef bint include_next(self) noexcept nogil
    cdef bint drop(self) noexcept nogil
