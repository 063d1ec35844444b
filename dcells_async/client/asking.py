"""Requests to a service, and the records that it sends."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from .errors import RemoteError, refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from contextlib import AsyncExitStack

__all__ = ["Request", "answered", "record_of"]


@dataclass(frozen=True, kw_only=True)
class Request:
    """Where to ask, and what.

    Attributes
    ----------
    url : str
        Where the service is.
    path : str
        What is asked, such as ``/v1/solve``.
    knobs : mapping
        What is said beside the problem.
    token : str, optional
        The service's bearer token.
    http : httpx.AsyncClient, optional
        To ask by; by default a new one each time.
    """

    url: str
    path: str
    knobs: Mapping[str, Any]
    token: str | None = None
    http: httpx.AsyncClient | None = None


class _Body(httpx.AsyncByteStream):
    """A body in one piece.

    That of httpx is a generator, of which trio complains if it is cancelled.
    """

    def __init__(self, content: bytes) -> None:
        self._pieces = iter([content])

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        for piece in self._pieces:
            return piece
        raise StopAsyncIteration


async def answered(
    request: Request,
    http: httpx.AsyncClient,
    connection: AsyncExitStack,
    content: bytes,
    kind: str,
    silence: float,
) -> httpx.Response:
    """Ask, and give the answer, of which only the head has been read.

    Parameters
    ----------
    request : Request
    http : httpx.AsyncClient
    connection : AsyncExitStack
        Closes the answer.
    content : bytes
    kind : str
        Of which type that is; JSON has the knobs inside.
    silence : float, seconds
        How long the service may say nothing.

    Raises
    ------
    ProblemError, SearchError
        The service was not reached, or refuses.
    """
    headers = {"accept": "application/x-ndjson"}
    if request.token is not None:
        headers["authorization"] = f"Bearer {request.token}"
    try:
        asked = http.build_request(
            "POST",
            request.url.rstrip("/") + request.path,
            params=None if kind == "application/json" else dict(request.knobs),
            headers={
                **headers,
                "content-type": kind,
                "content-length": str(len(content)),
            },
            timeout=silence,
        )
        asked.stream = _Body(content)
        response = await http.send(asked, stream=True)
        connection.push_async_callback(response.aclose)
        if response.status_code != httpx.codes.OK:
            raise await refusal(response)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise RemoteError(f"the service was not reached: {error!r}") from error
    return response


def record_of(line: bytes) -> Mapping[str, Any]:
    """Read a record.

    Raises
    ------
    RemoteError
        It is none.
    """
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict) or "type" not in record:
        raise RemoteError(f"it is no such service: {line[:60]!r} is no record")
    return record
