"""hypercorn on trio, with an ear for clients who go while they are being sent to.

hypercorn puts what it hears from a client into a queue for the application, the end of
the connection last. With a full queue, as in the middle of a long body, it hears
nothing; and when a ``send`` fails, it waits for room in that very queue. So whoever
waits in a ``send`` for a client that has gone waits until somebody reads the body. Here
the streams that hypercorn sends by are wrapped: they say at once that a ``send`` has
failed. A client who goes with something unread, as it always has when a ``send`` is
stuck, makes it fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import hypercorn.trio.run
import trio
from hypercorn.config import Config
from hypercorn.trio import serve

from .incoming import GONE

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable

    from fastapi import FastAPI

__all__ = ["serve_on_trio"]

_LEAVE_S = 0.2

_running: Any = hypercorn.trio.run
"""hypercorn looks here for what makes a connection; it has no other way to be told."""


class _Stream:
    """A stream as hypercorn uses it."""

    def __init__(self, stream: Any, gone: anyio.Event) -> None:  # noqa: ANN401
        self._stream = stream
        self._gone = gone

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._stream, name)

    async def send_all(self, data: bytes) -> None:
        """Send; if that fails, say so to whoever wants to know."""
        if self._gone.is_set():
            raise trio.BrokenResourceError
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.BusyResourceError) as error:
            # Nobody else sends; it is busy when it is just being closed.
            self._gone.set()
            raise trio.BrokenResourceError from error


class _Connections:
    """What hypercorn is to make a connection by; knows those that are open."""

    def __init__(self, make: Any) -> None:  # noqa: ANN401
        self._make = make
        self._open: set[Any] = set()

    def __call__(self, *arguments: Any) -> Awaitable[None]:  # noqa: ANN401
        """Give what serves a connection when it is awaited."""
        *others, state, stream = arguments
        gone = anyio.Event()
        state = type(state)({**state, GONE: gone})
        server = self._make(*others, state, _Stream(stream, gone))
        return self._served(server, stream)

    async def _served(self, server: Awaitable[None], stream: Any) -> None:  # noqa: ANN401
        self._open.add(stream)
        try:
            await server
        finally:
            self._open.remove(stream)

    def drop(self) -> None:
        """Let go of all connections, whatever they are about to send."""
        for stream in self._open:
            stream.socket.close()


async def serve_on_trio(
    app: FastAPI,
    listener: socket.socket,
    until: Callable[[], Awaitable[None]],
    backlog: int,
) -> None:
    """Serve until something happens; connections that are open then are dropped.

    Parameters
    ----------
    app : FastAPI
    listener : socket
        It is detached.
    until : async callable
        Returns when to stop, streams having had their time to end.
    backlog : int
    """
    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    # It waits so long for idle connections, too.
    config.graceful_timeout = _LEAVE_S
    config.backlog = backlog
    # Where it listens has been told.
    config.loglevel = "WARNING"
    config.websocket_max_message_size = app.state.service.settings.max_json
    connections = _Connections(_running.TCPServer)

    async def stopped() -> None:
        await until()
        # Whoever has not read a last record by now does not read at all; and hypercorn
        # does not let go of a send to them while the connection is there.
        connections.drop()

    usual = _running.TCPServer
    _running.TCPServer = connections
    try:
        await serve(app, config, shutdown_trigger=stopped)  # type: ignore[arg-type]
    finally:
        _running.TCPServer = usual
