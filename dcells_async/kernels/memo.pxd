# The C types of memo.py; what they are for is told there.

cdef int FEW

cdef class Memo:
    cdef long long[::1] keys, old_keys
    cdef int[::1] values, old_values
    cdef readonly long long n, most, lookups, hits
    cdef long long window, window_begin, window_hits, settled, n_old
    cdef readonly bint given_up

    cdef int find(self, long long first, long long second) noexcept nogil
    cdef void store(self, long long first, long long second, int value) noexcept nogil
    cdef long long settle(self, long long most) noexcept nogil
    cdef bint is_watched(self) noexcept nogil
    cdef bint is_full(self) noexcept nogil
    cdef void gather(self, long long[::1] keys, int[::1] values) noexcept nogil
