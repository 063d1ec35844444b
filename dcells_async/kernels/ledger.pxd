# The C types of ledger.py; what they are for is told there.

cdef long long NO_LIMIT, MOST

cdef class Ledger:
    cdef readonly long long scale, limit, most, due, cheapest
    cdef readonly int n_podium
    cdef readonly bint asks
    cdef public bint refused
    cdef readonly object bound
    cdef readonly long long[::1] podium
    cdef long long[::1] price, net

    cdef bint is_too_dear(self, long long total) noexcept nogil
    cdef void enter(self, long long cost) noexcept nogil
