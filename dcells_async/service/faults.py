"""What goes wrong, as problem documents of RFC 9457."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from ..errors import (
    CapacityError,
    ColorError,
    DlxSyntaxError,
    DuplicateItemError,
    GivenError,
    MultiplicityError,
    PriceError,
    ProblemError,
    SearchError,
    UnknownItemError,
)
from ..records import dumped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["MEDIA_TYPE", "Fault", "fault_of", "invalid"]

MEDIA_TYPE = "application/problem+json"

_BRANCHES = {"str", "int", "Structure", "constrained-int"}
"""What pydantic calls the kinds that a value may have: nothing that was sent."""

_MOST_FAULTS = 10
"""How many of many faults in one request are told."""

_KINDS: Mapping[type[Exception], tuple[int, str, str]] = {
    DlxSyntaxError: (422, "syntax", "The text is not in the DLX format"),
    UnknownItemError: (422, "unknown-item", "An option has an unknown item"),
    DuplicateItemError: (422, "duplicate-item", "An item is there twice"),
    ColorError: (422, "color", "A color stands where none may stand"),
    MultiplicityError: (422, "multiplicity", "An item's bounds cannot be met"),
    GivenError: (422, "given", "Options that are given are none, or clash"),
    PriceError: (422, "price", "A price cannot be searched with"),
    ProblemError: (422, "problem", "The problem is none"),
    CapacityError: (413, "capacity", "The search needs more memory than it may take"),
    SearchError: (500, "search", "The search could not go on"),
}
"""From the particular to the general."""

_logger = logging.getLogger(__name__)


class Fault(Exception):  # noqa: N818 - as in fault, not failure
    """Why a request is not answered, or not to its end.

    Parameters
    ----------
    status : int
        The status of HTTP.
    kind : str
        One word, for programs.
    title : str
        What is wrong in general.
    detail : str, optional
        What is wrong in this case.
    headers : mapping, optional
        What to add to those of the response.
    fields
        More of it, for programs.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        title: str,
        detail: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        **fields: object,
    ) -> None:
        super().__init__(detail or title)
        self.status = status
        self.kind = kind
        self.headers = dict(headers or {})
        self.document: dict[str, object] = {
            "type": f"urn:dcells-async:{kind}",
            "title": title,
            "status": status,
            **({"detail": detail} if detail else {}),
            **fields,
        }

    @property
    def body(self) -> bytes:
        """The problem document."""
        return dumped(self.document).encode(errors="replace")


def fault_of(error: BaseException) -> Fault:
    """Say in a document what an error means; one of our own making is logged.

    Examples
    --------
    >>> from dcells_async import Problem
    >>> try:
    ...     Problem.from_dlx("a b\\na z")
    ... except DlxSyntaxError as error:
    ...     document = fault_of(error).document
    >>> document["line"], document["column"], document["text"], document["caret"]
    (2, 3, 'a z', '  ^')
    """
    if isinstance(error, Fault):
        return error
    for kind, (status, word, title) in _KINDS.items():
        if isinstance(error, kind):
            return Fault(status, word, title, _detail(error), **_place(error))
    if isinstance(error, MemoryError):
        return Fault(413, "capacity", "There is not enough memory")
    if isinstance(error, ImportError):
        return Fault(422, "unavailable", "This service lacks a package", str(error))
    _logger.error("a search failed", exc_info=error)
    return Fault(500, "internal", "The service is at fault")


def _detail(error: Exception) -> str:
    """Say what is wrong; a text that was sent has no name."""
    if isinstance(error, DlxSyntaxError):
        return f"line {error.line}, column {error.column}: {error.reason}"
    return str(error)


def _place(error: BaseException) -> dict[str, Any]:
    if not isinstance(error, DlxSyntaxError):
        return {}
    names = ("reason", "line", "column", "text", "caret")
    return {name: getattr(error, name) for name in names}


def invalid(errors: Iterable[Mapping[str, Any]]) -> Fault:
    """Say what pydantic has against a request; nothing of the request is repeated."""
    places: dict[tuple[str, ...], list[str]] = {}
    for error in errors:
        at = tuple(str(part) for part in error["loc"] if part not in _BRANCHES)
        at = tuple(part for part in at if "[" not in part)
        messages = places.setdefault(at, [])
        if (message := _message(error)) not in messages:
            messages.append(message)
    # Of the kinds that a value may have, those are meant that fit further inwards.
    inner = {at[:depth] for at in places for depth in range(len(at))}
    found = [
        {"at": ".".join(at), "message": "; or ".join(messages)}
        for at, messages in places.items()
        if at not in inner
    ]
    detail = "; ".join(
        f"{fault['at']}: {fault['message']}" if fault["at"] else fault["message"]
        for fault in found[:3]
    )
    return Fault(
        422,
        "invalid",
        "The request is not as it should be",
        detail,
        errors=found[:_MOST_FAULTS],
    )


def _message(error: Mapping[str, Any]) -> str:
    if error["type"] in {"model_type", "dict_type", "model_attributes_type"}:
        return "Input should be an object"
    if error["type"] in {"list_type", "tuple_type"}:
        return "Input should be a list"
    return str(error["msg"]).removeprefix("Value error, ")
