"""The cheapest covers, each better than the last: ``/v1/minimize``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request, WebSocket
from starlette.responses import Response  # noqa: TC002

from .. import sockets
from ..access import ALLOWED, service_of
from ..forms import Events, Ndjson, chosen
from ..knobs import MinimizeKnobs, MinimizeOrder
from ..once import ONCE
from ..openapi import answers, asks
from ..orders import read_order, repriced
from ..reply import Reply
from ..searching import CoverRecords, ended, minimizer_for, pour_covers, searched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...problem import Problem
    from ..exchange import Exchange
    from ..reply import HttpExchange

__all__ = ["minimize", "router"]

_FORMS = (Ndjson, Events)

router = APIRouter()


async def minimize(
    exchange: Exchange, problem: Problem, knobs: MinimizeKnobs
) -> Mapping[str, object]:
    """Send covers that become cheaper, and tell whether that is proved to be all."""
    exchange.pulse_seconds = knobs.pulse or exchange.pulse_seconds
    problem = repriced(problem, knobs.prices)
    dance = minimizer_for(knobs.engine).minimize(
        problem,
        best=knobs.best,
        taxes=knobs.taxes,
        buffer=exchange.buffer,
        limit=knobs.limit,
        timeout=exchange.timeout(knobs.timeout),
    )
    records = CoverRecords(problem, knobs.names)
    result = await searched(
        exchange, problem, dance, lambda result: pour_covers(exchange, result, records)
    )
    stats = result.stats
    return {
        "optimal": result.optimal,
        "price": stats.best_price,
        "bound": stats.lower_bound,
        "gap": stats.gap,
        **ended(result),
    }


@router.post(
    "/minimize",
    dependencies=[ALLOWED, ONCE],
    responses=answers("Covers, each cheaper than the last.", *_FORMS),
    openapi_extra=asks(MinimizeOrder),
)
async def post(
    request: Request,
    knobs: Annotated[MinimizeKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Look for the cheapest covers, as a stream of improvements.

    Pulses tell the best price so far, a lower bound, and the gap between them; the
    last record, whether the best is proved to be the cheapest there is.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        problem, given = await read_order(
            exchange, knobs, MinimizeOrder, has_query=bool(request.query_params)
        )
        return await minimize(exchange, problem, given)

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "minimize", form, work)


@router.websocket("/minimize")
async def converse(socket: WebSocket) -> None:
    """Search as the client wishes; see `sockets`."""
    model = sockets.MinimizeOpening
    await sockets.converse(service_of(socket), socket, "minimize", model, minimize)
