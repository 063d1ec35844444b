"""Square tiles, edge to edge: ``/v1/edges``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response  # noqa: TC002

from ...engines import XCC
from ...puzzles.edges import arrangement, edges, matched, nearly
from ...puzzles.tile_texts import read_puzzle, read_size, write_tiles
from ...stream.threads import run_blocking
from ..access import ALLOWED, service_of
from ..faults import Fault
from ..forms import Events, Ndjson, chosen
from ..knobs import EdgesKnobs, EdgesOrder
from ..lines import encoded
from ..once import ONCE
from ..openapi import answers, asks_tiles
from ..orders import check_size, read_body
from ..reply import Reply
from ..searching import ended, engine_for, pour, searched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...cover import Cover
    from ...problem import Problem
    from ...puzzles.tiles import Puzzle
    from ...stream.dance import Dance
    from ..exchange import Exchange
    from ..reply import HttpExchange

__all__ = ["router"]

_FORMS = (Ndjson, Events)

router = APIRouter(dependencies=[ALLOWED, ONCE])


@router.post(
    "/edges",
    responses=answers("Boards, a record each.", *_FORMS),
    openapi_extra=asks_tiles(),
)
async def post(
    request: Request,
    knobs: Annotated[EdgesKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Lay square tiles so that all edges match, or as many as may be.

    A board is rows of pairs: the number of the tile, from 1, and its quarter turns
    clockwise; and how many of its inner edges match.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        body = await read_body(
            exchange, EdgesOrder, has_query=bool(request.query_params)
        )
        order = (
            body
            if isinstance(body, EdgesOrder)
            else EdgesOrder(tiles=body.decode(errors="replace"), **dict(knobs))
        )
        return await _laid(exchange, order)

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "edges", form, work)


async def _laid(exchange: Exchange, order: EdgesOrder) -> Mapping[str, object]:
    exchange.pulse_seconds = order.pulse or exchange.pulse_seconds
    most = exchange.settings.max_options
    puzzle, problem = await run_blocking(partial(_asked, order, most))
    check_size(problem, exchange.settings)

    def record(number: int, cover: Cover) -> bytes:
        return encoded({"type": "board", "board": number, **_board(puzzle, cover)})

    result = await searched(
        exchange,
        problem,
        _dance(exchange, problem, order),
        lambda result: pour(
            exchange,
            result.solutions,
            record,
            partial(getattr, result, "stats"),
            kind="board",
        ),
    )
    return {**({"optimal": result.optimal} if order.nearly else {}), **ended(result)}


def _dance(exchange: Exchange, problem: Problem, order: EdgesOrder) -> Dance:
    timeout = exchange.timeout(order.timeout)
    if not order.nearly:
        return engine_for(order.engine, exchange).dance(
            problem, buffer=exchange.buffer, limit=order.limit, timeout=timeout
        )
    if order.engine != "xcc":
        raise Fault(
            422,
            "invalid",
            "The request is not as it should be",
            "boards that are nearly right are looked for with xcc only",
        )
    return XCC().minimize(
        problem, buffer=exchange.buffer, limit=order.limit, timeout=timeout
    )


def _asked(order: EdgesOrder, most: int) -> tuple[Puzzle, Problem]:
    """Make a puzzle and its problem, in whatever time that takes."""
    tiles = order.tiles if isinstance(order.tiles, str) else write_tiles(order.tiles)
    puzzle = read_puzzle(
        tiles,
        order.board,
        size=read_size(order.size) if order.size else None,
        kind=order.kind,
        color=order.color,
    )
    placements = 4 * len(puzzle.tiles) ** 2
    if placements > most:
        raise Fault(
            413,
            "too-large",
            "The problem is too large",
            f"{placements:,} placements, and at most {most:,} options are allowed",
            limit=most,
        )
    return puzzle, (nearly if order.nearly else edges)(puzzle, fix=order.fix)


def _board(puzzle: Puzzle, cover: Cover) -> Mapping[str, object]:
    laid = arrangement(puzzle, cover)
    good, total = matched(puzzle, laid)
    rows = [
        [(laid[r, c][0] + 1, laid[r, c][1]) for c in range(puzzle.columns)]
        for r in range(puzzle.rows)
    ]
    return {"rows": rows, "matched": good, "edges": total}
