# The C types of gaps.py; what they are for is told there.

cdef int gap_below(int size) noexcept nogil
