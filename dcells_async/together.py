"""Several workers for the synchronous twin: the caller's thread, and some beside it."""

from __future__ import annotations

from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from .cover import Outcome
from .search.kernel import EVER
from .search.pace import Pace

if TYPE_CHECKING:
    from .cover import Cover
    from .search.crew import Crew

__all__ = ["Together"]


class Together:
    """The workers of one search.

    The others work while somebody is in `advance`, which is nearly always. Then they
    finish the slice that they are at, and their threads end: none is there while the
    caller does something else, and so none can be left behind.

    Parameters
    ----------
    crew : Crew
        The search.
    workers : int, >= 1
    """

    def __init__(self, crew: Crew, workers: int) -> None:
        self._crew = crew
        self._own = Pace()
        self._keep = True
        self._want: int | None = None
        self._idle = [Pace() for _ in range(workers - 1)]
        self._threads: list[Thread] = []
        self._is_awaited = False
        self._news = Event()
        self._failure: BaseException | None = None

    def advance(self, keep: bool, want: int | None) -> list[Cover]:
        """Do a slice while the others do theirs, and give the covers that are ready."""
        # Also for those who are there still and see themselves called again.
        self._keep, self._want = keep, want
        self._is_awaited = True
        try:
            self._call()
            self._news.clear()
            has_worked = self._slice(self._own)
            if not has_worked and self._crew.outcome is Outcome.RUNNING:
                self._news.wait()
        finally:
            self._is_awaited = False
        if self._crew.outcome is not Outcome.RUNNING:
            self.see_off()
        if self._failure is not None:
            raise self._failure
        return self._crew.collect()

    def _call(self) -> None:
        """Call as many of the others as there is something to do for."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        for _ in range(min(self._crew.n_waiting(self._keep) - 1, len(self._idle))):
            thread = Thread(target=self._work, args=(self._idle.pop(),))
            thread.start()
            self._threads.append(thread)

    def _work(self, pace: Pace) -> None:
        """Do slices for as long as somebody waits for what comes of them."""
        try:
            while self._slice(pace) and self._is_awaited:
                self._news.set()
        except BaseException as error:
            self._failure = error
            self._crew.stop()
        finally:
            self._idle.append(pace)
            self._news.set()

    def _slice(self, pace: Pace) -> bool:
        """Do a slice; false if there was nothing to do."""
        keep, want = self._keep, self._want
        if want is None:
            want = pace.want(1 << 30, waiting=True) if keep else EVER
        begin = perf_counter()
        steps, found = self._crew.advance(pace.budget(), want, keep)
        if steps:
            pace.learn(steps, found, perf_counter() - begin)
        return steps > 0

    def see_off(self) -> None:
        """Wait until nobody is at work any more, which is when their slices end."""
        for thread in self._threads:
            thread.join()
