"""Many small jobs on all cores, in order, and nothing running while nobody waits.

Jobs are read and worked off in *rounds*. A round is over before it gives out
anything; so no task lives while the consumer is busy, and there is nothing to close.
Within a round each core takes the next job when it is through with its last one.
"""

from __future__ import annotations

import os
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeVar

from anyio import Lock, create_task_group
from anyio.lowlevel import checkpoint

from .threads import run_slice

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

__all__ = ["Job", "rounds"]

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


async def rounds(
    read: Callable[[], Awaitable[_Job | None]],
) -> AsyncIterator[list[_Job]]:
    """Give the jobs done, in the order in which they were read.

    At most as many jobs are worked on as there are cores; at most eight times as many
    are held. A cancelled wait ends the iteration.

    Parameters
    ----------
    read : async callable
        Gives the next job, None if there are no more. It is called by one task at a
        time. What it raises is raised here, after all jobs read before.
    """
    cores = os.cpu_count() or 1
    turn = Lock()
    budget = _Budget()
    failure: Exception | None = None
    is_over = False

    async def worker(jobs: list[_Job], end: float) -> None:
        nonlocal failure, is_over
        while not jobs or (monotonic() < end and len(jobs) < _JOBS_PER_CORE * cores):
            async with turn:
                if is_over:
                    return
                try:
                    job = await read()
                except Exception as error:
                    failure, job = error, None
                if job is None:
                    is_over = True
                    return
                jobs.append(job)
            await budget.work_off(job)

    while not is_over:
        jobs: list[_Job] = []
        async with create_task_group() as tasks:
            for _ in range(cores):
                tasks.start_soon(worker, jobs, monotonic() + _ROUND_S)
        if jobs:
            yield jobs
            await checkpoint()
    if failure is not None:
        raise failure


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
