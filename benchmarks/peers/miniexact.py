"""miniexact: dancing links in C, one call a cover."""

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from benchmarks.peers.contender import Contender
from benchmarks.puzzle import Puzzle

__all__ = ["contender"]

_FOUND = 10


class _MiniExact(Contender):
    def __init__(self) -> None:
        miniexact = import_module("miniexact")
        self._algorithms = miniexact.miniexacts_x, miniexact.miniexacts_c

    def count(self, puzzle: Puzzle) -> int:
        solver = self._solver(puzzle)
        covers = 0
        while solver.solve() == _FOUND:
            covers += 1
        return covers

    def covers(self, puzzle: Puzzle) -> Iterable[Sequence[Any]]:
        solver = self._solver(puzzle)

        def found() -> Iterator[Sequence[Any]]:
            while solver.solve() == _FOUND:
                yield solver.selected_options()

        return found()

    def indices(self, cover: Sequence[Any], puzzle: Puzzle) -> tuple[int, ...]:
        return tuple(sorted(number - 1 for number in cover))

    def _solver(self, puzzle: Puzzle) -> Any:  # noqa: ANN401
        solver = self._algorithms[bool(puzzle.secondary)]()
        number = {name: solver.primary(name) for name in puzzle.primary}
        number |= {name: solver.secondary(name) for name in puzzle.secondary}
        if not puzzle.is_colored:
            for option in puzzle.options:
                solver.add([number[name] for name in option])
            return solver
        colors: dict[str, int] = {}
        for option in puzzle.options:
            for reference in option:
                name, _, color = reference.partition(":")
                if not color:
                    solver.add(number[name])
                    continue
                if color not in colors:
                    colors[color] = solver.color(color)
                solver.add(number[name], colors[color])
            solver.add(0)
        return solver


def contender() -> Contender:
    """Return miniexact, imported."""
    return _MiniExact()
