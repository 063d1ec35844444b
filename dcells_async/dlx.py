"""The DLX text format: reading it from any source, and writing it.

A text is read in pieces and then scanned in slices by ``kernels/scan.py``, so
that whoever drives a `Reading` can look after other things in between, or call
the whole thing off. This file adds what the scanner does not know: where texts
come from, and words for what is wrong with them.
"""

from __future__ import annotations

import errno
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import CapacityError, DlxSyntaxError, ProblemError, SearchError
from .kernels.scan import FAULTS, DlxScanner
from .kernels.status import Status
from .tables import Item, Tables, did_you_mean

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Generator, Hashable, Iterable, Iterator

__all__ = ["Reading", "Source", "read", "written"]

Source: TypeAlias = "str | bytes | bytearray | memoryview | os.PathLike[str] | Iterable[str] | Iterable[bytes] | io.IOBase"  # noqa: E501

_PIECE = 1 << 18
"""How much is read at a time, in bytes or characters."""

_SLICE = 1 << 18
"""How many bytes are scanned at a time: about a millisecond's worth."""

_NAMES = 4096
"""How many names are decoded at a time."""

_WINDOW = 120
"""How many characters of a long line, or of a long name, an error shows."""

_PICTURES = {code: 0x2400 + code for code in range(32) if code != ord("\t")}
"""Signs for control characters, which would spoil the line that an error shows."""


def read(source: Source) -> Tables:
    """Read and scan a source at one go; the errors are those of `Reading`."""
    steps = Reading(source).steps()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            tables: Tables = end.value
            return tables


class Reading:
    """Reads a source and scans it, step by step.

    Parameters
    ----------
    source : str, bytes, path-like, open file, or iterable of lines
        Text itself, or where it is.
    """

    def __init__(self, source: Source) -> None:
        self.name = _name_of(source)
        self._pieces = _pieces(source)
        self._scanner: DlxScanner | None = None
        self._stopped = False

    def stop(self) -> None:
        """Make the running step end soon, and the steps with it."""
        self._stopped = True
        if self._scanner is not None:
            self._scanner.stop()

    def steps(self) -> Generator[bool, None, Tables]:
        """Do the work; each yield tells whether the next step may block on input.

        Raises
        ------
        DlxSyntaxError
            The text is faulty.
        CapacityError
            It has more entries than 32-bit indices can count.
        OSError
            It cannot be read.
        SearchError
            It was stopped, and so is known in part only.
        """
        text = bytearray()
        try:
            while not self._stopped:
                yield True
                piece = next(self._pieces, None)
                if piece is None:
                    break
                text += piece
        except UnicodeError as error:
            raise _undecodable(error, bytes(text), self.name) from None
        if text.startswith(b"\xef\xbb\xbf"):
            del text[:3]
        scanner = self._scanner = DlxScanner(text)
        if self._stopped:
            scanner.stop()
        try:
            while (status := scanner.advance(_SLICE)) == Status.PAUSED:
                yield False
        except OverflowError as error:
            raise CapacityError(f"{self.name}: {error}") from None
        if status == Status.FAULTY:
            raise _fault(scanner, text, self.name)
        if status == Status.STOPPED:
            raise SearchError(f"{self.name}: stopped while it was read")
        yield False
        return (yield from _tables(scanner, text, self.name))


def _name_of(source: object) -> str:
    if isinstance(source, os.PathLike):
        return str(os.fspath(source))
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<dlx>"


def _pieces(source: Any) -> Iterator[bytes]:
    """Give a source as bytes, piece by piece."""
    if isinstance(source, str):
        for at in range(0, len(source), _PIECE):
            yield source[at : at + _PIECE].encode()
    elif isinstance(source, (bytes, bytearray, memoryview)):
        for at in range(0, len(source), _PIECE):
            yield bytes(source[at : at + _PIECE])
    elif isinstance(source, os.PathLike):
        with Path(source).open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece
    elif hasattr(source, "read") and not isinstance(source.read(0), str):
        while piece := source.read(_PIECE):
            yield piece
        if piece is None:
            raise BlockingIOError(errno.EAGAIN, "the file does not wait for its data")
    elif hasattr(source, "__iter__"):
        # A text file is read line by line too: then, should it not decode, the
        # lines before are known.
        yield from _lines(source)
    else:
        raise TypeError(
            "a problem is a Problem, DLX text (str or bytes), a path, an open file, "
            f"or an iterable of lines, not {type(source).__name__}"
        )


