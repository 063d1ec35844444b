"""Pictures of tiles on a board, for terminals and as SVG; wrong edges stand out."""

from __future__ import annotations

from colorsys import hls_to_rgb
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .edges import wrong_edges
from .tiles import EAST, NORTH, SOUTH, WEST, Puzzle, turned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .shapes import Cell
    from .tiles import Tile

__all__ = ["draw", "svg"]

_TINTS = (203, 78, 39, 221, 135, 215, 44, 149, 206, 105, 180, 250, 167, 71, 75, 185)
_GOLDEN = 0.618033988749895

_CORNERS = ("0 0", "1 0", "1 1", "0 1")
"""Where in a cell of side 1 each side of a tile begins, going clockwise."""

_LABELS = (".5 .18", ".82 .5", ".5 .82", ".18 .5")
"""Where its number is written."""

_WALLS = ((0, 0, "h1"), (1, 0, "v1"), (0, 1, "h1"), (0, 0, "v1"))
"""Where the wall begins, and how it goes on."""


def draw(
    puzzle: Puzzle,
    laid: Mapping[Cell, tuple[int, int]],
    *,
    plain: bool = False,
    color: bool = False,
) -> str:
    """Draw the tiles with a number on each side.

    Where two sides do not match, a sign is on the line between them. An edge of a torus
    that is at the edge of the board is drawn there twice.

    Parameters
    ----------
    puzzle : Puzzle
    laid : mapping of cells to (int, int)
        Not all cells need to be among them.
    plain : bool
        Whether to use ASCII only.
    color : bool
        Whether to color the numbers, but for that of the border, by escape sequences
        that terminals understand.

    Examples
    --------
    >>> puzzle = Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 1)])
    >>> print(draw(puzzle, {(0, 0): (0, 0), (0, 1): (1, 0)}))
    ┌─────┬─────┐
    │  0  │  0  │
    │0   1│1   0│
    │  0  │  0  │
    └─────┴─────┘
    >>> puzzle = Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 2)])
    >>> print(draw(puzzle, {(0, 0): (0, 0), (0, 1): (1, 0)}, plain=True))
    +-----+-----+
    |  0  |  0  |
    |0   1#2   0|
    |  0  |  0  |
    +-----+-----+
    """
    style = _ASCII if plain else _BOX
    wrong = {end for both in wrong_edges(puzzle, laid).items() for end in both}
    width = max(len(str(side)) for tile in puzzle.tiles for side in tile)
    lines = []
    for row in range(puzzle.rows):
        texts = [
            _texts(puzzle, _shown(puzzle, laid, (row, column)), width, color)
            for column in range(puzzle.columns)
        ]
        north, middle, south = zip(*texts, strict=True)
        signs = [
            style.wrong if ((row, column), EAST) in wrong else style.wall
            for column in range(puzzle.columns)
        ]
        first = style.wrong if ((row, 0), WEST) in wrong else style.wall
        lines += [
            _rule(puzzle, row, wrong, style, 3 * width + 2),
            style.wall + style.wall.join(north) + style.wall,
            first + "".join(map("".join, zip(middle, signs, strict=True))),
            style.wall + style.wall.join(south) + style.wall,
        ]
    return "\n".join([*lines, _rule(puzzle, puzzle.rows, wrong, style, 3 * width + 2)])


@dataclass(frozen=True)
class _Style:
    """The characters of lines: the left end, the crossings, the right end."""

    top: tuple[str, str, str]
    middle: tuple[str, str, str]
    bottom: tuple[str, str, str]
    line: str
    wall: str
    wrong: str


_BOX = _Style(("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"), "─", "│", "≠")
_CROSSINGS = ("+", "+", "+")
_ASCII = _Style(_CROSSINGS, _CROSSINGS, _CROSSINGS, "-", "|", "#")


def _rule(
    puzzle: Puzzle, row: int, wrong: set[tuple[Cell, int]], style: _Style, room: int
) -> str:
    """Draw the line above a row, or below the last."""
    left, between, right = {0: style.top, puzzle.rows: style.bottom}.get(
        row, style.middle
    )
    parts = []
    for column in range(puzzle.columns):
        ends = {((row, column), NORTH), ((row - 1, column), SOUTH)}
        parts.append(
            (style.wrong if ends & wrong else style.line).center(room, style.line)
        )
    return left + between.join(parts) + right


