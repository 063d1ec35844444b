# The C types of cells.py; what they are for is told there.

from dcells_async.kernels.ledger cimport Ledger

cdef int DONE, GROW, ASK

cdef class SparseSets:
    cdef readonly int n_items, n_options, max_depth
    cdef readonly long long updates, nodes, covers, steps
    cdef readonly int depth
    cdef int header, second, active, state, n_forced
    cdef bint colored, keep, priced
    cdef readonly Ledger ledger
    cdef list offsets
    cdef dict numbers
    cdef volatile bint stopping
    cdef int[::1] option_start, option_item, option_color
    cdef int[::1] node_item, node_cell, node_color
    cdef int[::1] cells, items
    cdef int[::1] chosen, forced
    cdef int[::1] saved_at, saved_active, saved
    cdef int[::1] found, found_ends
    cdef int n_found, n_found_ends

    cdef bint is_sound(self) noexcept nogil
    cdef void build(self) noexcept nogil
    cdef bint is_starved(self) noexcept nogil
    cdef void retire(self, int item) noexcept nogil
    cdef void delete(self, int node) noexcept nogil
    cdef int forced_item(self) noexcept nogil
    cdef void save_sizes(self) noexcept nogil
    cdef void restore_sizes(self) noexcept nogil
    cdef int run(self, long long until, long long target) noexcept nogil
    cdef bint record(self) noexcept nogil
    cdef bint afford(self) noexcept nogil
    cdef bint earn(self) noexcept nogil
    cdef bint discard(self, int first) noexcept nogil
    cdef void give_up(self) noexcept nogil
    cdef void cheapest_first(self, int item) noexcept nogil
    cdef bint is_cheaper(self, int node, int other) noexcept nogil
