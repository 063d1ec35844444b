# The C types of tally.py; what they are for is told there.

from dcells_async.kernels.family cimport Family

cdef int DONE, GROW
cdef long long LIMB

cdef class Tally(Family):
    cdef int n_counted
    cdef long long[::1] begins
    cdef unsigned int[::1] limbs

    cdef int fill(self, int until) noexcept nogil
    cdef void add(self, int node, int one, int other) noexcept nogil
    cdef int descend(self, unsigned int[::1] rank, int begin, int end, int[::1] found, int at) noexcept nogil
    cdef bint is_below(self, unsigned int[::1] rank, int begin, int end, int node) noexcept nogil
    cdef void lay_out(self, long long[::1] begins, int width) noexcept nogil
    cdef void spread(self, long long[::1] begins, unsigned int[::1] ways, unsigned int[::1] uses, int width) noexcept nogil
    cdef void pass_on(self, int node, int child, long long[::1] begins, unsigned int[::1] ways) noexcept nogil
    cdef void multiply(self, int node, long long begin, long long end, unsigned int[::1] ways, unsigned int[::1] uses, int at) noexcept nogil
