"""All covers at once, as a diagram, and questions about it: ``/v1/zdd``."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response  # noqa: TC002

from ...diagram.steps import Beat, step_by_step
from ...zdd import ZDD
from ..access import ALLOWED, service_of
from ..faults import Fault
from ..forms import Document, Events, Ndjson, chosen
from ..knobs import ZddKnobs, ZddOrder
from ..once import ONCE
from ..openapi import answers, asks
from ..orders import read_order
from ..reply import Reply
from ..searching import CoverRecords, ended, size_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...diagram import Diagram
    from ...diagram.steps import Steps
    from ...problem import Problem
    from ...zdd import Building
    from ..exchange import Exchange
    from ..reply import HttpExchange

__all__ = ["router"]

_FORMS = (Document, Ndjson, Events)

router = APIRouter(dependencies=[ALLOWED, ONCE])


@router.post(
    "/zdd",
    responses=answers("What was asked about all covers.", *_FORMS),
    openapi_extra=asks(ZddOrder),
)
async def zdd(
    request: Request,
    knobs: Annotated[ZddKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Find all covers at once, as a decision diagram: count, draw, tell frequencies.

    Numbers of covers may have hundreds of digits and come as text. As a stream, with
    pulses meanwhile, if that is what the client accepts.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        problem, given = await read_order(
            exchange, knobs, ZddOrder, has_query=bool(request.query_params)
        )
        exchange.pulse_seconds = given.pulse or exchange.pulse_seconds
        return await _answered(exchange, problem, given)

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "zdd", form, work)


async def _answered(
    exchange: Exchange, problem: Problem, knobs: ZddKnobs
) -> Mapping[str, object]:
    engine = ZDD(
        mrv=knobs.mrv,
        components=knobs.components,
        memory_limit=exchange.settings.max_memory,
    )
    building = engine.build(
        problem,
        timeout=exchange.timeout(knobs.timeout),
        pulse_interval=exchange.pulse_seconds,
    )
    fields: Mapping[str, object] | None = None
    with exchange.stoppable():
        async with building:
            exchange.meter.watch(lambda: building.stats)
            await exchange.begin(**size_of(problem))
            fields = await _told(exchange, building, knobs)
    if exchange.stop_reason is not None and not exchange.has_begun:
        raise exchange.stopped()
    return {**(fields or {}), **ended(building.result)}


def _too_large(what: str) -> Fault:
    return Fault(413, "too-large", "The answer is too large", what)


async def _told(
    exchange: Exchange, building: Building, knobs: ZddKnobs
) -> Mapping[str, object]:
    async for pulse in building.heartbeat:
        await exchange.pulse(pulse)
    try:
        diagram = await building
    except TimeoutError:
        # The outcome says so.
        return {}
    most = exchange.settings.max_memory
    total = await diagram.awaitable.count()
    try:
        count = str(total)
    except ValueError:
        digits = sys.get_int_max_str_digits()
        raise _too_large(
            f"the number of covers has more than {digits:,} digits"
        ) from None
    fields: dict[str, object] = {"count": count, "diagram_nodes": diagram.nodes}
    records: list[bytes] = []
    if knobs.sample and total:
        records = await step_by_step(_sampling(diagram, knobs, most))
    if knobs.frequencies:
        if len(diagram.problem.options) * len(count) > most:
            raise _too_large(f"the frequencies may take more than {most:,} bytes")
        times = await diagram.awaitable.frequencies()
        fields.update(await step_by_step(_telling(times, total)))
    if records:
        await exchange.put("cover", records, range(1, len(records) + 1))
    return fields


def _sampling(diagram: Diagram, knobs: ZddKnobs, most: int) -> Steps[list[bytes]]:
    """Draw covers, for records of so many bytes."""
    chance = None if knobs.seed is None else random.Random(knobs.seed)
    record = CoverRecords(diagram.problem, knobs.names)
    records: list[bytes] = []
    size, beat = 0, Beat()
    for number in range(1, knobs.sample + 1):
        [cover] = diagram.sample(1, chance)
        records.append(record(number, cover))
        size += len(records[-1])
        if size > most:
            raise _too_large(f"{number:,} covers take more than {most:,} bytes")
        if beat.is_over():
            yield
            beat.begin()
    return records


def _telling(times: list[int], total: int) -> Steps[Mapping[str, object]]:
    """Write frequencies down."""
    texts, shares = [], []
    beat = Beat()
    for time in times:
        texts.append(str(time))
        shares.append(time / total if total else 0.0)
        if beat.is_over():
            yield
            beat.begin()
    return {"frequencies": texts, "shares": shares}
