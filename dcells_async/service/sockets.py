"""Searches by WebSocket: the client says how many covers it wants, and when to stop.

The first message is the order: a JSON document as for HTTP, perhaps with ``token`` and
``more``. After that the client may say, at any time,

- ``{"more": 10}``: send ten more covers; what is left of an earlier wish stays,
- ``{"pause": true}``: send none until the next ``more``, which may be 0,
- ``{"cancel": true}``: stop, with a last record.

While nothing is wanted the search rests: its nodes stand still. Records come as with
NDJSON, a message each; pulses come all the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import anyio
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from starlette.websockets import WebSocketDisconnect

from .access import check_origin, check_token
from .carrier import CarriedExchange
from .exchange import FAILED
from .faults import Fault, invalid
from .forms import Ndjson
from .incoming import HungUpError, too_long
from .knobs import MinimizeOrder, Order, SolveOrder, TraceOrder
from .orders import order_from, problem_from

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from anyio.abc import TaskGroup
    from anyio.streams.memory import MemoryObjectReceiveStream
    from starlette.websockets import WebSocket

    from ..problem import Problem
    from .metrics import Meter
    from .service import Service

__all__ = ["MinimizeOpening", "Opening", "SolveOpening", "TraceOpening"]
__all__ += ["converse"]

_MOST = 2**53
_BYE, _REFUSED, _BROKEN, _LATER = 1000, 1008, 1011, 1013


class Opening(Order):
    """What the first message has beside the order."""

    token: SecretStr | None = None
    more: int = Field(default=0, ge=0, le=_MOST)


class SolveOpening(SolveOrder, Opening):
    """The first message of a search for covers."""


class MinimizeOpening(MinimizeOrder, Opening):
    """The first message of a search for the cheapest covers."""


class TraceOpening(TraceOrder, Opening):
    """The first message of a search that is watched."""


class _Wish(BaseModel):
    """Any later message."""

    model_config = ConfigDict(extra="forbid")

    more: int | None = Field(default=None, ge=0, le=_MOST)
    pause: Literal[True] | None = None
    cancel: Literal[True] | None = None


class SocketExchange(CarriedExchange):
    """An exchange by WebSocket."""

    def __init__(
        self, service: Service, meter: Meter, tasks: TaskGroup, socket: WebSocket
    ) -> None:
        super().__init__(service, Ndjson(), meter, tasks)
        self._socket = socket
        self._credit = 0
        self._is_paused = False
        self._is_wanted = anyio.Event()
        self._waiting: anyio.CancelScope | None = None

    @property
    def client(self) -> str:
        """Who asks."""
        return self._socket.client.host if self._socket.client else ""

    @property
    def buffer(self) -> int:
        """Nothing is searched that is not wanted yet."""
        return 0

    async def demand(self, scope: anyio.CancelScope) -> int:
        """Wait for credit; a pause takes back what was said."""
        self._waiting = scope
        while self._is_paused or not self._credit:
            self._is_wanted = anyio.Event()
            await self._is_wanted.wait()
        return self._credit

    async def put(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> None:
        """Send records, for credit if they have numbers."""
        if ids is not None:
            self._credit -= len(records)
        await super().put(kind, records, ids)

    async def carry(self, chunks: MemoryObjectReceiveStream[bytes]) -> None:
        """Send each record as a message."""
        try:
            async for chunk in chunks:
                for line in chunk.decode().split("\n"):
                    if line:
                        await self._socket.send_text(line)
        except WebSocketDisconnect as error:
            raise ConnectionError from error

    def more(self, number: int) -> None:
        """Grant credit for so many covers, and go on."""
        self._credit += number
        self._is_paused = False
        self._is_wanted.set()

    def pause(self) -> None:
        """Send no covers, and look for none."""
        self._is_paused = True
        if self._waiting is not None:
            self._waiting.cancel()

    async def opening(self, model: type[Opening]) -> Opening:
        """Give the first message, and listen for others from then on.

        Raises
        ------
        Fault
            It is not as it should be, or too long in coming.
        WebSocketDisconnect
            The client has gone.
        """
        text: str | None = None
        with self.stoppable(), anyio.move_on_after(self.settings.read_seconds):
            text = await self._heard()
        if self.stop_reason is not None:
            raise self.stopped()
        if text is None:
            raise Fault(408, "slow-request", "The request was too long in coming")
        if len(text) > self.settings.max_json:
            raise too_long(self.settings.max_json)
        opening = await order_from(text, model)
        check_token(self.settings, _token(self._socket, opening))
        self.tasks.start_soon(self._listen)
        return opening

    async def bye(self, code: int) -> None:
        """Close the connection."""
        await self._socket.close(code)

    async def _listen(self) -> None:
        try:
            while True:
                self._obey(await self._heard())
        except WebSocketDisconnect:
            self.hang_up()
        except Fault as fault:
            # What is wrong is the client's text, and no label of a metric.
            self.stop(str(fault), "fault")

    async def _heard(self) -> str:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        text = message.get("text")
        if text is None:
            raise Fault(415, "media-type", "A message has to be text")
        return str(text)

    def _obey(self, text: str) -> None:
        try:
            wish = _Wish.model_validate_json(text)
        except ValidationError as error:
            raise invalid(error.errors(include_input=False)) from None
        if wish.more is not None:
            self.more(wish.more)
        if wish.pause:
            self.pause()
        if wish.cancel:
            self.stop("the client cancelled it")


async def converse(
    service: Service,
    socket: WebSocket,
    kind: str,
    model: type[Opening],
    work: Callable[[SocketExchange, Problem, Any], Awaitable[Mapping[str, object]]],
) -> None:
    """Search as a client wishes, from its first message to the last record.

    Parameters
    ----------
    service : Service
    socket : WebSocket
        Not accepted yet.
    kind : str
        What the work is called in metrics.
    model : type of Opening
        What the first message has to be.
    work : async callable
        Gets the exchange, the problem and the knobs; gives the fields of the last
        record.
    """
    try:
        check_origin(service.settings, socket.headers)
    except Fault:
        await socket.close(_REFUSED)
        return
    await socket.accept()
    with service.replying():
        async with anyio.create_task_group() as tasks:
            exchange = SocketExchange(
                service, service.metrics.meter(kind), tasks, socket
            )
            code = _BYE
            try:
                try:
                    fields = await _answered(service, exchange, model, work)
                except Fault as fault:
                    service.metrics.refusals.labels(kind, str(fault.status)).inc()
                    fields = {"outcome": FAILED, "error": fault.document}
                    code = _code(fault)
                await exchange.finish(exchange.form.end(fields))
                await exchange.bye(code)
            except (HungUpError, WebSocketDisconnect):
                pass
            finally:
                exchange.close()
            tasks.cancel_scope.cancel()


async def _answered(
    service: Service,
    exchange: SocketExchange,
    model: type[Opening],
    work: Callable[[SocketExchange, Problem, Any], Awaitable[Mapping[str, object]]],
) -> Mapping[str, object]:
    async def begin_and_work(exchange: SocketExchange) -> Mapping[str, object]:
        opening = await exchange.opening(model)
        problem = await problem_from(opening.problem, service.settings)
        exchange.more(opening.more)
        return await work(exchange, problem, opening)

    async with service.admitted(exchange, exchange.client):
        return await exchange.result_of(begin_and_work)


def _token(socket: WebSocket, opening: Opening) -> str | None:
    if opening.token is not None:
        return opening.token.get_secret_value()
    kind, _, token = socket.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else None


def _code(fault: Fault) -> int:
    if fault.status in {429, 503}:
        return _LATER
    return _REFUSED if fault.status < 500 else _BROKEN
