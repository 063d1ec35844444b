# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""What is left of a problem at the nodes of a path: a smaller problem of its own.

Whoever has chosen some options has left the items that they do not cover, and the
options that clash with none of them. That is told by the path alone, whatever search
found it and however it keeps its sets; and one pass over the options tells it for all
nodes of a path at once, since what has gone at one is gone at those below.

The arrays
----------
- ``cover[i]``: how many options of the path it takes until item i is covered; 0 if
  none of them does.
- ``tint[i]``: the color that the path gives to it, 0 for none.
- ``death[o]``: how many options of the path it takes until option o is gone.
- ``left[l], open[l]``: how many options, and how many primary items, are left at the
  node of level l.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

import cython

from .arrays import zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .search import Search

COMPILED: bool = cython.compiled


class Part(NamedTuple):
    """The problem that is left at a node.

    Attributes
    ----------
    n_items, n_primary, option_start, option_item, option_color
        As for any search. What the path has decided is not mentioned any more.
    kept : array('i')
        Which option of the whole problem each of these is, in rising order.
    number : array('i')
        Which of these items each item of the whole problem is; -1 for none.
    """

    n_items: int
    n_primary: int
    option_start: array[int]
    option_item: array[int]
    option_color: array[int]
    kept: array[int]
    number: array[int]


@cython.cclass
class Remains:
    """The problems that are left at the nodes of a path.

    Parameters
    ----------
    n_items, n_primary : int
        Items are numbered from 0, primary ones first.
    option_start, option_item, option_color : array('i')
        As for any search, in which all numbers were found to be in range.
    watched : Search
        Once this is stopped, what is found is of no use, and left as it is.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        watched: Search,
    ) -> None:
        self.n_items = n_items
        self.n_primary = n_primary
        self.n_options = len(option_start) - 1
        self.colored = len(option_color) > 0
        self.option_start = option_start
        self.option_item = option_item if len(option_item) else zeros(1)
        self.option_color = option_color if self.colored else zeros(1)
        self.search = watched
        self.n_levels = 0
        self.cover = self.tint = self.death = zeros(1)
        self.left = self.open = zeros(1)

    def twin(self, watched: Search) -> Remains:
        """Make another one of the same problem, watching another search."""
        return Remains(
            self.n_items,
            self.n_primary,
            self.option_start,
            self.option_item,
            self.option_color if self.colored else zeros(0),
            watched,
        )

    @property
    def n_entries(self) -> int:
        """How much there is to look at."""
        return self.option_start[self.n_options]

    def follow(self, path: Sequence[int]) -> list[tuple[int, int]]:
        """Find out what is left along a path.

        Parameters
        ----------
        path : sequence of int
            The options chosen; no two of them clash.

        Returns
        -------
        list of (int, int)
            How many options and how many primary items are left at each node, from
            the root to the end of the path.
        """
        self.n_levels = len(path) + 1
        self.cover, self.tint = zeros(self.n_items + 1), zeros(self.n_items + 1)
        self.death = zeros(self.n_options + 1)
        self.left, self.open = zeros(self.n_levels + 1), zeros(self.n_levels + 1)
        chosen: cython.int[::1] = array("i", [*path, 0])
        with cython.nogil:
            self.find(chosen)
        return [(self.left[k], self.open[k]) for k in range(self.n_levels)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark(self, chosen: cython.int[::1]) -> cython.void:
        """Note what the path covers, and with what color."""
        k: cython.int
        e: cython.int
        i: cython.int
        for k in range(self.n_levels - 1):
            for e in range(
                self.option_start[chosen[k]], self.option_start[chosen[k] + 1]
            ):
                i = self.option_item[e]
                if self.cover[i] == 0:
                    self.cover[i] = k + 1
                    if self.colored:
                        self.tint[i] = self.option_color[e]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, chosen: cython.int[::1]) -> cython.void:
        """Find when each option goes, and count what is left at each node."""
        e: cython.int
        i: cython.int
        k: cython.int
        o: cython.int
        first: cython.int
        self.mark(chosen)
        for i in range(self.n_primary):
            self.open[self.cover[i] - 1 if self.cover[i] else self.n_levels - 1] += 1
        for o in range(self.n_options):
            if self.search.stopping:
                return
            first = self.n_levels
            for e in range(self.option_start[o], self.option_start[o + 1]):
                i = self.option_item[e]
                if 0 < self.cover[i] < first:
                    if (
                        self.tint[i] == 0
                        or not self.colored
                        or self.tint[i] != self.option_color[e]
                    ):
                        first = self.cover[i]
            self.death[o] = first
            self.left[first - 1] += 1
        # Who is left at a node is left at those above.
        for k in range(self.n_levels - 1, 0, -1):
            self.left[k - 1] += self.left[k]
            self.open[k - 1] += self.open[k]

    def part(self, level: int) -> Part:
        """Give what is left at the node of a level of the path last followed."""
        n: int = self.left[level]
        number = array("i", [-1]) * (self.n_items + 1)
        kept, start = zeros(n + 1), zeros(n + 1)
        self.pick(level, number, kept, start)
        n_items: int = self.renumber(number)
        n_entries: int = start[n]
        item = zeros(n_entries)
        color = zeros(n_entries if self.colored else 0)
        if n_entries:
            self.copy(number, kept[:n], item, color or zeros(1))
        return Part(n_items, self.open[level], start, item, color, kept[:n], number)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pick(
        self,
        level: cython.int,
        number: cython.int[::1],
        kept: cython.int[::1],
        start: cython.int[::1],
    ) -> cython.void:
        """List the options left, and mark their items and the primary ones left."""
        e: cython.int
        i: cython.int
        o: cython.int
        n: cython.int = 0
        n_entries: cython.int = 0
        for i in range(self.n_primary):
            if not 0 < self.cover[i] <= level:
                number[i] = 0
        for o in range(self.n_options):
            if self.death[o] <= level:
                continue
            for e in range(self.option_start[o], self.option_start[o + 1]):
                i = self.option_item[e]
                if not 0 < self.cover[i] <= level:
                    number[i] = 0
                    n_entries += 1
            kept[n] = o
            n += 1
            start[n] = n_entries

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def renumber(self, number: cython.int[::1]) -> cython.int:
        """Number the items that are marked, in their order; tell how many there are."""
        i: cython.int
        n: cython.int = 0
        for i in range(self.n_items):
            if number[i] == 0:
                number[i] = n
                n += 1
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def copy(
        self,
        number: cython.int[::1],
        kept: cython.int[::1],
        item: cython.int[::1],
        color: cython.int[::1],
    ) -> cython.void:
        """Copy the entries that are left, with the new numbers."""
        e: cython.int
        i: cython.int
        k: cython.int
        at: cython.int = 0
        for k in range(len(kept)):
            for e in range(self.option_start[kept[k]], self.option_start[kept[k] + 1]):
                i = number[self.option_item[e]]
                if i >= 0:
                    item[at] = i
                    if self.colored:
                        color[at] = self.option_color[e]
                    at += 1
