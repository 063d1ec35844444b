# The C types of arrangements.py; what they are for is told there.

from dcells_async.kernels.twins cimport Grid

cdef unsigned long long IDENTITY, UNSEEN

cdef class Arrangements(Grid):
    cdef readonly long long nodes
    cdef readonly int at
    cdef readonly object counts, maps
    cdef volatile bint stopping
    cdef int limit, turn
    cdef unsigned char[::1] lines, arrangement
    cdef long long[::1] found

    cdef void search(self, int limit) noexcept nogil
    cdef void choose(
        self, int place, unsigned long long columns, unsigned long long spots,
        unsigned long long homes, int cuts, int seen, int placed, long long ways
    ) noexcept nogil
    cdef int band_twins(self, int band, int placed) noexcept nogil
    cdef int line_twins(self, int line, int placed) noexcept nogil
    cdef void read(
        self, int place, unsigned long long columns, unsigned long long spots,
        unsigned long long homes, int cuts, int seen, int placed, long long ways
    ) noexcept nogil
    cdef void leaf(
        self, unsigned long long columns, int cuts, long long ways) noexcept nogil
