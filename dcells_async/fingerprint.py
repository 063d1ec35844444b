"""What tells problems apart: all that covers depend on, and names."""

from __future__ import annotations

import struct
import sys
from array import array
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from .problem import Problem

__all__ = ["fingerprint", "is_long_work", "little_endian", "steps"]

_RUN = 4_000
"""So many items, or prices, are written in a few milliseconds."""

_ITEM = 100
"""An item, with its name, costs like so many entries."""

_MANY = 200_000
"""So many entries are gone through in a millisecond."""


def fingerprint(problem: Problem, *, with_prices: bool = False) -> bytes:
    """Give 32 bytes that are those of no other problem, on any machine."""
    work = steps(problem, with_prices=with_prices)
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: bytes = end.value
            return found


def steps(
    problem: Problem, *, with_prices: bool = False
) -> Generator[bool, None, bytes]:
    """Find a fingerprint step by step; each yields False, for it never blocks.

    That with prices, which tokens bear, is found once for a problem.
    """
    if with_prices and problem.digest is not None:
        return problem.digest
    digest = sha256()
    shapes: Sequence[array[int]] = (
        problem.option_start,
        problem.entry_item,
        problem.entry_color,
    )
    for numbers in shapes:
        digest.update(struct.pack("<Q", len(numbers)))
        digest.update(little_endian(memoryview(numbers)))
        yield False
    for at in range(0, len(problem.items), _RUN):
        written = [
            repr((str(item.label), *item[1:])) for item in problem.items[at : at + _RUN]
        ]
        digest.update("".join(written).encode())
        yield False
    digest.update(repr([str(color) for color in problem.colors]).encode())
    if with_prices:
        prices = problem.option_prices or ()
        digest.update(struct.pack("<Q", len(prices)))
        for at in range(0, len(prices), _RUN):
            run = prices[at : at + _RUN]
            digest.update(struct.pack(f"<{len(run)}q", *run))
            yield False
        problem.digest = digest.digest()
    return digest.digest()


def is_long_work(problem: Problem) -> bool:
    """Tell whether a fingerprint takes longer than an event loop should wait."""
    return len(problem.entry_item) + _ITEM * len(problem.items) > _MANY


def little_endian(numbers: memoryview[int]) -> array[int] | memoryview[int]:
    """Turn numbers of 32 bits between the machine's order and that of the file."""
    if sys.byteorder == "little":
        return numbers
    copy = array("i", numbers)
    copy.byteswap()
    return copy
