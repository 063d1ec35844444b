"""The library at hand: counted, iterated, and iterated asynchronously twice.

The bare tasks look at nothing of a cover; the others read its option numbers, as those
of the peers do. A variant is one of our engines; without any it is `XCC()`.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import anyio

from benchmarks.peers.contender import Contender, Reading, Stopwatch, Task
from benchmarks.puzzle import Puzzle
from dcells_async import MCC, XCC, XCCDC, ZDD, Engine, Problem

__all__ = ["VARIANTS", "contender"]


ENGINES: dict[str, Engine] = {
    "auto": XCC(),
    "cells": XCC(kernel="cells"),
    "bits": XCC(kernel="bits"),
    "mcc": MCC(),
    "xccdc": XCCDC(),
}
ZDD_VARIANT = "zdd"
VARIANTS = (*ENGINES, ZDD_VARIANT)


class _DcellsAsync(Contender):
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def count(self, puzzle: Puzzle) -> int:
        with self._engine.solve(_problem(puzzle)) as covers:
            return covers.count()

    def covers(self, puzzle: Puzzle) -> Iterator[Sequence[Any]]:
        with self._engine.solve(_problem(puzzle)) as covers:
            for cover in covers:
                yield cover.numbers

    def first(self, puzzle: Puzzle) -> Sequence[Any] | None:
        with self._engine.solve(_problem(puzzle)) as covers:
            cover = covers.first()
        return None if cover is None else cover.numbers

    def indices(self, cover: Sequence[Any], puzzle: Puzzle) -> tuple[int, ...]:
        return tuple(sorted(number - 1 for number in cover))

    def tasks(self) -> Mapping[str, Task]:
        """Return the tasks of any contender and, for each back end, our own."""
        tasks = dict(super().tasks())
        for backend in ("asyncio", "trio"):
            for suffix, task in (("", _read), ("-bare", _bare), ("-first", _first)):
                tasks[backend + suffix] = partial(_run, task, backend)
        return tasks


class _AllAtOnce(_DcellsAsync):
    """Counts by a diagram of all covers, and looks for covers as the others do."""

    def count(self, puzzle: Puzzle) -> int:
        return ZDD().tally(_problem(puzzle))


def _run(
    task: Callable[[Sequence[Puzzle]], Awaitable[Reading]],
    backend: str,
    puzzles: Sequence[Puzzle],
) -> Reading:
    return anyio.run(task, puzzles, backend=backend)


async def _read(puzzles: Sequence[Puzzle]) -> Reading:
    total = 0
    with Stopwatch() as watch:
        for puzzle in puzzles:
            async with XCC().dance(_problem(puzzle)) as result:
                async for cover in result.solutions:
                    cover.numbers  # noqa: B018 - decodes the cover
                    total += 1
    return watch.read(total)


async def _bare(puzzles: Sequence[Puzzle]) -> Reading:
    total = 0
    with Stopwatch() as watch:
        for puzzle in puzzles:
            async with XCC().dance(_problem(puzzle)) as result:
                async for _ in result.solutions:
                    total += 1
    return watch.read(total)


async def _first(puzzles: Sequence[Puzzle]) -> Reading:
    with Stopwatch() as watch:
        cover = await XCC().first(_problem(puzzles[0]))
    return watch.read(int(cover is not None))


def _problem(puzzle: Puzzle) -> Problem:
    options: Sequence[Sequence[object]] = puzzle.options
    if puzzle.is_colored:
        options = [[_reference(text) for text in option] for option in puzzle.options]
    return Problem.from_options(options, puzzle.primary, puzzle.secondary)


def _reference(text: str) -> str | tuple[str, str]:
    item, _, color = text.partition(":")
    return (item, color) if color else item


def contender(variant: str = "auto") -> Contender:
    """Return the library, imported, with one of its engines."""
    if variant == ZDD_VARIANT:
        return _AllAtOnce(XCC())
    return _DcellsAsync(ENGINES[variant])
