"""Sudokus, a line each, in both directions at once: ``/v1/sudoku``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response  # noqa: TC002

from ...puzzles.sudoku_answers import Block
from ...records import dumped
from ..access import ALLOWED, service_of
from ..forms import Events, Ndjson, chosen
from ..lines import answer_lines
from ..openapi import answers, asks_lines
from ..reply import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..reply import HttpExchange

__all__ = ["router"]

_FORMS = (Ndjson, Events)

router = APIRouter(dependencies=[ALLOWED])


@router.post(
    "/sudoku",
    responses=answers("Answers, a record each, in the order of the lines.", *_FORMS),
    openapi_extra=asks_lines("81 characters a line, or JSON: text, or with a `puzzle`"),
)
async def sudoku(
    request: Request,
    unique: Annotated[
        bool, Query(description="Look for a second solution, too.")
    ] = False,
    accept: Annotated[str, Header()] = "*/*",
) -> Response:
    """Solve a sudoku a line, while lines are still coming in; any number of them.

    An answer has the number of its line, the puzzle, its status (solved, several, none
    or invalid), the solution, and what is wrong with an invalid one.
    """

    async def work(exchange: HttpExchange) -> Mapping[str, object]:
        return await answer_lines(
            exchange,
            lambda lines, first: Block([*map(_puzzle, lines)], first, unique),
            _records,
        )

    form = chosen(accept, _FORMS)()
    return Reply(service_of(request), request, "sudoku", form, work)


def _puzzle(line: bytes) -> bytes | str:
    """Take a puzzle out of its JSON, if it is in any."""
    text = line.strip()
    if text[:1] not in {b'"', b"{"}:
        return line
    try:
        value = json.loads(text)
    except ValueError:
        return line
    if isinstance(value, dict):
        value = value.get("puzzle")
    return value if isinstance(value, str) else line


def _records(block: Block) -> Sequence[tuple[int, bytes]]:
    return [
        (
            answer.line,
            b'{"type": "answer", "line": %d, "puzzle": %b, "status": "%b", '
            b'"solution": %b, "reason": %b}'
            % (
                answer.line,
                _text(answer.puzzle),
                answer.verdict.value.encode(),
                _text(answer.solution),
                _text(answer.reason),
            ),
        )
        for answer in block.answers
    ]


def _text(value: str | None) -> bytes:
    return dumped(value).encode(errors="replace")
