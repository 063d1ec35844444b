"""Edge matching: tiles side by side, the same color on both sides of each edge.

Cells and tiles are primary items, and an option lays a tile on a cell, turned in one
of four ways. The edges inside the board are secondary items, colored by what the tile
shows there; so neighbors agree. The edge above the cell in row r and column c is
called vrc, and the one to its left hrc; tiles are tile1, tile2, ...

>>> problem = edges(Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 1)]))
>>> for option in problem.options:
...     print(*option.names)
00 tile1 h01:1
00 tile2 h01:1
01 tile1 h01:1
01 tile2 h01:1

An exact cover gives no credit for a board that is nearly right. `nearly` asks for one
with as few wrong edges as possible: each edge is a primary item, and its two sides are
secondary ones. An option says that both sides have a certain color, for nothing;
another says nothing of them, and costs 1.
"""

from __future__ import annotations

from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

from ..building import at_once, from_labels_steps
from ..engines import XCC
from ..errors import ProblemError
from ..problem import Problem
from .boards import Board
from .tiles import EAST, NORTH, SOUTH, WEST, Puzzle, turned

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Hashable, Iterator, Mapping

    from ..cover import Cover
    from ..minimizer import Minimizer
    from ..stream.dance import Dance
    from .shapes import Cell
    from .tiles import Laid

__all__ = ["arrangement", "best_board", "edges", "edges_steps", "matched", "nearly"]
__all__ += ["nearly_steps", "wrong_edges"]

_SIDE_NAMES = ("north", "east", "south", "west")


def edges(puzzle: Puzzle, *, fix: bool = False) -> Problem:
    """Ask for all ways to lay the tiles so that all edges match.

    Parameters
    ----------
    puzzle : Puzzle
    fix : bool
        Give one answer of those that become each other when the board is turned, or a
        torus shifted: a square has four times as many answers, any other rectangle
        twice as many, a torus again as many times as it has cells. For that one tile,
        with a border the first corner, stays in a part of the board.

    Raises
    ------
    ProblemError
        If two hints do not match; or if there are hints, or just tiles that look the
        same when turned twice, and they are to be fixed.

    Examples
    --------
    >>> puzzle = Puzzle(2, 2, [(0, 1, 1, 0)] * 4)
    >>> XCC().solve(edges(puzzle)).count(), XCC().solve(edges(puzzle, fix=True)).count()
    (24, 6)
    """
    return at_once(edges_steps(puzzle, fix=fix))


def edges_steps(puzzle: Puzzle, *, fix: bool = False) -> Generator[bool, None, Problem]:
    """Do what `edges` does in short steps; each yields False, for it never blocks.

    A search takes what makes a problem so, and can be stopped between two steps:

    >>> import anyio
    >>> puzzle = Puzzle(2, 2, [(0, 1, 1, 0)] * 4)
    >>> async def main():
    ...     async with XCC().dance(partial(edges_steps, puzzle)) as result:
    ...         print(sum([1 async for _ in result.solutions]))
    >>> anyio.run(main)
    24
    """
    for (cell, side), (other, _) in wrong_edges(puzzle, puzzle.hints).items():
        raise ProblemError(
            f"the hints at {cell} and {other} do not match on the "
            f"{_SIDE_NAMES[side]} side of the first"
        )
    board = Board.rectangle(puzzle.rows, puzzle.columns)
    inner = _edges(puzzle)

    def options() -> Iterator[list[Hashable]]:
        for cell, number, _, sides in puzzle.placements(fix):
            shown = {(edge, sides[side]) for side, edge in inner[cell].items()}
            # On a torus one cell wide a tile meets itself, and has to agree with that.
            if len(shown) == len(set(inner[cell].values())):
                yield [board.name(cell), _tile(number), *sorted(shown)]

    return Problem(
        (yield from from_labels_steps(options(), _primary(puzzle), _names(inner)))
    )


def nearly(puzzle: Puzzle, *, fix: bool = False) -> Problem:
    """Ask for a board on which as few edges as possible do not match.

    The price of a cover is at least the number of these edges. What is demanded of the
    edge of the board, and the hints, hold as ever; hints need not match.

    Parameters
    ----------
    puzzle : Puzzle
    fix : bool
        As for `edges`.

    Examples
    --------
    >>> problem = nearly(Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 2)]))
    >>> with XCC().cheapest(problem) as covers:
    ...     [cover.price for cover in covers][-1]
    1
    """
    return at_once(nearly_steps(puzzle, fix=fix))


def nearly_steps(
    puzzle: Puzzle, *, fix: bool = False
) -> Generator[bool, None, Problem]:
    """Do what `nearly` does in short steps, as `edges_steps` does for `edges`."""
    board = Board.rectangle(puzzle.rows, puzzle.columns)
    inner = _edges(puzzle)
    names = _names(inner)
    halves = {edge + half: set[int]() for edge in names for half in "+-"}
    free = 0

    def options() -> Iterator[list[Hashable]]:
        nonlocal free
        for cell, number, _, sides in puzzle.placements(fix):
            free += 1
            shown = {
                edge + _half(side): sides[side] for side, edge in inner[cell].items()
            }
            for half, color in shown.items():
                halves[half].add(color)
            yield [board.name(cell), _tile(number), *shown.items()]
        for edge in names:
            for color in sorted(halves[edge + "+"] & halves[edge + "-"]):
                free += 1
                yield [edge, (edge + "+", color), (edge + "-", color)]
        for edge in names:
            yield [edge]

    def prices() -> Iterator[int]:
        yield from repeat(0, free)
        yield from repeat(1, len(names))

    tables = yield from from_labels_steps(
        options(), [*_primary(puzzle), *names], halves, prices=prices()
    )
    return Problem(tables)


