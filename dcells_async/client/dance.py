"""A search elsewhere as an asynchronous context manager.

As at home, a task of its own, the *pump*, reads what the service sends for as long as
the channel has room, and never raises: what goes wrong is put into the channel. When
it does not read, the connection fills, and the search at its other end rests.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

import anyio
import httpx

from ..arguments import checked_count, checked_seconds
from ..cover import Cover, Outcome, Stats
from ..dlx import read
from ..problem import Problem
from ..start import checked_start
from ..stream.channel import CoverStream
from ..stream.result import Result
from ..stream.threads import run_blocking
from .answer import indices_of, outcome_of, record_of, stats_of
from .asking import answered, client, reason
from .errors import RemoteError
from .wire import body_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from types import TracebackType

    from ..dlx import Source
    from .asking import Request

__all__ = ["RemoteDance", "RemoteResult"]

_SILENCE_S = 30.0
"""A service that sends not even a pulse for so long, and then some, is lost."""


class RemoteResult(Result):
    """What the consumer of a search elsewhere holds; a `Result` in all respects.

    The statistics are as old as the last pulse.

    Attributes
    ----------
    told : mapping
        The last record, once it is there.
    """

    def __init__(self, problem: Problem, buffer: int, pulse_interval: float) -> None:
        self.solutions = CoverStream(buffer)
        self.outcome = Outcome.RUNNING
        self._problem = problem
        self._pulse_interval = pulse_interval
        self.told: Mapping[str, Any] = {}
        self._seen = Stats()
        self._start = monotonic()
        self._over = anyio.Event()

    @property
    def problem(self) -> Problem:
        """The problem being searched."""
        return self._problem

    @property
    def stats(self) -> Stats:
        """The statistics, as the service told them last."""
        return self._seen

    def tell(self, stats: Stats) -> None:
        """Take note of statistics."""
        self._seen = stats

    def finish(self, outcome: Outcome, failure: BaseException | None) -> None:
        """Say how the search ended."""
        self.outcome = outcome
        self.solutions.end(failure)
        self._over.set()


class RemoteDance:
    """A search elsewhere, to be opened with ``async with``, which gives a `Result`.

    Parameters
    ----------
    source : Problem or Source
        What to search; a text is read here.
    request : Request
        Where to ask for it.
    buffer : int, covers, >= 0
        How many covers are taken from the connection before somebody asks for them.
        (The connection itself holds some more.)
    pulse_interval : float, seconds, > 0
        The time between pulses of the heartbeat.
    price : callable, optional
        Gives the problem its prices.
    """

    def __init__(
        self,
        source: Problem | Source,
        request: Request,
        *,
        buffer: int = 1024,
        pulse_interval: float = 1.0,
        price: Callable[[Problem], Problem] | None = None,
    ) -> None:
        self._source = source
        self._request = request
        self._buffer = checked_count("buffer", buffer, 0)
        self._pulse_interval = checked_seconds("pulse_interval", pulse_interval)
        self._price = price
        self._result: RemoteResult | None = None
        self._scope = anyio.CancelScope()

    async def __aenter__(self) -> RemoteResult:
        """Open the search.

        Raises
        ------
        ProblemError, OSError
            The problem is faulty, or cannot be read.
        SearchError
            A `RemoteError` if the service was not reached, or refused to search.
        RuntimeError
            This very dance was opened before.
        """
        if self._result is not None:
            raise RuntimeError("a dance can be opened only once")
        problem = await self._read()
        result = self._result = RemoteResult(
            problem, self._buffer, self._pulse_interval
        )
        self._connection = AsyncExitStack()
        try:
            response = await self._ask(problem)
        except BaseException:
            result.finish(Outcome.FAILED, None)
            with anyio.CancelScope(shield=True):
                await self._connection.aclose()
            raise
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._pump, result, response)
        return result

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        result = self._result
        assert result is not None
        self._scope.cancel()
        result.solutions.close()
        try:
            # The pump raises nothing; the body's exception goes on as it is.
            await self._tasks.__aexit__(None, None, None)
        finally:
            with anyio.CancelScope(shield=True):
                await self._connection.aclose()
        failure = result.solutions.take_failure()
        if failure is not None and exc_value is None:
            raise failure

    async def _read(self) -> Problem:
        if isinstance(self._source, Problem):
            problem = self._source
        else:
            problem = Problem(await run_blocking(partial(read, self._source)))
            problem.warn()
        if self._price is not None:
            problem = await run_blocking(partial(self._price, problem))
        given, without = (self._request.knobs.get(it) for it in ("given", "without"))
        if given or without:
            await run_blocking(
                partial(checked_start, problem, given or (), without or ())
            )
        return problem

    async def _ask(self, problem: Problem) -> httpx.Response:
        request = self._request
        knobs = {name: it for name, it in request.knobs.items() if it is not None}
        content, kind = await run_blocking(partial(body_of, problem, knobs))
        http = request.http
        if http is None:
            http = await self._connection.enter_async_context(await client())
        return await answered(
            replace(request, knobs=knobs),
            http,
            self._connection,
            content,
            kind,
            # No service is asked for longer pauses than a minute.
            _SILENCE_S + min(60.0, self._pulse_interval),
        )

    # -- the pump --------------------------------------------------------------------

    async def _pump(self, result: RemoteResult, response: httpx.Response) -> None:
        failure: BaseException | None = None
        outcome = Outcome.CANCELLED
        try:
            with self._scope:
                outcome = await self._take_all(result, response)
        except anyio.get_cancelled_exc_class():
            raise
        except httpx.HTTPError as error:
            outcome = Outcome.FAILED
            failure = RemoteError(f"the stream broke off: {reason(error)}")
            failure.__cause__ = error
        except BaseException as error:
            outcome, failure = Outcome.FAILED, error
        finally:
            result.finish(outcome, failure)

    async def _take_all(
        self, result: RemoteResult, response: httpx.Response
    ) -> Outcome:
        pieces = response.aiter_bytes()
        try:
            end = await _end_of(pieces, result)
            # What is left is the end of the body; then the connection serves others.
            async for _ in pieces:
                pass
        except BaseException:
            await _unwind(pieces)
            raise
        return _ended(result, end)


async def _end_of(
    pieces: AsyncIterator[bytes], result: RemoteResult
) -> Mapping[str, Any]:
    """Take records until the last, and give that."""
    tail = b""
    n_options = len(result.problem.option_start) - 1
    async for piece in pieces:
        *lines, tail = (tail + piece).split(b"\n")
        covers: list[Cover] = []
        for line in lines:
            try:
                record = record_of(line)
                match record["type"]:
                    case "cover":
                        indices = indices_of(record, n_options)
                        covers.append(Cover(result.problem, indices))
                    case "pulse":
                        result.tell(stats_of(record))
                    case "end":
                        await _deliver(result.solutions, covers)
                        return record
            except RemoteError:
                await _deliver(result.solutions, covers)
                raise
        await _deliver(result.solutions, covers)
    raise RemoteError("the stream broke off before its last record")


async def _unwind(pieces: AsyncIterator[bytes]) -> None:
    """End the generators of httpx, one in the other, from the inside.

    Nobody else would: trio complains of those that are left to be collected.
    """
    with anyio.CancelScope() as scope:
        scope.cancel()
        async for _ in pieces:
            pass


async def _deliver(solutions: CoverStream, covers: list[Cover]) -> None:
    """Put covers into the channel as it has room."""
    at = 0
    while at < len(covers) and not solutions.is_closed:
        await solutions.wait_for_room()
        end = at + max(0, solutions.room)
        solutions.deliver(covers[at:end])
        at = end


def _ended(result: RemoteResult, end: Mapping[str, Any]) -> Outcome:
    """Take note of the last record."""
    result.told = end
    if "stats" in end:
        result.tell(stats_of(end["stats"]))
    return outcome_of(end)
