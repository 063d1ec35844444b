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
