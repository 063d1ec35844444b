"""Filomino: a board of numbers, of which equal ones form polyominoes of their size.

Some cells hold a number already. An option is a polyomino that may be part of the
answer: it agrees with the numbers given, both inside and next to it. Its cells are
primary items. The sides along which it meets other cells are secondary items that know
its size, too, and so two polyominoes of the same size cannot have a side in common.
Sides at the edge of the board do not matter.

The side above the cell in row r and column c is called v7rc, for polyominoes of size
7, and the side to its left h7rc, with all numbers in base 36.

>>> problem = filomino(Puzzle.from_text("3.\\n.1"))
>>> for option in problem.options:
...     print(*option)
11 v111 h111
00 01 10 v311 h311
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from ..problem import Problem
from .boards import Board
from .placements import placements
from .settings import check_setting
from .walls import COLORS, walls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

    from .shapes import Cell

__all__ = ["Puzzle", "Style", "draw", "filomino", "numbers"]

Style: TypeAlias = Literal["walls", "numbers"]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Puzzle:
    """A rectangle of cells, some of which hold a number.

    Attributes
    ----------
    rows, columns : int, > 0
    given : mapping of cells to int
    """

    rows: int
    columns: int
    given: Mapping[Cell, int]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a puzzle, a line for each row.

        A dot is a cell without a number. In a text without blanks every character is a
        cell: 1 to 9, and a for 10, b for 11 and so on. Otherwise blanks are between
        the cells, and numbers are decimal. Empty lines do not count.

        Raises
        ------
        ProblemError
            If there are no rows, they differ in length, or a cell is neither a dot nor
            a number from 1 up.

        Examples
        --------
        >>> Puzzle.from_text("..a\\n3..").given
        {(0, 2): 10, (1, 0): 3}
        >>> Puzzle.from_text(". . 10\\n3 . .").given
        {(0, 2): 10, (1, 0): 3}
        """
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines:
            raise ProblemError("a puzzle needs at least one row")
        is_spaced = any(len(line.split()) > 1 for line in lines)
        cells = [line.split() if is_spaced else list(line) for line in lines]
        given = {}
        for row, line in enumerate(cells):
            if len(line) != len(cells[0]):
                raise ProblemError(
                    f"row {row + 1} of the puzzle has {len(line)} cells, "
                    f"and row 1 has {len(cells[0])}"
                )
            for column, word in enumerate(line):
                if word != ".":
                    number = _number(word, 10 if is_spaced else 36)
                    if number is None:
                        raise ProblemError(
                            f"row {row + 1}, column {column + 1} of the puzzle: "
                            f"{word!r} is neither a dot nor a number from 1 up"
                        )
                    given[row, column] = number
        return cls(len(cells), len(cells[0]), given)


def _number(word: str, base: int) -> int | None:
    if not (word.isascii() and word.isalnum()):
        return None
    try:
        return int(word, base) or None
    except ValueError:
        return None


def filomino(puzzle: Puzzle, largest: int | None = None) -> Problem:
    """Ask for all ways to fill the board.

    Parameters
    ----------
    puzzle : Puzzle
    largest : int, >= the largest number given
        The largest number there may be. By default the largest one given, or 1. An
        answer may need a larger one for cells that no number given belongs to, but
        options multiply fast: on an empty board of 8 by 8 there are 292 ways to lay a
        polyomino of 3 cells, 2,308 of 5 and 20,936 of 7.

    Raises
    ------
    ProblemError
        If a number given is larger than the largest allowed.

    Examples
    --------
    >>> puzzle = Puzzle.from_text("1..")
    >>> len(filomino(puzzle).options), len(filomino(puzzle, 3).options)
    (2, 3)
    """
    most = max(puzzle.given.values(), default=1)
    if largest is None:
        largest = most
    elif largest < most:
        raise ProblemError(f"there is a {most}, and the largest is to be {largest}")
    board = Board.rectangle(puzzle.rows, puzzle.columns)
    largest = min(largest, len(board))
    options: list[list[str]] = []
    sides: dict[tuple[str, Cell, int], str] = {}
    for size in range(1, largest + 1):
        for cells in _polyominoes(puzzle, size):
            around = [(*side, size) for side in _sides(cells, board)]
            for side in around:
                if side not in sides:
                    sides[side] = _side_name(board, *side)
            options.append([*map(board.name, cells), *(sides[s] for s in around)])
    return Problem.from_options(
        options,
        primary=board.names.values(),
        secondary=[sides[side] for side in sorted(sides)],
    )


