"""Pictures of domino tilings: one tiling, or where all of them have which domino.

Color the board like a chessboard. A domino lies across or upright, and its first cell
is white or black: these are the four *directions*, called north, south, west and east.
In a random tiling of an Aztec diamond, each of its corners is tiled by one of them
alone, and disorder is confined to a circle (W. Jockusch, J. Propp and P. Shor, Random
domino tilings and the arctic circle theorem, 1998).
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from .boards import parse_cell
from .settings import check_setting
from .walls import walls

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..problem import Problem
    from .shapes import Cell

__all__ = ["Picture", "Style", "chances", "draw", "tiling"]

Style: TypeAlias = Literal["walls", "letters"]

_Domino: TypeAlias = "tuple[Cell, Cell]"
_Color: TypeAlias = "tuple[int, int, int]"

_LETTERS = "NSWE"
_COLORS: tuple[_Color, ...] = (
    (0xD9, 0x48, 0x3B),
    (0x3A, 0x7B, 0xD5),
    (0xF2, 0xB1, 0x34),
    (0x4A, 0xA5, 0x64),
)
"""For dominoes that go north, south, west and east."""

_TINTS = (0, 6, 2, 4)
"""The same among the colors of `walls`."""

_LINE: _Color = (0x22, 0x22, 0x22)
_THIN = 0.06
"""The width of a line, in cells."""


def draw(
    cover: Iterable[Iterable[str]], style: Style = "walls", *, color: bool = False
) -> str:
    """Draw a tiling, with walls around the dominoes or a letter in each cell.

    The letter, and the color, tell the direction.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a problem of dominoes, or the names of the cells of its options.
    style : {"walls", "letters"}
    color : bool
        Whether to color the dominoes, by escape sequences that terminals understand.

    Raises
    ------
    ProblemError
        If there is no such style.

    Examples
    --------
    >>> tiling = [("00", "01"), ("02", "12"), ("10", "11")]
    >>> print(draw(tiling))
    ╭───┬─╮
    ├───┤ │
    ╰───┴─╯
    >>> print(draw(tiling, "letters"))
    NNW
    SSW
    """
    check_setting("style", style, get_args(Style))
    tiles = _tiles(cover)
    if not tiles:
        return ""
    if style == "letters":
        letters = {
            cell: _LETTERS[way]
            for tile, way in zip(tiles, _ways(tiles), strict=True)
            for cell in tile
        }
        return _written(letters)
    regions = {cell: number for number, tile in enumerate(tiles) for cell in tile}
    ways = {number: _TINTS[way] for number, way in enumerate(_ways(tiles))}
    size = (2, 4) if color else (1, 2)
    return walls(regions, size=size, colors=ways if color else None)


@dataclass(frozen=True)
class Picture:
    """Rectangles in color, to be written as SVG or as PNG.

    Attributes
    ----------
    parts : tuple
        For each rectangle its upper left cell, the cell behind its lower right, and
        its color in red, green and blue from 0 to 255.
    has_lines : bool
        Whether there is a line around each.
    """

    parts: tuple[tuple[Cell, Cell, _Color], ...]
    has_lines: bool

    def svg(self, *, cell: float = 10) -> str:
        """Write the picture as SVG.

        Parameters
        ----------
        cell : float, pixels, > 0
            The side of a cell.

        Examples
        --------
        >>> tiling([("00", "01"), ("02", "12"), ("10", "11")]).svg().count("<rect")
        3
        """
        (top, left), (bottom, right) = self._frame()
        line = f'stroke="{_hex(_LINE)}" stroke-width="{_THIN}"'
        plain = 'shape-rendering="crispEdges"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'width="{(right - left) * cell:g}" height="{(bottom - top) * cell:g}" '
            f'viewBox="{left} {top} {right - left} {bottom - top}" '
            f"{line if self.has_lines else plain}>"
        ]
        lines += [
            f'<rect x="{column}" y="{row}" width="{behind - column}" '
            f'height="{below - row}" fill="{_hex(color)}"/>'
            for (row, column), (below, behind), color in self.parts
        ]
        return "\n".join([*lines, "</svg>", ""])

    def png(self, *, cell: int = 10) -> bytes:
        """Write the picture as PNG; what is not on the board is transparent.

        Needs the extra ``png``.

        Parameters
        ----------
        cell : int, pixels, > 0
            The side of a cell.
        """
        try:
            from PIL import Image, ImageDraw  # noqa: PLC0415
        except ImportError as error:
            raise ImportError(
                "Pillow is not installed: pip install 'dcells-async[png]'"
            ) from error
        (top, left), (bottom, right) = self._frame()
        image = Image.new("RGBA", ((right - left) * cell, (bottom - top) * cell))
        canvas = ImageDraw.Draw(image)
        for (row, column), (below, behind), color in self.parts:
            canvas.rectangle(
                (
                    (column - left) * cell,
                    (row - top) * cell,
                    (behind - left) * cell - 1,
                    (below - top) * cell - 1,
                ),
                fill=color,
                outline=_LINE if self.has_lines else color,
                width=max(1, round(_THIN * cell)),
            )
        file = BytesIO()
        image.save(file, "PNG", optimize=True)
        return file.getvalue()

    def _frame(self) -> tuple[Cell, Cell]:
        """Give the upper left corner of all, and the lower right."""
        begins = [begin for begin, _, _ in self.parts] or [(0, 0)]
        ends = [end for _, end, _ in self.parts] or [(1, 1)]
        return (
            (min(row for row, _ in begins), min(column for _, column in begins)),
            (max(row for row, _ in ends), max(column for _, column in ends)),
        )


def tiling(cover: Iterable[Iterable[str]]) -> Picture:
    """Picture a tiling, each domino in the color of its direction.

    Parameters
    ----------
    cover : Cover, or iterable
        As for `draw`.
    """
    tiles = _tiles(cover)
    return Picture(
        tuple(
            (one, (row + 1, column + 1), _COLORS[way])
            for (one, (row, column)), way in zip(tiles, _ways(tiles), strict=True)
        ),
        has_lines=True,
    )


def chances(problem: Problem, frequencies: Sequence[int]) -> Picture:
    """Picture all tilings at once: what a random one is likely to have in each cell.

    The color of a cell is a mixture of the colors of the four directions, each
    according to how many of all tilings have such a domino there.

    Parameters
    ----------
    problem : Problem
        Of dominoes.
    frequencies : sequence of int
        How many tilings use each domino: ``diagram.frequencies()``. Any tiling has one
        domino in each cell, so these tell the number of tilings too.

    Examples
    --------
    Both tilings of a square: half across and half upright.

    >>> from dcells_async import ZDD
    >>> from dcells_async.puzzles.boards import Board
    >>> from dcells_async.puzzles.dominoes import dominoes
    >>> problem = dominoes(Board.rectangle(2, 2))
    >>> picture = chances(problem, ZDD().diagram(problem).frequencies())
    >>> len(picture.parts), picture.parts[0]
    (4, ((0, 0), (1, 1), (230, 124, 56)))
    """
    tiles = [tile for option in problem.options for tile in _tiles([option.names])]
    first = min((cell for tile in tiles for cell in tile), default=(0, 0))
    shares: dict[Cell, list[int]] = {}
    for tile, way, number in zip(tiles, _ways(tiles, first), frequencies, strict=True):
        for cell in tile:
            shares.setdefault(cell, [0] * 4)[way] += number
    return Picture(
        tuple(
            ((row, column), (row + 1, column + 1), _mixed(share))
            for (row, column), share in sorted(shares.items())
            if any(share)
        ),
        has_lines=False,
    )


def _mixed(share: list[int]) -> _Color:
    """Mix the colors of the directions."""
    total = sum(share)
    red, green, blue = (
        round(
            sum(
                part / total * color[k]
                for part, color in zip(share, _COLORS, strict=True)
            )
        )
        for k in range(3)
    )
    return red, green, blue


def _hex(color: _Color) -> str:
    red, green, blue = color
    return f"#{red:02x}{green:02x}{blue:02x}"


def _tiles(cover: Iterable[Iterable[str]]) -> list[_Domino]:
    """Read the dominoes off, each from its upper or left cell."""
    tiles: list[_Domino] = []
    for names in cover:
        cells: Sequence[Cell] = sorted(
            cell for cell in map(parse_cell, names) if cell is not None
        )
        if len(cells) != 2:
            raise ProblemError(f"{' '.join(names)} is no domino")
        tiles.append((cells[0], cells[1]))
    return sorted(tiles)


def _ways(tiles: list[_Domino], first: Cell | None = None) -> list[int]:
    """Give the direction of each domino, from 0 to 3.

    The first cell of all is white: so the top corner of a diamond goes north.
    """
    if first is None:
        first = tiles[0][0] if tiles else (0, 0)
    white = sum(first) % 2
    return [2 * (one[0] != other[0]) + (sum(one) % 2 != white) for one, other in tiles]


def _written(letters: dict[Cell, str]) -> str:
    """Write a letter for each cell, and dots in between."""
    rows, columns = (sorted(set(axis)) for axis in zip(*letters, strict=True))
    lines = [
        "".join(
            letters.get((row, column), ".")
            for column in range(columns[0], columns[-1] + 1)
        )
        for row in range(rows[0], rows[-1] + 1)
    ]
    return "\n".join(lines)
