"""The dance, step by step: ``/v1/trace``."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Annotated

import anyio
from fastapi import APIRouter, Header, Query, Request, WebSocket
from starlette.responses import Response  # noqa: TC002

from ...cover import Outcome, Pulse
from ...tracing import Action, trace
from ...tracing.watch import check_watchable
from .. import sockets
from ..access import ALLOWED, service_of
from ..faults import Fault
from ..forms import Events, Ndjson, chosen
from ..knobs import TraceKnobs, TraceOrder
from ..lines import encoded
from ..once import ONCE
from ..openapi import answers, asks
from ..orders import read_order
from ..reply import Reply
from ..searching import pour, size_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...problem import Problem
    from ...tracing import Step
    from ..exchange import Exchange
    from ..reply import HttpExchange

__all__ = ["router", "watch"]

_FORMS = (Ndjson, Events)

_MOST_NODES = 5000

router = APIRouter()


class _Watch:
    """Makes records of steps, and counts them."""

    def __init__(self, knobs: TraceKnobs) -> None:
        self.steps = 0
        self.covers = 0
        self._has_live = knobs.live
        self._start = monotonic()

    def record(self, number: int, step: Step) -> bytes:
        """Give the record of a step."""
        self.steps = number
        self.covers += step.action is Action.SOLUTION
        fields: dict[str, object] = {
            "type": "step",
            "step": number,
            "action": step.action.value,
            "depth": step.depth,
            "item": step.item,
            "option": step.option,
            "size": step.size,
            "chosen": step.chosen,
            "text": str(step),
        }
        if self._has_live:
            fields["live_items"] = sorted(step.live_items)
            fields["live_options"] = sorted(step.live_options)
        return encoded(fields)

    def pulse(self) -> Pulse:
        """Tell how far it has come."""
        return Pulse(
            nodes=self.steps, covers=self.covers, elapsed=monotonic() - self._start
        )


async def watch(
    exchange: Exchange, problem: Problem, knobs: TraceKnobs
) -> Mapping[str, object]:
    """Send the steps of a search."""
    exchange.pulse_seconds = knobs.pulse or exchange.pulse_seconds
    watch = _Watch(knobs)
    exchange.meter.watch(watch.pulse)
    check_watchable(problem)
    _check_size(problem)
    outcome = Outcome.CANCELLED
    seconds = exchange.timeout(knobs.timeout)
    with exchange.stoppable(), anyio.move_on_after(seconds) as scope:
        async with trace(problem, knobs.way, buffer=exchange.buffer) as steps:
            await exchange.begin(**size_of(problem), **_matrix(problem))
            await pour(
                exchange,
                steps,
                watch.record,
                watch.pulse,
                kind="step",
                limit=knobs.limit,
            )
            is_cut = watch.steps == knobs.limit
            outcome = Outcome.LIMITED if is_cut else Outcome.EXHAUSTED
    if scope.cancelled_caught:
        outcome = Outcome.TIMED_OUT
    if not exchange.has_begun and exchange.stop_reason is not None:
        raise exchange.stopped()
    return {"outcome": outcome.value, "steps": watch.steps, "covers": watch.covers}


def _check_size(problem: Problem) -> None:
    """Each step tells of the whole matrix; nobody could look at a large one."""
    n_nodes = len(problem.entry_item)
    if n_nodes > _MOST_NODES:
        raise Fault(
            413,
            "too-large",
            "The problem is too large to be watched",
            f"{n_nodes:,} nodes, and at most {_MOST_NODES:,} are allowed",
            limit=_MOST_NODES,
        )


def _matrix(problem: Problem) -> Mapping[str, object]:
    """Give what a picture of the problem needs; items are numbered from 0."""
    start = problem.option_start
    colors = problem.entry_color or [0] * len(problem.entry_item)
    rows = [
        [
            [
                problem.entry_item[at],
                problem.colors[colors[at] - 1] if colors[at] else None,
            ]
            for at in range(start[option], start[option + 1])
        ]
        for option in range(len(start) - 1)
    ]
    return {"names": problem.item_names, "matrix": rows}


@router.post(
    "/trace",
    dependencies=[ALLOWED, ONCE],
    responses=answers("The steps of a search, a record each.", *_FORMS),
    openapi_extra=asks(TraceOrder),
)
async def post(
    request: Request,
    knobs: Annotated[TraceKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Watch a search go, step by step; for small problems.

    The first record has the names of the items, and the matrix: the items of each
    option, with their colors. Each step tells what is done, to which item (from 0) or
    option (from 1), the options chosen, and what is left of the matrix.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        problem, given = await read_order(
            exchange, knobs, TraceOrder, has_query=bool(request.query_params)
        )
        return await watch(exchange, problem, given)

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "trace", form, work)


@router.websocket("/trace")
async def converse(socket: WebSocket) -> None:
    """Watch a search go as the client wishes; see `sockets`."""
    model = sockets.TraceOpening
    await sockets.converse(service_of(socket), socket, "trace", model, watch)
