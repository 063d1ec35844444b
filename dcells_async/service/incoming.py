"""What a client sends, piece by piece, and the moment that it hangs up."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import anyio

from .faults import Fault

if TYPE_CHECKING:
    from starlette.types import Receive

__all__ = ["GONE", "HungUpError", "Incoming", "Lines"]


GONE = "dcells_async.gone"
"""Where in its state a request has an event that is set when a send has failed."""

_GLANCE_S = 0.5


class HungUpError(Exception):
    """The client has gone."""


class Incoming:
    """The body of one request.

    One task at a time may read it. The end of the body is not the end of what there
    is to hear: `hung_up` waits for that.

    Parameters
    ----------
    receive : async callable
    gone : Event, optional
        Set as soon as a send has failed.
    """

    def __init__(self, receive: Receive, gone: anyio.Event | None = None) -> None:
        self._receive = receive
        self._gone = gone
        self._has_more = True
        self._ahead: deque[bytes] = deque()

    async def piece(self) -> bytes | None:
        """Give the next piece of the body; None at its end.

        Raises
        ------
        HungUpError
            Before the end.
        """
        while self._ahead:
            if body := self._ahead.popleft():
                return body
        while self._has_more:
            if body := await self._next():
                return body
        return None

    async def glance(self) -> None:
        """Look for the end of the connection, further ahead with every second.

        For while nobody reads the body. What is seen meanwhile is kept; there is little
        of it, for the seconds grow longer. (Some servers cannot tell that the client
        has gone, nor let go of a ``send``, before the body is read up to there.)

        Raises
        ------
        HungUpError
            It is there.
        """
        wait = _GLANCE_S
        while self._has_more:
            await anyio.sleep(wait)
            self._ahead.append(await self._next())
            wait *= 2

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] != "http.request":
            raise HungUpError
        self._has_more = message.get("more_body", False)
        body: bytes = message.get("body", b"")
        return body

    async def whole(self, most: int) -> bytes:
        """Give the whole body.

        Raises
        ------
        Fault
            It is longer than allowed.
        """
        body = bytearray()
        while (piece := await self.piece()) is not None:
            body += piece
            if len(body) > most:
                raise too_long(most)
        return bytes(body)

    async def dropped(self) -> None:
        """Wait until a send has failed, where the server tells."""
        if self._gone is None:
            await anyio.sleep_forever()
        else:
            await self._gone.wait()

    async def hung_up(self) -> None:
        """Wait until the client has gone; what it still sends is dropped."""
        while (await self._receive())["type"] != "http.disconnect":
            pass


def too_long(most: int) -> Fault:
    """Say that a body is longer than allowed."""
    return Fault(
        413,
        "too-long",
        "The request is too long",
        f"at most {most:,} bytes",
        limit=most,
    )


class Lines:
    """The body as lines, as many at a time as have arrived.

    Parameters
    ----------
    incoming : Incoming
    most : int, bytes
        How long a line may be.
    """

    def __init__(self, incoming: Incoming, most: int) -> None:
        self._incoming = incoming
        self._most = most
        self._tail = b""
        self._count = 0

    async def some(self) -> list[bytes]:
        """Give the next lines, at least one; none at the end.

        Raises
        ------
        HungUpError
            Before the end.
        Fault
            A line is too long.
        """
        while (piece := await self._incoming.piece()) is not None:
            *lines, self._tail = (self._tail + piece).split(b"\n")
            self._check([*lines, self._tail])
            if lines:
                self._count += len(lines)
                return lines
        rest, self._tail = self._tail, b""
        return [rest] if rest else []

    def _check(self, lines: list[bytes]) -> None:
        for number, line in enumerate(lines, self._count + 1):
            if len(line) > self._most:
                raise Fault(
                    413,
                    "long-line",
                    "A line is too long",
                    f"line {number} has more than {self._most:,} bytes",
                    line=number,
                )
