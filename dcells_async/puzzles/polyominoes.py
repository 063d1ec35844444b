"""Packing polyominoes into a board.

An option is a way to lay a piece: the piece's name, then the names of the cells that
it covers. An exact cover uses every piece once and covers every cell once. Cells come
before pieces among the items, row by row, and options go by piece, then orientation,
then place, as in the files that Knuth's generator writes; so covers come in the same
order, too.

>>> board = Board.rectangle(2, 4)
>>> ell = Piece("L", [(0, 0), (0, 1), (0, 2), (1, 0)])
>>> ess = Piece("S", [(0, 1), (0, 2), (1, 0), (1, 1)])
>>> for option in packing(board, [ell, ess], turns="fixed").options:
...     print(*option)
L 00 01 02 10
L 01 02 03 11
S 01 02 10 11
S 02 03 11 12
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from ..problem import Problem
from .boards import Board, parse_cell
from .pieces import PENTOMINOES, Piece, polyominoes
from .placements import Placement, Style, draw, placements, read
from .settings import check_setting
from .shapes import Cell, Move, Shape, Turns, moved, shifted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "PENTOMINOES",
    "Board",
    "Piece",
    "Placement",
    "Style",
    "Turns",
    "draw",
    "packing",
    "pentominoes",
    "placements",
    "polyominoes",
    "read",
]

Copies: TypeAlias = Literal["exactly one", "at most one", "any number"]


def packing(
    board: Board,
    pieces: Iterable[Piece],
    *,
    turns: Turns = "free",
    copies: Copies = "exactly one",
    gaps: bool = False,
    up_to_symmetry: bool = False,
) -> Problem:
    """Ask for all ways to lay pieces on a board so that they do not overlap.

    The items are the names of the cells, which are primary, followed by those of the
    pieces. A problem that cannot be solved because the cells of the pieces do not add
    up to those of the board is built all the same.

    Parameters
    ----------
    board : Board
    pieces : iterable of Piece
        With different names, none of which is a cell's.
    turns : {"free", "one-sided", "fixed"}
        Whether a piece may be rotated and turned over, only rotated, or neither.
    copies : {"exactly one", "at most one", "any number"}
        How often each piece is there. The names of pieces are primary items, secondary
        items, or no items at all.
    gaps : bool
        Whether cells may remain open. They are secondary items then, and come last.
    up_to_symmetry : bool
        Whether to give just one packing of each class, two packings being in a class
        if a symmetry of the board that pieces can follow (by `turns`) takes one to the
        other. See the notes.

    Raises
    ------
    ProblemError
        If a name is there twice or is that of a cell; if nothing need be covered; or if
        the symmetry cannot be broken by restricting one piece.

    Notes
    -----
    Symmetry is broken by a piece that is there exactly once and that no symmetry of the
    board maps to itself wherever it lies. The ways to lay it then fall into classes of
    the size of the group, and only the first of each class is kept. Since no symmetry
    fixes the piece, none fixes a whole packing; so the packings, too, fall into classes
    of that size, and exactly one member of each has the piece at a kept place. Of
    several such pieces the one with fewest places is taken: among the pentominoes X on
    a board of 6 by 10, and V on one of 5 by 12, where X could lie on the middle line. A
    piece with eight orientations can always be used.

    Examples
    --------
    >>> domino = Piece("I", [(0, 0), (0, 1)])
    >>> problem = packing(Board.rectangle(2, 3), [domino], copies="any number")
    >>> [item.label for item in problem.items]
    ['00', '01', '02', '10', '11', '12']
    >>> len(problem.options)
    7
    """
    pieces = _checked(pieces, copies, gaps)
    ways = {piece.name: list(_ways(board, piece, turns)) for piece in pieces}
    if up_to_symmetry:
        _break_symmetry(ways, board.moves(turns), copies)
    cells = list(board.names.values())
    primary = [] if gaps else cells
    secondary = cells if gaps else []
    if copies == "exactly one":
        primary = [*primary, *ways]
    elif copies == "at most one":
        secondary = [*ways, *secondary]
    options = [
        [*([] if copies == "any number" else [name]), *map(board.name, way)]
        for name, laid in ways.items()
        for way in laid
    ]
    return Problem.from_options(options, primary=primary, secondary=secondary)


def pentominoes(rows: int, columns: int, holes: Iterable[Cell] = ()) -> Problem:
    """Ask for all ways to fill a rectangle with the twelve pentominoes.

    Parameters
    ----------
    rows, columns : int, > 0
    holes : iterable of (int, int)
        Cells that are left out; 60 should remain.

    Raises
    ------
    ProblemError
        If a side is not positive, or a hole lies outside the rectangle.

    Examples
    --------
    >>> problem = pentominoes(6, 10)
    >>> len(problem.items), len(problem.options)
    (72, 2056)
    >>> print(*problem.options[-1])
    Z 38 39 48 57 58
    """
    return packing(Board.rectangle(rows, columns, holes), PENTOMINOES)


def _checked(pieces: Iterable[Piece], copies: Copies, gaps: bool) -> Sequence[Piece]:
    """List the pieces, unless they cannot make a problem with these settings."""
    check_setting("copies", copies, get_args(Copies))
    if gaps and copies != "exactly one":
        raise ProblemError("with gaps, there must be exactly one of each piece")
    pieces = list(pieces)
    names: set[str] = set()
    for piece in pieces:
        if parse_cell(piece.name) is not None:
            raise ProblemError(
                f"a piece cannot be called {piece.name!r}: that is a cell"
            )
        if piece.name in names:
            raise ProblemError(f"two pieces are called {piece.name!r}")
        names.add(piece.name)
    return pieces


def _ways(board: Board, piece: Piece, turns: Turns) -> Iterator[Shape]:
    """Lay a piece on a board in all ways: by orientation, then row by row."""
    cells = set(board)
    for shape in piece.orientations(turns):
        first_row, first_column = shape[0]
        for row, column in board:
            way = shifted(shape, row - first_row, column - first_column)
            if cells.issuperset(way):
                yield way


def _break_symmetry(
    ways: dict[str, list[Shape]], moves: Sequence[Move], copies: Copies
) -> None:
    """Keep just one of each class of equivalent ways to lay one of the pieces."""
    if len(moves) == 1:
        return
    if copies == "exactly one":
        for name in sorted(ways, key=lambda name: len(ways[name])):
            classes = [frozenset(moved(m, way) for m in moves) for way in ways[name]]
            if all(len(equivalent) == len(moves) for equivalent in classes):
                ways[name] = _first_of_each(ways[name], classes)
                return
    raise ProblemError(
        "no piece is there exactly once and breaks every symmetry of the board"
    )


def _first_of_each(ways: list[Shape], classes: list[frozenset[Shape]]) -> list[Shape]:
    seen: set[frozenset[Shape]] = set()
    kept = []
    for way, equivalent in zip(ways, classes, strict=True):
        if equivalent not in seen:
            seen.add(equivalent)
            kept.append(way)
    return kept
