"""Covers that are put by: option numbers end to end, and where each cover ends."""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Shelf"]


class Shelf:
    """Covers in the order in which they came.

    Examples
    --------
    >>> from array import array
    >>> shelf = Shelf()
    >>> shelf.add(array("i", [3, 1, 2]), array("i", [2, 3]))
    >>> len(shelf), shelf.sets()
    (2, [(1, 3), (2,)])
    >>> shelf.take(1)
    (array('i', [3, 1]), array('i', [2]))
    >>> shelf.take()
    (array('i', [2]), array('i', [1]))
    """

    __slots__ = ("ends", "found")

    def __init__(
        self, found: Iterable[int] | bytes = (), ends: Iterable[int] | bytes = ()
    ) -> None:
        self.found = array("i", found)
        self.ends = array("i", ends)

    def __len__(self) -> int:
        return len(self.ends)

    def add(self, found: array[int], ends: array[int]) -> None:
        """Put more covers behind those that there are."""
        begin = len(self.found)
        self.ends.extend([begin + end for end in ends] if begin else ends)
        self.found += found

    def take(self, n: int | None = None) -> tuple[array[int], array[int]]:
        """Take the first n covers away, or all."""
        if n is None or n >= len(self.ends):
            taken = self.found, self.ends
            self.found, self.ends = array("i"), array("i")
            return taken
        cut = self.ends[n - 1] if n else 0
        taken = self.found[:cut], self.ends[:n]
        self.found = self.found[cut:]
        self.ends = array("i", [end - cut for end in self.ends[n:]])
        return taken

    def sets(self) -> list[tuple[int, ...]]:
        """Give the options of each cover, whatever the order they were found in."""
        spans = pairwise([0, *self.ends])
        return [tuple(sorted(self.found[begin:end])) for begin, end in spans]

    def without(self, others: Shelf) -> Shelf:
        """Give the covers that are not among some others."""
        known = set(others.sets())
        left = Shelf()
        spans = pairwise([0, *self.ends])
        for options, (begin, end) in zip(self.sets(), spans, strict=True):
            if options not in known:
                left.add(self.found[begin:end], array("i", [end - begin]))
        return left
