"""What covers and answers look like in bytes; always UTF-8, as the input is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..records import CoverFields, Pieces, dumped, numbers_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..cover import Cover, Outcome, Stats
    from ..problem import Option

__all__ = ["FORMATS", "PRICED_FORMATS", "Answer", "Format"]


@dataclass(frozen=True)
class Answer:
    """What a search has to say beside its covers.

    Attributes
    ----------
    text : str
        For people; a line, or nothing.
    fields : mapping
        For programs.
    """

    text: str
    fields: Mapping[str, object]


class Format(ABC):
    """How to write the covers of one search, and its end.

    Parameters
    ----------
    options : sequence of Option
        Those of the problem.
    lists_covers : bool
        Whether there will be covers at all, or just an answer.
    """

    def __init__(self, options: Sequence[Option], lists_covers: bool) -> None:
        self._options = options
        self._lists_covers = lists_covers

    def begin(self) -> bytes:
        """Give what comes before all covers."""
        return b""

    @abstractmethod
    def cover(self, number: int, cover: Cover) -> bytes:
        """Give a cover; they are numbered from 1."""

    @abstractmethod
    def end(self, answer: Answer, outcome: Outcome, stats: Stats) -> bytes:
        """Give what comes after all covers."""


class Text(Format):
    """Blocks: a line with number and colon, a line for each option, an empty line."""

    def __init__(self, options: Sequence[Option], lists_covers: bool) -> None:
        super().__init__(options, lists_covers)
        self._line = Pieces(
            options, lambda option: (" ".join(option.names) + "\n").encode()
        )

    def cover(self, number: int, cover: Cover) -> bytes:
        """Give a block."""
        return b"%d:\n%b\n" % (number, self._line.joined(cover.indices))

    def end(self, answer: Answer, outcome: Outcome, stats: Stats) -> bytes:
        """Give the answer, if there is one to give."""
        return (answer.text + "\n").encode() if answer.text else b""


class PricedText(Text):
    """The same, with the price behind the number."""

    def cover(self, number: int, cover: Cover) -> bytes:
        """Give a block."""
        head, rest = super().cover(number, cover).split(b"\n", 1)
        return b"%b price %d\n%b" % (head, cover.price, rest)


class _Records(Format):
    """What is common to both kinds of JSON."""

    def __init__(self, options: Sequence[Option], lists_covers: bool) -> None:
        super().__init__(options, lists_covers)
        self._fields = CoverFields(options)

    def _closing(
        self, answer: Answer, outcome: Outcome, stats: Stats
    ) -> dict[str, object]:
        numbers = numbers_of(stats)
        return {**answer.fields, "outcome": outcome.value, "stats": numbers}


class Json(_Records):
    """One document, written as it grows."""

    def begin(self) -> bytes:
        """Open the list of covers."""
        return b'{"covers": [' if self._lists_covers else b""

    def cover(self, number: int, cover: Cover) -> bytes:
        """Give an element of the list."""
        return b"%b\n{%b}" % (b"," if number > 1 else b"", self._fields(cover))

    def end(self, answer: Answer, outcome: Outcome, stats: Stats) -> bytes:
        """Close the list, and add what is known by now."""
        text = dumped(self._closing(answer, outcome, stats)) + "\n"
        return f"\n], {text[1:]}".encode() if self._lists_covers else text.encode()


class Ndjson(_Records):
    """One record a line; only a stream that is complete has one of type ``end``."""

    def cover(self, number: int, cover: Cover) -> bytes:
        """Give a record of type ``cover``."""
        return b'{"type": "cover", "cover": %d, %b}\n' % (number, self._fields(cover))

    def end(self, answer: Answer, outcome: Outcome, stats: Stats) -> bytes:
        """Give the record of type ``end``."""
        record = {"type": "end", **self._closing(answer, outcome, stats)}
        return (dumped(record) + "\n").encode()


FORMATS: Mapping[str, type[Format]] = {"text": Text, "json": Json, "ndjson": Ndjson}

PRICED_FORMATS: Mapping[str, type[Format]] = {**FORMATS, "text": PricedText}
