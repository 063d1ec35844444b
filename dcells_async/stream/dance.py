"""A search as an asynchronous context manager.

A task of its own, the *pump*, opens the search and then hands slices of it to a
worker thread, one at a time, for as long as the channel has room. A search that
waits for its consumer is a suspended task, and holds no thread.

The pump never raises. What goes wrong is put into the channel, and so reaches
whoever receives next; if nobody does, it is raised where the block is left. So
the caller's own exceptions pass through unwrapped, and no group is ever made.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from ..arguments import checked_count, checked_seconds
from ..cover import Outcome
from ..errors import SearchError
from ..report import Report
from ..search.crew import Crew
from ..search.kernel import EVER
from ..search.opening import Opening
from ..search.pace import Pace
from ..search.team import Team
from ..turnstile import Turnstile
from .interrupts import spare
from .result import Result
from .shifts import Shifts
from .threads import run_blocking, run_slice

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import TracebackType

    from ..dlx import Source
    from ..layout import Layout
    from ..problem import Problem
    from ..search.kernel import Kernel
    from ..search.opening import Begin, Make
    from ..search.session import Session
    from ..search.token import Origin

__all__ = ["Dance"]

_STEP_S = 0.002


class Dance:
    """A search to be opened with ``async with``, which gives a `Result`.

    Parameters
    ----------
    source : Problem, Source or callable
        What to search, or what makes it, in a worker thread.
    make_kernel : callable
        Gives the engine's kernel for a layout.
    buffer : int, covers, >= 0
        How far the search may run ahead.
    limit : int, covers, > 0, optional
        How many covers to look for.
    timeout : float, seconds, optional
        How long to look, from opening on.
    pulse_interval : float, seconds, > 0
        The time between pulses of the heartbeat, at least a millisecond.
    debug : bool
        Print what `Report` tells.
    keep : bool
        False to count covers without giving them out.
    price : callable, optional
        Gives the problem its prices.
    begin : callable, optional
        Gives the layout a start.
    team : Team, optional
        Who is to work on it; by default, one worker.
    origin : Origin, optional
        What the search is of, and where it is to go on; without, there are no tokens.
    """

    def __init__(
        self,
        source: Problem | Source | Make,
        make_kernel: Callable[[Layout], Kernel],
        *,
        buffer: int = 1024,
        limit: int | None = None,
        timeout: float | None = None,
        pulse_interval: float = 1.0,
        debug: bool = False,
        keep: bool = True,
        price: Callable[[Problem], Problem] | None = None,
        begin: Begin | None = None,
        team: Team | None = None,
        origin: Origin | None = None,
    ) -> None:
        if limit is not None:
            limit = checked_count("limit", limit, 1)
        if timeout is not None:
            timeout = checked_seconds("timeout", timeout, may_be_zero=True)
        checked_seconds("pulse_interval", pulse_interval)
        self._buffer = checked_count("buffer", buffer, 0)
        self._opening = Opening(
            source, make_kernel, limit, price, begin, origin, team, buffer, Turnstile()
        )
        self._team = team or Team()
        self._origin = origin
        self._is_text = self._opening.problem is None
        self._timeout = timeout
        self._pulse_interval = pulse_interval
        self._report = Report(debug, ignores_prices=price is None)
        self._keep = keep
        self._result: Result | None = None
        self._is_left = False
        self._is_opening = True

    async def __aenter__(self) -> Result:
        """Open the search.

        Raises
        ------
        ProblemError, OSError
            The problem is faulty, or cannot be read.
        RuntimeError
            This very dance was opened before; ask the engine for another.
        """
        if self._result is not None:
            raise RuntimeError("a dance can be opened only once")
        spare(Dance.__aexit__, Dance._close, Dance._pump, Dance._stop_when_cancelled)
        self._result = result = Result(
            self._opening, self._buffer, self._pulse_interval, self._origin
        )
        self._opened = anyio.Event()
        self._scope = anyio.CancelScope()
        if self._timeout is not None:
            self._scope.deadline = anyio.current_time() + self._timeout
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        try:
            self._tasks.start_soon(self._pump, result)
            await self._opened.wait()
            if result.outcome is Outcome.FAILED:
                failure = result.solutions.take_failure()
                assert failure is not None
                raise failure
            if self._is_text and result.problem is not None:
                result.problem.warn()
        except BaseException:
            await self._close()
            raise
        return result

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._result is not None
        await self._close()
        failure = self._result.solutions.take_failure()
        self._result.solutions.close()
        if failure is not None and exc_value is None:
            raise failure

    async def _close(self) -> None:
        """Stop the search and see it off."""
        assert self._result is not None
        self._is_left = True
        self._opening.stop()
        self._scope.cancel()
        self._result.leave()
        self._result.solutions.close()
        interruption = await self._result.seen_off()
        # The pump has ended and raises nothing; the body's exception, if any, is
        # none of the group's business, and goes on as it is.
        await self._tasks.__aexit__(None, None, None)
        if interruption is not None:
            raise interruption

    # -- the pump ------------------------------------------------------------------

    async def _pump(self, result: Result) -> None:
        failure: BaseException | None = None
        outcome = Outcome.CANCELLED
        try:
            with self._scope:
                session = await self._open()
                result.begin(session)
                self._report.opened(session.layout)
                self._opened.set()
                await self._search(session, result)
                outcome = session.outcome
            if self._scope.cancelled_caught and not self._is_left:
                outcome = Outcome.TIMED_OUT
        except anyio.get_cancelled_exc_class():
            raise
        except BaseException as error:
            # Even SystemExit: it is the consumer's, and no task group's.
            failure = error
            outcome = Outcome.FAILED
        finally:
            result.finish(outcome, failure)
            if failure is None:
                self._report.ended(result.stats)
            self._opened.set()

    async def _open(self) -> Session | Crew:
        """Go through the steps of opening; a cancel cuts the running one short."""
        steps = self._opening.steps()
        result: Session | Crew | BaseException | None = None
        may_block = False
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._stop_when_cancelled)
                while result is None:
                    run = run_blocking if may_block else run_slice
                    may_block, result = await run(partial(_step, steps))
                self._is_opening = False
                tasks.cancel_scope.cancel()
        finally:
            # The text goes now. (A step left alone in a blocking read cannot be
            # closed; it ends by itself.)
            with suppress(ValueError):
                steps.close()
        if isinstance(result, anyio.get_cancelled_exc_class()):
            raise SearchError("the source was cancelled") from result
        if isinstance(result, SearchError):
            # That it was stopped while it was read is no fault of the problem.
            await checkpoint_if_cancelled()
        if isinstance(result, BaseException):
            raise result
        assert result is not None
        return result

    async def _stop_when_cancelled(self) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            if self._is_opening:
                self._opening.stop()

    async def _search(self, session: Session | Crew, result: Result) -> None:
        solutions = result.solutions
        if isinstance(session, Crew):
            deliver = result.deliver
            await Shifts(
                session, self._team.workers, solutions, deliver, self._keep
            ).run()
            return
        pace = Pace()
        least = 1
        while session.outcome is Outcome.RUNNING:
            if self._keep:
                await solutions.wait_for_room(1 if solutions.is_awaited else least)
                if solutions.is_closed:
                    session.outcome = Outcome.CANCELLED
                    return
                want = pace.want(solutions.room, solutions.is_awaited)
            else:
                want = EVER
            budget = pace.budget()
            slice_ = partial(result.run_slice, session, budget, want, self._keep)
            steps, seconds = await run_slice(slice_)
            self._report.advanced(session.purged)
            found = result.deliver()
            pace.learn(steps, found, seconds)
            # Where room is what ends a slice, little is not worth a hop to a thread.
            least = solutions.much_room if found == want else 1


def _step(
    steps: Generator[bool, None, Session | Crew],
) -> tuple[bool, Session | Crew | BaseException | None]:
    """Take steps of an opening: whether the next may block, and what came out.

    Those that are over in no time take the next along, since hops to a thread would
    take longer. Exceptions are values here, so that none of them meets a task group.
    """
    end = perf_counter() + _STEP_S
    try:
        while not (may_block := next(steps)) and perf_counter() < end:
            pass
    except StopIteration as over:
        return False, over.value
    except BaseException as error:
        return False, error
    return may_block, None
