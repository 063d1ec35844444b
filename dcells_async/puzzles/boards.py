"""Boards: the cells that are to be covered, and the names that problems give them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from ..errors import ProblemError
from .shapes import (
    Cell,
    Move,
    Shape,
    Turns,
    apply,
    checked,
    corner,
    from_picture,
    moved,
    shifted,
    symmetries,
    to_picture,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Board", "parse_cell"]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SHORT_NAME = re.compile(r"[0-9a-z]{2}")
_LONG_NAME = re.compile(r"(-?[0-9]+),(-?[0-9]+)")


@dataclass(frozen=True, init=False)
class Board:
    """A finite set of cells of the square grid, anywhere and in any shape.

    Cells are pairs (row, column) and keep the caller's coordinates: a board need not
    touch the origin, be in one piece or lie in one quadrant. It is a value: two boards
    with the same cells are equal.

    Parameters
    ----------
    cells : iterable of (int, int)
        In any order, each once; at least one.

    Attributes
    ----------
    cells : tuple of (int, int)
        From top to bottom and, within a row, from left to right.

    Raises
    ------
    ProblemError
        If there are no cells, one of them is not a pair of integers, or comes twice.

    Examples
    --------
    >>> board = Board([(7, 2), (6, 2), (6, 3)])
    >>> board.cells
    ((6, 2), (6, 3), (7, 2))
    >>> print(board)
    ##
    #.
    """

    cells: Shape

    def __init__(self, cells: Iterable[Cell]) -> None:
        object.__setattr__(self, "cells", checked(cells, "a board"))

    @classmethod
    def rectangle(
        cls, rows: int, columns: int, holes: Iterable[Cell] = (), origin: Cell = (0, 0)
    ) -> Board:
        """Make a rectangle, less some holes.

        Parameters
        ----------
        rows, columns : int, > 0
        holes : iterable of (int, int)
            Cells of the rectangle that are not to be covered.
        origin : (int, int)
            The top left cell.

        Raises
        ------
        ProblemError
            If a side is not positive, or a hole lies outside the rectangle.

        Examples
        --------
        >>> print(Board.rectangle(3, 4, holes=[(1, 1), (1, 2)]))
        ####
        #..#
        ####
        """
        if rows < 1 or columns < 1:
            raise ProblemError(f"a board needs positive sides, not {rows} by {columns}")
        cells = product(range(rows), range(columns))
        return cls(shifted(cells, *origin)).without(holes)

    @classmethod
    def from_text(cls, picture: str, origin: Cell = (0, 0)) -> Board:
        """Read a picture with one character for each cell.

        A blank or a dot is no cell, anything else is one. Empty lines above the
        picture and a margin shared by all its lines do not count.

        Parameters
        ----------
        picture : str
        origin : (int, int)
            The coordinates of the picture's top left character.

        Examples
        --------
        >>> board = Board.from_text('''
        ...     .##
        ...     ##.
        ... ''', origin=(10, 20))
        >>> board.cells
        ((10, 21), (10, 22), (11, 20), (11, 21))
        """
        return cls(shifted(from_picture(picture), *origin))

    @classmethod
    def from_names(cls, names: Iterable[str]) -> Board:
        """Collect the cells among the names of a problem's items.

        Names that are no cell's, such as those of pieces, are passed over.

        Examples
        --------
        >>> Board.from_names(["0a", "0b", "P", "12,-3"]).cells
        ((0, 10), (0, 11), (12, -3))
        """
        cells = (parse_cell(name) for name in names)
        return cls(cell for cell in cells if cell is not None)

    def without(self, holes: Iterable[Cell]) -> Board:
        """Leave out some cells.

        Raises
        ------
        ProblemError
            If one of them is not on the board, or none remain.

        Examples
        --------
        >>> print(Board.rectangle(2, 3).without([(0, 0), (1, 2)]))
        .##
        ##.
        """
        missing = set(holes)
        if not missing.issubset(self.cells):
            raise ProblemError(
                f"the hole {min(missing.difference(self.cells))} is not on the board"
            )
        return Board(cell for cell in self.cells if cell not in missing)

    @property
    def origin(self) -> Cell:
        """The top left corner of the box around the board."""
        return corner(self.cells)

    def name(self, cell: Cell) -> str:
        """Name a cell, as an item of a problem about this board.

        If all coordinates of the board are from 0 to 35, a name is two digits to the
        base 36, the row first; otherwise it is the row and the column in decimals, with
        a comma between them.

        Examples
        --------
        >>> Board.rectangle(12, 12).name((11, 3))
        'b3'
        >>> Board.rectangle(40, 1).name((11, 0))
        '11,0'
        """
        return self.names[cell]

    @cached_property
    def names(self) -> Mapping[Cell, str]:
        """The names of all cells, in the order of the cells."""
        if all(0 <= place < len(_DIGITS) for cell in self.cells for place in cell):
            return {(r, c): _DIGITS[r] + _DIGITS[c] for r, c in self.cells}
        return {(r, c): f"{r},{c}" for r, c in self.cells}

    def moves(self, turns: Turns = "free") -> list[Move]:
        """List the moves that take the board to itself, the idle one first.

        Examples
        --------
        >>> [len(Board.rectangle(6, 10).moves(t)) for t in ("free", "one-sided")]
        [4, 2]
        """
        found = []
        for symmetry in symmetries(turns):
            top, left = corner(apply(symmetry, self.cells))
            move = (symmetry, (self.origin[0] - top, self.origin[1] - left))
            if moved(move, self.cells) == self.cells:
                found.append(move)
        return found

    def __iter__(self) -> Iterator[Cell]:
        """Go through the cells, row by row."""
        return iter(self.cells)

    def __len__(self) -> int:
        """Count the cells."""
        return len(self.cells)

    def __str__(self) -> str:
        """Draw the cells as `#` and what lies between as dots."""
        return to_picture(self.cells)


def parse_cell(name: str) -> Cell | None:
    """Read the name of a cell, as any board would write it; None if it is no such name.

    Examples
    --------
    >>> parse_cell("b3"), parse_cell("11,0"), parse_cell("P")
    ((11, 3), (11, 0), None)
    """
    if _SHORT_NAME.fullmatch(name):
        return int(name[0], 36), int(name[1], 36)
    pair = _LONG_NAME.fullmatch(name)
    return (int(pair[1]), int(pair[2])) if pair else None
