# The C types of cells.py; what they are for is told there.

cdef int DONE, GROW

cdef class SparseSets:
    cdef readonly int n_items, n_options, max_depth
    cdef readonly long long updates, nodes, covers, steps
    cdef readonly int depth
    cdef int header, second, active, state, n_forced
    cdef bint colored, keep
    cdef volatile bint stopping
    cdef int[::1] option_start, option_item, option_color
    cdef int[::1] node_item, node_cell, node_color
    cdef int[::1] cells, items
    cdef int[::1] chosen, forced
    cdef int[::1] saved_at, saved_active, saved
    cdef int[::1] found, found_ends
    cdef int n_found, n_found_ends

    cdef void build(self) noexcept nogil
    cdef bint is_starved(self) noexcept nogil
    cdef void retire(self, int item) noexcept nogil
    cdef int forced_item(self) noexcept nogil
    cdef void save_sizes(self) noexcept nogil
    cdef void restore_sizes(self) noexcept nogil
    cdef int run(self, long long until, long long target) noexcept nogil
    cdef bint record(self) noexcept nogil
