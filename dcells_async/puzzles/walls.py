"""Pictures of a board cut into regions, with walls of box-drawing characters.

The picture is a lattice: each cell begins with its top left corner, its top wall goes
to the right of that and its left wall below, and what remains is its inside. A wall
stands only between cells of different regions.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from .shapes import STEPS, Cell

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["COLORS", "contrasting", "walls"]

Regions: TypeAlias = "Mapping[Cell, int]"

# Indexed by the sum of 1 for an arm to the left, 2 right, 4 up and 8 down.
_JOINTS = " ╴╶─╵╯╰┴╷╮╭┬│┤├┼"
_PALETTE = (203, 215, 221, 149, 78, 44, 39, 105, 135, 206, 180, 250)
COLORS = len(_PALETTE)


def walls(
    regions: Regions,
    *,
    size: tuple[int, int] = (2, 4),
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
    >>> print(walls(regions))
    ╭───────┬───╮
    │       │   │
    ╰───┬───╯   │
        │       │
        ╰───────╯
    >>> print(walls(regions, size=(1, 2)))
    ╭───┬─╮
    ╰─┬─╯ │
      ╰───╯
    """
    rows = [row for row, _ in regions]
    columns = [column for _, column in regions]
    height, width = size
    across = range(min(columns) * width, (max(columns) + 1) * width + 1)
    down = range(min(rows) * height, (max(rows) + 1) * height + 1)
    return "\n".join(
        _line([_spot(regions, y, x, size) for x in across], shades or {}, colors or {})
        for y in down
    )


def _spot(
    regions: Regions, y: int, x: int, size: tuple[int, int]
) -> tuple[str, int | None]:
    """Return the character at a point of the picture, and the region it lies in."""
    row, below_wall = divmod(y, size[0])
    column, beside_wall = divmod(x, size[1])
    here = regions.get((row, column))
    left = regions.get((row, column - 1))
    above = regions.get((row - 1, column))
    if below_wall:
        return (" ", here) if beside_wall or left == here else ("│", None)
    if beside_wall:
        return (" ", here) if above == here else ("─", None)
    across = regions.get((row - 1, column - 1))
    arms = (
        (across != left)
        + 2 * (above != here)
        + 4 * (across != above)
        + 8 * (left != here)
    )
    return _JOINTS[arms], None if arms else here


def _line(
    spots: list[tuple[str, int | None]],
    shades: Mapping[int, str],
    colors: Mapping[int, int],
) -> str:
    """Join the characters of a line, filled and colored as their regions are."""
    line = ""
    for region, group in groupby(spots, key=lambda spot: spot[1]):
        text = "".join(character for character, _ in group)
        if region is not None and region in shades:
            text = shades[region] * len(text)
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
