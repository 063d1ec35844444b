"""What a search finds, as records, as fast as they are wanted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio

from ..cover import Outcome
from ..engines import MCC, XCC, XCCDC
from ..records import CoverFields, numbers_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from ..cover import Cover, Pulse
    from ..engine import Engine
    from ..minimizer import Minimizer
    from ..problem import Problem
    from ..stream.channel import Channel
    from ..stream.dance import Dance
    from ..stream.result import Result
    from .exchange import Exchange

__all__ = [
    "CoverRecords",
    "ended",
    "engine_for",
    "minimizer_for",
    "pour",
    "pour_covers",
]
__all__ += ["searched", "size_of", "wait_out"]

_T = TypeVar("_T")

_CHUNK = 1 << 13
"""So many bytes of covers are sent at a time; fewer if no other is at hand."""

_MOST_DROPPED = 100


def minimizer_for(name: str) -> Minimizer:
    """Give an engine that knows prices."""
    return MCC() if name == "mcc" else XCC()


def engine_for(name: str, exchange: Exchange) -> Engine:
    """Give an engine, within the memory that it may take."""
    if name == "xccdc":
        return XCCDC(memory_limit=exchange.settings.max_memory)
    return minimizer_for(name)


class CoverRecords:
    """Covers as records of type ``cover``.

    Parameters
    ----------
    problem : Problem
    has_names : bool
        Whether to tell names and lines, too.
    """

    def __init__(self, problem: Problem, has_names: bool) -> None:
        self._fields = CoverFields(problem.options, has_names)

    def __call__(self, number: int, cover: Cover) -> bytes:
        """Give a cover's record."""
        return b'{"type": "cover", "cover": %d, %b}' % (number, self._fields(cover))


def size_of(problem: Problem) -> Mapping[str, object]:
    """Give what a client may want to know of a problem before all else."""
    return {
        "items": len(problem.items),
        "primary": problem.n_primary,
        "options": len(problem.options),
        "dropped": problem.dropped[:_MOST_DROPPED],
    }


async def searched(
    exchange: Exchange,
    problem: Problem | None,
    dance: Dance,
    talk: Callable[[Result], Awaitable[None]],
) -> Result:
    """Open a search, talk of it until it ends or is stopped, and close it.

    Parameters
    ----------
    exchange : Exchange
    problem : Problem or None
        None if the search makes it.
    dance : Dance
        The search; not yet opened.
    talk : async callable
        Sends what there is to be sent.

    Raises
    ------
    Fault
        It was stopped before it had begun.
    Exception
        What the search raised.
    """
    found: Result | None = None
    with exchange.stoppable():
        async with dance as result:
            found = result
            exchange.meter.watch(lambda: result.stats)
            made = problem or result.problem
            # It is not, if the time was over first.
            await exchange.begin(**(size_of(made) if made is not None else {}))
            await talk(result)
            # Should nobody want the rest, the time is over in this moment.
            await result.wait()
    if found is None:
        raise exchange.stopped()
    return found


async def pour(
    exchange: Exchange,
    stream: Channel[_T],
    record: Callable[[int, _T], bytes],
    look: Callable[[], Pulse],
    *,
    kind: str = "cover",
    first: int = 1,
    limit: int | None = None,
) -> None:
    """Send what a search finds until there is no more; and pulses in between.

    Parameters
    ----------
    exchange : Exchange
    stream : Channel
        What the search finds.
    record : callable
        Makes a record of it, given its number.
    look : callable
        Gives the search's statistics.
    kind : str
        The type of the records.
    first : int, >= 1
        The number of the first to be sent; those before are passed over.
    limit : int, optional
        The number of the last.

    Raises
    ------
    Exception
        What the search raised, after all that was found before.
    """
    exchange.regulate(stream.allow)
    number, fitting = 0, 1
    due = anyio.current_time() + exchange.pulse_seconds
    while number != limit:
        things: list[_T] = []
        with anyio.CancelScope(deadline=due) as scope:
            most = await exchange.demand(scope)
            if not most:
                return
            try:
                things.append(await stream.receive())
            except anyio.EndOfStream:
                return
        if things:
            most = min(most, fitting if number >= first - 1 else first - 1 - number)
            if limit is not None:
                most = min(most, limit - number)
            things += stream.at_hand(most - 1)
        chunk = [
            record(at, thing)
            for at, thing in enumerate(things, number + 1)
            if at >= first
        ]
        number += len(things)
        if chunk:
            await exchange.put(kind, chunk, range(number + 1 - len(chunk), number + 1))
            # The records of one search are of much the same length.
            fitting = max(1, _CHUNK // len(chunk[-1]))
        if anyio.current_time() >= due:
            await exchange.pulse(look())
            due = anyio.current_time() + exchange.pulse_seconds


async def pour_covers(
    exchange: Exchange, result: Result, record: CoverRecords, first: int = 1
) -> None:
    """Send the covers of a search, from a certain one on; see `pour`."""
    look = partial(getattr, result, "stats")
    await pour(exchange, result.solutions, record, look, first=first)


async def wait_out(exchange: Exchange, result: Result) -> None:
    """Wait until a search ends that gives out no covers, with pulses meanwhile.

    Raises
    ------
    Exception
        What the search raised.
    """
    while not result.is_over:
        with anyio.move_on_after(exchange.pulse_seconds):
            await result.wait()
        if not result.is_over:
            await exchange.pulse(result.stats)
    async for _ in result.solutions:
        pass


def ended(result: Result) -> Mapping[str, object]:
    """Give what the last record tells of every search."""
    stats = result.stats
    outcome = result.outcome
    if outcome is Outcome.RUNNING:
        outcome = Outcome.CANCELLED
    return {"outcome": outcome.value, "stats": numbers_of(stats)}
