# The C types of ledger.py; what they are for is told there.

cdef long long NO_LIMIT, MOST

cdef class Ledger:
    cdef readonly long long scale, limit, most
    cdef readonly int n_podium
    cdef readonly bint asks
    cdef public bint refused
    cdef readonly object bound
    cdef long long[::1] price, share, net
    cdef int n_options
    cdef int[::1] dearest, first_node, option_of_node
    cdef long long[::1] cost, due, podium
    cdef int[::1] swept

    cdef void pay(self, int depth, int option) noexcept nogil
    cdef bint is_too_dear(self, int depth, long long rest) noexcept nogil
    cdef bint is_beyond(self, int depth, int option) noexcept nogil
    cdef void enter(self, long long cost) noexcept nogil
