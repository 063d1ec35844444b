"""Sudokus and forms of grids elsewhere: lines in, answers out, in order.

The service would answer while lines are still being sent; httpx cannot listen
meanwhile. So some lines at a time are sent, as many as are there, and answered before
the next: with any number of them, little is held here or there.
"""

from __future__ import annotations

import json
from collections import deque
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import anyio
import httpx
from anyio.lowlevel import checkpoint

from ..puzzles.minlex_batch import Form
from ..puzzles.sudoku_batch import Answer, Verdict
from ..stream.lines import Answers, reader_of
from .answer import record_of
from .asking import Request, answered, client, reason
from .errors import RemoteError, error_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Mapping, Sequence
    from typing import TypeAlias

    from ..stream.lines import Lines

    _Lines: TypeAlias = Lines | AsyncIterable[str] | AsyncIterable[bytes]

__all__ = ["minlex_forms_remote", "solve_sudokus_remote"]

_MOST_LINES = 256
"""So many are some ten thousand bytes, which any connection takes at once."""

_SILENCE_S = 60.0


def solve_sudokus_remote(
    url: str,
    lines: _Lines,
    *,
    check_unique: bool = False,
    token: str | None = None,
    http: httpx.AsyncClient | None = None,
) -> Answers[Answer]:
    """Have a service solve a sudoku a line; the answers are those of `solve_sudokus`.

    ``async with aclosing(solve_sudokus_remote(url, lines)) as answers`` closes the
    connection when the block is left. A cancelled wait loses nothing.

    Parameters
    ----------
    url : str
        Where the service is, such as ``http://127.0.0.1:8000``.
    lines, check_unique
        As for `solve_sudokus`; but a line may have no more bytes than the service
        takes, which is 1000 with ``dcells serve``.
    token, http
        As for `Remote`.

    Raises
    ------
    TypeError, OSError
        As by `solve_sudokus`.
    SearchError
        From each wait: a `RemoteError` about the service.
    """
    knobs = {"unique": "true"} if check_unique else {}
    request = Request(url=url, path="/v1/sudoku", knobs=knobs, token=token, http=http)
    return _RemoteAnswers(request, lines, _answer)


def minlex_forms_remote(
    url: str,
    lines: _Lines,
    *,
    token: str | None = None,
    http: httpx.AsyncClient | None = None,
) -> Answers[Form]:
    """Have a service give the form of a grid a line; as `minlex_forms` does.

    Parameters
    ----------
    url, lines, token, http
        As for `solve_sudokus_remote`.

    Raises
    ------
    TypeError, OSError, SearchError
        As there.
    """
    request = Request(url=url, path="/v1/minlex", knobs={}, token=token, http=http)
    return _RemoteAnswers(request, lines, _form)


class _RemoteAnswers(Answers[Any]):
    """The answers, one by one, of one request after the other."""

    def __init__(
        self,
        request: Request,
        lines: _Lines,
        answer: Callable[[int, Mapping[str, Any]], Any],
    ) -> None:
        self._request = request
        self._reader = reader_of(lines)
        self._answer = answer
        self._ready: deque[Any] = deque()
        self._unanswered: Sequence[str | bytes] = ()
        self._n_answered = 0
        self._http = request.http
        self._is_over = False

    async def __anext__(self) -> Any:  # noqa: ANN401
        while not self._ready:
            if not self._unanswered and not self._is_over:
                self._unanswered = await self._reader.take(_MOST_LINES)
            if not self._unanswered:
                await self.aclose()
                raise StopAsyncIteration
            try:
                self._ready += await self._ask(self._unanswered)
            except BaseException:
                # Whoever asks again connects anew, and for the same lines.
                await self._hang_up()
                raise
            self._n_answered += len(self._unanswered)
            self._unanswered = ()
        return self._ready.popleft()

    async def aclose(self) -> None:
        """Give no more, and close what is read, and the connection."""
        self._is_over = True
        self._ready.clear()
        self._unanswered = ()
        await self._hang_up()
        await self._reader.aclose()
        await checkpoint()

    async def _hang_up(self) -> None:
        http, self._http = self._http, self._request.http
        if http is not None and http is not self._request.http:
            with anyio.CancelScope(shield=True):
                await http.aclose()

    async def _ask(self, lines: Sequence[str | bytes]) -> list[Any]:
        if self._http is None:
            self._http = await client()
        body = _body(lines, is_first=not self._n_answered)
        async with AsyncExitStack() as connection:
            response = await answered(
                self._request, self._http, connection, body, "text/plain", _SILENCE_S
            )
            try:
                text = await response.aread()
            except httpx.HTTPError as error:
                raise RemoteError(f"the stream broke off: {reason(error)}") from error
        return self._answers(text)

    def _answers(self, text: bytes) -> list[Any]:
        records = [record_of(line) for line in text.splitlines()]
        if not records or records[-1]["type"] != "end":
            raise RemoteError("the stream broke off before its last record")
        if isinstance(records[-1].get("error"), dict):
            raise error_of(records[-1]["error"])
        if records[-1].get("outcome") != "exhausted":
            raise RemoteError(f"the service ended it: {records[-1].get('reason')}")
        # But for the first request, one more line is sent; see `_body`.
        before = self._n_answered - (self._n_answered > 0)
        told = [record for record in records if record["type"] == "answer"]
        try:
            return [self._answer(before, record) for record in told]
        except (LookupError, TypeError, ValueError) as error:
            raise RemoteError(
                f"what answers is no such service: {error!r} in its answers"
            ) from error


def _body(lines: Sequence[str | bytes], *, is_first: bool) -> bytes:
    """Give lines as JSON, which keeps them as they are.

    A first line of words would be taken for a heading; so one that is not the first of
    all comes after an empty one.
    """
    texts = [
        line if isinstance(line, str) else line.decode(errors="replace")
        for line in lines
    ]
    written = [json.dumps(text) for text in texts]
    return "\n".join(written if is_first else ["", *written]).encode()


def _answer(before: int, record: Mapping[str, Any]) -> Answer:
    return Answer(
        before + record["line"],
        record["puzzle"],
        Verdict(record["status"]),
        record["solution"],
        record["reason"],
    )


def _form(before: int, record: Mapping[str, Any]) -> Form:
    fields = {name: record[name] for name in Form._fields}
    return Form(**{**fields, "line": before + record["line"]})
