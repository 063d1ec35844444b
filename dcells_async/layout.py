"""A problem as the flat integer arrays that kernels work on."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from .compiled import Entries
from .cover import Cover

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from .kernels.clashes import Clashes
    from .problem import Problem
    from .start import Start
    from .tables import Item

__all__ = ["Layout", "multiplicities"]


class Layout(NamedTuple):
    """Items from 0, primary ones first; options end to end; colors from 1.

    Attributes
    ----------
    option_start : array('i'), shape (n_options + 1,)
        Where the entries of each option begin.
    option_item, option_color : array('i'), shape (n_entries,)
        Item and color of each entry; no colors at all is shape (0,).
    kept : array('i') or None
        Which option of the problem each of ours is, where some were dropped or all
        were shuffled.
    items : tuple of Item
        The items, with the bounds that a search has to meet.
    given : tuple of int
        Options of the problem, from 0, that are chosen before the search begins.
    start : Start or None
        What the kernel has to do about that; None if nothing is left to do.
    removed : tuple of int or None
        How many options and items preprocessing has removed, if it was done.
    clashes : Clashes or None
        The table of clashes of these options, if the problem was compiled.
    """

    problem: Problem
    n_items: int
    n_primary: int
    option_start: array[int]
    option_item: array[int]
    option_color: array[int]
    kept: array[int] | None
    items: tuple[Item, ...]
    given: tuple[int, ...] = ()
    start: Start | None = None
    clashes: Clashes | None = None
    removed: tuple[int, int] | None = None

    @classmethod
    def of(cls, problem: Problem) -> Layout:
        """Lay a problem out, without the options that can never be chosen."""
        steps = cls.steps(problem)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                layout: Layout = end.value
                return layout

    @classmethod
    def steps(cls, problem: Problem) -> Generator[bool, None, Layout]:
        """Lay a problem out step by step; each yields False, for it never blocks."""
        compiled, clashes = problem.compiled, None
        if compiled is None:
            entries = yield from Entries.steps(problem.tables)
        else:
            entries, clashes = compiled.entries, compiled.clashes
        items = problem.items
        return cls(
            problem, len(items), problem.n_primary, *entries, items, clashes=clashes
        )

    @property
    def n_options(self) -> int:
        """How many options take part in the search."""
        return len(self.option_start) - 1

    def starting(self, start: Start) -> Layout:
        """Give the same layout with a start that is left to the kernel."""
        return self._replace(given=start.given, start=start)

    def ours(self, options: Sequence[int]) -> list[int]:
        """Tell which of ours options of the problem are; those dropped are not.

        They must stand in the order of the problem.
        """
        if self.kept is None:
            return [*options]
        places = [(bisect_left(self.kept, option), option) for option in options]
        return [
            place
            for place, option in places
            if place < len(self.kept) and self.kept[place] == option
        ]

    def covers(self, found: array[int], ends: array[int]) -> list[Cover]:
        """Give the covers that a kernel wrote down, end to end."""
        if self.kept is not None:
            found = array("i", map(self.kept.__getitem__, found))
        problem = self.problem
        given = array("i", self.given)
        begin = 0
        covers = []
        for end in ends:
            chosen = found[begin:end]
            covers.append(Cover(problem, given + chosen if given else chosen))
            begin = end
        return covers


def multiplicities(layout: Layout) -> tuple[array[int], array[int]]:
    """Give how often each primary item has to be covered, and may be."""
    primary = layout.items[: layout.n_primary]
    return (
        array("i", [item.low for item in primary]),
        array("i", [item.high for item in primary]),
    )
