# What compiled kernels use in place of the functions of bitwise.py.

cdef extern from *:
    """
    #if defined(_MSC_VER) && defined(_WIN64)
    #include <intrin.h>
    static CYTHON_INLINE int dcells_lowest(unsigned long long word) {
        unsigned long place;
        _BitScanForward64(&place, word);
        return (int) place;
    }
    #elif defined(__GNUC__) || defined(__clang__)
    static CYTHON_INLINE int dcells_lowest(unsigned long long word) {
        return __builtin_ctzll(word);
    }
    #else
    static CYTHON_INLINE int dcells_lowest(unsigned long long word) {
        int place = 0;
        while (!(word & 1)) {
            word >>= 1;
            place++;
        }
        return place;
    }
    #endif
    """
    int lowest "dcells_lowest"(unsigned long long word) noexcept nogil

cdef extern from *:
    """
    #if defined(_MSC_VER) && defined(_WIN64) && defined(_M_X64)
    #include <intrin.h>
    #define DCELLS_POPCNT(n, word) n = (int) __popcnt64(word)
    /* The C runtime's own note of what the processor can do; 2 is SSE4.2. */
    extern int __isa_available;
    #define DCELLS_HAS_POPCNT (__isa_available >= 2)
    #elif (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__) \\
        && !defined(__POPCNT__)
    #define DCELLS_POPCNT(n, word) { \\
        unsigned long long count; \\
        __asm__("popcntq %1, %0" : "=r" (count) : "rm" (word) : "cc"); \\
        n = (int) count; }
    static int dcells_has_popcnt;
    __attribute__((constructor)) static void dcells_look_for_popcnt(void) {
        __builtin_cpu_init();
        dcells_has_popcnt = __builtin_cpu_supports("popcnt") != 0;
    }
    #define DCELLS_HAS_POPCNT dcells_has_popcnt
    #elif defined(__GNUC__) || defined(__clang__)
    #define DCELLS_POPCNT(n, word) n = __builtin_popcountll(word)
    #define DCELLS_HAS_POPCNT 1
    #else
    #define DCELLS_POPCNT(n, word)
    #define DCELLS_HAS_POPCNT 0
    #endif
    static CYTHON_INLINE int dcells_ones(unsigned long long word) {
        int n = 0;
        if (DCELLS_HAS_POPCNT) {
            DCELLS_POPCNT(n, word);
            return n;
        }
        /* Count in pairs of bits, in fours, in bytes, and add the bytes up. */
        word -= word >> 1 & 0x5555555555555555ULL;
        word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
        word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
        return (int) (word * 0x0101010101010101ULL >> 56);
    }
    """
    int ones "dcells_ones"(unsigned long long word) noexcept nogil