def _texts(
    puzzle: Puzzle, tile: Tile | None, width: int, color: bool
) -> tuple[str, str, str]:
    """Write the three lines of a tile."""
    room = 3 * width + 2
    if tile is None:
        return (" " * room,) * 3

    def middle(number: int) -> str:
        before = (room - len(str(number))) // 2
        behind = room - before - len(str(number))
        return " " * before + _tinted(puzzle, number, color) + " " * behind

    west, east = tile[WEST], tile[EAST]
    across = " " * (room - len(f"{west}{east}"))
    return (
        middle(tile[NORTH]),
        across.join(_tinted(puzzle, number, color) for number in (west, east)),
        middle(tile[SOUTH]),
    )


def _tinted(puzzle: Puzzle, number: int, color: bool) -> str:
    if not color or _is_border(puzzle, number):
        return str(number)
    return f"\x1b[30;48;5;{_TINTS[number % len(_TINTS)]}m{number}\x1b[0m"


def svg(
    puzzle: Puzzle, laid: Mapping[Cell, tuple[int, int]], *, cell: float = 60
) -> str:
    """Draw the tiles as SVG, with a colored and numbered triangle at each side.

    The number of each tile, from 1, is its tooltip; edges that do not match are heavy
    and red.

    Parameters
    ----------
    puzzle : Puzzle
    laid : mapping of cells to (int, int)
        Not all cells need to be among them.
    cell : float, pixels, > 0
        The side of a cell.

    Examples
    --------
    >>> puzzle = Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 2)])
    >>> picture = svg(puzzle, {(0, 0): (0, 0), (0, 1): (1, 0)})
    >>> picture.count("<text"), picture.count('class="wrong"')
    (8, 1)
    """
    rows, columns = puzzle.rows, puzzle.columns
    margin = 0.1
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" '
        f'width="{(columns + 2 * margin) * cell:g}" '
        f'height="{(rows + 2 * margin) * cell:g}" viewBox="{-margin} {-margin} '
        f'{columns + 2 * margin:g} {rows + 2 * margin:g}" font-family="sans-serif" '
        f'font-size=".2" text-anchor="middle" dominant-baseline="central">'
    ]
    outline = 'stroke="#222" stroke-width=".02"'
    for row, column in puzzle.cells:
        tile = _shown(puzzle, laid, (row, column))
        lines.append(f'<g transform="translate({column} {row})">')
        if tile is None:
            lines.append(f'<path d="M0 0h1v1h-1z" fill="none" {outline}/>')
        else:
            number = laid[row, column][0] + 1
            lines.append(f"<title>tile {number}: {' '.join(map(str, tile))}</title>")
        for side, color in enumerate(tile or ()):
            x, y = _LABELS[side].split()
            corners = f"L{_CORNERS[side]}L{_CORNERS[side - 3]}z"
            fill = _fill(puzzle, color)
            lines += [
                f'<path d="M.5 .5{corners}" fill="{fill}" {outline}/>',
                f'<text x="{x}" y="{y}">{color}</text>',
            ]
        lines.append("</g>")
    for ends in wrong_edges(puzzle, laid).items():
        # Both ends are drawn, as on a torus they may be at different places.
        path = ""
        for (row, column), side in ends:
            right, down, along = _WALLS[side]
            path += f"M{column + right} {row + down}{along}"
        lines.append(
            f'<path class="wrong" d="{path}" stroke="#e00" stroke-width=".1"/>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _shown(
    puzzle: Puzzle, laid: Mapping[Cell, tuple[int, int]], cell: Cell
) -> Tile | None:
    if cell not in laid:
        return None
    number, turn = laid[cell]
    return turned(puzzle.tiles[number], turn)


def _fill(puzzle: Puzzle, color: int) -> str:
    """Give each color a hue far from those of the colors before."""
    if _is_border(puzzle, color):
        return "#bbb"
    lightness = (0.72, 0.58, 0.82)[color % 3]
    parts = hls_to_rgb(color * _GOLDEN % 1, lightness, 0.65)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def _is_border(puzzle: Puzzle, color: int) -> bool:
    return color == puzzle.color and puzzle.kind in ("border", "rim")
