"""Many small questions in one request, a line each: answered while they come in.

The next lines are read when the answers to the last are on their way. So the request
and its answer take the same memory whatever their length, and a client who sends a
line and waits gets its answer.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from ..cover import Outcome, Pulse
from ..stream.rounds import Rounds
from .incoming import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..stream.rounds import Job
    from .reply import HttpExchange

__all__ = ["answer_lines"]

_CHUNK = 1 << 13

_MOST_LINES = 256
"""So many lines are one job for one core."""

_J = TypeVar("_J", bound="Job")


async def answer_lines(
    exchange: HttpExchange,
    job: Callable[[Sequence[bytes], int], _J],
    answers: Callable[[_J], Sequence[tuple[int, bytes]]],
) -> Mapping[str, object]:
    """Answer lines until there are no more, or it is stopped.

    Parameters
    ----------
    exchange : HttpExchange
    job : callable
        Gives the work for some lines, of which the first has the given number.
    answers : callable
        Gives the answers when it is done: numbers of lines, and records.

    Raises
    ------
    Fault
        A line is too long.
    HungUpError
        The client has gone.
    """
    lines = Lines(exchange.incoming, exchange.settings.max_line)
    tally = _Tally()
    exchange.meter.watch(tally.pulse)
    await exchange.begin()
    outcome = Outcome.CANCELLED
    with exchange.stoppable():
        while some := await lines.some():
            await _answer_some(exchange, some, tally, job, answers)
        outcome = Outcome.EXHAUSTED
    exchange.listen()
    return {"outcome": outcome.value, "lines": tally.lines, "answers": tally.answers}


class _Tally:
    """How many lines were read and answered."""

    def __init__(self) -> None:
        self.lines = 0
        self.answers = 0
        self._start = monotonic()

    def pulse(self) -> Pulse:
        """Give that as a pulse."""
        return Pulse(covers=self.answers, elapsed=monotonic() - self._start)


async def _answer_some(
    exchange: HttpExchange,
    lines: list[bytes],
    tally: _Tally,
    job: Callable[[Sequence[bytes], int], _J],
    answers: Callable[[_J], Sequence[tuple[int, bytes]]],
) -> None:
    """Answer the lines that are there, on all cores, in order."""
    first, at = tally.lines + 1, 0

    async def read() -> _J | None:
        nonlocal at
        begin, at = at, at + _MOST_LINES
        part = lines[begin:at]
        return job(part, first + begin) if part else None

    rounds = Rounds(read)
    tally.lines += len(lines)
    while jobs := await rounds.next():
        found = [answer for done in jobs for answer in answers(done)]
        tally.answers += len(found)
        while found:
            chunk: list[tuple[int, bytes]] = []
            size = 0
            while len(chunk) < len(found) and size < _CHUNK:
                chunk.append(found[len(chunk)])
                size += len(chunk[-1][1])
            del found[: len(chunk)]
            numbers, records = zip(*chunk, strict=True)
            async with exchange.glancing():
                await exchange.put("answer", records, numbers)
