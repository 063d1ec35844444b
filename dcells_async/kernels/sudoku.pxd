# The C types of sudoku.py; what they are for is told there.

cdef unsigned int BAND, ROW, COLUMN
cdef int INVALID
cdef int FRAME, TAKEN, DEEPEST

cdef class SudokuBlock:
    cdef readonly long long nodes
    cdef readonly int at
    cdef readonly object counts, solutions
    cdef volatile bint stopping
    cdef int n, level
    cdef long long limit
    cdef const unsigned char[::1] text
    cdef long long[::1] found
    cdef unsigned char[::1] grids
    cdef unsigned int[::1] frames
    cdef int[::1] dirty
    cdef const unsigned int[::1] rows, locks, allowed, keep, place

    cdef void work(self, long long budget) noexcept nogil
    cdef bint lay(self) noexcept nogil
    cdef bint settle(self) noexcept nogil
    cdef bint settle_digit(self, int base, int digit) noexcept nogil
    cdef int singles(self, int base) noexcept nogil
    cdef void branch(self, int base) noexcept nogil
    cdef void assign(
        self, int base, int digit, int band, unsigned int cell
    ) noexcept nogil
    cdef void write(self, int base) noexcept nogil
