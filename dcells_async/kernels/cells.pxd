# The C types of cells.py; what they are for is told there.

from dcells_async.kernels.search cimport Search

cdef class SparseSets(Search):
    cdef int header, n_primary, second, active, n_forced, dead_end
    cdef int[::1] node_item, node_cell, node_color
    cdef int[::1] cells, items
    cdef int[::1] chosen, forced
    cdef int[::1] saved_at, saved_active, saved
    cdef object room

    cdef void build(self) noexcept nogil
    cdef bint is_starved(self) noexcept nogil
    cdef void retire(self, int item) noexcept nogil
    cdef void delete(self, int node) noexcept nogil
    cdef int forced_item(self) noexcept nogil
    cdef void save_sizes(self) noexcept nogil
    cdef void restore_sizes(self) noexcept nogil
    cdef bint record(self) noexcept nogil
