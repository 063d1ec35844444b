"""Numbers of any length, in a message."""

from __future__ import annotations

__all__ = ["written"]

_LONGEST = 10_000
"""Bits of a number that is written out; Python refuses to write much longer ones."""


def written(number: int) -> str:
    """Write a number for a message, or how large it is if it is very long.

    Examples
    --------
    >>> written(36), written(7 << 99_999)
    ('36', 'some 2**100001')
    """
    bits = number.bit_length()
    return str(number) if bits <= _LONGEST else f"some 2**{bits - 1}"
