"""Square tiles, edge to edge: ``/v1/edges``."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response  # noqa: TC002

from ...engines import XCC
from ...errors import ProblemError
from ...puzzles.edges import arrangement, edges_steps, matched, nearly_steps
from ...puzzles.tile_texts import read_puzzle, read_size, write_tiles
from ..access import ALLOWED, service_of
from ..faults import Fault
from ..forms import Events, Ndjson, chosen
from ..incoming import too_long
from ..knobs import EdgesKnobs, EdgesOrder
from ..lines import encoded
from ..once import ONCE
from ..openapi import answers, asks_tiles
from ..orders import check_sizes, read_body
from ..reply import Reply
from ..searching import ended, engine_for, pour, searched

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from ...cover import Cover
    from ...problem import Problem
    from ...puzzles.tiles import Puzzle
    from ...search.opening import Make
    from ...stream.dance import Dance
    from ..exchange import Exchange
    from ..reply import HttpExchange
    from ..settings import Settings

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
        if isinstance(body, bytes) and len(body) > exchange.settings.max_json:
            raise too_long(exchange.settings.max_json)
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
    laying = _Laying(order, exchange.settings)

    def record(number: int, cover: Cover) -> bytes:
        board = _board(laying.puzzle, cover)
        return encoded({"type": "board", "board": number, **board})

    result = await searched(
        exchange,
        None,
        _dance(exchange, laying.steps, order),
        lambda result: pour(
            exchange,
            result.solutions,
            record,
            partial(getattr, result, "stats"),
            kind="board",
        ),
    )
    return {**({"optimal": result.optimal} if order.nearly else {}), **ended(result)}


def _dance(exchange: Exchange, make: Make, order: EdgesOrder) -> Dance:
    timeout = exchange.timeout(order.timeout)
    if not order.nearly:
        return engine_for(order.engine, exchange).dance(
            make, buffer=exchange.buffer, limit=order.limit, timeout=timeout
        )
    if order.engine != "xcc":
        raise Fault(
            422,
            "invalid",
            "The request is not as it should be",
            "boards that are nearly right are looked for with xcc only",
        )
    return XCC().minimize(
        make, buffer=exchange.buffer, limit=order.limit, timeout=timeout
    )


class _Laying:
    """Makes a puzzle and its problem, step by step, if they are not too large."""

    puzzle: Puzzle

    def __init__(self, order: EdgesOrder, settings: Settings) -> None:
        self._order = order
        self._settings = settings

    def steps(self) -> Generator[bool, None, Problem]:
        """Make them; each step yields False."""
        order, settings = self._order, self._settings
        tiles = order.tiles
        # Of a text, the first line may tell the size.
        n_lines = _count(tiles) if isinstance(tiles, str) else len(tiles) + 1
        check_sizes(settings, options=4 * (n_lines - 1) ** 2)
        if order.board is not None and _count(order.board) > n_lines:
            raise ProblemError("board: it has more rows than there are tiles")
        yield False
        self.puzzle = puzzle = read_puzzle(
            tiles if isinstance(tiles, str) else write_tiles(tiles),
            order.board,
            size=read_size(order.size) if order.size else None,
            kind=order.kind,
            color=order.color,
        )
        yield False
        n_tiles = len(puzzle.tiles)
        n_edges, n_colors = 2 * n_tiles, len({*chain.from_iterable(puzzle.tiles)})
        placements, pairs = 4 * n_tiles**2, n_edges * n_colors * order.nearly
        check_sizes(
            settings,
            items=2 * n_tiles + n_edges * (3 if order.nearly else 1),
            options=placements + pairs + n_edges * order.nearly,
            nodes=6 * placements + 3 * pairs + n_edges * order.nearly,
        )
        make = nearly_steps if order.nearly else edges_steps
        return (yield from make(puzzle, fix=order.fix))


def _count(text: str) -> int:
    """Count lines that are not empty."""
    lines = (line.partition("#")[0] for line in text.splitlines())
    return sum(1 for line in lines if line and not line.isspace())


def _board(puzzle: Puzzle, cover: Cover) -> Mapping[str, object]:
    laid = arrangement(puzzle, cover)
    good, total = matched(puzzle, laid)
    rows = [
        [(laid[r, c][0] + 1, laid[r, c][1]) for c in range(puzzle.columns)]
        for r in range(puzzle.rows)
    ]
    return {"rows": rows, "matched": good, "edges": total}
