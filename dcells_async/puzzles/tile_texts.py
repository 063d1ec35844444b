"""Texts of tiles and of boards, both ways; faults are told with line and column.

Tiles are a line of four numbers each: north, east, south, west. A first line of two
numbers may tell the rows and columns of the board.

A board is a line for each row, and a word for each cell: a dot if nothing lies there,
or else the number of the tile, counted from 1, a colon, and the quarter turns
clockwise: ``12:1``.

In both, numbers may be separated by commas or semicolons as well as blanks, what
follows a ``#`` does not count, nor do empty lines.
"""

from __future__ import annotations

import re
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..errors import ProblemError
from .tiles import SIDES, Puzzle, TileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .shapes import Cell
    from .tiles import Kind, Laid, Tile

__all__ = [
    "Size",
    "read_board",
    "read_puzzle",
    "read_size",
    "read_tiles",
    "write_board",
    "write_tiles",
]

Size: TypeAlias = tuple[int, int]
"""Rows and columns."""

_WORD = re.compile(r"[^\s,;]+")
_NUMBER = re.compile(r"[0-9]{1,9}")
_TILE_TURN = re.compile(r"([0-9]{1,9}):([0-9])")


class _Word(NamedTuple):
    text: str
    line: int
    column: int

    def fault(self, why: str) -> ProblemError:
        return ProblemError(f"line {self.line}, column {self.column}: {why}")


class _Tiles(NamedTuple):
    size: Size | None
    tiles: list[Tile]
    heads: list[_Word]
    """The first word of each tile."""


class _Board(NamedTuple):
    size: Size
    laid: Laid
    words: dict[Cell, _Word]


def read_tiles(text: str) -> list[Tile]:
    """Read tiles, a line of four numbers for each: north, east, south, west.

    Raises
    ------
    ProblemError
        If a line does not hold four whole numbers from 0 up, or the first one tells a
        size that the tiles do not have.

    Examples
    --------
    >>> read_tiles("0 1 2 0  # a corner\\n0 3 3 1\\n")
    [(0, 1, 2, 0), (0, 3, 3, 1)]
    >>> read_tiles("0 1 2 0\\n0 3 x 1\\n")
    Traceback (most recent call last):
    dcells_async.errors.ProblemError: line 2, column 5: a color is a whole number from
    0, not 'x'
    """
    return _tiles(text).tiles


def write_tiles(tiles: Sequence[Tile], size: Size | None = None) -> str:
    """Write tiles, and perhaps the size of the board, as they are read.

    Examples
    --------
    >>> print(write_tiles([(0, 1, 0, 0), (0, 0, 0, 1)], (1, 2)), end="")
    1 2
    0 1 0 0
    0 0 0 1
    """
    lines = [size, *tiles] if size else tiles
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def read_board(text: str) -> tuple[Size, Laid]:
    """Read which tiles lie on a board.

    Returns
    -------
    (rows, columns), mapping of cells to (int, int)
        The numbers of tiles count from 0 here.

    Raises
    ------
    ProblemError
        If a word is neither a dot nor a tile with its turns, a tile lies on two cells,
        or the rows have different lengths.

    Examples
    --------
    >>> read_board(". 12:1\\n.  .")
    ((2, 2), {(0, 1): (11, 1)})
    """
    board = _board(text)
    return board.size, board.laid


def read_size(text: str) -> Size:
    """Read rows and columns.

    Raises
    ------
    ProblemError
        If they are not written as below.

    Examples
    --------
    >>> read_size("4x6")
    (4, 6)
    """
    match = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", text)
    if not match:
        raise ProblemError(f"a size is written like 4x6, not {text!r}")
    return int(match[1]), int(match[2])


def write_board(size: Size, laid: Mapping[Cell, tuple[int, int]]) -> str:
    """Write a board, as `read_board` reads it.

    Examples
    --------
    >>> print(write_board((2, 2), {(0, 1): (11, 1)}), end="")
    .    12:1
    .    .
    """
    rows, columns = size
    words = {
        cell: f"{number + 1}:{turn}" for cell, (number, turn) in sorted(laid.items())
    }
    width = max(map(len, words.values()), default=1)
    lines = (
        " ".join(
            words.get((row, column), ".").ljust(width) for column in range(columns)
        )
        for row in range(rows)
    )
    return "".join(line.rstrip() + "\n" for line in lines)


