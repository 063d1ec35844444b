# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The gaps of Shell's sort.

Lines of options are short as a rule, and stand in arrays that a kernel keeps in step
with others. Shell's sort needs no room beside them, and is fast where they are short;
how it fares where they are long depends on the gaps. Halves of halves are bad: with
dear and cheap options in turn, no two neighbors are compared before the gap is 1, and
then a quarter of a million options take twenty seconds. With 1, 8, 23, 77, 281, ...,
that is 4 h^2 + 3 h + 1 for h = 0, 1, 2, 4, 8, ..., no order of n options takes more
than some n^(4/3) moves.

Source: R. Sedgewick, A new upper bound for Shellsort, Journal of Algorithms 7, 1986.
"""

from __future__ import annotations

import cython

COMPILED: bool = cython.compiled


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gap_below(size: cython.int) -> cython.int:
    """Give the largest gap that is less than a size, or than a gap; 0 if none is."""
    half: cython.longlong = 1
    if size <= 1:
        return 0
    while (4 * half + 3) * half + 1 < size:
        half <<= 1
    half >>= 1
    return (4 * half + 3) * half + 1
