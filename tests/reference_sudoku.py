"""A plain backtracker for sudokus, to compare with."""

from __future__ import annotations

PEERS = [
    [
        j
        for j in range(81)
        if j != i
        and (
            i // 9 == j // 9
            or i % 9 == j % 9
            or (i // 27 == j // 27 and i % 9 // 3 == j % 9 // 3)
        )
    ]
    for i in range(81)
]


def solutions(puzzle: str, limit: int) -> set[str] | None:
    """Give up to `limit` solutions; None if clues clash."""
    grid = ["" if c in ".0*" else c for c in puzzle]
    if any(grid[i] and grid[i] == grid[j] for i in range(81) for j in PEERS[i]):
        return None
    found: set[str] = set()

    def search() -> None:
        open_ = [
            (len(left), i, left)
            for i in range(81)
            if not grid[i]
            for left in [set("123456789") - {grid[j] for j in PEERS[i]}]
        ]
        if not open_:
            found.add("".join(grid))
            return
        _, i, left = min(open_, key=lambda entry: entry[:2])
        for digit in sorted(left):
            grid[i] = digit
            search()
            grid[i] = ""
            if len(found) == limit:
                return

    search()
    return found
