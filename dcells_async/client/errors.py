"""What a service has against a request, as the errors that a search raises at home."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..errors import (
    CapacityError,
    ColorError,
    DuplicateItemError,
    GivenError,
    MultiplicityError,
    PriceError,
    ProblemError,
    SearchError,
    UnknownItemError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx

__all__ = ["RemoteError", "error_of", "refusal"]

_KINDS: Mapping[str, type[ProblemError | SearchError]] = {
    "unknown-item": UnknownItemError,
    "duplicate-item": DuplicateItemError,
    "color": ColorError,
    "multiplicity": MultiplicityError,
    "given": GivenError,
    "price": PriceError,
    "problem": ProblemError,
    "capacity": CapacityError,
}


class RemoteError(SearchError):
    """The service was not reached, refused, failed, or broke off.

    Attributes
    ----------
    status : int or None
        The status of HTTP, if it answered.
    document : mapping
        The problem document of RFC 9457, if it gave one.
    retry_after : float or None
        After how many seconds it may have a place, if it said so.
    """

    def __init__(
        self,
        message: str,
        status: int | None = None,
        document: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.document = dict(document or {})
        self.retry_after = retry_after


def error_of(
    document: Mapping[str, Any], retry_after: float | None = None
) -> ProblemError | SearchError:
    """Give the error that a problem document tells of.

    Examples
    --------
    >>> error_of({"type": "urn:dcells-async:price", "detail": "2 prices for 3 options"})
    PriceError('2 prices for 3 options')
    """
    kind = str(document.get("type", "")).rpartition(":")[2]
    title = str(document.get("title", "the service failed"))
    detail = str(document.get("detail") or title)
    if kind in _KINDS:
        return _KINDS[kind](detail)
    status = document.get("status")
    message = title if detail == title else f"{title}: {detail}"
    return RemoteError(message, status, document, retry_after)


async def refusal(response: httpx.Response) -> ProblemError | SearchError:
    """Give the error that a response tells of; its body has not been read."""
    body = await response.aread()
    wait = response.headers.get("retry-after", "")
    retry_after = float(wait) if wait.isdecimal() else None
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or "title" not in document:
        document = {"title": f"no service of dcells: {response.reason_phrase}"}
    return error_of({**document, "status": response.status_code}, retry_after)
