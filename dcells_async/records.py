"""Covers and statistics as records of JSON, for programs; always UTF-8."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .cover import Cover, Pulse
    from .problem import Option

__all__ = ["CoverFields", "Pieces", "dumped", "numbers_of"]


class Pieces(dict[int, bytes]):
    """A text for each option, made the first time that it is in a cover."""

    def __init__(
        self, options: Sequence[Option], text: Callable[[Option], object]
    ) -> None:
        super().__init__()
        self._options = options
        self._text = text

    def __missing__(self, index: int) -> bytes:
        piece = self[index] = str(self._text(self._options[index])).encode()
        return piece


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
        self._number = Pieces(options, lambda option: option.number)
        self._names = Pieces(options, lambda option: dumped(option.names))
        self._line = Pieces(options, lambda option: dumped(option.line))

    def __call__(self, cover: Cover) -> bytes:
        """Give the fields of one cover."""
        indices = cover.indices
        fields = b'"options": [%b]' % b", ".join(map(self._number.__getitem__, indices))
        if self._has_names:
            fields += b', "names": [%b], "lines": [%b]' % (
                b", ".join(map(self._names.__getitem__, indices)),
                b", ".join(map(self._line.__getitem__, indices)),
            )
        if cover.problem.option_prices is None:
            return fields
        return fields + b', "price": %d' % cover.price


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
