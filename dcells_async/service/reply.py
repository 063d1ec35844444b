"""The answer to a request of HTTP."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from starlette.responses import Response

from .carrier import CarriedExchange
from .faults import MEDIA_TYPE, Fault
from .incoming import GONE, HungUpError, Incoming, too_long

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from anyio.abc import TaskGroup
    from anyio.streams.memory import MemoryObjectReceiveStream
    from starlette.datastructures import Headers
    from starlette.requests import Request
    from starlette.types import Message, Receive, Scope, Send

    from .forms import Form
    from .metrics import Meter
    from .service import Service

__all__ = ["HttpExchange", "Reply", "problem_response"]

_PLENTY = 1 << 30


def problem_response(fault: Fault) -> Response:
    """Give a fault as a response."""
    return Response(fault.body, fault.status, fault.headers, MEDIA_TYPE)


class HttpExchange(CarriedExchange):
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
        tasks: TaskGroup,
        headers: Headers,
        incoming: Incoming,
        send: Send,
    ) -> None:
        super().__init__(service, form, meter, tasks)
        self.headers = headers
        self.incoming = incoming
        self._send_message = send

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
        if declared.isdecimal() and (
            len(declared) > len(str(most)) or int(declared) > most
        ):
            raise too_long(most)
        body: bytes | None = None
        with self.stoppable(), anyio.move_on_after(self.settings.read_seconds):
            body = await self.incoming.whole(most)
        if self.stop_reason is not None:
            raise self.stopped()
        if body is None:
            raise Fault(408, "slow-request", "The request was too long in coming")
        self.listen()
        return body

    def listen(self) -> None:
        """Have the answer cancelled when the client hangs up; the body is read."""
        self.tasks.start_soon(self._listen)

    @asynccontextmanager
    async def glancing(self) -> AsyncIterator[None]:
        """Have an eye on the client while in the block, though its body is not read."""
        scope, is_over = anyio.CancelScope(), anyio.Event()
        self.tasks.start_soon(self._glance, scope, is_over)
        try:
            yield
        finally:
            scope.cancel()
            # Two must not read the body at the same time.
            with anyio.CancelScope(shield=True):
                await is_over.wait()

    async def _glance(self, scope: anyio.CancelScope, is_over: anyio.Event) -> None:
        try:
            with scope:
                await self.incoming.glance()
        except HungUpError:
            self.hang_up()
        finally:
            is_over.set()

    def mind(self) -> None:
        """Have the answer cancelled when a send fails, though the body is not read."""
        self.tasks.start_soon(self._mind)

    async def _mind(self) -> None:
        await self.incoming.dropped()
        # The server says no more before all is taken that the client has sent.
        await self.incoming.hung_up()
        self.hang_up()

    async def _listen(self) -> None:
        await self.incoming.hung_up()
        self.hang_up()

    def regulate(self, allow: Callable[[int], None]) -> None:
        """Leave it as it is: always as far as `buffer`."""

    async def demand(self, scope: anyio.CancelScope) -> int:
        """Give at once as many as anybody could want."""
        return _PLENTY

    async def carry(self, chunks: MemoryObjectReceiveStream[bytes]) -> None:
        """Send the head of a response, chunks, and the end."""
        headers = [
            (b"content-type", self.form.media_type.encode()),
            (b"cache-control", b"no-store"),
            # Some proxies keep a response back until there is much of it.
            (b"x-accel-buffering", b"no"),
        ]
        await self._send_message(
            {"type": "http.response.start", "status": 200, "headers": headers}
        )
        async for chunk in chunks:
            await self._send_message(_body(chunk, more=True))
        await self._send_message(_body(b"", more=False))


def _body(chunk: bytes, more: bool) -> Message:
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
            exchange = HttpExchange(
                self._service,
                self._form,
                self._service.metrics.meter(self._kind),
                tasks,
                self._request.headers,
                Incoming(receive, self._request.scope.get("state", {}).get(GONE)),
                send,
            )
            try:
                fields = await self._answered(exchange)
                await exchange.finish(self._form.end(fields))
            except Fault as error:
                fault = error
            except HungUpError:
                exchange.meter.cancelled("hang-up")
            finally:
                exchange.close()
            tasks.cancel_scope.cancel()
        if fault is not None:
            self._service.metrics.refusals.labels(self._kind, str(fault.status)).inc()
            await problem_response(fault)(scope, receive, send)

    async def _answered(self, exchange: HttpExchange) -> Mapping[str, object]:
        client = self._request.client.host if self._request.client else ""
        async with self._service.admitted(exchange, client):
            with self._service.known(exchange):
                return await exchange.result_of(self._work)
