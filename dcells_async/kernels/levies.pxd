# The C types of levies.py; what they are for is told there.

from dcells_async.kernels.ledger cimport Ledger
from dcells_async.kernels.marks cimport Marks, Rivals
from dcells_async.kernels.search cimport Search

cdef int ENTER, CHOOSE, NEXT

cdef class LeviedRows(Search):
    cdef readonly Ledger ledger
    cdef int n_primary, item, degree
    cdef Py_ssize_t width
    cdef Rivals rivals
    cdef Marks of_item
    cdef int[::1] low, high, taken, chosen
    cdef unsigned long long[::1] rows
    cdef long long[::1] rest, cost, floor
    cdef int[::1] slot, slot_end, lent, queue_end, taxes_end
    cdef int[::1] queue, taxed
    cdef long long[::1] queue_rest, tax

    cdef bint record(self) noexcept nogil
    cdef void leave(self) noexcept nogil
