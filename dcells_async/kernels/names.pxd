# The C types of names.py; what they are for is told there.

cdef unsigned long long LOW_32_BITS, FNV_PRIME, MIXER

cdef class NameTable:
    cdef readonly int count
    cdef const unsigned char[::1] text
    cdef unsigned int seed
    cdef int[::1] slots, lengths
    cdef unsigned int[::1] hashes
    cdef long long[::1] starts

    cdef bint is_full(self) noexcept nogil
    cdef int find(self, long long start, long long end) noexcept nogil
    cdef int add(self, long long start, long long end) noexcept nogil
    cdef unsigned int hash_of(self, long long start, long long end) noexcept nogil
    cdef int probe(self, long long start, int length, unsigned int code) noexcept nogil
    cdef void rehash(self) noexcept nogil
