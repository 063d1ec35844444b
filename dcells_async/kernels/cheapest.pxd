# The C types of cheapest.py; what they are for is told there.

cimport cython

from dcells_async.kernels.bitwise cimport lowest
from dcells_async.kernels.gaps cimport gap_below
from dcells_async.kernels.levies cimport CHOOSE, ENTER, NEXT, LeviedRows

cdef int PAUSED, FULL, DONE, STOPPED, GROW, ASK
cdef long long ENDLESS

cdef class CheapestKernel(LeviedRows):
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
