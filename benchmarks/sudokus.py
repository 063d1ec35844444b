"""A thousand sudokus from one seed, as exact covers of what is still open.

A few puzzles are dug out of random full grids, each clue going only if the solution
stays unique; the rest are these with their digits, rows, columns and bands shuffled,
which keeps the puzzle as hard but gives the search another order of items.
"""

import random
from collections.abc import Iterator

from benchmarks.puzzle import Puzzle

__all__ = ["as_cover", "sudokus"]

_CELLS = range(81)
_ALL = 0b111_111_111
_BOX = [cell // 27 * 3 + cell % 9 // 3 for cell in _CELLS]


def sudokus(count: int, seed: int, originals: int = 200) -> Iterator[str]:
    """Yield puzzles of 81 characters with one solution and 25 to 30 clues each.

    Parameters
    ----------
    count : int
        How many to give.
    seed : int
        The same seed gives the same puzzles.
    originals : int
        How many are dug out; the others are shuffled copies.
    """
    rng = random.Random(seed)
    dug: list[str] = []
    for number in range(count):
        if number < originals:
            dug.append(_dig(rng))
        yield _shuffled(dug[number % originals], rng)


def as_cover(puzzle: str) -> Puzzle:
    """Write a sudoku as items still to be covered and placements still allowed."""
    open_lines = {f"{kind}{i}{d}" for kind in "rcb" for i in range(9) for d in range(9)}
    for cell, character in enumerate(puzzle):
        if character != ".":
            open_lines.difference_update(_lines(cell, int(character) - 1))
    options = []
    for cell, character in enumerate(puzzle):
        if character == ".":
            for digit in range(9):
                lines = _lines(cell, digit)
                if open_lines.issuperset(lines):
                    options.append([f"p{cell // 9}{cell % 9}", *lines])
    cells = [f"p{cell // 9}{cell % 9}" for cell in _CELLS if puzzle[cell] == "."]
    return Puzzle([*cells, *sorted(open_lines)], [], options)


def _lines(cell: int, digit: int) -> tuple[str, str, str]:
    return f"r{cell // 9}{digit}", f"c{cell % 9}{digit}", f"b{_BOX[cell]}{digit}"


def _dig(rng: random.Random) -> str:
    """Take clues from a full grid until 25 to 30 are left and one solution."""
    while True:
        goal = rng.randint(25, 30)
        grid = next(_solutions([0] * 81, rng))
        for cell in rng.sample(_CELLS, 81):
            digit, grid[cell] = grid[cell], 0
            found = _solutions(grid[:], rng)
            next(found)
            if next(found, None) is not None:
                grid[cell] = digit
            if sum(map(bool, grid)) == goal:
                return "".join(str(digit) if digit else "." for digit in grid)


def _solutions(grid: list[int], rng: random.Random) -> Iterator[list[int]]:
    """Yield every way to fill a grid, in random order."""
    rows, columns, boxes = [0] * 9, [0] * 9, [0] * 9
    for cell in _CELLS:
        bit = 1 << grid[cell] >> 1
        rows[cell // 9] |= bit
        columns[cell % 9] |= bit
        boxes[_BOX[cell]] |= bit

    def allowed(cell: int) -> int:
        return _ALL & ~(rows[cell // 9] | columns[cell % 9] | boxes[_BOX[cell]])

    def fill() -> Iterator[list[int]]:
        best, fewest = -1, 10
        for cell in _CELLS:
            if not grid[cell] and (options := allowed(cell).bit_count()) < fewest:
                best, fewest = cell, options
                if fewest <= 1:
                    break
        if best < 0:
            yield grid[:]
            return
        choices = [d for d in range(1, 10) if allowed(best) >> (d - 1) & 1]
        rng.shuffle(choices)
        for digit in choices:
            bit = 1 << digit >> 1
            grid[best] = digit
            rows[best // 9] ^= bit
            columns[best % 9] ^= bit
            boxes[_BOX[best]] ^= bit
            yield from fill()
            grid[best] = 0
            rows[best // 9] ^= bit
            columns[best % 9] ^= bit
            boxes[_BOX[best]] ^= bit

    return fill()


def _shuffled(puzzle: str, rng: random.Random) -> str:
    digits = dict(zip("123456789.", [*rng.sample("123456789", 9), "."], strict=True))
    rows, columns = _line_order(rng), _line_order(rng)
    cells = [9 * row + column for row in rows for column in columns]
    return "".join(digits[puzzle[cell]] for cell in cells)


def _line_order(rng: random.Random) -> list[int]:
    bands = rng.sample(range(3), 3)
    return [3 * band + line for band in bands for line in rng.sample(range(3), 3)]
