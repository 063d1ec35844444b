"""A part of a search as it stands in a token: a stretch of the tree."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from ..kernels.arrays import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Stretch", "joined", "parted"]


class Stretch(NamedTuple):
    """Where a part of a search stands.

    Attributes
    ----------
    state : bytes
        That of its kernel; none if all is found here.
    sort : str
        What sort of kernel that is, if it is not the engine's own; see `Session.sort`.
    position, end : float
        How far it has come, and where it ends, in the whole tree from 0 to 1.
    held : sequence of sequence of int
        The covers found in it that have to come after those of the parts before it, as
        options from 0.
    """

    state: bytes
    sort: str = ""
    position: float = 0.0
    end: float = 1.0
    held: Sequence[Sequence[int]] = ()

    def to_bytes(self) -> bytes:
        """Give the bytes that `of_bytes` reads."""
        span = array("d", [self.position, self.end])
        return pack([self.sort.encode(), span, *joined(self.held), self.state])

    @classmethod
    def of_bytes(cls, data: bytes) -> Stretch:
        """Take up what `to_bytes` gave.

        Raises
        ------
        ValueError
            It is damaged.
        """
        sort, span, options, ends, state = unpack(data)
        position, end = array("d", span)
        if not (0 <= position <= 1 and 0 <= end <= 1):
            raise ValueError("a part is out of the tree")
        held = parted(array("i", options), array("q", ends))
        return cls(state, sort.decode(), position, end, held)


def joined(covers: Iterable[Sequence[int]]) -> tuple[array[int], array[int]]:
    """Put covers end to end, and tell where each one ends."""
    options, ends = array("i"), array("q")
    for cover in covers:
        options.extend(cover)
        ends.append(len(options))
    return options, ends


def parted(options: array[int], ends: array[int]) -> list[array[int]]:
    """Take apart what was `joined`.

    Raises
    ------
    ValueError
        It was not.
    """
    covers = []
    begin = 0
    for end in ends:
        if not begin <= end <= len(options):
            raise ValueError("covers without an end")
        covers.append(options[begin:end])
        begin = end
    if begin != len(options):
        raise ValueError("options without a cover")
    return covers
