"""Partridge squares: one square of side 1, two of side 2, ..., n of side n in a square.

Their area is that of a square of side N = 1 + 2 + ... + n, since the sum of the first n
cubes is the square of the sum of the first n numbers. The sizes #1, #2, ... are items
to be covered as often as they say, the cells of the large square are items to be
covered once, and an option is a way to lay a small square: its size, and its cells.

>>> problem = partridge(2)
>>> for option in problem.options[-4:]:
...     print(*option)
#2 00 01 10 11
#2 01 02 11 12
#2 10 11 20 21
#2 11 12 21 22
"""

from __future__ import annotations

import math
from itertools import product
from textwrap import dedent
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from ..problem import Problem
from .boards import Board
from .placements import placements
from .settings import check_setting
from .walls import COLORS, walls

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from ..frame import Frame
    from .placements import Placement
    from .shapes import Cell, Shape

__all__ = ["Style", "cell_bound", "draw", "partridge", "piece_bound", "zone"]

Style: TypeAlias = Literal["walls", "numbers"]


def partridge(n: int, hollow: int | None = None) -> Problem:
    """Ask for all ways to lay the squares.

    There are none for n from 2 to 7. For n = 8 there are 18,656, which are 2,332 if
    those that differ by a rotation or a reflection are taken for one.

    Parameters
    ----------
    n : int, > 0
        The side of the largest squares.
    hollow : int, optional
        The side of a zone in the middle. If it is given, a square that lies in it
        entirely costs 1, and others nothing.

    Raises
    ------
    ProblemError
        If n is not positive, or there cannot be such a zone; see `zone`.

    Examples
    --------
    >>> problem = partridge(8)
    >>> len(problem.items), len(problem.options)
    (1304, 8492)
    >>> problem.items[7]
    Item(label='#8', primary=True, low=8, high=8)
    """
    board = Board.rectangle(_side(n), _side(n))
    ways = [(k, way) for k in range(1, n + 1) for way in _ways(n, k)]
    prices = None
    if hollow is not None:
        inside = zone(n, hollow)
        prices = [int(inside.issuperset(way)) for _, way in ways]
    return Problem.from_options(
        [[f"#{k}", *map(board.name, way)] for k, way in ways],
        primary=[*(f"#{k}" for k in range(1, n + 1)), *board.names.values()],
        multiplicity={f"#{k}": k for k in range(1, n + 1)},
        prices=prices,
    )


def _side(n: int) -> int:
    if n < 1:
        raise ProblemError(f"the largest squares cannot have a side of {n}")
    return n * (n + 1) // 2


def _ways(n: int, k: int) -> list[Shape]:
    """Lay a square of side k in all ways, row by row."""
    corners = range(_side(n) - k + 1)
    return [
        tuple(product(range(row, row + k), range(column, column + k)))
        for row, column in product(corners, corners)
    ]


