"""Problems that several tests use, as DLX text."""

from __future__ import annotations

from itertools import product

SMALL = "a b c\na b\nc\na c\nb"
"""Two covers: {1, 2} and {3, 4}."""


def queens(n: int) -> str:
    """Rows and columns primary, diagonals secondary, options row by row."""
    rows, columns = [f"r{i}" for i in range(n)], [f"c{i}" for i in range(n)]
    rising = [f"a{i}" for i in range(2 * n - 1)]
    falling = [f"b{i}" for i in range(2 * n - 1)]
    lines = [" ".join([*rows, *columns, "|", *rising, *falling])]
    lines += [
        f"r{r} c{c} a{r + c} b{n - 1 - r + c}" for r, c in product(range(n), range(n))
    ]
    return "\n".join(lines)


def dominoes(rows: int, columns: int, *, cut: bool = False) -> str:
    """Domino tilings of a board, perhaps less two opposite corners (then none)."""
    missing = {(0, 0), (rows - 1, columns - 1)} if cut else set()
    cells = [
        cell for cell in product(range(rows), range(columns)) if cell not in missing
    ]
    board = set(cells)
    lines = [" ".join(f"{r}.{c}" for r, c in cells)]
    lines += [
        f"{r}.{c} {right}.{down}"
        for r, c in cells
        for right, down in ((r, c + 1), (r + 1, c))
        if (right, down) in board
    ]
    return "\n".join(lines)


def sudoku(grid: str) -> str:
    """Cells, rows, columns and boxes as items; a digit in a cell as an option."""
    cells, digits = [*product(range(9), range(9))], "123456789"
    names = [f"p{r}{c}" for r, c in cells]
    names += [f"{kind}{k}{d}" for kind in "rcb" for k in range(9) for d in digits]
    lines = [" ".join(names)]
    lines += [
        f"p{r}{c} r{r}{d} c{c}{d} b{3 * (r // 3) + c // 3}{d}"
        for (r, c), clue in zip(cells, grid, strict=True)
        for d in digits
        if clue in (".", d)
    ]
    return "\n".join(lines)


FRUITLESS = dominoes(10, 10, cut=True)
"""No cover, and a search that takes ages to say so."""
