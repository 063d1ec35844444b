# The C types of algebra.py; what they are for is told there.

cdef int JOIN, TERMINAL
cdef unsigned long long M63, GOLDEN, MIX, STIR

cdef class Algebra:
    cdef int[::1] old, nodes, unique, cache
    cdef int[::1] stack
    cdef readonly long long steps
    cdef readonly int n, most
    cdef int root, settled, n_options
    cdef long long unique_mask, cache_mask
    cdef int kind, left, right, height, value
    cdef bint descending
    cdef int cursor, n_kept
    cdef int[::1] names

    cdef int node(self, int option, int low, int high) noexcept nogil
    cdef bint is_full(self) noexcept nogil
    cdef void begin(self, int kind, int left, int right) noexcept nogil
    cdef bint work(self, long long until) noexcept nogil
    cdef bint is_plain(self) noexcept nogil
    cdef bint is_cached(self) noexcept nogil
    cdef void descend(self) noexcept nogil
    cdef void ascend(self) noexcept nogil
    cdef long long slot(self, int kind, int left, int right) noexcept nogil
    cdef bint settle(self, long long until) noexcept nogil
    cdef bint mark(self, long long until) noexcept nogil
    cdef int number(self, int[::1] options, int[::1] lows, int[::1] highs) noexcept nogil
