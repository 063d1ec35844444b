"""Sudokus, a line each, in both directions at once: ``/v1/sudoku``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response  # noqa: TC002

from ...puzzles.sudoku_answers import Block
from ..access import ALLOWED, service_of
from ..forms import Events, Ndjson, chosen
from ..knobs import SudokuKnobs  # noqa: TC001
from ..lines import answer_lines, encoded, from_json
from ..once import ONCE
from ..openapi import answers, asks_lines
from ..reply import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...puzzles.sudoku_answers import Answer
    from ..reply import HttpExchange

__all__ = ["router"]

_FORMS = (Ndjson, Events)

router = APIRouter(dependencies=[ALLOWED, ONCE])


@router.post(
    "/sudoku",
    responses=answers("Answers, a record each, in the order of the lines.", *_FORMS),
    openapi_extra=asks_lines("81 characters a line, or JSON: text, or with a `puzzle`"),
)
async def sudoku(
    request: Request,
    knobs: Annotated[SudokuKnobs, Query()],
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Solve a sudoku a line, while lines are still coming in; any number of them.

    An answer has the number of its line, the puzzle, its status (solved, several, none
    or invalid), the solution, and what is wrong with an invalid one.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        return await answer_lines(
            exchange,
            lambda lines, first: Block(from_json(lines, "puzzle"), first, knobs.unique),
            _record,
        )

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "sudoku", form, work)


def _record(answer: Answer) -> tuple[int, bytes]:
    return answer.line, (
        b'{"type": "answer", "line": %d, "puzzle": %b, "status": "%b", '
        b'"solution": %b, "reason": %b}'
        % (
            answer.line,
            encoded(answer.puzzle),
            answer.verdict.value.encode(),
            encoded(answer.solution),
            encoded(answer.reason),
        )
    )