def best_board(
    puzzle: Puzzle,
    *,
    fix: bool = False,
    engine: Minimizer | None = None,
    limit: int | None = None,
    timeout: float | None = None,
) -> Dance:
    """Search for better and better boards, as `Minimizer.minimize` does.

    The price of each is the number of its edges that do not match; `matched` counts
    those that do. `result.optimal` tells whether the last board is proved to be the
    best, which takes hundredths of a second for 4 x 4 tiles and may take forever from
    6 x 6 on.

    The problem is made on entering the block, in steps in a worker thread: that takes
    seconds for 16 x 16 tiles, and can be cancelled.

    Raises
    ------
    ProblemError
        On entering the block, as by `nearly`.

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
    make = partial(nearly_steps, puzzle, fix=fix)
    return (engine or XCC()).minimize(make, limit=limit, timeout=timeout)


def arrangement(puzzle: Puzzle, cover: Cover) -> Laid:
    """Read off which tile lies on each cell, and how it is turned, row by row.

    Where no edge tells, on an open board, the fewest turns that agree are given.
    """
    cells = {
        name: cell
        for cell, name in Board.rectangle(puzzle.rows, puzzle.columns).names.items()
    }
    inner = _edges(puzzle)
    laid: Laid = {}
    for place, *rest in (cover.problem.options[index] for index in cover.indices):
        if place not in cells:
            continue
        cell, number = cells[str(place)], int(str(rest[0]).removeprefix("tile")) - 1
        shown: dict[object, object] = dict(
            entry for entry in rest[1:] if isinstance(entry, tuple)
        )
        laid[cell] = next(
            (number, turn)
            for turn, sides in puzzle.turns(cell, number)
            if all(
                shown.get(edge, shown.get(edge + _half(side))) == sides[side]
                for side, edge in inner[cell].items()
            )
        )
    return dict(sorted(laid.items()))


def matched(puzzle: Puzzle, laid: Mapping[Cell, tuple[int, int]]) -> tuple[int, int]:
    """Count the edges inside the board that match, and all of them.

    Where a tile is missing its edges do not match.
    """
    ends = _ends(puzzle, laid)
    good = sum(
        len({color for *_, color in both}) == 1 for both in ends if len(both) > 1
    )
    return good, len(ends)


def wrong_edges(
    puzzle: Puzzle, laid: Mapping[Cell, tuple[int, int]]
) -> dict[tuple[Cell, int], tuple[Cell, int]]:
    """Find the edges between two tiles that do not match.

    Returns
    -------
    mapping of (cell, side) to (cell, side)
        For each its two ends; the first one is to the south or the east. Sides are 0
        for north to 3 for west.

    Examples
    --------
    >>> puzzle = Puzzle(1, 2, [(0, 1, 0, 0), (0, 0, 0, 2)])
    >>> wrong_edges(puzzle, {(0, 0): (0, 0), (0, 1): (1, 0)})
    {((0, 1), 3): ((0, 0), 1)}
    """
    wrong = {}
    for both in _ends(puzzle, laid):
        if len({color for *_, color in both}) == 2:
            one, other = sorted(both, key=lambda end: end[1] not in (NORTH, WEST))
            wrong[one[:2]] = other[:2]
    return wrong


def _half(side: int) -> str:
    return "+" if side in (NORTH, WEST) else "-"


def _tile(number: int) -> str:
    return f"tile{number + 1}"


def _primary(puzzle: Puzzle) -> list[str]:
    board = Board.rectangle(puzzle.rows, puzzle.columns)
    return [*board.names.values(), *map(_tile, range(len(puzzle.tiles)))]


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
            inner[row, column][NORTH] = edge
            inner[(row - 1) % puzzle.rows, column][SOUTH] = edge
        if column or glued:
            edge = f"h{board.name((row, column))}"
            inner[row, column][WEST] = edge
            inner[row, (column - 1) % puzzle.columns][EAST] = edge
    return inner


def _ends(
    puzzle: Puzzle, laid: Mapping[Cell, tuple[int, int]]
) -> Collection[list[tuple[Cell, int, int]]]:
    """Give for each edge inside the board the sides that meet there, and their colors.

    They are two, or fewer where no tile lies.
    """
    ends: dict[str, list[tuple[Cell, int, int]]] = {}
    for cell, around in _edges(puzzle).items():
        for side, edge in around.items():
            both = ends.setdefault(edge, [])
            if cell in laid:
                number, turn = laid[cell]
                both.append((cell, side, turned(puzzle.tiles[number], turn)[side]))
    return ends.values()
