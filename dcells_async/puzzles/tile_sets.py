"""Sets of tiles: at random with an answer, and MacMahon's squares."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

from ..errors import ProblemError
from .tiles import SIDES, Puzzle, turned

if TYPE_CHECKING:
    from .tiles import Kind, Tile

__all__ = ["macmahon", "random_puzzle"]

_PATIENCE = 200


def random_puzzle(
    rows: int,
    columns: int,
    colors: int,
    seed: int = 1,
    kind: Kind = "border",
    *,
    frame: int = 0,
    distinct: bool = False,
) -> Puzzle:
    """Cut a board with random colors 1, ..., `colors` into tiles, and mix them.

    So there is an answer. The border, or rim, has color 0.

    Parameters
    ----------
    rows, columns : int, > 0
    colors : int, > 0
    seed : int
        The same puzzle for the same seed.
    kind : {"border", "rim", "open", "torus"}
    frame : int, >= 0
        With a border: so many further colors, `colors` + 1 and on, and these alone,
        are where two tiles at the edge of the board meet along it. Eternity II has 17
        colors, and 5 for the frame.
    distinct : bool
        Whether no two tiles shall be equal, and none look the same when turned.

    Raises
    ------
    ProblemError
        If the board has no cells, there are no colors, no such kind, a frame without a
        border, or too few colors for so many distinct tiles.

    Examples
    --------
    >>> random_puzzle(2, 2, 3).tiles == random_puzzle(2, 2, 3, seed=1).tiles
    True
    >>> random_puzzle(2, 2, 1, frame=2).tiles
    [(2, 0, 0, 2), (0, 0, 2, 2), (3, 2, 0, 0), (0, 2, 3, 0)]
    """
    if colors < 1 or frame < 0:
        raise ProblemError(f"there cannot be {min(colors, frame)} colors")
    if frame and kind != "border":
        raise ProblemError("only a border has a frame with colors of its own")
    draws = Random(seed)
    cut = _Cut(rows, columns, colors, kind, frame, draws)
    tiles = cut.tiles()
    if distinct:
        for _ in range(_PATIENCE * rows * columns):
            twin = _twin(tiles)
            if twin is None:
                break
            cut.repaint(*divmod(twin, columns))
            tiles = cut.tiles()
        else:
            raise ProblemError(
                f"{colors} colors seem to be too few for {rows * columns} distinct "
                "tiles"
            )
    tiles = [turned(tile, draws.randrange(SIDES)) for tile in tiles]
    draws.shuffle(tiles)
    return Puzzle(rows, columns, tiles, kind)


class _Cut:
    """A board and the colors of its edges: above each cell, and to the left of it."""

    def __init__(
        self,
        rows: int,
        columns: int,
        colors: int,
        kind: Kind,
        frame: int,
        draws: Random,
    ) -> None:
        self._rows, self._columns = rows, columns
        self._colors, self._frame = colors, frame
        self._kind, self._draws = kind, draws
        self._above = {
            place: self._color(place, 0)
            for place in product(range(rows + (kind != "torus")), range(columns))
        }
        self._left = {
            place: self._color(place, 1)
            for place in product(range(rows), range(columns + (kind != "torus")))
        }

    def tiles(self) -> list[Tile]:
        """Read the tiles off, row by row."""
        return [
            (
                self._above[r, c],
                self._left[r, c + 1 if (r, c + 1) in self._left else 0],
                self._above[r + 1 if (r + 1, c) in self._above else 0, c],
                self._left[r, c],
            )
            for r, c in product(range(self._rows), range(self._columns))
        ]

    def repaint(self, row: int, column: int) -> None:
        """Draw the edges above and to the left of a cell again, and those beyond."""
        for place in ((row, column), (row + 1, column)):
            if place in self._above:
                self._above[place] = self._color(place, 0)
        for place in ((row, column), (row, column + 1)):
            if place in self._left:
                self._left[place] = self._color(place, 1)

    def _color(self, place: tuple[int, int], axis: int) -> int:
        """Draw a color for an edge, across the rows (axis 0) or the columns (1)."""
        along, across = place[1 - axis], place[axis]
        ends = (self._rows, self._columns)
        if self._kind in ("border", "rim") and across in (0, ends[axis]):
            return 0
        if self._frame and along in (0, ends[1 - axis] - 1):
            return self._draws.randint(self._colors + 1, self._colors + self._frame)
        return self._draws.randint(1, self._colors)


def _twin(tiles: list[Tile]) -> int | None:
    """Find a tile that is equal to one before it, or to itself when turned."""
    seen: set[Tile] = set()
    for number, tile in enumerate(tiles):
        images = {turned(tile, turn) for turn in range(SIDES)}
        if len(images) < SIDES or tile in seen:
            return number
        seen |= images
    return None


def macmahon(colors: int = 3) -> list[Tile]:
    """Give all different tiles of so many colors: MacMahon's 24 squares for three.

    Examples
    --------
    >>> len(macmahon()), len(macmahon(2))
    (24, 6)
    """
    tiles: list[Tile] = []
    for north, east, south, west in product(range(colors), repeat=SIDES):
        tile = (north, east, south, west)
        if tile == min(turned(tile, turn) for turn in range(SIDES)):
            tiles.append(tile)
    return tiles
