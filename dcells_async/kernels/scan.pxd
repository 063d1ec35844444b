# The C types of scan.py; what they are for is told there.

from dcells_async.kernels.names cimport NameTable

cdef int PAUSED, DONE, STOPPED, GROW, FAULTY
cdef int MEASURE, LINE, COMMENT, ITEMS, OPTION, OVER
cdef int FINE, NO_ITEMS, SECOND_BAR, ILLEGAL_NAME, REPEATED_ITEM, NO_NUMBER
cdef int HUGE_BOUND, UPPER_ZERO, LOW_ABOVE_HIGH, SECONDARY_BOUND, EMPTY_NAME
cdef int EMPTY_ITEM, UNKNOWN_ITEM, REPEATED_IN_OPTION, COLORED_PRIMARY
cdef int EMPTY_COLOR, NO_PRICE, HUGE_PRICE, NUL, NOT_UTF8, HUGE_NUMBER
cdef int FEW_ITEMS, FEW_MARKS, FEW_COLORS, FEW_PRICES, FEW_BARE
cdef long long BIGGEST

cdef class DlxScanner:
    cdef readonly NameTable items, colors
    cdef readonly int n_primary, n_options, n_bare
    cdef readonly int fault
    cdef readonly long long position, line_start, fault_start, fault_end, n_entries
    cdef readonly int line
    cdef const unsigned char[::1] text
    cdef long long end, limit, n_tokens
    cdef int n_lines, state
    cdef bint in_token, has_primary
    cdef volatile bint stopping
    cdef long long number
    cdef object arrays
    cdef int[::1] low, high, bare, mentioned
    cdef int[::1] node_item, node_color, option_start, option_line
    cdef long long[::1] option_price

    cdef int run(self, long long until) noexcept nogil
    cdef bint is_blank(self, long long at) noexcept nogil
    cdef int measure(self, long long until) noexcept nogil
    cdef int length_of(self, long long at) noexcept nogil
    cdef void begin_line(self) noexcept nogil
    cdef void end_line(self) noexcept nogil
    cdef int scan_item(self, long long start, long long stop) noexcept nogil
    cdef int scan_bounds(self, long long start, long long bar, int item) noexcept nogil
    cdef int scan_bound(self, long long start, long long stop) noexcept nogil
    cdef int scan_entry(self, long long start, long long stop) noexcept nogil
    cdef int scan_price(self, long long start, long long stop) noexcept nogil
    cdef int scan_number(self, long long start, long long stop) noexcept nogil
    cdef int blame(self, int fault, long long start, long long stop) noexcept nogil
