"""Pieces laid on a board: read from covers and pictures, and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from .boards import Board, parse_cell
from .settings import check_setting
from .shapes import STEPS, Cell, Shape
from .walls import COLORS, contrasting, walls

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Placement", "Style", "draw", "placements", "read"]

Style: TypeAlias = Literal["walls", "lines", "letters"]

_SIZES = {"walls": (2, 4), "lines": (1, 2)}
# Regions besides the pieces, which are numbered from 0.
_OPEN, _HOLE = -1, -2
_SHADES = {_OPEN: "░", _HOLE: "█"}


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a piece lies.

    Attributes
    ----------
    piece : str
        The name of the piece; empty where the problem does not tell pieces apart.
    cells : tuple of (int, int)
        The cells it covers, as pairs (row, column).
    """

    piece: str
    cells: Shape


def placements(
    packing: Iterable[Placement | Iterable[str]],
) -> tuple[Placement, ...]:
    """Read off where the pieces of a packing lie.

    Parameters
    ----------
    packing : Cover, or iterable
        A cover of a packing problem, or any options, each given by the names of its
        items: those of cells say where, the first other one says which piece. Options
        without cells are passed over. A `Placement` stays as it is.

    Examples
    --------
    >>> placements([("T", "00", "01", "02", "11")])
    (Placement(piece='T', cells=((0, 0), (0, 1), (0, 2), (1, 1))),)
    """
    read = (
        part if isinstance(part, Placement) else _from_option(part) for part in packing
    )
    return tuple(placement for placement in read if placement.cells)


def _from_option(names: Iterable[str]) -> Placement:
    piece, cells = "", []
    for name in names:
        cell = parse_cell(name)
        if cell is not None:
            cells.append(cell)
        elif not piece:
            piece = name
    return Placement(piece, tuple(cells))


def read(picture: str, origin: Cell = (0, 0)) -> tuple[Placement, ...]:
    """Read a picture of letters, as `draw` makes it.

    Names are separated by blanks, one for each cell, and a dot stands for no piece.
    Cells with the same name belong to the same piece.

    Parameters
    ----------
    picture : str
    origin : (int, int)
        The coordinates of the top left cell of the picture.

    Returns
    -------
    tuple of Placement
        In the order in which the picture meets them.

    Examples
    --------
    >>> for placement in read('''
    ...     I L L
    ...     I . L
    ... '''):
    ...     print(placement.piece, *placement.cells)
    I (0, 0) (1, 0)
    L (0, 1) (0, 2) (1, 2)
    """
    found: dict[str, list[Cell]] = {}
    lines = picture.strip().splitlines()
    for row, line in enumerate(lines, origin[0]):
        for column, name in enumerate(line.split(), origin[1]):
            if name != ".":
                found.setdefault(name, []).append((row, column))
    return tuple(Placement(name, tuple(cells)) for name, cells in found.items())


def draw(
    packing: Iterable[Placement | Iterable[str]],
    board: Board | None = None,
    style: Style = "walls",
    *,
    color: bool = False,
) -> str:
    """Draw the pieces as they lie on a board.

    Parameters
    ----------
    packing : Cover, or iterable
        What `placements` can read.
    board : Board, optional
        What there is to cover; by default just what is covered.
    style : {"walls", "lines", "letters"}
        Walls around the pieces; the same at half the size; or the names of the pieces
        separated by blanks, with a dot where there is none. Pieces without a name get
        letters so that no two that touch have the same. With walls, cells left open
        are shaded lightly and holes in the board are solid; the smallest picture has
        no room for such marks.
    color : bool
        Give each piece in a picture with walls a background, the same in every packing
        of the same pieces, by escape sequences that terminals understand.

    Raises
    ------
    ProblemError
        If there is no such style, or a piece lies on a cell that the board has not.

    Examples
    --------
    >>> packing = ["P 00 01 10 11 12".split(), "Q 02 03 04 05 15".split()]
    >>> print(draw(packing, style="letters"))
    P P Q Q Q Q
    P P P . . Q
    >>> print(draw(packing))
    ╭───────┬───────────────╮
    │       │               │
    │       ╰───┬───────╮   │
    │           │       │   │
    ╰───────────╯       ╰───╯
    """
    check_setting("style", style, get_args(Style))
    placed = placements(packing)
    regions = {
        cell: k for k, placement in enumerate(placed) for cell in placement.cells
    }
    if board is None:
        board = Board(regions)
    elif not regions.keys() <= set(board):
        stray = min(regions.keys() - set(board))
        raise ProblemError(f"the cell {stray} is not on the board")
    if style == "letters":
        return _letters(placed, regions, board)
    colors: dict[int, int] = {}
    if color:
        ranks = {name: k for k, name in enumerate(sorted({p.piece for p in placed}))}
        wanted = {k: ranks[placement.piece] for k, placement in enumerate(placed)}
        colors = contrasting(regions, wanted, COLORS)
    holes = dict.fromkeys(_holes(board), _HOLE)
    everything = dict.fromkeys(board, _OPEN) | holes | regions
    return walls(everything, size=_SIZES[style], shades=_SHADES, colors=colors)


def _letters(
    placed: Sequence[Placement], regions: dict[Cell, int], board: Board
) -> str:
    """Draw names separated by blanks, in columns as wide as the longest one."""
    numbers = contrasting(regions, dict.fromkeys(range(len(placed)), 0), 26)
    names = [p.piece or ascii_uppercase[numbers[k]] for k, p in enumerate(placed)]
    width = max(map(len, names), default=1)
    top, left, bottom, right = _box(board)
    lines = []
    for row in range(top, bottom + 1):
        cells = ((row, column) for column in range(left, right + 1))
        line = [names[regions[cell]] if cell in regions else "." for cell in cells]
        lines.append(" ".join(name.ljust(width) for name in line).rstrip())
    return "\n".join(lines)


def _box(board: Board) -> tuple[int, int, int, int]:
    """Return the first row and column, and the last ones, of the box around a board."""
    rows, columns = zip(*board, strict=True)
    return min(rows), min(columns), max(rows), max(columns)


def _holes(board: Board) -> set[Cell]:
    """Find the cells off the board from which no path of such cells leads away."""
    top, left, bottom, right = _box(board)
    around = {
        (row, column)
        for row in range(top - 1, bottom + 2)
        for column in range(left - 1, right + 2)
    }.difference(board)
    reached = [(top - 1, left - 1)]
    around.discard(reached[0])
    for row, column in reached:
        for down, sideways in STEPS:
            cell = (row + down, column + sideways)
            if cell in around:
                around.remove(cell)
                reached.append(cell)
    return around
