"""Several workers for the synchronous twin: the caller's thread, and some beside it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from time import perf_counter
from typing import TYPE_CHECKING

from .search.pace import Pace

if TYPE_CHECKING:
    from .cover import Cover
    from .search.crew import Crew

__all__ = ["Together"]


class Together:
    """The workers of one search; none of them does anything between two slices.

    Parameters
    ----------
    crew : Crew
        The search.
    workers : int, >= 2
    """

    def __init__(self, crew: Crew, workers: int) -> None:
        self._crew = crew
        self._paces = [Pace() for _ in range(workers)]
        self._threads = ThreadPoolExecutor(workers - 1, "dcells_async")

    def advance(self, keep: bool, want: int | None) -> list[Cover]:
        """Let each worker do a slice, and give the covers that have become ready."""
        own, *others = self._paces
        slices = [
            self._threads.submit(self._slice, pace, keep, want)
            for pace in others
            if self._crew.has_work(keep)
        ]
        try:
            self._slice(own, keep, want)
            wait(slices)
        except BaseException:
            # Ctrl-C, too: nobody works on after that.
            self._crew.stop()
            wait(slices)
            raise
        for slice_ in slices:
            slice_.result()
        return self._crew.collect()

    def _slice(self, pace: Pace, keep: bool, want: int | None) -> None:
        if want is None:
            want = pace.want(1 << 30, waiting=True) if keep else 1 << 60
        begin = perf_counter()
        steps, found = self._crew.advance(pace.budget(), want, keep)
        if steps:
            pace.learn(steps, found, perf_counter() - begin)

    def close(self) -> None:
        """See the threads off."""
        self._threads.shutdown()
