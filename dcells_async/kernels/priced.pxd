# The C types of priced.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets
from dcells_async.kernels.sweep cimport SweptLedger

cdef class PricedSets(SparseSets):
    cdef bint priced
    cdef readonly SweptLedger ledger
    cdef list offsets
    cdef dict numbers

    cdef bint afford(self) noexcept nogil
    cdef bint earn(self) noexcept nogil
    cdef bint discard(self, int first) noexcept nogil
    cdef void give_up(self) noexcept nogil
