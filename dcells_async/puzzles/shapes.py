"""Sets of cells, and what a symmetry of the square grid does to them.

A cell is a pair (row, column); rows grow downwards and columns to the right, as in a
picture. A shape is a sorted tuple of cells. A symmetry is the 2x2 integer matrix
(a, b, c, d) that sends (row, column) to (a*row + b*column, c*row + d*column). A move is
a symmetry followed by a shift of so many rows and columns.
"""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from .settings import check_setting

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "QUARTER_TURN",
    "STEPS",
    "Cell",
    "Move",
    "Shape",
    "Symmetry",
    "Turns",
    "apply",
    "at_origin",
    "checked",
    "corner",
    "from_picture",
    "moved",
    "orientations",
    "shifted",
    "symmetries",
    "to_picture",
]

Cell: TypeAlias = tuple[int, int]
Shape: TypeAlias = tuple[Cell, ...]
Symmetry: TypeAlias = tuple[int, int, int, int]
Move: TypeAlias = tuple[Symmetry, Cell]
Turns: TypeAlias = Literal["free", "one-sided", "fixed"]

STEPS: Shape = ((-1, 0), (0, -1), (0, 1), (1, 0))
"""From a cell to its neighbors."""

IDENTITY: Symmetry = (1, 0, 0, 1)
QUARTER_TURN: Symmetry = (0, 1, -1, 0)
TRANSPOSE: Symmetry = (0, 1, 1, 0)

_GENERATORS: dict[Turns, tuple[Symmetry, ...]] = {
    "free": (QUARTER_TURN, TRANSPOSE),
    "one-sided": (QUARTER_TURN,),
    "fixed": (),
}


def apply(symmetry: Symmetry, cells: Iterable[Cell]) -> Shape:
    """Send each cell through a symmetry, keeping the order.

    Examples
    --------
    >>> apply(QUARTER_TURN, [(0, 0), (0, 1), (1, 0)])
    ((0, 0), (1, 0), (0, -1))
    """
    a, b, c, d = symmetry
    return tuple((a * row + b * column, c * row + d * column) for row, column in cells)


def moved(move: Move, cells: Iterable[Cell]) -> Shape:
    """Send cells through a move, and sort them.

    Examples
    --------
    >>> moved((QUARTER_TURN, (5, 5)), [(0, 0), (0, 1)])
    ((5, 5), (6, 5))
    """
    symmetry, (rows, columns) = move
    return tuple(sorted(shifted(apply(symmetry, cells), rows, columns)))


def corner(cells: Iterable[Cell]) -> Cell:
    """Return the top left corner of the box around some cells."""
    rows, columns = zip(*cells, strict=True)
    return min(rows), min(columns)


def shifted(cells: Iterable[Cell], rows: int, columns: int) -> Shape:
    """Move each cell down and to the right, keeping the order."""
    return tuple((row + rows, column + columns) for row, column in cells)


def at_origin(cells: Iterable[Cell]) -> Shape:
    """Sort the cells and move them so that the box around them starts at (0, 0).

    Examples
    --------
    >>> at_origin([(3, 7), (2, 8)])
    ((0, 1), (1, 0))
    """
    cells = sorted(cells)
    row, column = corner(cells)
    return shifted(cells, -row, -column)


def symmetries(turns: Turns) -> tuple[Symmetry, ...]:
    """List the symmetries that a setting allows: 8, 4 or 1, the identity first.

    Examples
    --------
    >>> [len(symmetries(turns)) for turns in ("free", "one-sided", "fixed")]
    [8, 4, 1]
    """
    found = [IDENTITY]
    for symmetry in found:
        a, b, c, d = symmetry
        columns = apply((a, b, c, d), ((1, 0), (0, 1)))
        for generator in generators(turns):
            (a, c), (b, d) = apply(generator, columns)
            if (a, b, c, d) not in found:
                found.append((a, b, c, d))
    return tuple(found)


def orientations(shape: Shape, turns: Turns) -> tuple[Shape, ...]:
    """List the different ways a shape can lie, starting as it is given.

    Each orientation in turn is rotated by a quarter turn clockwise and then, if the
    piece may be turned over, mirrored in its main diagonal; whatever is new joins the
    end of the list. This is the order of Knuth's generator of polyomino problems, and
    the order of options decides the order of covers.

    Examples
    --------
    >>> orientations(((0, 0), (0, 1)), "free")
    (((0, 0), (0, 1)), ((0, 0), (1, 0)))
    """
    found = [at_origin(shape)]
    for current in found:
        for generator in generators(turns):
            image = at_origin(apply(generator, current))
            if image not in found:
                found.append(image)
    return tuple(found)


def generators(turns: Turns) -> tuple[Symmetry, ...]:
    """Return the symmetries from which all those that a setting allows are made.

    Raises
    ------
    ProblemError
        If the setting is not "free", "one-sided" or "fixed".
    """
    check_setting("turns", turns, get_args(Turns))
    return _GENERATORS[turns]


def checked(cells: Iterable[Cell], what: str) -> Shape:
    """Sort the cells of a board or piece, refusing what cannot be one.

    Raises
    ------
    ProblemError
        If there are no cells, one of them is not a pair of integers, or comes twice.
    """
    listed = list(cells)
    if not listed:
        raise ProblemError(f"{what} needs at least one cell")
    seen: set[Cell] = set()
    for cell in listed:
        match cell:
            case (int(), int()):
                pair = (int(cell[0]), int(cell[1]))
            case _:
                raise ProblemError(
                    f"{what} has a cell that is no pair of integers: {cell!r}"
                )
        if pair in seen:
            raise ProblemError(f"{what} has the cell {pair} twice")
        seen.add(pair)
    return tuple(sorted(seen))


def from_picture(picture: str) -> Shape:
    """Read the cells of a picture with one character for each cell.

    A blank or a dot is no cell, anything else is one. Empty lines around the picture
    and a margin shared by all its lines are left out; use dots where they must count.

    Examples
    --------
    >>> from_picture('''
    ...     .##
    ...     ##
    ... ''')
    ((0, 1), (0, 2), (1, 0), (1, 1))
    """
    lines = dedent(picture.expandtabs()).splitlines()
    while lines and not lines[0].strip():
        del lines[0]
    return tuple(
        (row, column)
        for row, line in enumerate(lines)
        for column, character in enumerate(line)
        if character not in ". "
    )


def to_picture(cells: Iterable[Cell]) -> str:
    """Draw cells as `#` in the box around them, with dots where there is none.

    Examples
    --------
    >>> print(to_picture([(5, 6), (5, 7), (6, 5), (6, 6)]))
    .##
    ##.
    """
    shape = set(at_origin(cells))
    height = 1 + max(row for row, _ in shape)
    width = 1 + max(column for _, column in shape)
    return "\n".join(
        "".join("#" if (row, column) in shape else "." for column in range(width))
        for row in range(height)
    )
