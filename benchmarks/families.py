"""All covers at once, beside xcover: ``python -m benchmarks.families``.

Domino tilings as decision diagrams. All begin with the same lists of names and end with
a diagram in order; the column *count* is our `ZDD.tally`, whose diagram need not be in
order. xcover is asked for its leftmost rule, the only one whose counts are right, with
its memo, and hands its nodes out one by one: they are counted as they come. Seconds are
of one processor, the least of several runs; compiling and importing are not counted.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from benchmarks.table import Table
from dcells_async import COMPILED, ZDD, Problem
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.dominoes import aztec, dominoes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["main"]

REPEAT = 5
PATIENCE_S = 10.0
"""What takes longer is not begun again."""

BOARDS = {
    "8x8": Board.rectangle(8, 8),
    "12x12": Board.rectangle(12, 12),
    "16x16": Board.rectangle(16, 16),
    "Aztec 10": aztec(10),
}


def least_seconds(run: Callable[[], object]) -> float:
    """Give the processor time of the fastest of several runs."""
    best = float("inf")
    begin = time.process_time()
    for _ in range(REPEAT):
        start = time.process_time()
        run()
        end = time.process_time()
        best = min(best, end - start)
        if end - begin > PATIENCE_S:
            break
    return best


def ours(
    options: Sequence[Sequence[str]], cells: Sequence[str]
) -> dict[str, Callable[[], int]]:
    """Give our ways, each from the lists to the number of tilings or of nodes."""

    def problem() -> Problem:
        return Problem.from_options(options, cells)

    return {
        "leftmost": lambda: ZDD(mrv=False).diagram(problem()).nodes,
        "fewest options": lambda: ZDD().diagram(problem()).nodes,
        "count": lambda: ZDD().tally(problem()),
    }


def xcover(options: Sequence[Sequence[str]], cells: Sequence[str]) -> int:
    """Give how many nodes xcover hands out."""
    from xcover import covers_zdd  # noqa: PLC0415

    nodes = covers_zdd(
        options, primary=cells, use_memo_cache=True, choose_heuristic="leftmost"
    )
    return sum(1 for _ in nodes)


def main() -> int:
    """Print the table."""
    if not COMPILED:
        print("interpreted: these figures say nothing", file=sys.stderr)
    has_xcover = find_spec("xcover") is not None
    rows, right = [], True
    for name, board in BOARDS.items():
        problem = dominoes(board)
        options = [list(option.names) for option in problem.options]
        cells = [str(item.label) for item in problem.items]
        ways = ours(options, cells)
        row = [name, f"{ways['leftmost']():,}"]
        seconds = [least_seconds(way) for way in ways.values()]
        row += [f"{second:.3f}" for second in seconds]
        if has_xcover:
            xcover(options, cells)
            theirs = least_seconds(partial(xcover, options, cells))
            row.append(f"{theirs:.3f} ({theirs / seconds[0]:.1f})")
        rows.append(row)
        right = right and ways["count"]() == ZDD(mrv=False).diagram(problem).count()
    header = ["board", "nodes", "leftmost", "fewest options", "count", "xcover"]
    print(Table("Diagrams of all tilings", header[: len(rows[0])], rows).as_markdown())
    print("\nin brackets: xcover's time divided by that of the leftmost rule")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
