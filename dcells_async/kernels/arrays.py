"""Arrays of C integers: making, copying, and packing them."""

from __future__ import annotations

import mmap
import sys
from array import array
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any as Buffer
    from typing import Literal

_PIECE = bytes(1 << 20)

# Pages of one's own cost a fraction of shared ones, where one may choose.
_PRIVATE = getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)
_OWN = {"flags": _PRIVATE} if _PRIVATE else {}
_HUGE = getattr(mmap, "MADV_HUGEPAGE", None)
_MANY = 1 << 22

_FEW = 1 << 16
"""So many numbers are made at once, in some microseconds."""

MOST_PLACES = 0x7FFFFFFF
"""Places are 32-bit integers."""

_ZERO = {kind: array(kind, (0,)) for kind in "iIqQ"}


def zeros(n: int, kind: str = "i") -> array[int]:
    """Give n zeros, as 32-bit integers or of another kind."""
    if n <= _FEW:
        return _ZERO[kind] * n
    numbers = array(kind)
    lengthen(numbers, n)
    return numbers


def pages(n: int, letter: Literal["i", "I", "q"] = "i") -> Buffer:
    """Give n zeros, in pages that the system provides when they are written to.

    Tables of many megabytes are asked for in huge pages: they are read all over the
    place, and finding the pages would take longer than reading them.
    """
    size: int = max(n, 1) * (8 if letter == "q" else 4)
    try:
        area = mmap.mmap(-1, size, **_OWN)
    except OSError as error:
        raise MemoryError(f"the system has no {size:,} bytes to give") from error
    if _HUGE is not None and size >= _MANY:
        with suppress(OSError):  # The system may have none.
            area.madvise(_HUGE)
    return memoryview(area).cast("B").cast(letter)


def lengthen(numbers: array[int], n: int) -> None:
    """Add zeros up to n numbers, piecewise so that other threads run in between."""
    rest = numbers.itemsize * (n - len(numbers))
    for _ in range(rest // len(_PIECE)):
        numbers.frombytes(_PIECE)
    numbers.frombytes(_PIECE[: rest % len(_PIECE)])


def copied(numbers: Buffer, n: int) -> array[int]:
    """Give a copy of the first n of `numbers`, made piecewise too."""
    view = memoryview(numbers)
    return from_bytes(view.cast("B")[: view.itemsize * n], view.format)


def from_bytes(source: Buffer, kind: str = "i") -> array[int]:
    """Give the numbers that some bytes stand for, piecewise likewise."""
    numbers = array(kind)
    for at in range(0, len(source), len(_PIECE)):
        numbers.frombytes(source[at : at + len(_PIECE)])
    return numbers


def enlarged(numbers: Buffer, n: int) -> array[int]:
    """Give a copy of `numbers` with zeros at its end, n numbers in all."""
    more = copied(numbers, len(numbers))
    lengthen(more, n)
    return more


def doubled(numbers: Buffer, needed: int, room: int) -> array[int] | None:
    """Give a copy of `numbers` twice as long, or as long as there is room for.

    Parameters
    ----------
    needed : int
        It has to be so long at least, and is longer than twice if need be.
    room : int, bytes
        What the copy may take; None if it does not fit, even as short as that.
    """
    most = min(room // memoryview(numbers).itemsize, MOST_PLACES)
    if needed > most:
        return None
    return enlarged(numbers, min(max(needed, 2 * len(numbers)), most))


def number_of(limbs: Buffer, begin: int, end: int) -> int:
    """Give the number that limbs of 32 bits make, from one place on; lowest first."""
    digits = memoryview(limbs)[begin:end]
    if sys.byteorder == "big":
        digits = digits[::-1]
    return int.from_bytes(digits.tobytes(), sys.byteorder)


def limbs_of(numbers: Iterable[int], width: int) -> array[int]:
    """Give numbers in so many limbs of 32 bits each, one after another; lowest first.

    Raises
    ------
    OverflowError
        One of them does not fit.
    """
    limbs = array("I")
    for number in numbers:
        limbs.frombytes(number.to_bytes(4 * width, "little"))
    if sys.byteorder == "big":
        limbs.byteswap()
    return limbs


def pack(buffers: Sequence[Buffer]) -> bytes:
    """Put arrays end to end, their lengths in bytes first."""
    blocks = [bytes(buffer) for buffer in buffers]
    lengths = array("q", [len(blocks), *map(len, blocks)])
    return b"".join([lengths.tobytes(), *blocks])


def unpack(data: bytes) -> list[bytes]:
    """Take apart what `pack` put together; a `ValueError` if that is damaged."""
    count = array("q", data[:8])[0] if len(data) >= 8 else -1
    lengths = array("q", data[8 : 8 + 8 * count]) if 0 <= 8 * count <= len(data) else []
    at = 8 + 8 * count
    if len(lengths) != count or at + sum(lengths) != len(data):
        raise ValueError("this is no saved state")
    blocks = []
    for length in lengths:
        blocks.append(data[at : at + length])
        at += length
    return blocks