def zone(n: int, side: int) -> frozenset[Cell]:
    """Give the cells of a square zone in the middle.

    Raises
    ------
    ProblemError
        If the side is negative or larger than that of the large square, or one of them
        is odd and the other is not, so that there is no middle.

    Examples
    --------
    >>> sorted(zone(2, 1)), len(zone(3, 4))
    ([(1, 1)], 16)
    """
    whole = _side(n)
    if not 0 <= side <= whole or (whole - side) % 2:
        kind = "odd" if whole % 2 else "even"
        raise ProblemError(
            f"a zone in the middle of {whole} by {whole} cells has an {kind} side from "
            f"{whole % 2} to {whole}, not {side}"
        )
    span = range((whole - side) // 2, (whole + side) // 2)
    return frozenset(product(span, span))


def piece_bound(n: int, hollow: int) -> Callable[[Frame], int]:
    """Make a lower bound of the squares in the zone yet to come, size by size.

    Of each size some are still to be laid. If there are fewer places outside the zone
    for them than that, the others have to go into it.
    """
    is_free = _free(n, hollow)

    def least(frame: Frame) -> int:
        missing = 0
        for size in range(1, n + 1):
            free = sum(map(is_free.__getitem__, frame.options(size)))
            missing += max(0, frame.need(size) - free)
        return missing

    return least


def cell_bound(n: int, hollow: int) -> Callable[[Frame], int]:
    """Make a lower bound of the squares in the zone yet to come, cell by cell.

    Some cells can be covered only by squares in the zone. If two of them are so far
    apart that no square covers both, there are two such squares; and so on.
    """
    is_free = _free(n, hollow)
    side = _side(n)
    cells = sorted(zone(n, hollow))

    def least(frame: Frame) -> int:
        picked: list[Cell] = []
        for row, column in cells:
            if any(abs(row - r) < n and abs(column - c) < n for r, c in picked):
                continue
            options = frame.options(n + 1 + row * side + column)
            if options and not any(map(is_free.__getitem__, options)):
                picked.append((row, column))
        return len(picked)

    return least


def _free(n: int, hollow: int) -> list[bool]:
    """Tell for each option, counted from 1, whether it costs nothing."""
    inside = zone(n, hollow)
    return [
        False,
        *(not inside.issuperset(way) for k in range(1, n + 1) for way in _ways(n, k)),
    ]


def draw(
    packing: Iterable[Placement | Iterable[str]],
    hollow: Collection[Cell] = (),
    style: Style = "walls",
    *,
    color: bool = False,
) -> str:
    """Draw the squares.

    Parameters
    ----------
    packing : Cover, or iterable
        A cover of this problem, or the names of the items of its options.
    hollow : collection of (int, int)
        The cells of a zone to be outlined.
    style : {"walls", "numbers"}
        With walls around the squares, whose side is written in the lower right corner
        (of the smallest there is nothing to be seen but the walls); or with the side in
        each cell, and dashes and bars around the zone.
    color : bool
        Give each size in a picture with walls a background of its own, by escape
        sequences that terminals understand.

    Raises
    ------
    ProblemError
        If there is no such style.

    Examples
    --------
    >>> packing = ["#2 00 01 10 11".split(), "#1 02".split(), "#1 12".split()]
    >>> print(draw(packing))
    ╭───┬─╮
    │  2├─┤
    ╰───┴─╯
    >>> print(draw(packing, style="numbers"))
    2 2 1
    2 2 1
    """
    check_setting("style", style, get_args(Style))
    placed = placements(packing)
    sides = [math.isqrt(len(square.cells)) for square in placed]
    regions = {cell: k for k, square in enumerate(placed) for cell in square.cells}
    if style == "numbers":
        return _numbers({cell: sides[k] for cell, k in regions.items()}, hollow)
    labels = {
        max(square.cells): str(side)
        for square, side in zip(placed, sides, strict=True)
        if side > 1
    }
    colors = {k: (side - 1) % COLORS for k, side in enumerate(sides)} if color else {}
    return walls(regions, size=(1, 2), labels=labels, zone=hollow, colors=colors)


def _numbers(sides: dict[Cell, int], hollow: Collection[Cell]) -> str:
    """Write the side of its square in each cell, with dashes and bars for a zone."""
    width = max(len(str(side)) for side in sides.values())
    rows = range(max(row for row, _ in sides) + 2)
    columns = range(max(column for _, column in sides) + 2)

    def is_edge(one: Cell, other: Cell) -> bool:
        return (one in hollow) != (other in hollow)

    lines = []
    for row in rows:
        edge = line = ""
        for column in columns:
            here, above = (row, column), (row - 1, column)
            left, across = (row, column - 1), (row - 1, column - 1)
            wall = "|" if is_edge(left, here) else " "
            roof = "-" if is_edge(above, here) else " "
            is_corner = is_edge(left, here) != is_edge(across, above)
            joint = "+" if is_corner else roof if roof == "-" else wall
            edge += joint + roof * width
            line += wall + str(sides.get(here, "")).rjust(width)
        lines += [edge, line] if "-" in edge else [line]
    return dedent("\n".join(map(str.rstrip, lines))).rstrip()
