"""Pictures of a board cut into regions, with walls of box-drawing characters.

The picture is a lattice: each cell begins with its top left corner, its top wall goes
to the right of that and its left wall below, and what remains is its inside. A wall
stands only between cells of different regions, and a heavy one around a zone.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from .shapes import STEPS, Cell

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

__all__ = ["COLORS", "contrasting", "walls"]

Regions: TypeAlias = "Mapping[Cell, int]"

# Indexed by the sum of 1 for an arm to the left, 3 right, 9 up and 27 down; a heavy
# arm counts twice.
_JOINTS = (
    " ╴╸╶─╾╺╼━╵╯┙╰┴┵┕┶┷╹┚┛┖┸┹┗┺┻╷╮┑╭┬┭┍┮┯│┤┥├┼┽┝┾┿╿┦┩┞╀╃┡╄╇╻┒┓┎┰┱┏┲┳╽┧┪┟╁╅┢╆╈┃┨┫┠╂╉┣╊╋"
)
_BESIDE, _ABOVE = " │┃", " ─━"
_PALETTE = (203, 215, 221, 149, 78, 44, 39, 105, 135, 206, 180, 250)
COLORS = len(_PALETTE)


def walls(
    regions: Regions,
    *,
    size: tuple[int, int] = (2, 4),
    labels: Mapping[Cell, str] | None = None,
    zone: Collection[Cell] = (),
    shades: Mapping[int, str] | None = None,
    colors: Mapping[int, int] | None = None,
) -> str:
    """Draw walls around the regions of a board.

    Parameters
    ----------
    regions : mapping of cells to int
        The region to which each cell belongs; cells that are missing are outside.
    size : (int, int), >= 1
        Lines and columns from one cell to the next. With (1, 2) cells have no inside,
        which makes the smallest picture there is.
    labels : mapping of cells to str, optional
        What to write in the middle of a cell. A cell without an inside has room for
        one character where its top wall would be, and what is longer begins in the
        cells to its left.
    zone : collection of cells, optional
        Cells around which a heavy wall goes.
    shades : mapping of int to str, optional
        The character with which a region is filled, if not a blank.
    colors : mapping of int to int, optional
        The background of a region, from 0 to `COLORS` - 1, made by escape sequences
        that terminals understand.

    Returns
    -------
    str
        Lines without blanks at their ends, unless these are colored.

    Examples
    --------
    >>> regions = {(0, 0): 1, (0, 1): 1, (0, 2): 2, (1, 1): 2, (1, 2): 2}
    >>> print(walls(regions, labels={(0, 0): "7"}))
    ╭───────┬───╮
    │ 7     │   │
    ╰───┬───╯   │
        │       │
        ╰───────╯
    >>> print(walls(regions, size=(1, 2), zone={(0, 1), (1, 1)}))
    ╭─┲━┱─╮
    ╰─╂─┨ │
      ┗━┹─╯
    """
    rows = [row for row, _ in regions]
    columns = [column for _, column in regions]
    height, width = size
    across = range(min(columns) * width, (max(columns) + 1) * width + 1)
    down = range(min(rows) * height, (max(rows) + 1) * height + 1)
    written = _written(labels or {}, size)
    return "\n".join(
        _line(
            [_spot(regions, zone, (y, x), size) for x in across],
            {x - across[0]: written[y, x] for x in across if (y, x) in written},
            shades or {},
            colors or {},
        )
        for y in down
    )


def _written(labels: Mapping[Cell, str], size: tuple[int, int]) -> dict[Cell, str]:
    """Place the characters of the labels at points of the picture."""
    height, width = size
    written = {}
    for (row, column), text in labels.items():
        last = min(width - 1, width // 2 + len(text) // 2)
        for back, character in enumerate(reversed(text)):
            place = (row * height + height // 2, column * width + last - back)
            written[place] = character
    return written


def _spot(
    regions: Regions, zone: Collection[Cell], point: Cell, size: tuple[int, int]
) -> tuple[str, int | None]:
    """Return the character at a point of the picture, and the region it lies in."""
    row, below_wall = divmod(point[0], size[0])
    column, beside_wall = divmod(point[1], size[1])

    def weight(one: Cell, other: Cell) -> int:
        if (one in zone) != (other in zone):
            return 2
        return int(regions.get(one) != regions.get(other))

    here, left, above = (row, column), (row, column - 1), (row - 1, column)
    region = regions.get(here)
    if below_wall and beside_wall:
        return " ", region
    if below_wall:
        wall = weight(left, here)
        return _BESIDE[wall], None if wall else region
    if beside_wall:
        wall = weight(above, here)
        return _ABOVE[wall], None if wall else region
    across = (row - 1, column - 1)
    arms = (
        weight(across, left)
        + 3 * weight(above, here)
        + 9 * weight(across, above)
        + 27 * weight(left, here)
    )
    return _JOINTS[arms], None if arms else region


def _line(
    spots: list[tuple[str, int | None]],
    written: Mapping[int, str],
    shades: Mapping[int, str],
    colors: Mapping[int, int],
) -> str:
    """Join the characters of a line, filled and colored as their regions are."""
    line = ""
    for region, group in groupby(enumerate(spots), key=lambda spot: spot[1][1]):
        places, characters = zip(
            *((x, character) for x, (character, _) in group), strict=True
        )
        if region is not None and region in shades:
            characters = (shades[region],) * len(places)
        text = "".join(map(written.get, places, characters))
        if region is not None and region in colors:
            text = f"\x1b[48;5;{_PALETTE[colors[region]]}m{text}\x1b[0m"
        line += text
    return line.rstrip()


def contrasting(
    regions: Regions, wanted: Mapping[int, int], available: int
) -> dict[int, int]:
    """Give each region a number that differs from those of the regions it touches.

    Parameters
    ----------
    regions : mapping of cells to int
    wanted : mapping of int to int
        For each region the number it should have if no neighbor has it already; the
        regions choose in this order. If all numbers are taken it has it all the same.
    available : int, > 0
        The numbers are those below.

    Examples
    --------
    >>> contrasting({(0, 0): 1, (0, 1): 2, (0, 2): 3}, {1: 0, 2: 0, 3: 0}, 4)
    {1: 0, 2: 1, 3: 0}
    """
    touching: dict[int, set[int]] = {region: set() for region in wanted}
    for (row, column), region in regions.items():
        for down, right in STEPS:
            touching[region].add(regions.get((row + down, column + right), region))
    chosen: dict[int, int] = {}
    for region, first in wanted.items():
        taken = {chosen.get(other) for other in touching[region]}
        numbers = [(first + step) % available for step in range(available)]
        chosen[region] = next((n for n in numbers if n not in taken), numbers[0])
    return chosen
