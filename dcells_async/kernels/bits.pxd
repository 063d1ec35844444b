# The C types of bits.py; what they are for is told there.

cimport cython

from dcells_async.kernels.bitwise cimport lowest, ones
from dcells_async.kernels.rows cimport BitRows, ENDLESS, ENTER, NEXT

cdef int PAUSED, FULL, DONE, STOPPED, GROW
cdef int NONE_LEFT, STARVED, FEW

cdef inline void meet(unsigned long long[::1] rows, Py_ssize_t at, Py_ssize_t below, unsigned long long[::1] table, Py_ssize_t own, Py_ssize_t n) noexcept nogil

cdef class BitsKernel(BitRows):
    cdef int[::1] live

    cdef int run(self, long long until, long long target) noexcept nogil
    cdef void arrive(self) noexcept nogil
    cdef void narrow(self, int option, Py_ssize_t further) noexcept nogil
    @cython.final
    cdef inline int next_option(self) noexcept nogil
    @cython.final
    cdef inline int choose(self, int option) noexcept nogil
    @cython.final
    cdef inline int smallest(self, Py_ssize_t at, int limit) noexcept nogil
    @cython.final
    cdef inline int smallest_of_few(self, Py_ssize_t at, int n) noexcept nogil
    @cython.final
    cdef inline int smallest_counted(self, Py_ssize_t at, int limit) noexcept nogil
