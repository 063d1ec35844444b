"""What the kernels that make diagrams agree on."""

from __future__ import annotations

JOIN = -1
"""The operation that joins two families; others are named by the option they put."""

TERMINAL = 0x7FFFFFFF
"""The option of both terminal nodes while a diagram is made: larger than any."""
PRODUCT = -2
"""The option of a node that stands for the join of its two sides."""

FIRST_SIZE = 1 << 14
"""Tables begin with room for so many; pages not written to cost nothing."""

M63 = 0x7FFFFFFFFFFFFFFF
GOLDEN = 0x1E3779B97F4A7C15
MIX = 0x3F58476D1CE4E5B9
STIR = 0x14D049BB133111EB
"""Odd numbers to multiply with when hashing. Products are cut to 63 bits, so that
they are the same compiled and interpreted."""
