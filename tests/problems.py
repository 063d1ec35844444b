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


FRUITLESS = dominoes(10, 10, cut=True)
"""No cover, and a search that takes ages to say so."""
