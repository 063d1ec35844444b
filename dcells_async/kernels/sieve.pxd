# The C types of sieve.py; what they are for is told there.

from dcells_async.kernels.family cimport Family

cdef unsigned long long HASH_OPTION, HASH_LOW, HASH_HIGH

cdef class Sieve(Family):
    cdef int n_seen, n_sifted
    cdef long long mask
    cdef int[::1] wish, next_use
    cdef int[::1] sifted_options, sifted_lows, sifted_highs
    cdef int[::1] image, table

    cdef void look_ahead(self) noexcept nogil
    cdef void sift(self, int nodes) noexcept nogil
    cdef int behind(self, int option, int child) noexcept nogil
    cdef int node_of(self, int option, int low, int high) noexcept nogil
