"""Words of 64 bits: what C has an instruction for and Python has not.

Compiled kernels take these functions from ``bitwise.pxd``.

To count the bits of a word takes one instruction on every processor of the last
fifteen years, and a dozen without it. Compilers know that of arm64, but for x86-64
they may assume no more than what its first processors had (x86-64-v1; the instruction
came with x86-64-v2), and a wheel has to run on all of them. One could compile the
searches several times and choose when the library is loaded. We choose at the single
instruction: a flag that is set at loading tells whether the processor has it. The
branch always goes the same way, and so costs next to nothing; there is one binary,
and nothing depends on the linker or the C library. (AVX2, which came with x86-64-v3,
was tried too: it made no difference, rows of options are too short.)
"""

from __future__ import annotations


def lowest(word: int) -> int:
    """Give the place of the lowest bit that is set; there must be one."""
    return (word & -word).bit_length() - 1


def ones(word: int) -> int:
    """Count the bits that are set."""
    return word.bit_count()
