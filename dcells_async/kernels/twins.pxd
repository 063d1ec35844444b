# The C types of twins.py; what they are for is told there.

cdef class Grid:
    cdef const unsigned char[::1] text
    cdef unsigned char[::1] cells, twin
    cdef int[::1] filled

    cdef void lay(self, int start) noexcept nogil
    cdef bint alike(self, int line, int other) noexcept nogil
    cdef bint akin(self, int band, int other) noexcept nogil
