"""Square tiles with a color on each side, and boards to lay them on.

A tile is its four colors, clockwise from the top: north, east, south, west. Turned by
r quarter turns clockwise, what was on the north is on the east, and so on.

In Python tiles count from 0, as all that is indexed does; in texts and in the names of
items they count from 1, as the lines of a file do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from ..errors import ProblemError
from .settings import check_setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .shapes import Cell

__all__ = ["Kind", "Laid", "Placement", "Puzzle", "Tile", "TileError", "turned"]

Tile: TypeAlias = tuple[int, int, int, int]
Kind: TypeAlias = Literal["border", "rim", "open", "torus"]
Laid: TypeAlias = "dict[Cell, tuple[int, int]]"
"""The number of the tile on each cell, and its quarter turns clockwise."""

SIDES = 4
NORTH, EAST, SOUTH, WEST = range(SIDES)
_OUTLINES: Mapping[tuple[bool, ...], str] = {
    (False, False, False, False): "no side",
    (False, False, False, True): "one side",
    (False, False, True, True): "two sides that meet",
    (False, True, False, True): "two opposite sides",
    (False, True, True, True): "three sides",
    (True, True, True, True): "all sides",
}


class TileError(ProblemError):
    """A tile cannot be what it is, or a hint not where it is.

    Attributes
    ----------
    why : str
    tile : int, optional
        The number of the tile, if that is at fault.
    cell : (int, int), optional
        The cell of the hint, if that is.
    """

    def __init__(
        self, why: str, *, tile: int | None = None, cell: Cell | None = None
    ) -> None:
        super().__init__(why)
        self.why = why
        self.tile = tile
        self.cell = cell

    def __str__(self) -> str:
        at = f"tiles[{self.tile}]" if self.cell is None else f"hint at {self.cell}"
        return f"{at}: {self.why}"


class Placement(NamedTuple):
    """A tile on a cell, and what it shows there."""

    cell: Cell
    number: int
    turn: int
    sides: Tile


@dataclass(frozen=True)
class Puzzle:
    """Tiles, as many as the board has cells, and where they may lie.

    Attributes
    ----------
    rows, columns : int, > 0
    tiles : sequence of tiles
        Equal tiles are told apart: with m equal ones there are m! times as many covers.
    kind : {"border", "rim", "open", "torus"}
        Border: sides of the border color are at the edge of the board, and only there.
        Rim: they are at the edge, and elsewhere too. Open: any color is at the edge.
        Torus: the edge is glued to the opposite one.
    color : int
        The color of border and rim.
    hints : mapping of cells to (int, int)
        Tiles given, as their numbers from 0 and quarter turns clockwise.

    Raises
    ------
    TileError
        If a hint names a cell, a tile or a turn that is not there, or the tile of
        another hint, or turns the wrong side to the edge; or if with a border a tile
        has no place, as there are too many corners, say.
    ProblemError
        If the number of tiles is wrong, or there is no such kind.

    Examples
    --------
    >>> Puzzle(1, 2, [(0, 1, 0, 0), (0, 1, 0, 1)])
    Traceback (most recent call last):
    dcells_async.puzzles.tiles.TileError: tiles[1]: it has the border color 0 on two
    opposite sides, and the board has 0 places for such tiles
    """

    rows: int
    columns: int
    tiles: Sequence[Tile]
    kind: Kind = "border"
    color: int = 0
    hints: Mapping[Cell, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        check_setting("kind", self.kind, get_args(Kind))
        if self.rows < 1 or self.columns < 1:
            raise ProblemError(f"no board has {self.rows} x {self.columns} cells")
        if len(self.tiles) != self.rows * self.columns:
            raise ProblemError(
                f"a board of {self.rows} x {self.columns} cells needs "
                f"{self.rows * self.columns} tiles, not {len(self.tiles)}"
            )
        for number, tile in enumerate(self.tiles):
            if len(tile) != SIDES:
                raise TileError(f"it has {len(tile)} sides: {tile!r}", tile=number)
        if self.kind == "border":
            self._check_outlines()
        self._check_hints()

    @property
    def cells(self) -> Iterator[Cell]:
        """All cells, row by row."""
        return product(range(self.rows), range(self.columns))

    def placements(self, fix: bool = False) -> Iterator[Placement]:
        """Give all placements that may be, cell by cell.

        A tile that looks the same when turned is given once. For `fix` see `edges`.
        """
        fixed = self._fixed() if fix else {}
        away = {number for number, _ in self.hints.values()} | {
            place.number for place in fixed
        }
        free = [number for number in range(len(self.tiles)) if number not in away]
        fitting: dict[object, list[tuple[int, int, Tile]]] = {}
        for cell in self.cells:
            if cell in self.hints:
                number, turn = self.hints[cell]
                yield Placement(cell, number, turn, turned(self.tiles[number], turn))
                continue
            at_edge = self._at_edge(cell)
            if at_edge not in fitting:
                # Cells with the same sides at the edge may have the same tiles.
                fitting[at_edge] = [
                    (number, turn, sides)
                    for number in free
                    for turn, sides in self.turns(cell, number)
                ]
            for number, turn, sides in fitting[at_edge]:
                yield Placement(cell, number, turn, sides)
            for place in fixed:
                if place.cell == cell:
                    yield place

    def turns(self, cell: Cell, number: int) -> Iterator[tuple[int, Tile]]:
        """Give the quarter turns that a tile may have on a cell, and what it shows.

        Of turns that look the same the first is given. Of hints, only that on this cell
        is heeded.
        """
        tile = self.tiles[number]
        if cell in self.hints:
            turn = self.hints[cell][1]
            yield turn, turned(tile, turn)
            return
        seen = set()
        for turn in range(SIDES):
            sides = turned(tile, turn)
            if sides not in seen and self._fits(cell, sides):
                seen.add(sides)
                yield turn, sides

    def _at_edge(self, cell: Cell) -> tuple[bool, ...]:
        row, column = cell
        return (
            row == 0,
            column == self.columns - 1,
            row == self.rows - 1,
            column == 0,
        )

    def _fits(self, cell: Cell, sides: Tile) -> bool:
        if self.kind in ("open", "torus"):
            return True
        return all(
            color == self.color if edge else color != self.color or self.kind == "rim"
            for edge, color in zip(self._at_edge(cell), sides, strict=True)
        )

    def _check_outlines(self) -> None:
        places = Counter(_outline(self._at_edge(cell)) for cell in self.cells)
        left = Counter(places)
        for number, tile in enumerate(self.tiles):
            shape = _outline(tuple(color == self.color for color in tile))
            left[shape] -= 1
            if left[shape] < 0:
                raise TileError(
                    f"it has the border color {self.color} on {_OUTLINES[shape]}, and "
                    f"the board has {places[shape]} places for such tiles",
                    tile=number,
                )

    def _check_hints(self) -> None:
        seen: dict[int, Cell] = {}
        for cell, (number, turn) in self.hints.items():
            row, column = cell
            if not (0 <= row < self.rows and 0 <= column < self.columns):
                raise TileError("that is not on the board", cell=cell)
            if not 0 <= number < len(self.tiles):
                raise TileError(
                    f"there are {len(self.tiles)} tiles, and that is not one of them",
                    cell=cell,
                )
            if not 0 <= turn < SIDES:
                raise TileError(f"quarter turns are 0 to 3, not {turn}", cell=cell)
            if number in seen:
                raise TileError(
                    f"the same tile is in row {seen[number][0] + 1}, "
                    f"column {seen[number][1] + 1}",
                    cell=cell,
                )
            seen[number] = cell
            sides = turned(self.tiles[number], turn)
            if not self._fits(cell, sides):
                raise TileError(
                    f"turned {turn} times it shows {' '.join(map(str, sides))}, which "
                    f"does not agree with the {self.kind} of color {self.color}",
                    cell=cell,
                )

    def _fixed(self) -> dict[Placement, None]:
        """Give one tile its places, one for all that symmetries make of each other."""
        if self.hints:
            raise ProblemError("with hints there is no symmetry to be fixed against")
        # Only a tile that looks different each way cannot be where it was after the
        # board was turned.
        uneven = [n for n, tile in enumerate(self.tiles) if tile[:2] != tile[2:]]
        if not uneven:
            raise ProblemError(
                "all tiles look the same when turned twice: none can be fixed"
            )
        number = max(uneven, key=lambda n: (self._is_corner(n), -n))
        places = {
            (cell, turn): Placement(cell, number, turn, sides)
            for cell in self.cells
            for turn, sides in self.turns(cell, number)
        }
        fixed: dict[Placement, None] = {}
        met: set[tuple[Cell, int]] = set()
        for (cell, turn), place in places.items():
            if (cell, turn) not in met:
                fixed[place] = None
                met.update(self._images(cell, turn))
        return fixed

    def _is_corner(self, number: int) -> bool:
        return self.kind == "border" and self.tiles[number].count(self.color) > 1

    def _images(self, cell: Cell, turn: int) -> Iterator[tuple[Cell, int]]:
        """Turn the board in all ways that leave its shape, and shift a torus."""
        is_torus = self.kind == "torus"
        shifts = [*self.cells] if is_torus else [(0, 0)]
        for quarters in range(SIDES) if self.rows == self.columns else (0, 2):
            row, column = cell
            rows, columns = self.rows, self.columns
            for _ in range(quarters):
                row, column = column, rows - 1 - row
                rows, columns = columns, rows
            for down, right in shifts:
                moved = (row + down) % self.rows, (column + right) % self.columns
                yield moved, (turn + quarters) % SIDES


def turned(tile: Tile, turns: int) -> Tile:
    """Turn a tile by quarter turns clockwise.

    Examples
    --------
    >>> turned((1, 2, 3, 4), 1)
    (4, 1, 2, 3)
    """
    north, east, south, west = (tile[(side - turns) % SIDES] for side in range(SIDES))
    return north, east, south, west


def _outline(at_edge: tuple[bool, ...]) -> tuple[bool, ...]:
    """Forget how a pattern of sides is turned."""
    return min(at_edge[k:] + at_edge[:k] for k in range(SIDES))
