# The C types of search.py; what they are for is told there.

cdef int DONE, GROW, ASK

cdef class Search:
    cdef readonly int n_items, n_options, max_depth
    cdef readonly long long updates, nodes, covers, steps
    cdef readonly int depth
    cdef int state
    cdef bint colored, keep
    cdef volatile bint stopping
    cdef int[::1] option_start, option_item, option_color
    cdef int[::1] found, found_ends
    cdef int n_found, n_found_ends

    cdef bint is_sound(self) noexcept nogil
    cdef int run(self, long long until, long long target) noexcept nogil
    cdef bint end_cover(self) noexcept nogil
