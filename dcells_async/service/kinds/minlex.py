"""Forms of sudoku grids, a line each, in both directions at once: ``/v1/minlex``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response  # noqa: TC002

from ...puzzles.minlex_batch import Block
from ..access import ALLOWED, service_of
from ..forms import Events, Ndjson, chosen
from ..knobs import MinlexKnobs  # noqa: TC001
from ..lines import answer_lines, encoded, from_json
from ..once import ONCE
from ..openapi import answers, asks_lines
from ..reply import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...puzzles.minlex_batch import Form
    from ..reply import HttpExchange

__all__ = ["router"]

_FORMS = (Ndjson, Events)

router = APIRouter(dependencies=[ALLOWED, ONCE])


@router.post(
    "/minlex",
    responses=answers("Answers, a record each, in the order of the lines.", *_FORMS),
    openapi_extra=asks_lines("81 characters a line, or JSON: text, or with a `grid`"),
)
async def minlex(
    request: Request,
    knobs: Annotated[MinlexKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Give the form of the grid in each line: the least of all that are the same.

    An answer has the number of its line, the grid, its form, the number of ways in
    which the grid is the same as itself, and why a line is no grid.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        return await answer_lines(
            exchange,
            lambda lines, first: Block(from_json(lines, "grid"), first),
            _record,
        )

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "minlex", form, work)


def _record(form: Form) -> tuple[int, bytes]:
    fields = {"type": "answer", **form._asdict()}
    return form.line, encoded(fields)
