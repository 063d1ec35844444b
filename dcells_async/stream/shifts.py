"""A search by several workers, seen to by one task for each of them.

Each task hands slices to a worker thread, as the pump of an ordinary search does, for
as long as the channel has room. Whoever finds nothing to do rests until another slice
is over.
"""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import anyio

from ..cover import Outcome
from ..search.kernel import EVER
from ..search.pace import Pace
from .interrupts import spare
from .threads import run_slice

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..search.crew import Crew
    from .channel import CoverStream

__all__ = ["Shifts"]


class Shifts:
    """The workers of one search.

    Parameters
    ----------
    crew : Crew
        The search.
    workers : int, >= 1
    solutions : CoverStream
        Where its covers go.
    deliver : callable
        Puts the covers there that the crew has ready.
    keep : bool
        False to count covers without giving them out.
    """

    def __init__(
        self,
        crew: Crew,
        workers: int,
        solutions: CoverStream,
        deliver: Callable[[], object],
        keep: bool,
    ) -> None:
        self._crew = crew
        self._workers = workers
        self._solutions = solutions
        self._deliver = deliver
        self._keep = keep
        self._n_idle = workers
        self._news = anyio.Event()
        self._tasks = anyio.create_task_group()
        self._failure: BaseException | None = None

    async def run(self) -> None:
        """Search until it is over; the first failure of a slice ends it."""
        spare(Shifts._work, Shifts._slice)
        async with self._tasks:
            for _ in range(self._workers):
                self._tasks.start_soon(self._work)
        if self._failure is not None:
            raise self._failure

    async def _work(self) -> None:
        pace = Pace()
        crew, solutions = self._crew, self._solutions
        while crew.outcome is Outcome.RUNNING:
            news = self._news
            if not crew.n_waiting(self._keep):
                await news.wait()
            elif not self._keep:
                await self._slice(pace, EVER)
            else:
                await solutions.wait_for_room()
                if solutions.is_closed:
                    break
                # The others that are idle will want some, too.
                room = -(-solutions.room // self._n_idle)
                want = pace.want(room, solutions.is_awaited)
                solutions.expected += want
                try:
                    await self._slice(pace, want)
                finally:
                    solutions.release(want)
        # Who waits for room, or for news, or for a turn, has nothing to do any more;
        # and slices that are running end by themselves, whole.
        crew.leave()
        self._tasks.cancel_scope.cancel()

    async def _slice(self, pace: Pace, want: int) -> None:
        """Hand a slice to a worker thread, and what comes of it to the consumer."""
        slice_ = partial(_slice, self._crew, pace.budget(), want, self._keep)
        self._n_idle -= 1
        try:
            steps, found, seconds = await run_slice(slice_)
        except anyio.get_cancelled_exc_class():
            raise
        except BaseException as error:
            # A value, so that it meets no task group.
            self._failure = self._failure or error
            self._crew.stop()
            return
        finally:
            self._n_idle += 1
        if steps:
            pace.learn(steps, found, seconds)
        self._deliver()
        self._news.set()
        self._news = anyio.Event()


def _slice(crew: Crew, budget: int, want: int, keep: bool) -> tuple[int, int, float]:
    """Run a slice: steps, covers and seconds."""
    begin = perf_counter()
    steps, found = crew.advance(budget, want, keep)
    return steps, found, perf_counter() - begin
