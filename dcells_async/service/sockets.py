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

import json
import math
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import anyio
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StrictBool,
    StrictInt,
    ValidationError,
)
from starlette.websockets import WebSocketDisconnect

from ..stream.threads import run_blocking
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
_LEAVE_S = 1.0

_BYE, _REFUSED, _BROKEN, _LATER = 1000, 1008, 1011, 1013


class Opening(Order):
    """What the first message has beside the order."""

    token: SecretStr | None = None
    more: StrictInt = Field(default=0, ge=0, le=_MOST)


class SolveOpening(SolveOrder, Opening):
    """The first message of a search for covers."""


class MinimizeOpening(MinimizeOrder, Opening):
    """The first message of a search for the cheapest covers."""


class TraceOpening(TraceOrder, Opening):
    """The first message of a search that is watched."""


def _true(value: bool) -> bool:
    if not value:
        raise ValueError("Input should be true")
    return value


_Yes = Annotated[StrictBool, AfterValidator(_true)]


class _Wish(BaseModel):
    """Any later message."""

    model_config = ConfigDict(extra="forbid")

    more: StrictInt | None = Field(default=None, ge=0, le=_MOST)
    pause: _Yes | None = None
    cancel: _Yes | None = None


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
        self._deadline = math.inf
        self._allow: Callable[[int], None] = _nothing
        self._is_gone = anyio.Event()

    @property
    def client(self) -> str:
        """Who asks."""
        return self._socket.client.host if self._socket.client else ""

    @property
    def buffer(self) -> int:
        """Nothing is searched that is not wanted yet."""
        # Who waits for the next one has room for that besides.
        ahead = 0 if self._is_paused else self._credit - 1
        return max(0, min(ahead, super().buffer))

    def timeout(self, wanted: float | None) -> float:
        """Give the seconds that a search may last; so long one may wait for credit."""
        seconds = super().timeout(wanted)
        self._deadline = anyio.current_time() + seconds
        return seconds

    def regulate(self, allow: Callable[[int], None]) -> None:
        """Let covers be found ahead as far as the credit goes."""
        self._allow = allow
        allow(self.buffer)

    async def demand(self, scope: anyio.CancelScope) -> int:
        """Wait for credit; a pause takes back what was said."""
        self._waiting = scope
        with anyio.CancelScope(deadline=self._deadline):
            while self._is_paused or not self._credit:
                self._is_wanted = anyio.Event()
                await self._is_wanted.wait()
            return self._credit
        return 0

    async def put(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> None:
        """Send records, for credit if they have numbers."""
        if ids is not None:
            self._credit -= len(records)
            self._allow(self.buffer)
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
        self._allow(self.buffer)
        self._is_wanted.set()

    def pause(self) -> None:
        """Send no covers, and look for none."""
        self._is_paused = True
        self._allow(0)
        if self._waiting is not None:
            self._waiting.cancel()

    async def first(self) -> str:
        """Give the first message, and listen for others from then on.

        Raises
        ------
        Fault
            It is too long, or too long in coming, or does not know the token.
        WebSocketDisconnect
            The client has gone.
        """
        text: str | None = None
        with self.stoppable(), anyio.move_on_after(self.settings.read_seconds):
            text = await self._heard()
        self.tasks.start_soon(self._listen)
        if self.stop_reason is not None:
            raise self.stopped()
        if text is None:
            raise Fault(408, "slow-request", "The request was too long in coming")
        if len(text) > self.settings.max_json:
            raise too_long(self.settings.max_json)
        if self.settings.token is not None:
            check_token(self.settings, await self._token(text))
        return text

    async def bye(self, code: int) -> None:
        """Close the connection, when the client has had time to take the end."""
        await self._socket.close(code)
        # Were it left with something unread, the client might not get to read the end.
        with anyio.move_on_after(_LEAVE_S):
            await self._is_gone.wait()

    async def _token(self, text: str) -> str | None:
        kind, _, token = self._socket.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return token
        return await run_blocking(partial(_token_in, text))

    async def _listen(self) -> None:
        try:
            while True:
                try:
                    self._obey(await self._heard())
                except Fault as fault:
                    # What is wrong is the client's text, and no label of a metric.
                    self.stop(str(fault), "fault")
        except WebSocketDisconnect:
            self._is_gone.set()
            self.hang_up()

    async def _heard(self) -> str:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        text = message.get("text")
        if text is None:
            raise Fault(415, "media-type", "A message has to be text")
        return str(text)

    def _obey(self, text: str) -> None:
        if self.stop_reason is not None:
            return
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
                    with service.known(exchange):
                        fields = await _answered(service, exchange, model, work)
                except Fault as fault:
                    service.metrics.refusals.labels(kind, str(fault.status)).inc()
                    fields = {"outcome": FAILED, "error": fault.document}
                    code = _code(fault)
                await exchange.finish(exchange.form.end(fields))
                await exchange.bye(code)
            except (HungUpError, WebSocketDisconnect):
                exchange.meter.cancelled("hang-up")
            finally:
                exchange.close()
            tasks.cancel_scope.cancel()


async def _answered(
    service: Service,
    exchange: SocketExchange,
    model: type[Opening],
    work: Callable[[SocketExchange, Problem, Any], Awaitable[Mapping[str, object]]],
) -> Mapping[str, object]:
    # A place is for who has said something, and may.
    text = await exchange.first()

    async def begin_and_work(exchange: SocketExchange) -> Mapping[str, object]:
        opening = await order_from(text, model)
        problem = await problem_from(opening.problem, service.settings)
        exchange.more(opening.more)
        return await work(exchange, problem, opening)

    async with service.admitted(exchange, exchange.client):
        return await exchange.result_of(begin_and_work)


def _token_in(text: str) -> str | None:
    """Find the token in a message, whatever else is wrong with it."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    token = document.get("token") if isinstance(document, dict) else None
    return token if isinstance(token, str) else None


def _nothing(buffer: int) -> None:
    """Regulate nothing."""


def _code(fault: Fault) -> int:
    if fault.status in {429, 503}:
        return _LATER
    return _REFUSED if fault.status < 500 else _BROKEN
