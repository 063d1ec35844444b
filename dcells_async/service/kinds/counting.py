"""How many covers there are: ``/v1/count``, ``/v1/unique``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response  # noqa: TC002

from ...cover import Outcome
from ..access import ALLOWED, service_of
from ..forms import Document, Events, Ndjson, chosen
from ..knobs import CountKnobs, CountOrder
from ..once import ONCE
from ..openapi import answers, asks
from ..orders import read_order, repriced
from ..reply import Reply
from ..searching import ended, engine_for, searched, wait_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...stream.result import Result
    from ..reply import HttpExchange

__all__ = ["router"]

_FORMS = (Document, Ndjson, Events)

router = APIRouter(dependencies=[ALLOWED, ONCE])


@router.post(
    "/count",
    responses=answers("The number of covers.", *_FORMS),
    openapi_extra=asks(CountOrder),
)
async def count(
    request: Request,
    knobs: Annotated[CountKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Count the covers of a problem, without listing them.

    As a stream, with pulses meanwhile, if that is what the client accepts. If the
    time ran out, the outcome says so, and there are at least so many.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        has_query = bool(request.query_params)
        result = await _counted(exchange, knobs, None, has_query)
        fields = ended(result)
        return {"count": result.stats.covers, **fields}

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "count", form, work)


@router.post(
    "/unique",
    responses=answers("None, unique, several, or unknown.", *_FORMS),
    openapi_extra=asks(CountOrder),
)
async def unique(
    request: Request,
    knobs: Annotated[CountKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Tell whether there is exactly one cover; stops at the second.

    The verdict is none, unique or several; unknown if the time ran out first.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        has_query = bool(request.query_params)
        result = await _counted(exchange, knobs, 2, has_query)
        return {"verdict": _verdict(result), **ended(result)}

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "unique", form, work)


async def _counted(
    exchange: HttpExchange, knobs: CountKnobs, limit: int | None, has_query: bool
) -> Result:
    problem, knobs = await read_order(exchange, knobs, CountOrder, has_query=has_query)
    exchange.pulse_seconds = knobs.pulse or exchange.pulse_seconds
    counting = engine_for(knobs.engine, exchange).counting(
        repriced(problem, knobs.prices),
        given=knobs.given,
        without=knobs.without,
        limit=limit,
        timeout=exchange.timeout(knobs.timeout),
    )
    return await searched(
        exchange, problem, counting, lambda result: wait_out(exchange, result)
    )


def _verdict(result: Result) -> str:
    if result.stats.covers >= 2:
        return "several"
    if result.outcome is not Outcome.EXHAUSTED:
        return "unknown"
    return "unique" if result.stats.covers else "none"
