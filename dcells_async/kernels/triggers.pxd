# The C types of triggers.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets

cdef int ALIVE, BLOCK, EMPTY

cdef class Triggers(SparseSets):
    cdef readonly long long purges
    cdef long long pool_limit, stamp, n_free, reserve
    cdef int n_primary, shift, mask, age
    cdef int queue_front, queue_rear, n_trail, block_free
    cdef int firing, bound, least
    cdef object blocks
    cdef int[::1] pool
    cdef int[::1] primary, first, option_of
    cdef int[::1] trigger, fixit, queue, age_of, trail
    cdef int[::1] bucket, bucket_end
    cdef long long[::1] visit

    cdef void index_options(self) noexcept nogil
    cdef bint purge(self, int option, int alive) noexcept nogil
    cdef void bury(self, int option) noexcept nogil
    cdef void fire(self) noexcept nogil
    cdef void refile(self, int option, int at) noexcept nogil
    cdef int put_hint(self, int at, int age) noexcept nogil
    cdef void enqueue(self, int option) noexcept nogil
    cdef void open_hole(self, int option, int pair, int former) noexcept nogil
    cdef void close_hole(self, int option, int witness) noexcept nogil
    cdef void revert(self, int option) noexcept nogil
