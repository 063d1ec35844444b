# The C types of signed.py; what they are for is told there.

from dcells_async.kernels.states cimport States

cdef unsigned long long M63, GOLDEN, MIX, STIR
cdef unsigned long long SEED, STRIDE, FIRST_MIX, LAST_MIX, M64

cdef class SignedStates(States):
    cdef bint mrv, all_colors, simple
    cdef int[::1] current, offsets, rank, starved_at, members, walked
    cdef int stamp, n_members
    cdef long long first, second_key

    cdef void give_shares(self) noexcept nogil
    cdef void toggle(self, int x) noexcept nogil
    cdef int choose(self) noexcept nogil
    cdef int fewest(self) noexcept nogil
    cdef int leftmost(self) noexcept nogil
    cdef int survey(self) noexcept nogil
    cdef long long mixed(self, int x, int half, int a, int b) noexcept nogil
    cdef int smallest(self, int item) noexcept nogil
    cdef bint gather(self, int item) noexcept nogil
    cdef void keep_part(self, bint rest) noexcept nogil