def _lines(lines: Iterable[object]) -> Iterator[bytes]:
    piece = bytearray()
    try:
        for number, line in enumerate(lines, 1):
            if isinstance(line, str):
                code = line.encode()
            elif isinstance(line, bytes):
                code = line
            else:
                raise TypeError(
                    f"line {number} is of type {type(line).__name__}, not str or "
                    f"bytes; options as lists go through Problem.from_options"
                )
            piece += code
            if not code.endswith(b"\n"):
                piece += b"\n"
            if len(piece) >= _PIECE:
                yield bytes(piece)
                piece.clear()
    except UnicodeError as error:
        yield bytes(piece) + _begun(lines, error)
        raise
    yield bytes(piece)


def _begun(file: Any, error: UnicodeError) -> bytes:
    """Give the start of the line that a text file failed to decode.

    The file has forgotten what of it stands in an earlier chunk of its bytes.
    """
    if not isinstance(error, UnicodeDecodeError):
        return b""
    try:
        chunk_at = file.buffer.tell() - len(error.object)
        file.buffer.seek(0)
        before = file.buffer.read(chunk_at)
    except (AttributeError, OSError):
        return b""
    return _recoded(before, error.encoding).rpartition(b"\n")[2]


def _recoded(text: bytes, encoding: str) -> bytes:
    return text.decode(encoding, errors="replace").encode(errors="replace")


def _tables(
    scanner: DlxScanner, text: bytearray, source: str
) -> Generator[bool, None, Tables]:
    entry_item, entry_color, option_start, option_line, price = scanner.take()
    n_primary = scanner.n_primary
    items: list[Item] = []
    for (begin, end), bounds in zip(
        scanner.items.spans(), scanner.bounds(), strict=True
    ):
        items.append(Item(text[begin:end].decode(), len(items) < n_primary, *bounds))
        if len(items) % _NAMES == 0:
            yield False
    colors: list[str] = []
    for begin, end in scanner.colors.spans():
        colors.append(text[begin:end].decode())
        if len(colors) % _NAMES == 0:
            yield False
    return Tables(
        items=tuple(items),
        n_primary=n_primary,
        colors=tuple(colors),
        option_start=option_start,
        entry_item=entry_item,
        entry_color=entry_color,
        option_price=price,
        option_line=option_line,
        dropped=tuple(scanner.dropped()),
        source=source,
    )


_REASONS = {
    "no items": "no items: expected a line with the names of the items",
    "second bar": "a second '|' between items; one separates primary from secondary",
    "illegal name": "an item's name must not contain {0!r}",
    "repeated item": "item {0!r} is declared twice",
    "no number": "expected a multiplicity, such as 2|name or 1:3|name, not {0!r}",
    "huge bound": "multiplicity {0} exceeds 2147483647",
    "upper zero": "upper bound of multiplicity {0} is zero; expected at least 1",
    "low above high": "lower bound of multiplicity {0} exceeds the upper one",
    "secondary bound": "secondary item {0!r} cannot have a multiplicity",
    "empty name": "expected the name of an item after {0!r}",
    "empty item": "expected the name of an item before the color in {0!r}",
    "unknown item": "unknown item {0!r}",
    "repeated in option": "item {0!r} is in this option twice",
    "colored primary": "a primary item must be uncolored: {0!r}",
    "empty color": "expected a color after {0!r}",
    "no price": "expected an item, or a price such as |7, not {0!r}",
    "huge price": "the price exceeds 64 bits",
    "nul": "a NUL byte; expected text",
    "not utf8": "not UTF-8: byte 0x{1:02x}",
}


