"""Square tiles with a color on each side, and boards to lay them on.

A tile is its four colors, clockwise from the top: north, east, south, west. Turned by
r quarter turns clockwise, what was on the north is on the east, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from .settings import check_setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .shapes import Cell

__all__ = [
    "Kind",
    "Puzzle",
    "Tile",
    "macmahon",
    "random_puzzle",
    "read_tiles",
    "turned",
    "write_tiles",
]

Tile: TypeAlias = tuple[int, int, int, int]
Kind: TypeAlias = Literal["border", "rim", "open", "torus"]
Placement: TypeAlias = "tuple[Cell, int, int]"

_SIDES = 4


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
    ProblemError
        If the number of tiles is wrong, there is no such kind, or a hint names a cell,
        a tile or a turn that is not there, or the tile of another hint.
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
        for number, tile in enumerate(self.tiles, 1):
            if len(tile) != _SIDES:
                raise ProblemError(f"tile {number} has {len(tile)} sides: {tile!r}")
        seen: dict[int, Cell] = {}
        for (row, column), (tile_number, turn) in self.hints.items():
            if not (0 <= row < self.rows and 0 <= column < self.columns):
                raise ProblemError(f"hint at ({row}, {column}): not on the board")
            if not (0 <= tile_number < len(self.tiles) and 0 <= turn < _SIDES):
                raise ProblemError(
                    f"hint at ({row}, {column}): there is no tile {tile_number} "
                    f"turned {turn} times"
                )
            if tile_number in seen:
                raise ProblemError(
                    f"hints at {seen[tile_number]} and ({row}, {column}): "
                    f"both are tile {tile_number}"
                )
            seen[tile_number] = (row, column)

    def placements(self, fix: bool = False) -> Iterator[Placement]:
        """Give each (cell, tile number, quarter turns) that may be.

        A tile that looks the same when turned is given once. See `edges` for `fix`.
        """
        place = {number: cell for cell, (number, _) in self.hints.items()}
        fixed, homes = self._fixed() if fix else (-1, set())
        for cell in product(range(self.rows), range(self.columns)):
            for number, tile in enumerate(self.tiles):
                if cell in self.hints:
                    if self.hints[cell][0] != number:
                        continue
                elif number in place or (number == fixed and cell not in homes):
                    continue
                shapes = set()
                turns = (self.hints[cell][1],) if cell in self.hints else range(_SIDES)
                for turn in turns:
                    sides = turned(tile, turn)
                    if sides not in shapes and self._fits(cell, sides):
                        shapes.add(sides)
                        yield cell, number, turn

    def _fits(self, cell: Cell, sides: Tile) -> bool:
        if self.kind in ("open", "torus"):
            return True
        row, column = cell
        at_edge = (
            row == 0,
            column == self.columns - 1,
            row == self.rows - 1,
            column == 0,
        )
        return all(
            color == self.color if edge else color != self.color or self.kind == "rim"
            for edge, color in zip(at_edge, sides, strict=True)
        )

    def _fixed(self) -> tuple[int, set[Cell]]:
        if self.hints:
            raise ProblemError("with hints there is no symmetry to be fixed against")
        if self.kind == "torus":
            return 0, {(0, 0)}
        if self.kind != "border" or min(self.rows, self.columns) == 1:
            raise ProblemError(
                "only a border with four corners, or a torus, can be fixed"
            )
        for number, tile in enumerate(self.tiles):
            at = [color == self.color for color in tile]
            if sum(at) == 2 and at[0] != at[2]:
                across = 1 if self.rows == self.columns else self.columns
                return number, {(0, 0), (0, across - 1)}
        raise ProblemError("there is no corner tile to be fixed")


def turned(tile: Tile, turns: int) -> Tile:
    """Turn a tile by quarter turns clockwise.

    Examples
    --------
    >>> turned((1, 2, 3, 4), 1)
    (4, 1, 2, 3)
    """
    north, east, south, west = (tile[(side - turns) % _SIDES] for side in range(_SIDES))
    return north, east, south, west


def read_tiles(text: str) -> list[Tile]:
    """Read tiles, a line of four numbers for each: north, east, south, west.

    What follows a `#` does not count, nor do empty lines.

    Raises
    ------
    ProblemError
        If a line does not hold four whole numbers from 0 up; it tells which line.

    Examples
    --------
    >>> read_tiles("0 1 2 0  # a corner\\n0 3 3 1\\n")
    [(0, 1, 2, 0), (0, 3, 3, 1)]
    """
    tiles: list[Tile] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        match line.partition("#")[0].split():
            case []:
                pass
            case words if len(words) == _SIDES and all(
                word.isascii() and word.isdigit() for word in words
            ):
                north, east, south, west = map(int, words)
                tiles.append((north, east, south, west))
            case _:
                raise ProblemError(
                    f"line {number}: a tile is four whole numbers "
                    f"(north, east, south, west), not {line.strip()!r}"
                )
    return tiles


def write_tiles(tiles: Sequence[Tile]) -> str:
    """Write tiles as `read_tiles` reads them."""
    return "".join(" ".join(map(str, tile)) + "\n" for tile in tiles)


def random_puzzle(
    rows: int, columns: int, colors: int, seed: int = 1, kind: Kind = "border"
) -> Puzzle:
    """Cut a board with random colors 1, ..., `colors` into tiles, and mix them.

    So there is an answer. The border, or rim, has color 0.

    Raises
    ------
    ProblemError
        If the board has no cells, there are no colors, or no such kind.

    Examples
    --------
    >>> random_puzzle(2, 2, 3).tiles == random_puzzle(2, 2, 3, seed=1).tiles
    True
    """
    if colors < 1:
        raise ProblemError(f"there cannot be {colors} colors")
    draws = Random(seed)
    # The side above a cell, and the one to its left, with one row or column more.
    above = [[draws.randint(1, colors) for _ in range(columns)] for _ in range(rows)]
    left = [[draws.randint(1, colors) for _ in range(columns)] for _ in range(rows)]
    if kind in ("border", "rim"):
        above[:1] = [[0] * columns for _ in above[:1]]
        for line in left:
            line[:1] = [0]
    above.append(list(above[0]) if above else [])
    for line in left:
        line.append(line[0])
    if kind == "open":
        above[rows] = [draws.randint(1, colors) for _ in range(columns)]
        for line in left:
            line[columns] = draws.randint(1, colors)
    tiles = [
        turned(
            (above[r][c], left[r][c + 1], above[r + 1][c], left[r][c]),
            draws.randrange(_SIDES),
        )
        for r in range(rows)
        for c in range(columns)
    ]
    draws.shuffle(tiles)
    return Puzzle(rows, columns, tiles, kind)


def macmahon(colors: int = 3) -> list[Tile]:
    """Give all different tiles of so many colors: MacMahon's 24 squares for three.

    Examples
    --------
    >>> len(macmahon()), len(macmahon(2))
    (24, 6)
    """
    tiles: list[Tile] = []
    for north, east, south, west in product(range(colors), repeat=_SIDES):
        tile = (north, east, south, west)
        if tile == min(turned(tile, turn) for turn in range(_SIDES)):
            tiles.append(tile)
    return tiles
