# The C types of sweep.py; what they are for is told there.

from dcells_async.kernels.ledger cimport Ledger

cdef class SweptLedger(Ledger):
    cdef int n_options
    cdef object option_start
    cdef long long[::1] share, cost, owed
    cdef int[::1] dearest, first_node, option_of_node, swept

    cdef void pay(self, int depth, int option) noexcept nogil
    cdef bint is_beyond(self, int depth, int option) noexcept nogil
