# The C types of domains.py; what they are for is told there.

from dcells_async.kernels.triggers cimport Triggers

cdef int ALIVE, BLOCK, EMPTY

cdef class Domains(Triggers):
    cdef int n_begun, row
    cdef bint has_rows, by_rows
    cdef int[::1] mark, match, root_size
    cdef unsigned char[::1] clash

    cdef bint witness(self, int option) noexcept nogil
    cdef int dequeue(self) noexcept nogil
    cdef bint settle(self, int option) noexcept nogil
    cdef bint repair(self, int option) noexcept nogil
    cdef void wake(self, int n_trail) noexcept nogil
    cdef void mark_items(self, int option) noexcept nogil
    cdef bint agrees(self, int node, int other) noexcept nogil
    cdef void fill_row(self, int option) noexcept nogil
    cdef void begin_rows(self) noexcept nogil
