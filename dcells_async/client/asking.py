"""Requests to a service."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import httpx

from ..stream.threads import run_blocking
from .errors import RemoteError, refusal

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Mapping
    from contextlib import AsyncExitStack

__all__ = ["Request", "answered", "client", "reason"]


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
    token: str | None = field(default=None, repr=False)
    http: httpx.AsyncClient | None = None


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Read whom to trust, once: it takes longer than an event loop may be held up."""
    return httpx.create_ssl_context()


async def client() -> httpx.AsyncClient:
    """Make a client, to be closed by the caller."""
    return httpx.AsyncClient(verify=await run_blocking(_certificates))


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
    # Who compresses a stream on its way holds some of it back.
    headers = {b"accept": b"application/x-ndjson", b"accept-encoding": b"identity"}
    if request.token is not None:
        headers[b"authorization"] = b"Bearer " + request.token.encode()
    try:
        asked = http.build_request(
            "POST",
            request.url.rstrip("/") + request.path,
            params=None if kind == "application/json" else dict(request.knobs),
            headers={
                **headers,
                b"content-type": kind.encode(),
                b"content-length": b"%d" % len(content),
            },
            timeout=silence,
        )
        asked.stream = _Body(content)
        response = await http.send(asked, stream=True)
        connection.push_async_callback(response.aclose)
        if response.status_code != httpx.codes.OK:
            raise await refusal(response)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise RemoteError(f"the service was not reached: {reason(error)}") from error
    return response


def reason(error: BaseException) -> str:
    """Say what went wrong; on trio, that stands in the error that led to this one."""
    link: BaseException | None = error
    while link is not None and not str(link):
        link = link.__cause__ or link.__context__
    return ": ".join([type(error).__name__, *([] if link is None else [str(link)])])
