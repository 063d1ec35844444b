"""The answer to a request of HTTP: reads, searches and sends at the same time.

Three tasks. One does the *work*. One *sends*, a chunk at a time, and takes the next
only when the server has taken the last: so a slow reader slows the search. One
*listens*, and cancels the others when the client hangs up. The work never waits in a
server's ``send`` itself, which not every server lets go of at once; so a search ends
and frees its slot whatever state the connection is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from starlette.responses import Response

from ..stream.turns import owner
from .exchange import Exchange
from .faults import MEDIA_TYPE, Fault
from .incoming import HungUpError, Incoming, too_long

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from anyio.abc import TaskGroup
    from anyio.streams.memory import MemoryObjectSendStream
    from starlette.datastructures import Headers
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from .forms import Form
    from .metrics import Meter
    from .service import Service

__all__ = ["HttpExchange", "Reply", "problem_response"]

_PLENTY = 1 << 30


def problem_response(fault: Fault) -> Response:
    """Give a fault as a response."""
    return Response(fault.body, fault.status, fault.headers, MEDIA_TYPE)


class HttpExchange(Exchange):
    """An exchange whose answer is a response of HTTP.

    Attributes
    ----------
    headers : Headers
        Those of the request.
    incoming : Incoming
        Its body.
    """

    def __init__(
        self,
        service: Service,
        form: Form,
        meter: Meter,
        headers: Headers,
        incoming: Incoming,
        send: Send,
        tasks: TaskGroup,
    ) -> None:
        super().__init__(service.settings, form, meter)
        self.headers = headers
        self.incoming = incoming
        self._send = send
        self._tasks = tasks
        self._chunks: MemoryObjectSendStream[bytes] | None = None
        self._is_sent = anyio.Event()

    async def whole(self, most: int) -> bytes:
        """Give the body of the request, and listen from then on.

        Raises
        ------
        Fault
            It is too long, or too long in coming.
        HungUpError
            The client did not finish it.
        """
        declared = self.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            raise too_long(most)
        body: bytes | None = None
        with self.stoppable(), anyio.move_on_after(self.settings.read_seconds):
            body = await self.incoming.whole(most)
        self.check()
        if body is None:
            raise Fault(408, "slow-request", "The request was too long in coming")
        self.listen()
        return body

    def listen(self) -> None:
        """Have the answer cancelled when the client hangs up; the body is read."""
        self._tasks.start_soon(self._listen)

    async def _listen(self) -> None:
        await self.incoming.hung_up()
        self.hang_up()

    def hang_up(self) -> None:
        """Drop everything: there is nobody to read it."""
        self.meter.cancelled("hang-up")
        self._tasks.cancel_scope.cancel()

    async def demand(self, scope: anyio.CancelScope) -> int:
        """Give at once as many as anybody could want."""
        return _PLENTY

    async def put(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> None:
        """Hand records over to the sender, when it is through with those before."""
        chunk = self.form.records(kind, records, ids)
        if chunk:
            await self._hand_over(chunk)

    async def finish(self, chunk: bytes) -> None:
        """Send the last chunk, and wait until it is sent."""
        await self._hand_over(chunk)
        assert self._chunks is not None
        self._chunks.close()
        with anyio.move_on_after(self.settings.slow_reader_seconds):
            await self._is_sent.wait()

    def close(self) -> None:
        """Let the sender go, if there is one."""
        if self._chunks is not None:
            self._chunks.close()

    async def _hand_over(self, chunk: bytes) -> None:
        if self._chunks is None:
            await self._start()
        assert self._chunks is not None
        with anyio.move_on_after(self.settings.slow_reader_seconds) as scope:
            await self._chunks.send(chunk)
        if scope.cancelled_caught:
            self.meter.cancelled("slow reader")
            raise HungUpError

    async def _start(self) -> None:
        self._chunks, chunks = anyio.create_memory_object_stream[bytes](0)
        headers = [
            (b"content-type", self.form.media_type.encode()),
            (b"cache-control", b"no-store"),
            # Some proxies keep a response back until there is much of it.
            (b"x-accel-buffering", b"no"),
        ]

        async def send_all() -> None:
            with chunks:
                try:
                    await self._send(
                        {
                            "type": "http.response.start",
                            "status": 200,
                            "headers": headers,
                        }
                    )
                    async for chunk in chunks:
                        await self._send(_body(chunk, more=True))
                    await self._send(_body(b"", more=False))
                except OSError:
                    self.hang_up()
            self._is_sent.set()

        self._tasks.start_soon(send_all)


def _body(chunk: bytes, more: bool) -> dict[str, object]:
    return {"type": "http.response.body", "body": chunk, "more_body": more}


class Reply(Response):
    """A response that does its work while it is sent.

    Parameters
    ----------
    service : Service
    request : Request
        Its body has not been read.
    kind : str
        What the work is called in metrics.
    form : Form
    work : async callable
        Gets an `HttpExchange`, gives the fields of the last record.
    """

    def __init__(
        self,
        service: Service,
        request: Request,
        kind: str,
        form: Form,
        work: Callable[[HttpExchange], Awaitable[Mapping[str, object]]],
    ) -> None:
        super().__init__(media_type=form.media_type)
        self._service = service
        self._request = request
        self._kind = kind
        self._form = form
        self._work = work

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request."""
        with self._service.replying():
            await self._reply(scope, receive, send)

    async def _reply(self, scope: Scope, receive: Receive, send: Send) -> None:
        fault: Fault | None = None
        async with anyio.create_task_group() as tasks:
            try:
                await self._answer(receive, send, tasks)
            except Fault as error:
                fault = error
            except HungUpError:
                pass
            tasks.cancel_scope.cancel()
        if fault is not None:
            self._service.metrics.refusals.labels(self._kind, str(fault.status)).inc()
            await problem_response(fault)(scope, receive, send)

    async def _answer(self, receive: Receive, send: Send, tasks: TaskGroup) -> None:
        client = self._request.client.host if self._request.client else ""
        async with self._service.gate.slot(client):
            owner.set(client)
            with self._service.metrics.meter(self._kind) as meter:
                exchange = HttpExchange(
                    self._service,
                    self._form,
                    meter,
                    self._request.headers,
                    Incoming(receive),
                    send,
                    tasks,
                )
                try:
                    with self._service.known(exchange):
                        fields = await exchange.result_of(self._work)
                except BaseException:
                    exchange.close()
                    raise
        await exchange.finish(self._form.end(fields))
