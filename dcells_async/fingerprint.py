"""What tells problems apart: all that covers depend on, and names."""

from __future__ import annotations

import struct
import sys
from array import array
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .problem import Problem

__all__ = ["fingerprint", "little_endian"]


def fingerprint(problem: Problem, *, with_prices: bool = False) -> bytes:
    """Give 32 bytes that are those of no other problem, on any machine."""
    digest = sha256()
    shapes: Sequence[array[int]] = (
        problem.option_start,
        problem.entry_item,
        problem.entry_color,
    )
    for numbers in shapes:
        digest.update(struct.pack("<Q", len(numbers)))
        digest.update(little_endian(memoryview(numbers)))
    for item in problem.items:
        digest.update(repr((str(item.label), *item[1:])).encode())
    digest.update(repr([str(color) for color in problem.colors]).encode())
    if with_prices:
        prices = problem.option_prices
        written = () if prices is None else prices
        digest.update(struct.pack(f"<Q{len(written)}q", len(written), *written))
    return digest.digest()


def little_endian(numbers: memoryview[int]) -> array[int] | memoryview[int]:
    """Turn numbers of 32 bits between the machine's order and that of the file."""
    if sys.byteorder == "little":
        return numbers
    copy = array("i", numbers)
    copy.byteswap()
    return copy