def _side_name(board: Board, way: str, cell: Cell, size: int) -> str:
    name = board.name(cell)
    if "," in name or size >= len(_DIGITS):
        return f"{way}{size},{name}"
    return f"{way}{_DIGITS[size]}{name}"


def _sides(cells: Iterable[Cell], board: Board) -> Iterator[tuple[str, Cell]]:
    """Give the sides between these cells and others of the board."""
    inside = set(cells)
    names = board.names
    for row, column in cells:
        for way, side, other in (
            ("v", (row, column), (row - 1, column)),
            ("h", (row, column), (row, column - 1)),
            ("h", (row, column + 1), (row, column + 1)),
            ("v", (row + 1, column), (row + 1, column)),
        ):
            if other in names and other not in inside:
                yield way, side


def _polyominoes(puzzle: Puzzle, size: int) -> Iterator[list[Cell]]:
    """Give all polyominoes of a size that agree with the numbers given.

    Sets of cells are bits of an integer here, with a column of no cells between the
    rows. A polyomino that touches a cell where its size is given must contain it, so
    such cells are added at once. Each polyomino is made just once: from its first cell
    on, by asking of one neighbor at a time whether it is in.
    """
    width = puzzle.columns + 1
    given = usable = 0
    for row in range(puzzle.rows):
        for column in range(puzzle.columns):
            number = puzzle.given.get((row, column), size)
            if number == size:
                usable |= 1 << row * width + column
                if (row, column) in puzzle.given:
                    given |= 1 << row * width + column

    def beside(cells: int) -> int:
        return (cells << 1 | cells >> 1 | cells << width | cells >> width) & ~cells

    def completed(cells: int) -> int:
        while missing := beside(cells) & given:
            cells |= missing
        return cells

    later = usable
    while later:
        first = later & -later
        barred = usable & ~later
        later ^= first
        ways = [(completed(first), barred)]
        while ways:
            cells, barred = ways.pop()
            if cells & barred or cells.bit_count() > size:
                continue
            if cells.bit_count() == size:
                yield [
                    divmod(place, width)
                    for place in range(cells.bit_length())
                    if cells >> place & 1
                ]
                continue
            open_ = beside(cells) & usable & ~barred
            if open_:
                cell = open_ & -open_
                ways.append((cells, barred | cell))
                ways.append((completed(cells | cell), barred))


def numbers(cover: Iterable[Iterable[str]]) -> dict[Cell, int]:
    """Read off the number in each cell.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a filomino problem, or the names of the items of its options.

    Examples
    --------
    >>> numbers([("01", "00", "v210", "v211"), ("11", "h111", "v111")])
    {(0, 1): 2, (0, 0): 2, (1, 1): 1}
    """
    return {
        cell: len(placement.cells)
        for placement in placements(cover)
        for cell in placement.cells
    }


def draw(
    cover: Iterable[Iterable[str]], style: Style = "walls", *, color: bool = False
) -> str:
    """Draw the board with its numbers.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a filomino problem, or the names of the items of its options.
    style : {"walls", "numbers"}
        With walls around the polyominoes, or just the numbers.
    color : bool
        Give each number in a picture with walls a background of its own, by escape
        sequences that terminals understand.

    Raises
    ------
    ProblemError
        If there is no such style.

    Examples
    --------
    >>> cover = ["00 10 11 h301 v311 h312".split(), "01 02 v211 v212".split(), ["12"]]
    >>> print(draw(cover, "numbers"))
    3 2 2
    3 3 1
    >>> print(draw(cover))
    ╭───┬───────╮
    │ 3 │ 2   2 │
    │   ╰───┬───┤
    │ 3   3 │ 1 │
    ╰───────┴───╯
    """
    check_setting("style", style, get_args(Style))
    placed = placements(cover)
    found = numbers(cover)
    if style == "numbers":
        return _bare(found)
    regions = {cell: k for k, part in enumerate(placed) for cell in part.cells}
    colors = {k: (len(part.cells) - 1) % COLORS for k, part in enumerate(placed)}
    labels = {cell: str(number) for cell, number in found.items()}
    return walls(regions, labels=labels, colors=colors if color else {})


def _bare(found: Mapping[Cell, int]) -> str:
    rows = range(1 + max(row for row, _ in found))
    columns = range(1 + max(column for _, column in found))
    width = max(len(str(number)) for number in found.values())
    return "\n".join(
        " ".join(str(found[row, column]).rjust(width) for column in columns)
        for row in rows
    )
