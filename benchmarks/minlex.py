"""Canonical forms of sudokus, grids a second: ``python -m benchmarks.minlex``.

The only other program of which we know that it looks for the same form, the smallest
number, is kaityo256/minlex, in C++. Where it has been compiled, ``--program`` says; it
gets a file of grids, and prints their forms. It is not meant for grids that are full or
nearly so, and how many of its forms are others than ours is told. Seconds are of one
processor; ours go from Python text to Python text, the program's from file to pipe.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.sudokus import sudokus
from benchmarks.table import Table
from dcells_async import COMPILED
from dcells_async.puzzles.minlex_batch import minlex_forms_sync
from dcells_async.puzzles.sudoku_batch import solve_sudokus_sync

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["main"]

SEED = 1
REPEAT = 3
MOST_FOR_PROGRAM = 1000


def kinds(count: int, data: Path | None) -> dict[str, list[str]]:
    """Give grids of each kind, with 0 for a blank."""
    puzzles = [puzzle.replace(".", "0") for puzzle in sudokus(count, SEED)]
    full = [f"{answer.solution}" for answer in solve_sudokus_sync(puzzles)]
    draws = Random(SEED)
    dense = [_without(grid, draws.sample(range(81), 16)) for grid in full]
    grids = {"25 to 30 clues": puzzles, "65 clues": dense, "81 clues": full}
    if data is not None:
        with data.open(encoding="ascii") as lines:
            some = [line[:81].replace(".", "0") for line in islice(lines, count)]
        grids = {data.name: some, **grids}
    return grids


def _without(grid: str, places: Sequence[int]) -> str:
    return "".join("0" if k in places else digit for k, digit in enumerate(grid))


def ours(grids: Sequence[str]) -> tuple[list[str | None], float]:
    """Give the forms, and the seconds they took."""
    start = time.process_time()
    forms = [answer.form for answer in minlex_forms_sync(grids)]
    return forms, time.process_time() - start


def of_program(program: Path, grids: Sequence[str]) -> tuple[list[str | None], float]:
    """Do the same with a program that reads a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "grids.txt"
        path.write_text("\n".join(grids) + "\n", encoding="ascii")
        before = os.times()
        done = subprocess.run(
            [program, path], capture_output=True, text=True, check=True
        )
        after = os.times()
    seconds = after.children_user - before.children_user
    seconds += after.children_system - before.children_system
    return [*done.stdout.split()], seconds


def _rate(
    solve: Callable[[Sequence[str]], tuple[list[str | None], float]],
    grids: Sequence[str],
) -> tuple[list[str | None], str]:
    runs = [solve(grids) for _ in range(REPEAT)]
    least = max(min(seconds for _, seconds in runs), 1e-3)
    return runs[0][0], f"{len(grids) / least:,.0f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.minlex")
    parser.add_argument("--program", type=Path, help="kaityo256/minlex, compiled")
    parser.add_argument("--data", type=Path, help="a file of more grids, one a line")
    parser.add_argument("--count", type=int, default=5000, help="grids of each kind")
    wanted = parser.parse_args(arguments)
    if not COMPILED:
        print("interpreted: these figures say nothing", file=sys.stderr)
    rows = []
    for kind, grids in kinds(wanted.count, wanted.data).items():
        forms, rate = _rate(ours, grids)
        row = [kind, rate]
        if wanted.program is not None:
            few = grids[:MOST_FOR_PROGRAM]
            others, rate = _rate(lambda few: of_program(wanted.program, few), few)
            differing = sum(a != b for a, b in zip(forms, others, strict=False))
            row += [rate, f"{differing} of {len(few)}"]
        rows.append(row)
    header = ["grids", "dcells_async", "kaityo256/minlex", "other forms"]
    print(Table("Forms a second", header[: len(rows[0])], rows).as_markdown())
    return 0


if __name__ == "__main__":
    sys.exit(main())
