"""A problem as the flat integer arrays that kernels work on."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cover import Cover

if TYPE_CHECKING:
    from .problem import Problem

__all__ = ["Layout"]


@dataclass(frozen=True, slots=True)
class Layout:
    """Items from 0, primary ones first; options end to end; colors from 1.

    Attributes
    ----------
    option_start : array('i'), shape (n_options + 1,)
        Where the entries of each option begin.
    option_item, option_color : array('i'), shape (n_entries,)
        Item and color of each entry; no colors at all is shape (0,).
    kept : array('i') or None
        Which option of the problem each of ours is, where some were dropped.
    """

    problem: Problem
    n_items: int
    n_primary: int
    option_start: array[int]
    option_item: array[int]
    option_color: array[int]
    kept: array[int] | None

    @classmethod
    def of(cls, problem: Problem) -> Layout:
        """Lay a problem out, without the options that can never be chosen."""
        starts, item, color = (
            problem.option_start,
            problem.entry_item,
            problem.entry_color,
        )
        start, kept = starts, None
        if problem.dropped:
            start, kept = array("i", [0]), array("i")
            item, color = array("i"), array("i")
            first = 0
            # What lies between two dropped options is copied at a time.
            for number in (*problem.dropped, len(starts)):
                begin, end = starts[first], starts[number - 1]
                shift = len(item) - begin
                start.extend([at + shift for at in starts[first + 1 : number]])
                kept.extend(range(first, number - 1))
                item += problem.entry_item[begin:end]
                color += problem.entry_color[begin:end]
                first = number
        return cls(
            problem, len(problem.items), problem.n_primary, start, item, color, kept
        )

    @property
    def n_options(self) -> int:
        """How many options take part in the search."""
        return len(self.option_start) - 1

    def covers(self, found: array[int], ends: array[int]) -> list[Cover]:
        """Give the covers that a kernel wrote down, end to end."""
        if self.kept is not None:
            found = array("i", map(self.kept.__getitem__, found))
        problem = self.problem
        begin = 0
        covers = []
        for end in ends:
            covers.append(Cover(problem, found[begin:end]))
            begin = end
        return covers
