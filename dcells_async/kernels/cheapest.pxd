# The C types of cheapest.py; what they are for is told there.

cimport cython

from dcells_async.kernels.bitwise cimport lowest
from dcells_async.kernels.ledger cimport Ledger
from dcells_async.kernels.marks cimport Marks, Rivals
from dcells_async.kernels.search cimport Search

cdef int PAUSED, FULL, DONE, STOPPED, GROW, ASK
cdef int ENTER, CHOOSE, NEXT
cdef long long ENDLESS

cdef class CheapestKernel(Search):
    cdef readonly Ledger ledger
    cdef int n_primary, width, item, degree
    cdef Rivals rivals
    cdef Marks of_item
    cdef int[::1] low, high, taken, chosen
    cdef unsigned long long[::1] rows
    cdef long long[::1] rest, cost, floor
    cdef int[::1] slot, slot_end, lent, queue_end, taxes_end
    cdef int[::1] queue, taxed
    cdef long long[::1] queue_rest, tax

    cdef int run(self, long long until, long long target) noexcept nogil
    cdef bint is_line_done(self) noexcept nogil
    cdef bint has_room(self) noexcept nogil
    cdef bint levy(self) noexcept nogil
    cdef void line_up(self) noexcept nogil
    cdef void sort(self, int begin, int end) noexcept nogil
    @cython.final
    cdef inline bint is_before(self, int option, long long rest, int other, long long its_rest) noexcept nogil
    cdef void choose(self, int option) noexcept nogil
    cdef void leave(self) noexcept nogil
    cdef bint record(self) noexcept nogil
