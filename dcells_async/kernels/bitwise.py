"""Words of 64 bits: what C has an instruction for and Python has not.

Compiled kernels take these functions from ``bitwise.pxd``.
"""

from __future__ import annotations


def lowest(word: int) -> int:
    """Give the place of the lowest bit that is set; there must be one."""
    return (word & -word).bit_length() - 1
