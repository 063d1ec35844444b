"""What a contender must be able to do, and how it is timed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from types import TracebackType
from typing import Any, Self

from benchmarks.puzzle import Puzzle

__all__ = ["Contender", "Reading", "Stopwatch", "Task"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One run of a task: the covers seen, and the seconds that it took.

    Parameters
    ----------
    covers : int
        How many covers were counted or delivered, over all puzzles.
    cpu : float
        Seconds of processor time, all threads together.
    wall : float
        Seconds that passed.
    """

    covers: int
    cpu: float
    wall: float


Task = Callable[[Sequence[Puzzle]], Reading]


class Stopwatch:
    """Seconds of processor time and of wall time spent in a ``with`` block."""

    cpu = 0.0
    wall = 0.0

    def __enter__(self) -> Self:
        """Start the watch."""
        self._started = process_time(), perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the watch."""
        cpu, wall = self._started
        self.cpu, self.wall = process_time() - cpu, perf_counter() - wall

    def read(self, covers: int) -> Reading:
        """Return what the watch shows for so many covers."""
        return Reading(covers, self.cpu, self.wall)


class Contender(ABC):
    """A library under measurement.

    Every method starts from a neutral puzzle: converting it is part of the work.
    """

    @abstractmethod
    def count(self, puzzle: Puzzle) -> int:
        """Return the number of covers by the cheapest way the library offers."""

    @abstractmethod
    def covers(self, puzzle: Puzzle) -> Iterable[Sequence[Any]]:
        """Give every cover as a sequence that names its options."""

    @abstractmethod
    def indices(self, cover: Sequence[Any], puzzle: Puzzle) -> tuple[int, ...]:
        """Return the options of a cover as positions in the puzzle, ascending."""

    def first(self, puzzle: Puzzle) -> Sequence[Any] | None:
        """Return one cover, or None, by the cheapest way the library offers."""
        return next(iter(self.covers(puzzle)), None)

    def tasks(self) -> Mapping[str, Task]:
        """Return what can be timed, by name."""
        return {
            "count": self._time_count,
            "iterate": self._time_iterate,
            "first": self._time_first,
        }

    def _time_count(self, puzzles: Sequence[Puzzle]) -> Reading:
        with Stopwatch() as watch:
            covers = sum(map(self.count, puzzles))
        return watch.read(covers)

    def _time_iterate(self, puzzles: Sequence[Puzzle]) -> Reading:
        covers = 0
        with Stopwatch() as watch:
            for puzzle in puzzles:
                for _ in self.covers(puzzle):
                    covers += 1
        return watch.read(covers)

    def _time_first(self, puzzles: Sequence[Puzzle]) -> Reading:
        with Stopwatch() as watch:
            cover = self.first(puzzles[0])
        return watch.read(int(cover is not None))
