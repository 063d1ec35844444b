"""Covers and statistics as records of JSON, for programs; always UTF-8."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .cover import Cover, Pulse
    from .problem import Option

__all__ = ["CoverFields", "Pieces", "dumped", "numbers_of"]


_DECIMALS = [b"%d" % number for number in range(4096)]
"""Most numbers are small; so all problems have theirs in common."""


class Pieces:
    """A text for each option, made the first time that it is in a cover.

    Parameters
    ----------
    options : sequence of Option
    text : callable
        Gives an option's text.

    Attributes
    ----------
    piece : callable
        Gives the text of an option, counted from 0; None if it is not made yet.
    """

    def __init__(
        self, options: Sequence[Option], text: Callable[[Option], bytes]
    ) -> None:
        self._options = options
        self._text = text
        # A list is smaller than a dictionary, and quicker; `piece` looks into it.
        self._made: list[Any] = [None] * len(options)
        self.piece = self._made.__getitem__

    def make(self, indices: Iterable[int]) -> None:
        """Make the texts of some options, counted from 0."""
        for index in indices:
            self._made[index] = self._text(self._options[index])

    def joined(self, indices: Sequence[int]) -> bytes:
        """Give the texts of some options, one after the other."""
        try:
            return b"".join(map(self.piece, indices))
        except TypeError:
            # One of them is not made yet, which is so for the first covers only.
            self.make(indices)
            return b"".join(map(self.piece, indices))


class CoverFields:
    """The fields of covers, without the braces round them.

    Parameters
    ----------
    options : sequence of Option
        Those of the problem.
    has_names : bool
        Whether to tell names and lines, too, or numbers alone.

    Examples
    --------
    >>> from dcells_async import XCC
    >>> with XCC().solve("a b\\na b") as covers:
    ...     CoverFields(covers.problem.options)(next(covers))
    b'"options": [1], "names": [["a", "b"]], "lines": [2]'
    """

    def __init__(self, options: Sequence[Option], has_names: bool = True) -> None:
        self._has_names = has_names
        self._number = Pieces(options, lambda option: _decimal(option.number))
        self._names = Pieces(options, lambda option: dumped(option.names).encode())
        self._line = Pieces(options, lambda option: _decimal(option.line))

    def __call__(self, cover: Cover) -> bytes:
        """Give the fields of one cover."""
        indices = cover.indices
        try:
            fields = self._joined(indices)
        except TypeError:
            for pieces in (self._number, self._names, self._line):
                pieces.make(indices)
            fields = self._joined(indices)
        if cover.problem.option_prices is None:
            return fields
        return fields + b', "price": %d' % cover.price

    def _joined(self, indices: tuple[int, ...]) -> bytes:
        numbers = b", ".join(map(self._number.piece, indices))
        if not self._has_names:
            return b'"options": [%b]' % numbers
        return b'"options": [%b], "names": [%b], "lines": [%b]' % (
            numbers,
            b", ".join(map(self._names.piece, indices)),
            b", ".join(map(self._line.piece, indices)),
        )


def _decimal(number: int | None) -> bytes:
    if number is None:
        return b"null"
    return _DECIMALS[number] if number < len(_DECIMALS) else b"%d" % number


def numbers_of(stats: Pulse) -> dict[str, object]:
    """Give statistics as the fields of a record.

    Examples
    --------
    >>> from dcells_async import Pulse
    >>> numbers_of(Pulse(nodes=5, elapsed=0.12345678))["elapsed"]
    0.123457
    """
    return {**asdict(stats), "elapsed": round(stats.elapsed, 6)}


_BREAKS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""What some readers take for the end of a line; as JSON leaves it, it is in a text."""


def dumped(value: object) -> str:
    """Give a value as JSON, on one line by anybody's count.

    Examples
    --------
    >>> dumped({"é": "\u2028"})
    '{"é": "\\\\u2028"}'
    """
    return json.dumps(value, ensure_ascii=False).translate(_BREAKS)
