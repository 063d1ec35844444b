"""exact-cover: dancing links in C on a matrix of booleans, which knows no colors.

A secondary item becomes a primary one with a further row that covers it alone: the
usual equivalent. The covers are the same, with those rows added.
"""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from benchmarks.peers.contender import Contender
from benchmarks.puzzle import Puzzle

__all__ = ["contender"]


class _ExactCover(Contender):
    def __init__(self) -> None:
        self._library = import_module("exact_cover")
        self._none: type[Exception] = import_module("exact_cover.error").NoSolution
        self._zeros = import_module("numpy").zeros

    def count(self, puzzle: Puzzle) -> int:
        covers: int = self._library.get_solution_count(self._matrix(puzzle))
        return covers

    def covers(self, puzzle: Puzzle) -> Iterable[Sequence[Any]]:
        try:
            found: set[tuple[int, ...]] = self._library.get_all_solutions(
                self._matrix(puzzle)
            )
        except self._none:
            return ()
        return found

    def first(self, puzzle: Puzzle) -> Sequence[Any] | None:
        try:
            cover: Sequence[int] = self._library.get_exact_cover(self._matrix(puzzle))
        except self._none:
            return None
        return cover

    def indices(self, cover: Sequence[Any], puzzle: Puzzle) -> tuple[int, ...]:
        return tuple(sorted(int(n) for n in cover if n < len(puzzle.options)))

    def _matrix(self, puzzle: Puzzle) -> Any:  # noqa: ANN401
        if puzzle.is_colored:
            message = "exact-cover has no colors"
            raise ValueError(message)
        items = [*puzzle.primary, *puzzle.secondary]
        column = {item: number for number, item in enumerate(items)}
        rows = [*puzzle.options, *([item] for item in puzzle.secondary)]
        matrix = self._zeros((len(rows), len(items)), dtype=bool)
        for row, option in enumerate(rows):
            matrix[row, [column[item] for item in option]] = True
        return matrix


def contender() -> Contender:
    """Return exact-cover, imported."""
    return _ExactCover()
