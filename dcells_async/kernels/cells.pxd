# The C types of cells.py; what they are for is told there.

cdef class SparseSets:
    cdef readonly int n_items, n_options, max_depth
    cdef readonly long long updates, nodes, covers
    cdef readonly int depth
    cdef int second, active
    cdef bint colored
    cdef volatile bint stopping
    cdef int[::1] option_start, option_item, option_color
    cdef int[::1] node_item, node_cell, node_color
    cdef int[::1] cells, items
    cdef int[::1] chosen
    cdef int[::1] found, found_ends
    cdef int n_found, n_found_ends

    cdef void build(self) noexcept nogil
    cdef bint is_starved(self) noexcept nogil
    cdef void retire(self, int item) noexcept nogil
    cdef bint record(self) noexcept nogil
