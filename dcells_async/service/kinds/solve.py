"""All covers, one after the other: ``/v1/solve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Header, Query, Request, WebSocket
from starlette.responses import Response

from .. import sockets
from ..access import ALLOWED, service_of
from ..faults import Fault
from ..forms import Events, Ndjson, chosen
from ..knobs import SolveKnobs, SolveOrder, SolveQuery
from ..once import ONCE
from ..openapi import answers, asks
from ..orders import problem_from, read_order, repriced
from ..reply import Reply
from ..searching import CoverRecords, ended, engine_for, pour_covers, searched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...problem import Problem
    from ..exchange import Exchange
    from ..reply import HttpExchange

__all__ = ["router", "solve"]

_FORMS = (Ndjson, Events)
_ANSWERS = answers("Covers, a record each; the last record tells the outcome.", *_FORMS)

_MOST_DIGITS = 18

router = APIRouter()


async def solve(
    exchange: Exchange, problem: Problem, knobs: SolveKnobs, first: int = 1
) -> Mapping[str, object]:
    """Send the covers of a problem, from a certain one on."""
    exchange.pulse_seconds = knobs.pulse or exchange.pulse_seconds
    problem = repriced(problem, knobs.prices)
    dance = engine_for(knobs.engine, exchange).dance(
        problem,
        given=knobs.given,
        without=knobs.without,
        buffer=exchange.buffer,
        limit=knobs.limit,
        timeout=exchange.timeout(knobs.timeout),
    )
    records = CoverRecords(problem, knobs.names)
    result = await searched(
        exchange,
        problem,
        dance,
        lambda result: pour_covers(exchange, result, records, first),
    )
    return ended(result)


@router.post(
    "/solve",
    dependencies=[ALLOWED, ONCE],
    responses=_ANSWERS,
    openapi_extra=asks(SolveOrder),
)
async def post(
    request: Request,
    knobs: Annotated[SolveKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
    last_event_id: Annotated[str, Header()] = "",
) -> Response:
    """List the covers of a problem, as they are found.

    A reader who is slow slows the search down, one who hangs up ends it. The order is
    always the same; so with ``Last-Event-ID`` the covers up to that one are passed
    over.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        problem, given = await read_order(
            exchange, knobs, SolveOrder, has_query=bool(request.query_params)
        )
        return await solve(exchange, problem, given, _first(last_event_id))

    return _reply(request, accept, last_event_id, work)


@router.get("/solve", dependencies=[ALLOWED, ONCE], responses=_ANSWERS)
async def get(
    request: Request,
    query: Annotated[SolveQuery, Query()],
    accept: Annotated[str, Header()] = "*/*",
    last_event_id: Annotated[str, Header()] = "",
) -> Response:
    """List the covers of a small problem, for a browser's ``EventSource``."""

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        exchange.listen()
        problem = await problem_from(query.problem, exchange.settings)
        return await solve(exchange, problem, query, _first(last_event_id))

    return _reply(request, accept, last_event_id, work)


def _reply(request: Request, accept: str, last_event_id: str, work: Any) -> Response:  # noqa: ANN401
    if last_event_id == "end":
        # This keeps a browser from asking once more for what it has.
        return Response(status_code=204)
    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "solve", form, work)


def _first(last_event_id: str) -> int:
    if not last_event_id:
        return 1
    # No search has covers of more digits.
    if not (last_event_id.isascii() and last_event_id.isdecimal()) or (
        len(last_event_id) > _MOST_DIGITS
    ):
        raise Fault(
            422,
            "invalid",
            "The request is not as it should be",
            "Last-Event-ID is none of the ids that were sent",
        )
    return int(last_event_id) + 1


@router.websocket("/solve")
async def converse(socket: WebSocket) -> None:
    """Search as the client wishes; see `sockets`."""
    model = sockets.SolveOpening
    await sockets.converse(service_of(socket), socket, "solve", model, solve)
