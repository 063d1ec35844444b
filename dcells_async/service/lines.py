"""Many small questions in one request, a line each: answered while they come in.

The next lines are read when the answers to the last are on their way. So the request
and its answer take the same memory whatever their length, and a client who sends a
line and waits gets its answer.
"""

from __future__ import annotations

import json
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import anyio

from ..cover import Outcome, Pulse
from ..records import dumped
from ..stream.rounds import Rounds
from .faults import Fault
from .incoming import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..stream.lines import Block
    from .reply import HttpExchange

__all__ = ["answer_lines", "encoded", "from_json"]

_MOST_LINES = 256
"""So many lines are one job for one core."""

_MOST_ANSWERS = 64
"""So many are sent at a time; some ten thousand bytes."""

_Answer = TypeVar("_Answer")


async def answer_lines(
    exchange: HttpExchange,
    open_block: Callable[[Sequence[bytes], int], Block[_Answer]],
    record: Callable[[_Answer], tuple[int, bytes]],
) -> Mapping[str, object]:
    """Answer lines until there are no more, or it is stopped.

    Parameters
    ----------
    exchange : HttpExchange
    open_block : callable
        Makes a block of some lines and the number of the first.
    record : callable
        Gives an answer's line and record.

    Raises
    ------
    Fault
        A line is too long, or too long in coming.
    HungUpError
        The client has gone.
    """
    lines = Lines(exchange.incoming, exchange.settings.max_line)
    tally = _Tally()
    exchange.meter.watch(tally.pulse)
    exchange.mind()
    await exchange.begin()
    outcome = Outcome.CANCELLED
    with exchange.stoppable():
        while some := await _arriving(lines, exchange.settings.read_seconds):
            await _answer_some(exchange, some, tally, open_block, record)
        outcome = Outcome.EXHAUSTED
    exchange.listen()
    return {"outcome": outcome.value, "lines": tally.lines, "answers": tally.answers}


async def _arriving(lines: Lines, seconds: float) -> list[bytes]:
    """Give the next lines, if they are not too long in coming."""
    with anyio.move_on_after(seconds):
        return await lines.some()
    raise Fault(408, "slow-request", "The next line was too long in coming")


def from_json(lines: Sequence[bytes], name: str) -> list[bytes | str]:
    """Take what is asked out of the JSON around it, where there is any.

    Parameters
    ----------
    lines : sequence of bytes
    name : str
        Where it is in an object; a line may also be just a text.

    Examples
    --------
    >>> from_json([b'{"grid": "12"}', b'"3"', b"45", b"{"], "grid")
    ['12', '3', b'45', b'{']
    """
    return [_from_json(line, name) for line in lines]


def _from_json(line: bytes, name: str) -> bytes | str:
    text = line.strip()
    if text[:1] not in {b'"', b"{"}:
        return line
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        # As a line of text it will be refused, and be told so.
        return line
    if isinstance(value, dict):
        value = value.get(name)
    return value if isinstance(value, str) else line


def encoded(value: object) -> bytes:
    """Give a value as JSON."""
    return dumped(value).encode(errors="replace")


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
    open_block: Callable[[Sequence[bytes], int], Block[_Answer]],
    record: Callable[[_Answer], tuple[int, bytes]],
) -> None:
    """Answer the lines that are there, on all cores, in order."""
    first, at = tally.lines + 1, 0

    async def read() -> Block[_Answer] | None:
        nonlocal at
        begin, at = at, at + _MOST_LINES
        part = lines[begin:at]
        return open_block(part, first + begin) if part else None

    rounds = Rounds(read)
    tally.lines += len(lines)
    while blocks := await rounds.next():
        found = [record(answer) for block in blocks for answer in block.answers]
        tally.answers += len(found)
        for begin in range(0, len(found), _MOST_ANSWERS):
            numbers, records = zip(*found[begin : begin + _MOST_ANSWERS], strict=True)
            async with exchange.glancing():
                await exchange.put("answer", records, numbers)
