# The C types of minlex.py; what they are for is told there.

cdef unsigned long long IDENTITY, UNSEEN
cdef int WHOLE

cdef int head(int spot, int cuts) noexcept nogil
cdef unsigned long long swapped(
    unsigned long long order, int one, int other) noexcept nogil

cdef class MinlexBlock:
    cdef readonly long long nodes
    cdef readonly int at
    cdef readonly object forms, counts, maps
    cdef volatile bint stopping
    cdef int n, limit, known, turn
    cdef const unsigned char[::1] text
    cdef unsigned char[::1] best, cells, twin, lines, form, arrangement
    cdef int[::1] filled
    cdef long long[::1] found

    cdef void work(self, long long budget) noexcept nogil
    cdef void lay(self) noexcept nogil
    cdef bint alike(self, int line, int other) noexcept nogil
    cdef bint kin(self, int line, int other) noexcept nogil
    cdef void search(self, int limit) noexcept nogil
    cdef bint meet(self, int place, int value) noexcept nogil
    cdef void leaf(
        self, unsigned long long columns, int cuts, long long ways) noexcept nogil
    cdef void choose(
        self, int place, unsigned long long columns, unsigned long long spots,
        unsigned long long homes, int cuts, int seen, int placed, long long ways
    ) noexcept nogil
    cdef void read(
        self, int place, unsigned long long columns, unsigned long long spots,
        unsigned long long homes, int cuts, int seen, int placed, long long ways
    ) noexcept nogil
