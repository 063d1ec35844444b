# The C types of rows.py; what they are for is told there.

from dcells_async.kernels.bitwise cimport lowest
from dcells_async.kernels.clashes cimport Clashes
from dcells_async.kernels.search cimport Search

cdef int ENTER, NEXT
cdef int ENDLESS

cdef class BitRows(Search):
    cdef Clashes clashes
    cdef tuple given, without
    cdef object kept
    cdef bint is_ready
    cdef int n_primary, width, stride, n_above, least
    cdef unsigned long long[::1] rows, first
    cdef int[::1] item, slot, tried, lent, size, suspect, chosen, above, number

    cdef void begin(self) noexcept nogil
    cdef void narrow(self, int option, Py_ssize_t further) noexcept nogil
    cdef void arrive(self) noexcept nogil
    cdef void strike(self, int option, int level) noexcept nogil
    cdef bint record(self) noexcept nogil
    cdef void compare(
        self, unsigned long long[::1] row, int level, int[::1] gone
    ) noexcept nogil
