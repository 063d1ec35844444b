# The C types of probing.py; what they are for is told there.

from dcells_async.kernels.bounded cimport BoundedSets
from dcells_async.kernels.xccdc cimport XccdcKernel

cdef int ALIVE, PAUSED, DONE, STOPPED

cdef class Probing(BoundedSets):
    cdef readonly bint is_hopeless
    cdef int[::1] begin_of, saved_place
    cdef int next_option, untried, n_saved

    cdef int run(self, long long until, long long target) noexcept nogil
    cdef void index_options(self) noexcept nogil
    cdef bint is_live(self, int node) noexcept nogil
    cdef bint starves(self, int node) noexcept nogil
    cdef bint save_touched(self, int node) noexcept nogil
    cdef void save_size(self, int x) noexcept nogil
    cdef int list_live(self, int[::1] live) noexcept nogil

cdef class FirstPass(XccdcKernel):
    cdef void settled(self) noexcept nogil
    cdef int list_live(self, int[::1] live) noexcept nogil
