"""Polyominoes: shapes made of squares joined edge to edge, and sets of them."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

from ..errors import ProblemError
from .shapes import (
    STEPS,
    Cell,
    Shape,
    Turns,
    at_origin,
    checked,
    from_picture,
    orientations,
    to_picture,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["PENTOMINOES", "Piece", "polyominoes"]


@dataclass(frozen=True, init=False)
class Piece:
    """A shape with a name, to be laid on a board.

    Two pieces are equal if they have the same name and the same cells as they lie;
    where the cells are does not matter, so they are kept in the top left corner.
    Nothing asks that the cells hang together.

    Parameters
    ----------
    name : str
        Without blanks, colons or bars, and not a single dot.
    cells : iterable of (int, int)
        Pairs (row, column), in any order, each once; at least one.

    Attributes
    ----------
    name : str
    cells : tuple of (int, int)

    Raises
    ------
    ProblemError
        If the name cannot be an item's, or there are no cells, one of them is not a
        pair of integers, or comes twice.

    Examples
    --------
    >>> piece = Piece("J", [(5, 5), (6, 5), (6, 6), (6, 7)])
    >>> print(piece)
    #..
    ###
    >>> len(piece), len(piece.orientations("free"))
    (4, 8)
    """

    name: str
    cells: Shape

    def __init__(self, name: str, cells: Iterable[Cell]) -> None:
        if not name or name == "." or any(c.isspace() or c in ":|" for c in name):
            raise ProblemError(f"a piece cannot be called {name!r}")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "cells", at_origin(checked(cells, f"piece {name}")))

    @classmethod
    def from_text(cls, name: str, picture: str) -> Piece:
        """Read a picture with one character for each cell, blanks and dots being none.

        Examples
        --------
        >>> Piece.from_text("L", '''
        ...     #.
        ...     #.
        ...     ##
        ... ''').cells
        ((0, 0), (1, 0), (2, 0), (2, 1))
        """
        return cls(name, from_picture(picture))

    def orientations(self, turns: Turns = "free") -> tuple[Shape, ...]:
        """List the different ways in which the piece can lie, the given one first.

        Parameters
        ----------
        turns : {"free", "one-sided", "fixed"}
            Whether it may be rotated and turned over, only rotated, or neither.

        Examples
        --------
        >>> [len(PENTOMINOES[2].orientations(t)) for t in ("free", "one-sided")]
        [8, 4]
        """
        return orientations(self.cells, turns)

    def __len__(self) -> int:
        """Count the cells."""
        return len(self.cells)

    def __str__(self) -> str:
        """Draw the cells as `#` and what lies between as dots."""
        return to_picture(self.cells)


PENTOMINOES = tuple(
    Piece.from_text(name, picture.replace("/", "\n"))
    for name, picture in {
        "O": "#####",
        "P": "##/##/#.",
        "Q": "####/...#",
        "R": ".##/##./.#.",
        "S": "..##/###.",
        "T": "###/.#./.#.",
        "U": "#.#/###",
        "V": "###/#../#..",
        "W": "#../##./.##",
        "X": ".#./###/.#.",
        "Y": "..#./####",
        "Z": "##./.#./.##",
    }.items()
)
"""The twelve free pentominoes by Conway's names, lying as Knuth's data files say."""


def polyominoes(size: int, turns: Turns = "free") -> tuple[Piece, ...]:
    """Enumerate the polyominoes of a size.

    Two polyominoes count as the same if one can be moved onto the other; the setting
    says what moves there are besides sliding. Each is given by its smallest
    orientation, compared as sorted cells, and they come in increasing order, named
    A, B, ..., Z, AA, AB and so on. (The names that pentominoes are known by are in
    `PENTOMINOES`.)

    Parameters
    ----------
    size : int, > 0
        Numbers of cells up to 10 or so are a matter of seconds.
    turns : {"free", "one-sided", "fixed"}
        Whether a piece may be rotated and turned over, only rotated, or neither.

    Raises
    ------
    ProblemError
        If the size is not positive, or there is no such setting.

    Examples
    --------
    >>> [len(polyominoes(size)) for size in range(1, 7)]
    [1, 1, 2, 5, 12, 35]
    >>> [len(polyominoes(size, "one-sided")) for size in range(1, 7)]
    [1, 1, 2, 7, 18, 60]
    >>> [len(polyominoes(size, "fixed")) for size in range(1, 7)]
    [1, 2, 6, 19, 63, 216]
    """
    if size < 1:
        raise ProblemError(f"a polyomino has at least one cell, not {size}")
    shapes = {min(orientations(((0, 0),), turns))}
    for _ in range(size - 1):
        shapes = {
            min(orientations((*shape, cell), turns))
            for shape in shapes
            for cell in _neighbors(shape)
        }
    return tuple(map(Piece, _names(), sorted(shapes)))


def _neighbors(shape: Shape) -> set[Cell]:
    """Return the cells next to a shape but not in it."""
    around = ((r + dr, c + dc) for r, c in shape for dr, dc in STEPS)
    return set(around).difference(shape)


def _names() -> Iterator[str]:
    """Count in capital letters, which cannot be taken for the digits of a cell."""
    yield from ascii_uppercase
    for name in _names():
        yield from (name + letter for letter in ascii_uppercase)