def read_puzzle(
    tiles: str,
    board: str | None = None,
    *,
    size: Size | None = None,
    kind: Kind = "border",
    color: int = 0,
) -> Puzzle:
    """Read a puzzle: its tiles, and perhaps a board on which some lie already.

    Parameters
    ----------
    tiles : str
    board : str, optional
        The hints.
    size : (int, int), optional
        Rows and columns. By default what the first line of the tiles says, or the shape
        of `board`, or else a square.
    kind, color
        As for `Puzzle`.

    Raises
    ------
    ProblemError
        If the texts cannot be read, do not agree with each other or the size, or what
        they say cannot be, as `Puzzle` tells; with the line and column of the tile, or
        of the hint on the board.

    Examples
    --------
    >>> read_puzzle("0 1 1 0\\n" * 4, ". 2:1\\n. .").hints
    {(0, 1): (1, 1)}
    >>> read_puzzle("0 1 1 0\\n" * 4, ". 2:0\\n. .")
    Traceback (most recent call last):
    dcells_async.errors.ProblemError: board: line 1, column 3: turned 0 times it shows
    0 1 1 0, which does not agree with the border of color 0
    """
    found = _tiles(tiles)
    hints = None
    if board is not None:
        try:
            hints = _board(board)
        except ProblemError as error:
            raise ProblemError(f"board: {error}") from None
    sizes = {
        "the size asked for": size,
        "the first line of the tiles": found.size,
        "the board": hints.size if hints else None,
    }
    rows, columns = _agreed(sizes, len(found.tiles))
    try:
        return Puzzle(
            rows, columns, found.tiles, kind, color, hints.laid if hints else {}
        )
    except TileError as error:
        if hints is not None and error.cell is not None:
            fault = hints.words[error.cell].fault(error.why)
            raise ProblemError(f"board: {fault}") from None
        if error.tile is not None:
            raise found.heads[error.tile].fault(
                f"tile {error.tile + 1}: {error.why}"
            ) from None
        raise


def _agreed(sizes: Mapping[str, Size | None], n_tiles: int) -> Size:
    """Find the one size of which all speak."""
    told = {name: size for name, size in sizes.items() if size is not None}
    if len(set(told.values())) > 1:
        raise ProblemError(
            "sizes differ: "
            + ", ".join(f"{name} has {r} x {c}" for name, (r, c) in told.items())
        )
    if told:
        return next(iter(told.values()))
    side = isqrt(n_tiles)
    if not n_tiles or side * side != n_tiles:
        raise ProblemError(f"{n_tiles} tiles make no square: say what the size is")
    return side, side


def _lines(text: str) -> Iterator[list[_Word]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = [
            _Word(match[0], number, match.start() + 1)
            for match in _WORD.finditer(line.partition("#")[0])
        ]
        if words:
            yield words


def _tiles(text: str) -> _Tiles:
    found = _Tiles(None, [], [])
    for words in _lines(text):
        numbers = [_number(word) for word in words]
        if len(numbers) == 2 and not found.tiles and found.size is None:
            found = found._replace(size=(numbers[0], numbers[1]))
            continue
        if len(numbers) != SIDES:
            last = words[min(len(words) - 1, SIDES)]
            raise last.fault(
                "a tile is four colors (north, east, south, west), and here are "
                f"{len(words)}"
            )
        north, east, south, west = numbers
        found.tiles.append((north, east, south, west))
        found.heads.append(words[0])
    if found.size is not None and found.size[0] * found.size[1] != len(found.tiles):
        rows, columns = found.size
        raise ProblemError(
            f"the first line tells of {rows} x {columns} tiles, and "
            f"{len(found.tiles)} follow"
        )
    return found


def _number(word: _Word) -> int:
    if not _NUMBER.fullmatch(word.text):
        raise word.fault(f"a color is a whole number from 0, not {word.text!r}")
    return int(word.text)


def _board(text: str) -> _Board:
    laid: Laid = {}
    found: dict[Cell, _Word] = {}
    place: dict[int, _Word] = {}
    rows = columns = 0
    for row, words in enumerate(_lines(text)):
        rows, columns = row + 1, columns or len(words)
        if len(words) != columns:
            last = words[min(len(words) - 1, columns)]
            raise last.fault(f"a row of {len(words)} cells, below rows of {columns}")
        for column, word in enumerate(words):
            if word.text == ".":
                continue
            match = _TILE_TURN.fullmatch(word.text)
            if not match or match[1].strip("0") == "" or int(match[2]) >= SIDES:
                raise word.fault(
                    "a cell is a dot, or a tile, from 1, and its 0 to 3 quarter turns "
                    f"clockwise, as in 12:1; not {word.text!r}"
                )
            number, turn = int(match[1]) - 1, int(match[2])
            if number in place:
                first = place[number]
                raise word.fault(
                    f"tile {number + 1} is in line {first.line}, column "
                    f"{first.column} already"
                )
            place[number] = found[row, column] = word
            laid[row, column] = (number, turn)
    if not rows:
        raise ProblemError("there is no row")
    return _Board((rows, columns), laid, found)
