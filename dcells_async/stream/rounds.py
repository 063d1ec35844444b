"""Many small jobs on all cores, in order, and nothing running while nobody waits.

Jobs are read and worked off in *rounds*. A round ends when the first jobs are done
and no others wait for a core, or when it has lasted long enough; before it gives out
anything, all tasks of it end. So no task lives while the consumer is busy, and there
is nothing to close. What is half done by then goes on in the next round.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import anyio

from .threads import n_cores, run_slice

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["Job", "Rounds"]

_ROUND_S = 0.05
"""After so long a round is over, if there is a result."""

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
        time. What it raises is raised here, after all jobs read before; what a job
        raises, at once, and all others are lost.
    can_wait : bool
        Whether a call of `read` can be cancelled without loss, and what it waited for
        comes with the next call. If so, jobs that are done are not held back while
        the next one is long in coming, nor does a cancelled round lose anything.
    most : int, > 0, optional
        How many jobs are held at most.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[_Job | None]],
        *,
        can_wait: bool = False,
        most: int | None = None,
    ) -> None:
        self._read = read
        self._can_wait = can_wait
        self._cores = n_cores()
        self._most = most or _JOBS_PER_CORE * self._cores
        self._budget = _Budget()
        self._held: deque[_Job] = deque()
        self._todo: deque[_Job] = deque()
        self._done: set[_Job] = set()
        self._busy = 0
        self._failure: BaseException | None = None
        self._is_over = self._is_cut_off = False
        self._turn = anyio.Lock()

    async def next(self) -> list[_Job]:
        """Give some jobs that are done; none if all are.

        Raises
        ------
        anyio.ClosedResourceError
            A read that cannot wait was cancelled, and what it would have given is lost.
        """
        async with self._turn:
            while not self._has_result and (self._held or not self._is_over):
                if self._is_cut_off and not self._held:
                    raise anyio.ClosedResourceError
                await self._round()
            jobs: list[_Job] = []
            while self._has_result:
                job = self._held.popleft()
                self._done.remove(job)
                jobs.append(job)
            if not jobs and self._failure is not None:
                failure, self._failure = self._failure, None
                raise failure
            return jobs

    @property
    def _has_result(self) -> bool:
        return bool(self._held) and self._held[0] in self._done

    # -- one round -----------------------------------------------------------------

    async def _round(self) -> None:
        self._end = monotonic() + _ROUND_S
        self._is_closing = False
        self._news = anyio.Event()
        self._reading = anyio.CancelScope()
        self._is_reading = not self._is_over and not self._is_cut_off
        async with anyio.create_task_group() as tasks:
            if self._is_reading:
                tasks.start_soon(self._read_on)
            for _ in range(self._cores):
                tasks.start_soon(self._work)

    async def _read_on(self) -> None:
        try:
            with self._reading:
                while not self._is_closing and len(self._held) < self._most:
                    job = await self._read()
                    if job is None:
                        self._is_over = True
                        return
                    self._held.append(job)
                    self._todo.append(job)
                    self._tell()
        except anyio.get_cancelled_exc_class():
            self._is_cut_off = not self._can_wait
            raise
        except BaseException as failure:
            self._failure, self._is_over = failure, True
        finally:
            self._is_reading = False
            self._tell()

    async def _work(self) -> None:
        while not self._is_closing:
            if self._todo:
                await self._work_off(self._todo.popleft())
            elif self._is_reading or self._busy:
                await self._news.wait()
            self._consider()
            if not (self._todo or self._busy or self._is_reading):
                return

    async def _work_off(self, job: _Job) -> None:
        self._busy += 1
        is_done = False
        try:
            while not is_done and not self._is_closing:
                is_done = await self._budget.spend(job)
        except Exception as failure:
            # It does not get into the task group, which would wrap it up.
            self._failure, self._is_over = failure, True
            self._held.clear()
            self._todo.clear()
            self._close()
        else:
            if is_done:
                self._done.add(job)
        finally:
            self._busy -= 1
            if not is_done and self._held:
                self._todo.appendleft(job)

    def _consider(self) -> None:
        """End the round, if it is time to."""
        is_late = monotonic() >= self._end
        if self._has_result and (is_late or not self._todo) and not self._is_closing:
            self._close()

    def _close(self) -> None:
        self._is_closing = True
        if self._can_wait:
            self._reading.cancel()
        self._tell()

    def _tell(self) -> None:
        """Wake the tasks of the round that wait."""
        self._news.set()
        self._news = anyio.Event()


class _Budget:
    """The steps that fit into a slice, learned from those before."""

    def __init__(self) -> None:
        self._steps = 1

    async def spend(self, job: Job) -> bool:
        """Advance a job by a slice; true if it is done."""
        steps = self._steps
        is_done, seconds = await run_slice(partial(_timed, job, steps))
        fitting = int(steps * _SLICE_S / max(seconds, 1e-6))
        # A job that ends early says little about what would have fitted.
        if not is_done or fitting < steps:
            self._steps = max(1, min(fitting, 16 * steps))
        return is_done


def _timed(job: Job, steps: int) -> tuple[bool, float]:
    begin = monotonic()
    return job.advance(steps), monotonic() - begin
