"""What records look like on the wire, and which look a client wants."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import repeat
from typing import TYPE_CHECKING, ClassVar

from ..records import dumped
from .faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Document", "Events", "Form", "Ndjson", "chosen"]


class Form(ABC):
    """A way to write records; they are JSON objects in bytes, without a newline."""

    media_type: ClassVar[str]

    is_stream: ClassVar[bool] = True
    """Whether a record can be written before the next one is known."""

    @abstractmethod
    def records(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> bytes:
        """Write records of one kind, numbered or not."""

    @abstractmethod
    def end(self, fields: Mapping[str, object]) -> bytes:
        """Write the last record."""


class Ndjson(Form):
    """One record a line."""

    media_type = "application/x-ndjson"

    def records(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> bytes:
        """Give lines."""
        return b"\n".join(records) + b"\n"

    def end(self, fields: Mapping[str, object]) -> bytes:
        """Give a line of type ``end``."""
        return _ended(fields) + b"\n"


class Events(Form):
    """Server-sent events: the kind is the event, the record its data.

    The id of a cover is its number, and that of the last event is ``end``; a browser
    that has lost the connection tells the last id that it saw.
    """

    media_type = "text/event-stream"

    def records(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> bytes:
        """Give events."""
        event = kind.encode()
        if ids is None:
            return b"".join(
                b"event: %b\ndata: %b\n\n" % (event, record) for record in records
            )
        return b"".join(
            b"id: %d\nevent: %b\ndata: %b\n\n" % (number, event, record)
            for number, event, record in zip(ids, repeat(event), records, strict=False)
        )

    def end(self, fields: Mapping[str, object]) -> bytes:
        """Give an event of type ``end``."""
        return b"id: end\nevent: end\ndata: %b\n\n" % _ended(fields)


class Document(Form):
    """One document, complete or not there: the last record, and covers in a list."""

    media_type = "application/json"
    is_stream = False

    def __init__(self) -> None:
        self._kept: dict[str, list[bytes]] = {}

    def records(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> bytes:
        """Keep them for the end."""
        self._kept.setdefault(kind + "s", []).extend(records)
        return b""

    def end(self, fields: Mapping[str, object]) -> bytes:
        """Give the document."""
        kept = b"".join(
            b', "%b": [%b]' % (name.encode(), b", ".join(records))
            for name, records in self._kept.items()
        )
        return _ended(fields)[:-1] + kept + b"}"


def _ended(fields: Mapping[str, object]) -> bytes:
    return dumped({"type": "end", **fields}).encode(errors="replace")


def chosen(accept: str, offers: Sequence[type[Form]]) -> type[Form]:
    """Give the form that a client likes best, of equals the first offered.

    Parameters
    ----------
    accept : str
        The header ``Accept``.
    offers : sequence of Form types

    Raises
    ------
    Fault
        It accepts none of these: status 406.

    Examples
    --------
    >>> chosen("text/html, text/*;q=0.5", [Ndjson, Events]).__name__
    'Events'
    """
    ranges = [_range(part) for part in accept.split(",") if part.strip()]
    weights = [_weight(offer.media_type, ranges or [("*/*", 1.0)]) for offer in offers]
    best = max(weights)
    if best <= 0:
        names = " or ".join(offer.media_type for offer in offers)
        raise Fault(406, "not-acceptable", "There is no such form", f"only {names}")
    return offers[weights.index(best)]


def _range(part: str) -> tuple[str, float]:
    name, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weight = 1.0
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                weight = float(parameter[2:])
            except ValueError:
                weight = 0.0
    return name, weight


def _weight(media_type: str, ranges: Iterable[tuple[str, float]]) -> float:
    """Give the weight that the most particular range has."""
    fitting = {media_type: 2, media_type.partition("/")[0] + "/*": 1, "*/*": 0}
    if media_type == Ndjson.media_type:
        # Lines of JSON will do for many who only say JSON.
        fitting[Document.media_type] = 2
    found = [(fitting[name], weight) for name, weight in ranges if name in fitting]
    return max(found)[1] if found else 0.0
