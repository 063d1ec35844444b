"""New sudokus: minimal ones, with one solution, and a pattern of clues as wished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..kernels.sudoku import SudokuBlock
from .settings import check_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

__all__ = ["Symmetry", "generate"]

Symmetry: TypeAlias = Literal[
    "none", "half-turn", "horizontal", "vertical", "diagonal", "antidiagonal"
]

_IMAGES: Mapping[str, Callable[[int, int], tuple[int, int]]] = {
    "none": lambda r, c: (r, c),
    "half-turn": lambda r, c: (8 - r, 8 - c),
    "horizontal": lambda r, c: (8 - r, c),
    "vertical": lambda r, c: (r, 8 - c),
    "diagonal": lambda r, c: (c, r),
    "antidiagonal": lambda r, c: (8 - c, 8 - r),
}


def generate(rng: Random, *, symmetry: Symmetry = "none") -> str:
    """Make a sudoku of 9 by 9 that has one solution, and several without any clue.

    Parameters
    ----------
    rng : random.Random
        The same state gives the same puzzle.
    symmetry : str
        The pattern of the clues stays the same if the grid is turned by 180 degrees
        ("half-turn"), or mirrored at its middle row ("horizontal"), its middle column
        ("vertical"), or a diagonal; or it need not ("none").

    Returns
    -------
    str
        81 characters, row by row; a dot is an empty cell.

    Raises
    ------
    ProblemError
        If there is no such symmetry.

    Notes
    -----
    Clues are taken away from a random solution, together with their image, as long as
    there is but one solution. If then a single clue could still go, which happens only
    with a symmetry, the puzzle is not minimal, and another one is begun.

    Examples
    --------
    >>> from random import Random
    >>> puzzle = generate(Random(5), symmetry="half-turn")
    >>> len(puzzle), [c == "." for c in puzzle] == [c == "." for c in puzzle[::-1]]
    (81, True)
    """
    check_setting("symmetry", symmetry, get_args(Symmetry))
    while True:
        clues = list(_solution(rng))
        for cells in _orbits(symmetry, rng):
            _without(clues, cells)
        if symmetry == "none" or not any(
            _without([*clues], [cell]) for cell in range(81) if clues[cell] != "."
        ):
            return "".join(clues)


def _solved(clues: list[str], limit: int) -> tuple[int, str]:
    """Give how many solutions there are, and the first."""
    block = SudokuBlock("".join(clues).encode(), limit)
    while not block.at:
        block.advance(1000)
    return block.counts[0], block.solutions.decode()


def _solution(rng: Random) -> str:
    """Fill a grid, by random clues that leave it solvable until they determine it."""
    clues = ["."] * 81
    for cell in rng.sample(range(81), 81):
        for digit in rng.sample("123456789", 9):
            clues[cell] = digit
            count, solution = _solved(clues, 2)
            if count == 1:
                return solution
            if count > 1:
                break
    raise AssertionError("a full grid is its own solution")


def _orbits(symmetry: Symmetry, rng: Random) -> list[list[int]]:
    """Give the cells with their images, in random order."""
    image = _IMAGES[symmetry]
    orbits = set()
    for cell in range(81):
        row, column = image(*divmod(cell, 9))
        orbits.add(tuple(sorted({cell, 9 * row + column})))
    ordered = [[*cells] for cells in sorted(orbits)]
    rng.shuffle(ordered)
    return ordered


def _without(clues: list[str], cells: list[int]) -> bool:
    """Take clues away, if one solution remains; tell whether it does."""
    before = [clues[cell] for cell in cells]
    for cell in cells:
        clues[cell] = "."
    if _solved(clues, 2)[0] == 1:
        return True
    for cell, clue in zip(cells, before, strict=True):
        clues[cell] = clue
    return False
