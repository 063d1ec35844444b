"""Services for tests: in the test's own loop, or by real servers on loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
from contextlib import asynccontextmanager, contextmanager

import anyio
import httpx
import trio
import uvicorn
from standing import HANG_S, until
from wsproto import ConnectionType, WSConnection, events

from dcells_async.service import Settings, create_app
from dcells_async.service.on_trio import serve_on_trio


def talking_to(app, **client):
    """A client of an application in this very loop; it sees whole answers only."""
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app, **client), base_url="http://service"
    )


def records(text):
    """The records of an NDJSON answer."""
    return [json.loads(line) for line in text.splitlines()]


class Server:
    """A server in a thread of its own: uvicorn on asyncio, hypercorn on trio."""

    def __init__(self, backend, **settings):
        self.app = create_app(Settings(**settings))
        self.service = self.app.state.service
        self._backend = backend
        self._listener = socket.create_server(("127.0.0.1", 0))
        # As the command does, so that a connection is full before long.
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._run)
        self._is_ready = threading.Event()

    def _run(self):
        anyio.run(self._serve, backend=self._backend)

    async def _serve(self):
        self._stopping = anyio.Event()
        if self._backend == "trio":
            self.call = trio.lowlevel.current_trio_token().run_sync_soon
        else:
            self.call = asyncio.get_running_loop().call_soon_threadsafe
        self._is_ready.set()
        if self._backend == "trio":
            await serve_on_trio(self.app, self._listener, self._stopping.wait, 1024)
            return
        config = uvicorn.Config(
            self.app, ws="wsproto", log_level="critical", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [self._listener])
            await self._stopping.wait()
            server.should_exit = True

    def __enter__(self):
        self._thread.start()
        assert self._is_ready.wait(HANG_S)
        return self

    def __exit__(self, *exc):
        self.call(self.service.close)
        self.call(self._stopping.set)
        self._thread.join(HANG_S)
        assert not self._thread.is_alive()

    @property
    def n_open(self):
        return self.service.gate.n_open

    def nodes(self, kind="solve"):
        """How many nodes have been counted."""
        self.service.metrics.refresh()
        value = self.service.metrics.registry.get_sample_value(
            "dcells_nodes_total", {"kind": kind}
        )
        return value or 0.0

    def cancellations(self, reason):
        value = self.service.metrics.registry.get_sample_value(
            "dcells_cancellations_total", {"reason": reason}
        )
        return value or 0.0

    async def until_idle(self):
        """Wait until no search is open, and see that the gauges agree."""
        await until(lambda: self.n_open == 0)
        for metric in self.service.metrics.open.collect():
            assert all(sample.value == 0 for sample in metric.samples)

    @asynccontextmanager
    async def asking(self, path, body=b"", **headers):
        """Send a request, and leave the answer on the wire."""
        async with await anyio.connect_tcp("127.0.0.1", self.port) as stream:
            wire = Wire(stream)
            await wire.ask(path, body, **headers)
            yield wire


class Wire:
    """One connection, in bytes."""

    def __init__(self, stream):
        self._stream = stream
        self._text = b""

    async def ask(self, path, body=b"", method="POST", version="HTTP/1.1", **headers):
        self._text = b""
        lines = [f"{method} {path} {version}", "host: localhost"]
        if body is not None:
            headers["content-length"] = str(len(body))
        lines += [f"{name.replace('_', '-')}: {it}" for name, it in headers.items()]
        await self.send("\r\n".join([*lines, "", ""]).encode() + (body or b""))

    async def send(self, data):
        await self._stream.send(data)

    async def send_chunk(self, data):
        """Send a chunk of a body that has no length."""
        await self.send(b"%x\r\n%b\r\n" % (len(data), data))

    async def until(self, text):
        """Read until something has come; gives what came so far."""
        with anyio.fail_after(HANG_S):
            while text not in self._text:
                self._text += await self._stream.receive()
        return self._text

    async def line(self):
        """Read the next record."""
        while True:
            await self.until(b"\n")
            line, _, self._text = self._text.partition(b"\n")
            if line.startswith(b"{"):
                return json.loads(line)

    async def to_its_end(self):
        """Read until the server closes; gives what came so far."""
        with anyio.fail_after(HANG_S):
            try:
                while True:
                    self._text += await self._stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return self._text

    async def rest(self):
        """Read until the server closes, or its body ends."""
        with anyio.fail_after(HANG_S):
            try:
                while not self._text.endswith(b"0\r\n\r\n"):
                    self._text += await self._stream.receive()
            except anyio.EndOfStream:
                pass
        return self._text


@contextmanager
def serving(*options):
    """Run ``dcells serve`` in a process of its own; gives that and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dcells_async", "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("dcells: http://127.0.0.1:"), process.stderr.read()
        yield process, line.split()[1]
    finally:
        process.kill()
        process.communicate()


@contextmanager
def running(backend, **settings):
    """Run a server with settings of its own."""
    with Server(backend, **settings) as server:
        yield server


class Socket:
    """A WebSocket, from its client's side."""

    def __init__(self, stream):
        self._stream = stream
        self._ws = WSConnection(ConnectionType.CLIENT)
        self._got = []
        self._text = ""
        self.code = None
        self.greeting = None

    @classmethod
    @asynccontextmanager
    async def to(cls, server, path, **headers):
        """Connect, and wait for the handshake."""
        async with await anyio.connect_tcp("127.0.0.1", server.port) as stream:
            socket = cls(stream)
            extra = [(name.encode(), it.encode()) for name, it in headers.items()]
            await socket._send(
                events.Request(
                    host=f"127.0.0.1:{server.port}", target=path, extra_headers=extra
                )
            )
            socket.greeting = await socket._event()
            yield socket

    async def say(self, **fields):
        await self._send(events.TextMessage(json.dumps(fields)))

    async def shout(self, text):
        await self._send(events.TextMessage(text))

    async def hear(self):
        """The next record; None once the server has closed."""
        while True:
            event = await self._event()
            if isinstance(event, events.CloseConnection):
                self.code = event.code
                return None
            if isinstance(event, events.TextMessage):
                self._text += event.data
                if event.message_finished:
                    text, self._text = self._text, ""
                    return json.loads(text)

    async def hear_until(self, kind):
        """Hear records until one of a kind; gives them all."""
        heard = [await self.hear()]
        while heard[-1] is not None and heard[-1]["type"] != kind:
            heard.append(await self.hear())
        return heard

    async def _send(self, event):
        await self._stream.send(self._ws.send(event))

    async def _event(self):
        with anyio.fail_after(HANG_S):
            while not self._got:
                self._ws.receive_data(await self._stream.receive())
                self._got += self._ws.events()
        return self._got.pop(0)
