"""A problem as the flat integer arrays that kernels work on."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cover import Cover

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from .problem import Problem

__all__ = ["Layout"]

_LONGEST = 20_000
"""So many options are copied in a few milliseconds; beginning a run costs like 20."""


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
        start, kept = problem.option_start, None
        item, color = problem.entry_item, problem.entry_color
        if problem.dropped:
            start, kept = array("i", [0]), array("i")
            item, color = array("i"), array("i")
            work = 0
            for first, last in _runs(problem):
                begin, end = problem.option_start[first], problem.option_start[last]
                shift = len(item) - begin
                start.extend(
                    [at + shift for at in problem.option_start[first + 1 : last + 1]]
                )
                kept.extend(range(first, last))
                item += problem.entry_item[begin:end]
                color += problem.entry_color[begin:end]
                work += last - first + 20
                if work >= _LONGEST:
                    work = 0
                    yield False
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


def _runs(problem: Problem) -> Iterator[tuple[int, int]]:
    """Give the runs of options that are kept, long ones in pieces."""
    first = 0
    for number in (*problem.dropped, len(problem.option_start)):
        for piece in range(first, number - 1, _LONGEST):
            yield piece, min(piece + _LONGEST, number - 1)
        first = number