def _fault(scanner: DlxScanner, text: bytearray, source: str) -> DlxSyntaxError:
    begin, end = scanner.fault_start, scanner.fault_end
    kind = FAULTS[scanner.fault]
    token = text[begin:end].decode(errors="backslashreplace")
    shown = token if len(token) <= _WINDOW else token[:_WINDOW] + "..."
    reason = _REASONS[kind].format(shown, text[begin] if begin < len(text) else 0)
    if kind == "unknown item":
        reason += did_you_mean(
            token, (text[a:b].decode() for a, b in scanner.items.spans())
        )
        if "|" in token:
            reason += (
                "; a bar belongs between primary and secondary items, or in a price"
            )
    start = scanner.line_start
    stop = text.find(b"\n", begin)
    line = text[start : stop if stop >= 0 else len(text)]
    before = text[start:begin].decode(errors="replace")
    return _error(reason, source, scanner.line, before, line)


def _undecodable(error: UnicodeError, before: bytes, source: str) -> Exception:
    """Turn an encoding's complaint into ours, in place."""
    if isinstance(error, UnicodeEncodeError):
        good = error.object[: error.start].encode(errors="replace")
        reason = f"not text: {error.object[error.start : error.start + 1]!r}"
        rest = b"?"
    elif isinstance(error, UnicodeDecodeError):
        good = _recoded(error.object[: error.start], error.encoding)
        reason = f"not {error.encoding}: byte 0x{error.object[error.start]:02x}"
        rest = b""
    else:
        return error
    text = before + good
    start = text.rfind(b"\n") + 1
    line = text[start:]
    return _error(
        reason,
        source,
        text.count(b"\n") + 1,
        line.decode(errors="replace"),
        line + rest,
    )


def _error(
    reason: str, source: str, line: int, before: str, text: bytes | bytearray
) -> DlxSyntaxError:
    column = len(before) + 1
    shown = text.rstrip(b"\r\n").decode(errors="backslashreplace")
    shown = shown.translate(_PICTURES)
    cut = max(0, len(before) - _WINDOW // 2)
    caret = "".join("\t" if letter == "\t" else " " for letter in before[cut:]) + "^"
    return DlxSyntaxError(
        reason, source, line, column, shown[cut : cut + _WINDOW], caret
    )


def written(tables: Tables, label: Callable[[Hashable], str]) -> str:
    """Write a problem down; see :meth:`~dcells_async.Problem.to_dlx`."""
    if tables.n_primary == 0:
        raise ProblemError(
            "the DLX format cannot express a problem without primary items"
        )
    names = [_checked(label(item.label), ":|") for item in tables.items]
    if len(set(names)) < len(names):
        counts = Counter(names)
        twice = next(name for name in names if counts[name] > 1)
        raise ProblemError(f"two items would be called {twice!r}")
    colors = ["", *(":" + _checked(label(color), "") for color in tables.colors)]
    if len(set(colors)) < len(colors):
        raise ProblemError("two colors would get the same name")
    heads = [
        _bounds_text(item.low, item.high) + name
        for name, item in zip(names, tables.items, strict=True)
    ]
    if len(names) > tables.n_primary:
        heads.insert(tables.n_primary, "|")
    lines = [" ".join(heads)]
    start = tables.option_start
    for o in range(len(start) - 1):
        items = tables.entry_item[start[o] : start[o + 1]]
        if not items:
            raise ProblemError(
                f"option {o + 1} is empty, which the format cannot express"
            )
        marks = tables.entry_color[start[o] : start[o + 1]] or [0] * len(items)
        words = [names[i] + colors[c] for i, c in zip(items, marks, strict=True)]
        if tables.option_price and tables.option_price[o]:
            words.append(f"|{tables.option_price[o]}")
        lines.append(" ".join(words))
    # A mark in front of a text is skipped, so a name that starts so needs another.
    mark = "\ufeff" if lines[0].startswith("\ufeff") else ""
    return mark + "\n".join(lines) + "\n"


def _bounds_text(low: int, high: int) -> str:
    if low == high:
        return "" if high == 1 else f"{high}|"
    return f"{low}:{high}|"


def _checked(name: str, forbidden: str) -> str:
    blanks = " \t\n\v\f\r\0"
    if not name or any(
        letter in blanks or letter in forbidden or "\ud800" <= letter <= "\udfff"
        for letter in name
    ):
        raise ProblemError(f"the DLX format cannot express the name {name!r}")
    return name
