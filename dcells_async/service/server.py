"""Running the application by itself: uvicorn on asyncio, or hypercorn on trio."""

from __future__ import annotations

import logging
import signal
from ipaddress import ip_address
from typing import TYPE_CHECKING

import anyio
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from .app import create_app

if TYPE_CHECKING:
    import asyncio
    import socket
    from types import FrameType

    from fastapi import FastAPI

    from .settings import Settings

__all__ = ["BACKENDS", "serve"]

BACKENDS = ("asyncio", "trio")

_GRACE_S = 3.0
"""So long open streams have to take their last record."""

_BACKLOG = 1024

_WRITE_BUFFER = 1 << 13

_SEND_BUFFER = 1 << 17
"""How many bytes the system holds for a client who does not read (Linux: twice)."""


def serve(settings: Settings, host: str, port: int, backend: str = "asyncio") -> None:
    """Serve until a signal says to stop; streams then end with their last record.

    Parameters
    ----------
    settings : Settings
    host : str
        Where to listen; ``127.0.0.1`` is reached from this machine only.
    port : int
        0 for any that is free.
    backend : {"asyncio", "trio"}

    Raises
    ------
    OSError
        The address cannot be had.
    """
    logging.getLogger("uvicorn.error").addFilter(_is_no_access)
    app = create_app(_guarding(settings, host))
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        lifespan="on",
        http=_Protocol,
        ws="wsproto",
        ws_max_size=settings.max_json,
        backlog=_BACKLOG,
        # The application sees to that itself.
        proxy_headers=False,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    listener = _listener(host, port)
    if backend == "trio":
        anyio.run(_on_trio, app, listener, backend="trio")
    else:
        _Server(config, app).run(sockets=[listener])


def _guarding(settings: Settings, host: str) -> Settings:
    """Let a service that is for this machine answer to the machine's names only.

    Else any page could have its own name mean this machine, and be taken for ours.
    """
    if settings.allowed_hosts or settings.trusted_proxies or not _is_loopback(host):
        return settings
    names = f"localhost,127.0.0.1,::1,{host}"
    return settings.model_copy(update={"allowed_hosts": names})


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_no_access(record: logging.LogRecord) -> bool:
    """Keep out of the log what uvicorn tells of each WebSocket, as of no request."""
    return not str(record.msg).startswith(('%s - "WebSocket', "connection "))


def _listener(host: str, port: int) -> socket.socket:
    """Listen, so that whoever reads the address may come at once."""
    import socket  # noqa: PLC0415

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    # Connections inherit it, where the system would let each grow to megabytes.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    name = f"[{host}]" if ":" in host else host
    print(f"dcells: http://{name}:{listener.getsockname()[1]}", flush=True)  # noqa: T201
    return listener


class _Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Has its writer wait for a slow reader sooner: a chunk or two is enough."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Take up a connection."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=_WRITE_BUFFER)


class _Server(uvicorn.Server):
    """Ends the streams before it waits for their connections."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at the second signal, without regard for open streams.

        Unlike its parent, it does not die of the signal afterwards.
        """
        self.force_exit = self.should_exit
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down."""
        await _see_off(self._app)
        # Whoever has not read a last record by now does not read at all.
        for connection in [*self.server_state.connections]:
            if connection.transport.get_write_buffer_size():
                connection.transport.abort()
        await super().shutdown(sockets)


async def _see_off(app: FastAPI) -> None:
    """End the streams, and give clients some time to take the last record."""
    app.state.service.close()
    with anyio.move_on_after(_GRACE_S):
        await app.state.service.drained()


async def _on_trio(app: FastAPI, listener: socket.socket) -> None:
    from .on_trio import serve_on_trio  # noqa: PLC0415

    async def signalled() -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                break
        await _see_off(app)

    await serve_on_trio(app, listener, signalled, _BACKLOG)
