"""Several workers for the synchronous twin: the caller's thread, and some beside it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING

from .cover import Outcome
from .search.pace import Pace

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .cover import Cover
    from .search.crew import Crew

__all__ = ["Together"]


class Together:
    """The workers of one search; they finish the slice they are at, and then rest.

    Parameters
    ----------
    crew : Crew
        The search.
    workers : int, >= 2
    """

    def __init__(self, crew: Crew, workers: int) -> None:
        self._crew = crew
        self._pace = Pace()
        self._others = [Pace() for _ in range(workers - 1)]
        self._threads = ThreadPoolExecutor(workers - 1, "dcells_async")
        self._is_awaited = False
        self._news = Event()
        self._running: dict[Pace, Future[None]] = {}

    def advance(self, keep: bool, want: int | None) -> list[Cover]:
        """Do a slice while the others do theirs, and give the covers that are ready."""
        self._is_awaited = True
        for pace in self._others:
            if pace not in self._running and self._crew.has_work(keep):
                self._running[pace] = self._threads.submit(self._work, pace, keep, want)
        self._news.clear()
        has_worked = self._slice(self._pace, keep, want)
        if not has_worked and self._crew.outcome is Outcome.RUNNING:
            self._news.wait()
        self._is_awaited = False
        if self._crew.outcome is not Outcome.RUNNING:
            wait(self._running.values())
        for pace, work in list(self._running.items()):
            if work.done():
                del self._running[pace]
                work.result()
        return self._crew.collect()

    def _work(self, pace: Pace, keep: bool, want: int | None) -> None:
        """Do slices for as long as somebody waits for what comes of them."""
        try:
            while self._slice(pace, keep, want) and self._is_awaited:
                self._news.set()
        finally:
            self._news.set()

    def _slice(self, pace: Pace, keep: bool, want: int | None) -> bool:
        """Do a slice; false if there was nothing to do."""
        if want is None:
            want = pace.want(1 << 30, waiting=True) if keep else 1 << 60
        begin = perf_counter()
        steps, found = self._crew.advance(pace.budget(), want, keep)
        if steps:
            pace.learn(steps, found, perf_counter() - begin)
        return steps > 0

    def close(self) -> None:
        """Stop whoever is at work, and see the threads off."""
        self._crew.stop()
        self._threads.shutdown()
