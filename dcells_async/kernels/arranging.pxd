# The C types of arranging.py; what they are for is told there.

cdef void find_keys(int[::1] option_start, int[::1] option_item, int n_primary, int sign, int[::1] first, int[::1] second) noexcept nogil
cdef void sort(int[::1] before, int[::1] key, int[::1] place, int[::1] after) noexcept nogil
cdef int words_of(int[::1] option_start, int[::1] option_item, int[::1] order, int[::1] last) noexcept nogil
