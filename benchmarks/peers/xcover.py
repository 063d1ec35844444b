"""xcover: dancing cells, compiled by numba while it is imported."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from benchmarks.peers.contender import Contender
from benchmarks.puzzle import Puzzle

__all__ = ["contender"]


class _XCover(Contender):
    def __init__(self) -> None:
        self._covers = import_module("xcover").covers

    def count(self, puzzle: Puzzle) -> int:
        return sum(1 for _ in self.covers(puzzle))

    def covers(self, puzzle: Puzzle) -> Iterable[Sequence[Any]]:
        found: Iterable[Sequence[Any]] = self._covers(
            puzzle.options,
            primary=puzzle.primary,
            secondary=puzzle.secondary,
            colored=puzzle.is_colored,
        )
        return found

    def indices(self, cover: Sequence[Any], puzzle: Puzzle) -> tuple[int, ...]:
        return tuple(sorted(cover))


def contender() -> Contender:
    """Return xcover, imported."""
    return _XCover()
