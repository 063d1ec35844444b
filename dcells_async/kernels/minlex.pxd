# The C types of minlex.py; what they are for is told there.

cimport cython

from dcells_async.kernels.arrangements cimport Arrangements

cdef int WHOLE

cdef int head(int spot, int cuts) noexcept nogil
cdef int clues(int filled, int column) noexcept nogil
cdef unsigned long long swapped(
    unsigned long long order, int one, int other) noexcept nogil
cdef unsigned long long inverted(unsigned long long order) noexcept nogil

cdef class MinlexBlock(Arrangements):
    cdef readonly object forms
    cdef int n, known
    cdef unsigned char[::1] best, form

    cdef void work(self, long long budget) noexcept nogil
    @cython.final
    cdef inline bint meet(self, int place, int value) noexcept nogil
    @cython.final
    cdef inline int name(
        self, int home, int column, int spot, unsigned long long spots, int cuts
    ) noexcept nogil
    cdef void read(
        self, int place, unsigned long long columns, unsigned long long spots,
        unsigned long long homes, int cuts, int seen, int placed, long long ways
    ) noexcept nogil
    @cython.final
    cdef void order_stacks(
        self, int place, int end, unsigned long long columns, unsigned long long homes,
        int cuts, int seen, int placed, long long ways) noexcept nogil
    @cython.final
    cdef void order_columns(
        self, int place, int end, int least, unsigned long long columns,
        unsigned long long spots, unsigned long long homes, int cuts, int seen,
        int placed, long long ways) noexcept nogil
    cdef int cross_twins(
        self, unsigned long long columns, int spot, int end, int chosen, int width
    ) noexcept nogil
