"""pyxcc: dancing cells in Rust; finds all covers before it gives the first."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from benchmarks.peers.contender import Contender
from benchmarks.puzzle import Puzzle

__all__ = ["contender"]


class _PyXCC(Contender):
    def __init__(self) -> None:
        self._xcc = import_module("pyxcc")

    def count(self, puzzle: Puzzle) -> int:
        found: int = self._solutions(puzzle, every=True).count()
        return found

    def covers(self, puzzle: Puzzle) -> Iterable[Sequence[Any]]:
        found: list[list[str]] = self._solutions(puzzle, every=True).all()
        return found

    def first(self, puzzle: Puzzle) -> Sequence[Any] | None:
        solutions = self._solutions(puzzle, every=False)
        cover: list[str] | None = solutions.first() if solutions.count() else None
        return cover

    def indices(self, cover: Sequence[Any], puzzle: Puzzle) -> tuple[int, ...]:
        return tuple(sorted(map(int, cover)))

    def _solutions(self, puzzle: Puzzle, *, every: bool) -> Any:  # noqa: ANN401
        secondary = set(puzzle.secondary)
        used = set[str]()
        options = []
        for number, option in enumerate(puzzle.options):
            plain, colored = [], []
            for reference in option:
                name, _, color = reference.partition(":")
                if name in secondary:
                    used.add(name)
                    colored.append((name, color))
                else:
                    plain.append(name)
            options.append(self._xcc.Option(str(number), plain, colored))
        # A secondary item without an option makes it panic.
        problem = self._xcc.Problem(puzzle.primary, sorted(used), options)
        return self._xcc.solve(problem, every)


def contender() -> Contender:
    """Return pyxcc, imported."""
    return _PyXCC()
