"""Our engines and kernels beside each other: ``python -m benchmarks.engines``.

Counting, CPU seconds and the most memory held, each in a process of its own. All start
from lists of names. What takes longer than the limit is shown as such, and no loss: no
engine is for everything, which is the point of this table.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.models import neutral
from benchmarks.peers import OURS
from benchmarks.peers.dcells_async import VARIANTS
from benchmarks.processes import measure
from benchmarks.puzzle import save
from benchmarks.rows import ROWS, MissingDataError, Row, data_folder
from benchmarks.table import Table
from dcells_async import COMPILED
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.dominoes import cut_rectangle, dominoes, kasteleyn

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_MIB = 1 << 20

_TILINGS = {
    "dominoes-8x8": Row(
        "dominoes 8x8",
        kasteleyn(8, 8),
        lambda _: [neutral(dominoes(Board.rectangle(8, 8)))],
    ),
    "dominoes-12x12": Row(
        "dominoes 12x12",
        kasteleyn(12, 12),
        lambda _: [neutral(dominoes(Board.rectangle(12, 12)))],
    ),
    "cut-10x10": Row(
        "dominoes, cut 10x10",
        0,
        lambda _: [neutral(dominoes(cut_rectangle(10, 10)))],
    ),
}
WORK = {**ROWS, **_TILINGS}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 if any count is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines")
    parser.add_argument("--rows", nargs="+", choices=WORK, default=list(WORK))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=30.0, help="seconds a run")
    parser.add_argument("--data", type=Path, help="folder with filomino-15x15.dlx")
    options = parser.parse_args(arguments)
    if not COMPILED:
        print("interpreted: these figures say nothing", file=sys.stderr)
    seconds, memory, right = [], [], True
    with TemporaryDirectory() as folder:
        path = Path(folder, "puzzles.json")
        for row in (WORK[key] for key in options.rows):
            try:
                save(row.build(data_folder(options.data)), path)
            except MissingDataError as error:
                print(f"{row.title} is left out: {error}", file=sys.stderr)
                continue
            times, peaks = [row.title], [row.title]
            for variant in VARIANTS:
                found = measure(
                    f"{OURS}/{variant}", "count", path, options.repeat, options.limit
                )
                if not found.readings:
                    print(f"{row.title}, {variant}: {found.failure}", file=sys.stderr)
                elif found.covers != row.covers:
                    print(
                        f"WRONG COUNT! {row.title}, {variant}: {found.covers}, "
                        f"not {row.covers}",
                        file=sys.stderr,
                    )
                    right = False
                times.append(f"{found.cpu:.3f}" if found.readings else found.failure)
                peaks.append(f"{found.peak / _MIB:.0f}" if found.peak else "-")
            seconds.append(times)
            memory.append(peaks)
    header = ["counting", *VARIANTS]
    print(Table("CPU seconds", header, seconds).as_markdown(), end="\n\n")
    print(Table("Most memory held, MiB", header, memory).as_markdown())
    return int(not right)


if __name__ == "__main__":
    sys.exit(main())
