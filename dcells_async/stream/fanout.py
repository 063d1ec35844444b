"""Many problems at once: a search for each, as many at a time as there are cores.

Workers, which are tasks, send worker threads to where the problems wait. A thread
takes one after another and solves it in steps of some milliseconds, until its turn
is over; so a hop, some 0.1 ms, is shared by many small problems, and a large one
gives way to whatever else the event loop searches.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import anyio
from anyio.lowlevel import checkpoint

from ..cover import Outcome, Stats
from ..errors import SearchError
from ..problem import Problem
from ..solving import Covers
from .channel import Channel
from .intake import Intake
from .interrupts import see_off, spare
from .threads import n_cores, run_blocking, run_slice

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Iterable
    from types import TracebackType

    from ..cover import Cover

__all__ = ["Answer", "FanOut"]

_TURN_S = 0.002
"""No turn of a thread takes a further step after so long."""

_AT_HAND = (Problem, str, bytes, bytearray, memoryview)
"""What can be read without waiting."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out of one problem of many.

    Attributes
    ----------
    index : int
        Its place in the input, from 0.
    source : object
        What the input gave.
    problem : Problem or None
        The same, read; None if that failed, or the time ran out first.
    covers : tuple of Cover
        As many as were asked for, at most.
    outcome : Outcome
        How its search ended: `EXHAUSTED`, `LIMITED`, `TIMED_OUT` or `FAILED`.
    stats : Stats
    error : Exception or None
        Why it failed.
    """

    index: int
    source: object
    problem: Problem | None
    covers: tuple[Cover, ...]
    outcome: Outcome
    stats: Stats
    error: Exception | None = None

    @property
    def cover(self) -> Cover | None:
        """The first cover, or None."""
        return self.covers[0] if self.covers else None


class _Job:
    """One problem on its way."""

    def __init__(
        self, index: int, source: object, solve: Callable[[object], Covers]
    ) -> None:
        self.fault: BaseException | None = None
        self.index = index
        self._source = source
        self._covers: Covers | None = None
        self._found: list[Cover] = []
        self._is_late = False
        try:
            covers: object = solve(source)
            if not isinstance(covers, Covers):
                kind = type(covers).__name__
                raise TypeError(
                    f"an engine must give Covers, as solve does, not {kind}"
                )
            self._covers = covers
        except BaseException as error:
            self.fault = error

    @property
    def may_block(self) -> bool:
        """Whether the next step may wait for input."""
        covers = self._covers
        return (
            covers is not None
            and covers.may_block
            and not isinstance(self._source, _AT_HAND)
        )

    @property
    def elapsed(self) -> float:
        """For how many seconds it has been read and searched."""
        return 0.0 if self._covers is None else self._covers.stats.elapsed

    def step(self) -> bool:
        """Go on for some milliseconds; tell whether that was not the end."""
        covers = self._covers
        if covers is None:
            return False
        try:
            self._found += covers.step()
        except BaseException as error:
            self.fault = error
        return covers.outcome is Outcome.RUNNING

    def stop(self) -> None:
        """Make the running step the last."""
        if self._covers is not None:
            self._covers.stop()

    def expire(self) -> None:
        """Let it be the end, though a thread still waits for input."""
        self._is_late = True
        self.stop()

    def answer(self) -> Answer:
        """Say what came out of it, for once."""
        covers = self._covers
        outcome = Outcome.FAILED
        if self.fault is None and covers is not None:
            outcome = Outcome.TIMED_OUT if self._is_late else covers.outcome
        answer = Answer(
            self.index,
            self._source,
            None if covers is None else covers.problem,
            tuple(self._found),
            outcome,
            Stats() if covers is None else covers.stats,
            self.fault if isinstance(self.fault, Exception) else None,
        )
        self.release()
        return answer

    def discard(self) -> None:
        """Let go of everything, the answer included, which nobody will see."""
        if self.fault is not None:
            # The search keeps the fault, and the fault the frames of the search.
            self.fault.__traceback__ = None
        self.release()

    def release(self) -> None:
        """Let go of everything: the traceback of a fault leads back to here."""
        self._source = self._covers = self.fault = None
        self._found = []


class FanOut:
    """Many problems, to be opened with ``async with``, which gives their answers.

    Parameters
    ----------
    problems : iterable or asynchronous iterable
        The input.
    solve : callable
        Begins the search of one of them.
    concurrency : int, > 0
        How many are searched at a time.
    buffer : int, problems, >= 0
        How far the input is read ahead.
    ordered : bool
        Whether answers come in the order of the input.
    raises : bool
        Whether the error of one problem is the end of all.
    timeout : float, seconds, optional
        What `solve` gives each of them, for input that blocks.
    """

    def __init__(
        self,
        problems: Iterable[object] | AsyncIterable[object],
        solve: Callable[[object], Covers],
        *,
        concurrency: int,
        buffer: int,
        ordered: bool,
        raises: bool,
        timeout: float | None,
    ) -> None:
        self._problems: Iterable[object] | AsyncIterable[object] | None = problems
        self._solve = solve
        self._buffer = buffer
        self._ordered = ordered
        self._raises = raises
        self._timeout = timeout
        self._concurrency = concurrency
        self._jobs: list[_Job | None] = []
        self._finished: deque[_Job] = deque()
        self._held: dict[int, _Job] = {}
        self._next = 0
        self._is_over = False

    async def __aenter__(self) -> Channel[Answer]:
        """Begin to read and to search.

        Raises
        ------
        RuntimeError
            This very fan-out was opened before.
        """
        if self._problems is None:
            raise RuntimeError("a fan-out can be opened only once")
        await checkpoint()
        spare(FanOut.__aexit__, FanOut._close, FanOut._pump, FanOut._work, Intake.run)
        self._answers: Channel[Answer] = Channel(self._buffer)
        self._intake = Intake(self._problems)
        self._problems = None
        self._scope = anyio.CancelScope()
        self._gone = anyio.Event()
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._pump)
        return self._answers

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # What the input raised is met by iteration, or was read ahead in vain. What
        # it raises as it is closed is another matter.
        known = self._intake.failure
        await self._close()
        failure = self._intake.failure
        if exc_value is None and failure is not None and failure is not known:
            raise failure

    async def _close(self) -> None:
        """Stop everything and see it off."""
        self._answers.close()
        self._stop()
        interruption = await see_off(self._gone)
        await self._tasks.__aexit__(None, None, None)
        if interruption is not None:
            raise interruption

    def _stop(self) -> None:
        """Make all end soon; the channel has been closed or ended before."""
        self._is_over = True
        for job in self._jobs:
            if job is not None:
                job.stop()
        self._scope.cancel()
        self._intake.stop()

    # -- the tasks -----------------------------------------------------------------

    async def _pump(self) -> None:
        # None of these tasks raises, so no group is ever made of the caller's errors.
        try:
            async with anyio.create_task_group() as readers:
                readers.start_soon(self._intake.run, self._answers)
                with self._scope:
                    async with anyio.create_task_group() as self._workers:
                        for _ in range(min(self._concurrency, n_cores())):
                            self._start_worker()
            if not self._is_over:
                self._answers.end(self._intake.failure)
        finally:
            # All goes now, whoever keeps the fan-out or its tasks.
            self._is_over = True
            for job in (*self._jobs, *self._finished, *self._held.values()):
                if job is not None:
                    job.discard()
            self._intake.release()
            self._gone.set()

    def _start_worker(self) -> None:
        self._jobs.append(None)
        self._workers.start_soon(self._work, len(self._jobs) - 1)

    async def _work(self, place: int) -> None:
        while not self._is_over:
            job = self._jobs[place]
            # Some worker is always free to take up what comes, while there may be more.
            if None not in self._jobs and len(self._jobs) < self._concurrency:
                self._start_worker()
            if job is not None and job.may_block:
                await self._wait_for_input_of(job, place)
            elif job is not None or self._intake.pending:
                await run_slice(partial(self._turn, place))
            elif self._intake.is_over:
                return
            else:
                await self._intake.wait()
            self._deliver()

    def _turn(self, place: int) -> None:
        """Solve problems, in a thread; the last one may be left half done."""
        begin = perf_counter()
        while not self._is_over and perf_counter() - begin < _TURN_S:
            job = self._jobs[place]
            if job is None:
                try:
                    index, source = self._intake.pending.popleft()
                except IndexError:
                    return
                job = self._jobs[place] = _Job(index, source, self._solve)
            if job.may_block:
                return
            if not job.step():
                self._finish(job, place)

    async def _wait_for_input_of(self, job: _Job, place: int) -> None:
        """Take a step that may block."""
        left = None if self._timeout is None else self._timeout - job.elapsed
        with anyio.move_on_after(left) as scope:
            if await run_blocking(job.step):
                return
        if scope.cancelled_caught:
            job.expire()
        self._finish(job, place)

    def _finish(self, job: _Job, place: int) -> None:
        self._jobs[place] = None
        self._finished.append(job)

    def _deliver(self) -> None:
        """Hand over what has its turn; the others are held back."""
        ready: list[_Job] = []
        while self._finished:
            job = self._finished.popleft()
            if not self._ordered:
                ready.append(job)
                continue
            self._held[job.index] = job
            while (head := self._held.pop(self._next, None)) is not None:
                ready.append(head)
                self._next += 1
        answers: list[Answer] = []
        failure = None
        for job in ready:
            failure = self._end_of_all(job)
            if failure is not None:
                break
            answers.append(job.answer())
        self._answers.expected -= len(answers)
        self._answers.deliver(answers)
        if failure is not None and not self._is_over:
            self._answers.end(failure)
            self._stop()

    def _end_of_all(self, job: _Job) -> BaseException | None:
        """Give the fault of a problem, if it is one that stops everything."""
        if isinstance(job.fault, anyio.get_cancelled_exc_class()):
            cause, job.fault = job.fault, SearchError("the source was cancelled")
            job.fault.__cause__ = cause
        if isinstance(job.fault, Exception) and not self._raises:
            return None
        return job.fault
