# The C types of vetting.py; what they are for is told there.

from dcells_async.kernels.domains cimport Domains

cdef int ALIVE, BLOCK, EMPTY, BITS
cdef long long MOST
cdef int TRIGGER, FIXIT, BUCKET

cdef class Vetting:
    cdef Domains sets
    cdef int[::1] degree, trail_at
    cdef int levels, held, oldest
    cdef bint whole, including
    cdef int[::1] length, gone, live, seen, active_until, live_until, out_after, waits, used
    cdef unsigned int[::1] met

    cdef bint is_path(self) noexcept nogil
    cdef long long size_of_saves(self, int level, int count) noexcept nogil
    cdef bint is_trail(self) noexcept nogil
    cdef int next_cut(self, int level) noexcept nogil
    cdef bint are_snapshots(self) noexcept nogil
    cdef bint is_size(self, int x, int size, int level) noexcept nogil
    cdef bint are_ages(self) noexcept nogil
    cdef bint are_stamps(self) noexcept nogil
    cdef bint is_queue(self) noexcept nogil
    cdef bint are_stacks(self) noexcept nogil
    cdef int bottom(self, int at, int kind, int option) noexcept nogil
    cdef bint is_new_pair(self, int pair) noexcept nogil
    cdef bint are_free(self) noexcept nogil
