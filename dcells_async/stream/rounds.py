"""Many small jobs on all cores, in order, and nothing running while nobody waits.

Jobs are read and worked off in *rounds*. A round is over before it gives out
anything; so no task lives while the consumer is busy, and there is nothing to close.
Within a round each core takes the next job when it is through with its last one.
"""

from __future__ import annotations

import os
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from anyio import ClosedResourceError, Lock, create_task_group

from .threads import run_slice

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["Job", "Rounds"]

_ROUND_S = 0.05
"""After so long a round takes no more jobs, so that the first results get out."""

_SLICE_S = 0.005
_JOBS_PER_CORE = 8


class Job(Protocol):
    """Work that is done by and by."""

    def advance(self, budget: int) -> bool:
        """Do about `budget` steps, in any thread; true if that was all."""
        ...


_Job = TypeVar("_Job", bound=Job)


class Rounds(Generic[_Job]):
    """Jobs done, in the order in which they were read.

    At most as many jobs are worked on as there are cores; at most eight times as many
    are held.

    Parameters
    ----------
    read : async callable
        Gives the next job, None if there are no more. It is called by one task at a
        time. What it raises is raised here, after all jobs read before.
    """

    def __init__(self, read: Callable[[], Awaitable[_Job | None]]) -> None:
        self._read = read
        self._budget = _Budget()
        self._cores = os.cpu_count() or 1
        self._failure: Exception | None = None
        self._is_over = False
        self._is_cut_off = False

    async def next(self) -> list[_Job]:
        """Give the jobs of the next round; none if all are done.

        Raises
        ------
        anyio.ClosedResourceError
            A round was cancelled, and its jobs are lost.
        """
        if self._is_cut_off:
            raise ClosedResourceError
        jobs: list[_Job] = []
        if not self._is_over:
            self._is_cut_off = True
            turn, end = Lock(), monotonic() + _ROUND_S
            async with create_task_group() as tasks:
                for _ in range(self._cores):
                    tasks.start_soon(self._work, jobs, turn, end)
            self._is_cut_off = False
        if not jobs and self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        return jobs

    async def _work(self, jobs: list[_Job], turn: Lock, end: float) -> None:
        while True:
            async with turn:
                is_full = len(jobs) >= _JOBS_PER_CORE * self._cores
                if self._is_over or is_full or (jobs and monotonic() >= end):
                    return
                try:
                    job = await self._read()
                except Exception as error:
                    self._failure, job = error, None
                if job is None:
                    self._is_over = True
                    return
                jobs.append(job)
            await self._budget.work_off(job)


class _Budget:
    """The steps that fit into a slice, learned from those before."""

    def __init__(self) -> None:
        self._steps = 1

    async def work_off(self, job: Job) -> None:
        is_done = False
        while not is_done:
            steps = self._steps
            is_done, seconds = await run_slice(partial(_timed, job, steps))
            fitting = int(steps * _SLICE_S / max(seconds, 1e-6))
            # A job that ends early says little about what would have fitted.
            if not is_done or fitting < steps:
                self._steps = max(1, min(fitting, 16 * steps))


def _timed(job: Job, steps: int) -> tuple[bool, float]:
    begin = monotonic()
    return job.advance(steps), monotonic() - begin
