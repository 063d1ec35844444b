"""Edge matching: tiles side by side, the same color on both sides of each edge.

Cells and tiles are primary items, and an option lays a tile on a cell, turned in one
of four ways. The edges inside the board are secondary items, colored by what the tile
shows there; so neighbors agree. The edge above the cell in row r and column c is
called vrc, and the one to its left hrc; tiles are tile0, tile1, ...

>>> problem = edges(Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 1)]))
>>> for option in problem.options:
...     print(*option.names)
00 tile0 h01:1
00 tile1 h01:1
01 tile0 h01:1
01 tile1 h01:1

An exact cover gives no credit for a board that is nearly right. `nearly` asks for one
with as few wrong edges as possible: each edge is a primary item, and its two sides are
secondary ones. An option says that both sides have a certain color, for nothing;
another says nothing of them, and costs 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engines import XCC
from ..problem import Problem
from .boards import Board
from .tiles import Puzzle, turned

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from ..cover import Cover
    from ..minimizer import Minimizer
    from ..stream.dance import Dance
    from .shapes import Cell
    from .tiles import Tile

__all__ = ["Laid", "arrangement", "best_board", "draw", "edges", "matched", "nearly"]

Laid = dict["Cell", tuple[int, int]]
"""The number of the tile on each cell, and its quarter turns clockwise."""

_NORTH, _EAST, _SOUTH, _WEST = range(4)


def edges(puzzle: Puzzle, *, fix: bool = False) -> Problem:
    """Ask for all ways to lay the tiles so that all edges match.

    Parameters
    ----------
    puzzle : Puzzle
    fix : bool
        Leave out what is the same by symmetry. With a border, the first corner tile
        stays in the top left corner, or in the top row if the board is no square:
        there are four times as many answers, or twice. On a torus the first tile stays
        in the top left cell, and each cell there stands for one shift.

    Raises
    ------
    ProblemError
        If the puzzle has nothing by which it could be fixed.

    Examples
    --------
    >>> puzzle = Puzzle(2, 2, [(0, 1, 1, 0)] * 4)
    >>> XCC().solve(edges(puzzle)).count(), XCC().solve(edges(puzzle, fix=True)).count()
    (24, 6)
    """
    board = Board.rectangle(puzzle.rows, puzzle.columns)
    inner = _edges(puzzle)
    options: list[list[Hashable]] = []
    for cell, number, turn in puzzle.placements(fix):
        sides = turned(puzzle.tiles[number], turn)
        colors: dict[str, set[int]] = {}
        for side, edge in inner[cell].items():
            colors.setdefault(edge, set()).add(sides[side])
        # On a torus one cell wide a tile meets itself, and has to agree with that.
        options.append(
            [board.name(cell), f"tile{number}"]
            + [(edge, color) for edge, found in colors.items() for color in found]
            if all(len(found) == 1 for found in colors.values())
            else []
        )
    return Problem.from_options(
        [option for option in options if option],
        primary=_primary(puzzle),
        secondary=_names(inner),
    )


def nearly(puzzle: Puzzle) -> Problem:
    """Ask for a board on which as few edges as possible do not match.

    The price of a cover is at least the number of these edges. What is demanded of the
    edge of the board, and the hints, hold as ever.

    Examples
    --------
    >>> problem = nearly(Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 2)]))
    >>> with XCC().cheapest(problem) as covers:
    ...     [cover.price for cover in covers][-1]
    1
    """
    board = Board.rectangle(puzzle.rows, puzzle.columns)
    inner = _edges(puzzle)
    options: list[list[Hashable]] = []
    for cell, number, turn in puzzle.placements():
        sides = turned(puzzle.tiles[number], turn)
        options.append(
            [board.name(cell), f"tile{number}"]
            + [(edge + _half(side), sides[side]) for side, edge in inner[cell].items()]
        )
    names = _names(inner)
    colors = sorted({color for tile in puzzle.tiles for color in tile})
    free = len(options) + len(names) * len(colors)
    options += [
        [edge, (edge + "+", color), (edge + "-", color)]
        for edge in names
        for color in colors
    ]
    options += [[edge] for edge in names]
    return Problem.from_options(
        options,
        primary=[*_primary(puzzle), *names],
        secondary=[edge + half for edge in names for half in "+-"],
        prices=[int(index >= free) for index in range(len(options))],
    )


def best_board(
    puzzle: Puzzle,
    *,
    engine: Minimizer | None = None,
    limit: int | None = None,
    timeout: float | None = None,
) -> Dance:
    """Search for better and better boards, as `Minimizer.minimize` does.

    `matched` tells how many edges of each board match; `result.optimal` whether the
    last is proved to be the best.

    Examples
    --------
    >>> import anyio
    >>> puzzle = Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 2)])
    >>> async def main():
    ...     async with best_board(puzzle) as result:
    ...         async for cover in result.solutions:
    ...             print(matched(puzzle, arrangement(puzzle, cover)))
    ...     print(result.optimal)
    >>> anyio.run(main)
    (0, 1)
    True
    """
    return (engine or XCC()).minimize(nearly(puzzle), limit=limit, timeout=timeout)


def arrangement(puzzle: Puzzle, cover: Cover) -> Laid:
    """Read off which tile lies on each cell, and how it is turned.

    Where no edge tells, on an open board, the fewest turns that agree are given.
    """
    cells = {
        name: cell
        for cell, name in Board.rectangle(puzzle.rows, puzzle.columns).names.items()
    }
    inner = _edges(puzzle)
    ways: dict[tuple[Cell, int], list[int]] = {}
    for cell, number, turn in puzzle.placements():
        ways.setdefault((cell, number), []).append(turn)
    laid: Laid = {}
    for index in cover.indices:
        place, *rest = cover.problem.options[index]
        if place not in cells:
            continue
        cell, number = cells[str(place)], int(str(rest[0]).removeprefix("tile"))
        colors: dict[object, object] = dict(
            entry for entry in rest[1:] if isinstance(entry, tuple)
        )
        laid[cell] = next(
            (number, turn)
            for turn in ways[cell, number]
            if all(
                colors.get(edge, colors.get(edge + _half(side)))
                == turned(puzzle.tiles[number], turn)[side]
                for side, edge in inner[cell].items()
            )
        )
    return laid


def matched(puzzle: Puzzle, laid: Mapping[Cell, tuple[int, int]]) -> tuple[int, int]:
    """Count the edges inside the board that match, and all of them."""
    ends: dict[str, list[int]] = {}
    for cell, around in _edges(puzzle).items():
        number, turn = laid[cell]
        for side, edge in around.items():
            ends.setdefault(edge, []).append(turned(puzzle.tiles[number], turn)[side])
    return sum(one == other for one, other in ends.values()), len(ends)


def draw(puzzle: Puzzle, laid: Mapping[Cell, tuple[int, int]]) -> str:
    """Draw the tiles with a number on each side.

    Examples
    --------
    >>> puzzle = Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 1)])
    >>> print(draw(puzzle, {(0, 0): (0, 0), (0, 1): (1, 0)}))
    +-----+-----+
    |  0  |  0  |
    |0   1|1   0|
    |  0  |  0  |
    +-----+-----+
    """
    width = max(len(str(color)) for tile in puzzle.tiles for color in tile)
    inside = 3 * width + 2
    rule = "+" + ("-" * inside + "+") * puzzle.columns
    lines = [rule]
    for row in range(puzzle.rows):
        shown: list[Tile] = []
        for column in range(puzzle.columns):
            number, turn = laid[row, column]
            shown.append(turned(puzzle.tiles[number], turn))
        north = "".join(f"{tile[_NORTH]:^{inside}}|" for tile in shown)
        middle = "".join(
            f"{tile[_WEST]:<{width}}{'':{inside - 2 * width}}{tile[_EAST]:>{width}}|"
            for tile in shown
        )
        south = "".join(f"{tile[_SOUTH]:^{inside}}|" for tile in shown)
        lines += ["|" + north, "|" + middle, "|" + south, rule]
    return "\n".join(lines)


def _half(side: int) -> str:
    return "+" if side in (_NORTH, _WEST) else "-"


def _primary(puzzle: Puzzle) -> list[str]:
    board = Board.rectangle(puzzle.rows, puzzle.columns)
    return [*board.names.values(), *(f"tile{k}" for k in range(len(puzzle.tiles)))]


def _names(inner: Mapping[Cell, Mapping[int, str]]) -> list[str]:
    return list(dict.fromkeys(e for around in inner.values() for e in around.values()))


def _edges(puzzle: Puzzle) -> dict[Cell, dict[int, str]]:
    """Name the edges inside the board around each cell, by the side they are on."""
    board = Board.rectangle(puzzle.rows, puzzle.columns)
    glued = puzzle.kind == "torus"
    inner: dict[Cell, dict[int, str]] = {cell: {} for cell in board.names}
    for row, column in board.names:
        if row or glued:
            edge = f"v{board.name((row, column))}"
            inner[row, column][_NORTH] = edge
            inner[(row - 1) % puzzle.rows, column][_SOUTH] = edge
        if column or glued:
            edge = f"h{board.name((row, column))}"
            inner[row, column][_WEST] = edge
            inner[row, (column - 1) % puzzle.columns][_EAST] = edge
    return inner
