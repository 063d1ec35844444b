"""Sudoku of any size and shape, as exact cover.

A grid of n by n cells is cut into n regions of n cells, boxes mostly. An option puts
a digit into a cell: it is the cell, and the digit in its row, its column and its
region, all of them primary items; on a diagonal, if those count, in that, too. Where
a clue stands there is but one option, and placements that a clue forbids are left
out.

In names, rows, columns, regions and digits are in base 36: p08 is the cell in row 0
and column 8, r05 the 5 in row 0, c85 in column 8, b25 in region 2, d05 and d15 in the
diagonals.

>>> puzzle = Sudoku.from_text("1.3. .... .... .4..")
>>> for option in sudoku(puzzle).options[:3]:
...     print(*option)
p00 r01 c01 b01
p01 r02 c12 b02
p02 r03 c23 b13

Many sudokus of 9 by 9 are solved faster by `sudoku_batch`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import isqrt
from typing import TYPE_CHECKING

from ..errors import ProblemError
from ..problem import Problem
from .walls import walls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

    from .shapes import Cell

__all__ = ["Sudoku", "boxes", "clash", "digits", "draw", "sudoku"]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LARGEST = len(_DIGITS) - 1
_EMPTY = frozenset(".0*_")
_FRAME = str.maketrans(dict.fromkeys(",;|+-─│┼├┤┬┴╭╮╰╯═║╬╠╣╦╩╔╗╚╝", " "))


@dataclass(frozen=True)
class Sudoku:
    """A grid, its regions, and its clues.

    Attributes
    ----------
    size : int, 1 to 35
    given : mapping of (row, column) to int
        The clues: digits from 1 to `size`. They may clash; then there is no cover.
    regions : mapping of (row, column) to int
        For each cell the number of its region, below `size`. By default, boxes.
    diagonal : bool
        Whether each digit is once in both diagonals, too.

    Raises
    ------
    ProblemError
        The size, a clue or the regions are not as told.
    """

    size: int
    given: Mapping[Cell, int]
    regions: Mapping[Cell, int] = field(default_factory=dict)
    diagonal: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.size <= _LARGEST:
            raise ProblemError(f"the size must be 1 to {_LARGEST}, not {self.size}")
        cells = {(r, c) for r in range(self.size) for c in range(self.size)}
        for cell, digit in self.given.items():
            if cell not in cells:
                raise ProblemError(f"the clue at {cell} lies outside the grid")
            if not isinstance(digit, int) or isinstance(digit, bool):
                raise ProblemError(f"the clue at {cell} must be an int, not {digit!r}")
            if not 1 <= digit <= self.size:
                raise ProblemError(
                    f"the clue at {cell} must be 1 to {self.size}, not {digit}"
                )
        if not self.regions:
            object.__setattr__(self, "regions", boxes(self.size))
        if self.regions.keys() != cells:
            raise ProblemError(f"regions must cover {self.size} by {self.size} cells")
        sizes = Counter(self.regions.values())
        if sizes != Counter(dict.fromkeys(range(self.size), self.size)):
            raise ProblemError(
                f"there must be {self.size} regions, 0 to {self.size - 1}, of "
                f"{self.size} cells each; these have {sorted(sizes.values())}"
            )

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        box: tuple[int, int] | None = None,
        regions: str | None = None,
        diagonal: bool = False,
    ) -> Self:
        """Read a grid, in one line or in many, with frames or without.

        A dot, 0, * or _ is an empty cell. Without blanks between the cells each
        character is one, letters being the digits from 10 on; otherwise numbers are
        decimal, and may be as long as the largest: 07, or ``..``. Commas and
        semicolons are like blanks, and so are characters that draw frames.

        Parameters
        ----------
        text : str
        box : (int, int), optional
            Rows and columns of a box. By default as square as may be, and wide
            rather than high.
        regions : str, optional
            A character for each cell, equal ones in a region; blanks do not count.
        diagonal : bool

        Raises
        ------
        ProblemError
            The cells are no square number of digits, or boxes and regions do not fit.

        Examples
        --------
        >>> puzzle = Sudoku.from_text("12|..\\n..|..\\n--+--\\n..|..\\n..|.4")
        >>> puzzle.size, puzzle.given
        (4, {(0, 0): 1, (0, 1): 2, (3, 3): 4})
        >>> Sudoku.from_text("1.. ... ...", regions="aab acb ccb").regions[2, 2]
        1
        """
        if not isinstance(text, str):
            raise TypeError(f"a grid must be a str, not {type(text).__name__}")
        if regions is not None and box is not None:
            raise ProblemError("box and regions exclude one another")
        words = _words(text.translate(_FRAME))
        size = isqrt(len(words))
        given = {}
        for place, word in enumerate(words):
            if not _is_empty(word):
                row, column = divmod(place, size)
                digit = _digit(word)
                if digit is None:
                    raise _misplaced(row, column, word, "is no digit, nor . 0 * _")
                if digit > size:
                    raise _misplaced(row, column, word, f"is more than {size}")
                given[row, column] = digit
        cut = boxes(size, box) if regions is None else _regions(regions, size)
        return cls(size, given, cut, diagonal)


def _misplaced(row: int, column: int, word: str, fault: str) -> ProblemError:
    return ProblemError(f"row {row + 1}, column {column + 1}: {word!r} {fault}")


def _words(text: str) -> list[str]:
    """Take a text apart into cells."""
    words = text.split()
    size = isqrt(len(words))
    if len(words) > 1 and size * size == len(words):
        width = len(str(size))
        if all(
            len(w) <= width and (_is_empty(w) or (_digit(w) or 99) <= size)
            for w in words
        ):
            return words
    cells = list("".join(words))
    if not cells or isqrt(len(cells)) ** 2 != len(cells):
        raise ProblemError(f"{len(cells)} cells do not make a square grid")
    return cells


def _is_empty(word: str) -> bool:
    return _EMPTY.issuperset(word)


def _digit(word: str) -> int | None:
    if word.isascii() and word.isdecimal():
        return int(word)
    place = _DIGITS.find(word.lower()) if len(word) == 1 else -1
    return place if place > 0 else None


def _regions(text: str, size: int) -> dict[Cell, int]:
    letters = "".join(text.split())
    if len(letters) != size * size:
        raise ProblemError(
            f"the regions have {len(letters)} cells, and the grid {size * size}"
        )
    for letter, n in Counter(letters).items():
        if n != size:
            raise ProblemError(
                f"there must be {size} regions of {size} cells: {letter!r} has {n}"
            )
    numbers = {letter: number for number, letter in enumerate(dict.fromkeys(letters))}
    return {divmod(k, size): numbers[letter] for k, letter in enumerate(letters)}


def boxes(size: int, box: tuple[int, int] | None = None) -> dict[Cell, int]:
    """Cut a grid into boxes, numbered row by row.

    Parameters
    ----------
    size : int, > 0
    box : (int, int), optional
        Rows and columns of a box; by default as square as may be.

    Raises
    ------
    ProblemError
        The size is not positive, or the box does not hold so many cells; or none is
        given, and the size is a prime.

    Examples
    --------
    >>> [boxes(6)[2, column] for column in range(6)]
    [2, 2, 2, 3, 3, 3]
    """
    if size < 1:
        raise ProblemError(f"the size must be at least 1, not {size}")
    if box is None:
        rows = next(k for k in range(isqrt(size), 0, -1) if size % k == 0)
        if rows == 1 and size > 1:
            raise ProblemError(f"{size} cells make no box: say what the regions are")
        box = rows, size // rows
    rows, columns = box
    if not (isinstance(rows, int) and isinstance(columns, int)):
        raise ProblemError(
            f"a box has whole rows and columns, not {rows!r}, {columns!r}"
        )
    if rows < 1 or columns < 1 or rows * columns != size:
        raise ProblemError(f"a box of {rows} by {columns} does not hold {size} cells")
    return {
        (r, c): r // rows * rows + c // columns
        for r in range(size)
        for c in range(size)
    }


def sudoku(puzzle: Sudoku) -> Problem:
    """Ask for all ways to fill a grid.

    Examples
    --------
    >>> from dcells_async import XCC
    >>> XCC().solve(sudoku(Sudoku.from_text("." * 16))).count()
    288
    """
    taken = Counter(
        item
        for cell, digit in puzzle.given.items()
        for item in _items(puzzle, cell, digit)
    )
    options = []
    for cell in puzzle.regions:
        clue = puzzle.given.get(cell)
        for digit in range(1, puzzle.size + 1) if clue is None else (clue,):
            items = [*_items(puzzle, cell, digit)]
            if clue is not None or not any(item in taken for item in items):
                options.append(items)
    primary = dict.fromkeys(
        item
        for cell in puzzle.regions
        for digit in range(1, puzzle.size + 1)
        for item in _items(puzzle, cell, digit)
    )
    return Problem.from_options(options, primary=primary)


def _items(puzzle: Sudoku, cell: Cell, digit: int) -> Iterator[str]:
    row, column = cell
    name = _DIGITS[digit]
    yield f"p{_DIGITS[row]}{_DIGITS[column]}"
    yield f"r{_DIGITS[row]}{name}"
    yield f"c{_DIGITS[column]}{name}"
    yield f"b{_DIGITS[puzzle.regions[cell]]}{name}"
    if puzzle.diagonal:
        if row == column:
            yield f"d0{name}"
        if row + column == puzzle.size - 1:
            yield f"d1{name}"


def clash(puzzle: Sudoku, *, region: str = "region") -> str | None:
    """Name two clues that exclude one another, None if there are none.

    Parameters
    ----------
    puzzle : Sudoku
    region : str
        What a region is called.

    Examples
    --------
    >>> clash(Sudoku.from_text("1... .1.. .... ...."), region="box")
    'r1c1 and r2c2 are both 1, in the same box'
    """
    units = {"p": "cell", "r": "row", "c": "column", "b": region, "d": "diagonal"}
    found: dict[str, Cell] = {}
    for cell in sorted(puzzle.given):
        digit = puzzle.given[cell]
        for item in _items(puzzle, cell, digit):
            if item in found:
                row, column = found[item]
                return (
                    f"r{row + 1}c{column + 1} and r{cell[0] + 1}c{cell[1] + 1} are "
                    f"both {digit}, in the same {units[item[0]]}"
                )
            found[item] = cell
    return None


def digits(cover: Iterable[Iterable[str]]) -> dict[Cell, int]:
    """Read off the digit in each cell.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a sudoku, or the names of the items of its options.

    Examples
    --------
    >>> digits([("p0a", "r03", "ca3", "b33")])
    {(0, 10): 3}
    """
    found = {}
    for option in cover:
        names = {name[0]: name[1:] for name in option}
        row, column = map(_DIGITS.index, names["p"])
        found[row, column] = _DIGITS.index(names["r"][1])
    return found


def draw(
    puzzle: Sudoku, found: Mapping[Cell, int] | None = None, *, frame: bool = True
) -> str:
    """Draw a grid; what is drawn can be read again.

    Parameters
    ----------
    puzzle : Sudoku
    found : mapping of (row, column) to int, optional
        The digits to draw; by default, the clues.
    frame : bool
        Draw walls around the regions.

    Examples
    --------
    >>> print(draw(Sudoku.from_text("1.3. .... .... .4..")))
    ╭───────┬───────╮
    │ 1   . │ 3   . │
    │       │       │
    │ .   . │ .   . │
    ├───────┼───────┤
    │ .   . │ .   . │
    │       │       │
    │ .   4 │ .   . │
    ╰───────┴───────╯
    """
    shown = puzzle.given if found is None else found
    labels = {cell: str(shown.get(cell, ".")) for cell in puzzle.regions}
    if frame:
        return walls(puzzle.regions, labels=labels)
    width = max(map(len, labels.values()))
    return "\n".join(
        " ".join(labels[row, column].rjust(width) for column in range(puzzle.size))
        for row in range(puzzle.size)
    )
