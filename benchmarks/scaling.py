"""One search by several workers: ``python -m benchmarks.scaling``.

Wall time, the least of several runs in one process, problem and tables made beforehand;
in brackets the time of one worker divided by it. What a machine can give at best is in
the last row: as many threads as there are workers, each hashing as much as the others
without the interpreter lock. Where that gains nothing, nothing else will.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.table import Table
from dcells_async import COMPILED, MCC, XCC, Problem
from dcells_async.puzzles.polyominoes import pentominoes
from dcells_async.puzzles.queens import queens
from dcells_async.puzzles.transversal import cyclic, prices, transversal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["main"]

_BLOCK = bytes(1 << 26)


def _counted(problem: Problem) -> Callable[[int], int]:
    return lambda workers: XCC(workers=workers).solve(problem).count()


def _listed(problem: Problem, *, ordered: bool) -> Callable[[int], int]:
    def run(workers: int) -> int:
        engine = XCC(kernel="bits", workers=workers, ordered=ordered)
        return sum(1 for _ in engine.solve(problem))

    return run


def _multiplied(problem: Problem) -> Callable[[int], int]:
    return lambda workers: MCC(workers=workers).solve(problem).count()


def _cheapest(problem: Problem) -> Callable[[int], int]:
    def run(workers: int) -> int:
        *_, best = XCC(workers=workers).cheapest(problem)
        return best.price

    return run


def _hashed(workers: int) -> int:
    """Hash so many blocks as there are in all, by so many threads."""
    with ThreadPoolExecutor(workers) as pool:
        digests = pool.map(lambda _: hashlib.sha256(_BLOCK).digest(), range(8))
        return len({*digests})


def _work() -> dict[str, tuple[Callable[[int], int], int | None]]:
    """Give what is to be done, and what has to come of it, where that is known."""
    square = transversal(cyclic(29), prices(29))
    board, thirteen = pentominoes(6, 10), queens(13, "organ-pipe")
    return {
        "pentominoes 6x10, counted": (_counted(board), 9_356),
        "pentominoes 6x10, listed": (_listed(board, ordered=False), 9_356),
        "pentominoes 6x10, in order": (_listed(board, ordered=True), 9_356),
        "queens 13, counted": (_counted(thirteen), 73_712),
        "queens 13, MCC": (_multiplied(thirteen), 73_712),
        "cyclic square 29, cheapest": (_cheapest(square), None),
        "the machine: SHA-256": (_hashed, 1),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if any result is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling")
    cores = os.cpu_count() or 1
    parser.add_argument("--most", type=int, default=cores, help="workers at most")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args(arguments)
    if not COMPILED:
        print("interpreted: these figures say nothing", file=sys.stderr)
    numbers = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= max(options.most, 2)]
    rows, right = [], True
    for title, (run, known) in _work().items():
        row, alone, expected = [title], 0.0, known
        for workers in numbers:
            best = float("inf")
            for _ in range(options.repeat):
                begin = perf_counter()
                result = run(workers)
                best = min(best, perf_counter() - begin)
                if expected is None:
                    expected = result
                if result != expected:
                    print(f"WRONG! {title}, {workers}: {result}, not {expected}")
                    right = False
            alone = alone or best
            row.append(f"{best:.3f} ({alone / best:.2f})")
        rows.append(row)
    header = ["wall seconds", *(f"{n} workers" for n in numbers)]
    print(Table("Workers", header, rows).as_markdown())
    return int(not right)


if __name__ == "__main__":
    sys.exit(main())
