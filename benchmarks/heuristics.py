"""What to branch on, what to remove before, and where to begin: three choices measured.

``python -m benchmarks.heuristics`` prints three tables. In the first, problems are
searched to the end by every rule of choosing an item, and by bits; in the second, with
and without preprocessing; in the third, the first cover is sought with twenty seeds.
Seconds are of one processor; what takes longer than the patience is cut off, and then
figures are told with a ">". Edge matching, filomino and the random problem are ours.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.rows import data_folder
from benchmarks.table import Table
from dcells_async import COMPILED, MCC, XCC, XCCDC, Engine, Outcome, Problem
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.dominoes import dominoes
from dcells_async.puzzles.edges import edges
from dcells_async.puzzles.langford import langford
from dcells_async.puzzles.partridge import partridge
from dcells_async.puzzles.polyominoes import pentominoes
from dcells_async.puzzles.queens import queens
from dcells_async.puzzles.sudoku import Sudoku, sudoku
from dcells_async.puzzles.tile_sets import random_puzzle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

__all__ = ["main"]

SEEDS = 20

ESCARGOT = (
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
)
INKALA = (
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)

RULES: Mapping[str, Engine] = {
    "mrv": XCC(kernel="cells"),
    "weighted": XCC(choose="weighted"),
    "failures": XCC(choose="failures"),
    "bits (mrv)": XCC(kernel="bits"),
    "XCCDC mrv": XCCDC(),
    "XCCDC weighted": XCCDC(choose="weighted"),
    "XCCDC failures": XCCDC(choose="failures"),
}


def chance(n_items: int, n_options: int, seed: int) -> Problem:
    """Draw options of three to five items, and a cover among them."""
    rng = random.Random(seed)
    items = list(range(n_items))
    rng.shuffle(items)
    options, at = [], 0
    while at < n_items:
        size = rng.randint(3, 5)
        options.append(items[at : at + size])
        at += size
    while len(options) < n_options:
        options.append(rng.sample(range(n_items), rng.randint(3, 5)))
    rng.shuffle(options)
    return Problem.from_options(options, range(n_items))


def latin(side: int, share: float, seed: int) -> Problem:
    """Complete a Latin square from which so large a share has been taken out."""
    rng = random.Random(seed)
    rows, columns, signs = (rng.sample(range(side), side) for _ in range(3))
    cells = [(r, c) for r in range(side) for c in range(side)]
    holes = set(rng.sample(cells, int(share * side * side)))
    taken = set()
    for r, c in cells:
        if (r, c) not in holes:
            sign = signs[(rows[r] + columns[c]) % side]
            taken |= {("row", r, sign), ("column", c, sign)}
    return Problem.from_options(
        [
            [("cell", r, c), *lines]
            for r, c in sorted(holes)
            for sign in range(side)
            if not taken & {*(lines := [("row", r, sign), ("column", c, sign)])}
        ]
    )


def mutilated(side: int) -> Problem:
    """Dominoes on a square board without two opposite corners: there is no tiling."""
    cells = {(r, c) for r in range(side) for c in range(side)}
    return dominoes(Board(cells - {(0, 0), (side - 1, side - 1)}))


def tiles(side: int, colors: int) -> Problem:
    """Tiles that were cut from one board, with a border and one corner fixed."""
    return edges(random_puzzle(side, side, colors, seed=1), fix=True)


def filomino(folder: Path, size: int) -> Problem:
    """Read a filomino of size by size."""
    return Problem.from_dlx(folder / f"filomino-{size}x{size}.dlx")


def problems(folder: Path) -> dict[str, Callable[[], Problem]]:
    """Give the problems that are searched to the end."""
    found: dict[str, Callable[[], Problem]] = {
        "edge matching 5x5, 5 colors": partial(tiles, 5, 5),
        "edge matching 6x6, 6 colors": partial(tiles, 6, 6),
        "edge matching 7x7, 7 colors": partial(tiles, 7, 7),
        "sudoku Escargot": lambda: sudoku(Sudoku.from_text(ESCARGOT)),
        "sudoku Inkala 2012": lambda: sudoku(Sudoku.from_text(INKALA)),
        "Langford 10 (no cover)": partial(langford, 10),
        "mutilated board 8x8 (no cover)": partial(mutilated, 8),
        "queens 12": partial(queens, 12, "organ-pipe"),
        "random, 40 items, 400 options": partial(chance, 40, 400, 1),
        "pentominoes 6x10": partial(pentominoes, 6, 10),
        "partridge 5 (no cover)": partial(partridge, 5),
    }
    for size in (10, 15):
        if (folder / f"filomino-{size}x{size}.dlx").is_file():
            found[f"filomino {size}x{size}"] = partial(filomino, folder, size)
    return found


class Run(NamedTuple):
    """What a search came to."""

    nodes: int
    covers: int
    seconds: float
    is_over: bool
    options: int
    items: int

    @property
    def more(self) -> str:
        """A mark of what would have taken longer."""
        return "" if self.is_over else ">"


def search(engine: Engine, problem: Problem, most: float, patience_s: float) -> Run:
    """Search for so many covers; all but the reading of the problem is on the clock."""
    start = time.process_time()
    found, seconds = 0, 0.0
    with engine.solve(problem) as covers:
        while covers.outcome is Outcome.RUNNING and found < most:
            if seconds >= patience_s:
                break
            found += len(covers.step())
            seconds = time.process_time() - start
        stats, outcome = covers.stats, covers.outcome
    is_over = found >= most or outcome is Outcome.EXHAUSTED
    return Run(stats.nodes, found, seconds, is_over, stats.options, stats.items)


def count(engine: Engine, problem: Problem, patience_s: float) -> Run:
    """Search for all covers."""
    return search(engine, problem, math.inf, patience_s)


def choices(
    made: Mapping[str, Callable[[], Problem]], patience_s: float
) -> tuple[list[Table], bool]:
    """Search every problem by every rule: nodes, seconds; and whether all agree."""
    nodes, seconds, agree = [], [], True
    for name, make in made.items():
        problem = make()
        if isinstance(engine_for(problem), MCC):
            continue
        say(name)
        runs = [count(engine, problem, patience_s) for engine in RULES.values()]
        covers = {run.covers for run in runs if run.is_over}
        agree = agree and len(covers) <= 1
        title = f"{name}: {covers.pop():,}" if len(covers) == 1 else name
        nodes.append([title, *(f"{run.more}{run.nodes:,}" for run in runs)])
        seconds.append([title, *(f"{run.more}{run.seconds:.3f}" for run in runs)])
    header = ["problem: covers", *RULES]
    return [
        Table("Nodes, by what is branched on", header, nodes),
        Table("Seconds, by what is branched on", header, seconds),
    ], agree


def engine_for(problem: Problem, **knobs: Any) -> Engine:  # noqa: ANN401
    """Give the usual engine for a problem: with multiplicities it is MCC."""
    is_plain = all(item.low == item.high == 1 for item in problem.items)
    return XCC(**knobs) if is_plain else MCC(**knobs)


def preprocessing(
    made: Mapping[str, Callable[[], Problem]], patience_s: float
) -> Table:
    """Search with and without preprocessing."""
    rows = []
    for name, make in made.items():
        problem = make()
        say(f"{name}, preprocessed")
        plain = count(engine_for(problem), problem, patience_s)
        ready = engine_for(problem, preprocess=True)
        less = count(ready, problem, patience_s)
        rows.append(
            [
                name,
                f"{plain.options:,} / {less.options:,}",
                f"{plain.items:,} / {less.items:,}",
                f"{alone_seconds(ready, problem):.3f}",
                f"{plain.more}{plain.nodes:,} / {less.more}{less.nodes:,}",
                f"{plain.more}{plain.seconds:.3f} / {less.more}{less.seconds:.3f}",
            ]
        )
    header = ["problem", "options", "items", "it takes, s", "nodes", "s in all"]
    return Table("Preprocessing: without / with", header, rows)


def alone_seconds(engine: Engine, problem: Problem) -> float:
    """Tell how long it takes until the search itself begins."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        with engine.solve(problem):
            best = min(best, time.process_time() - start)
    return best


def firsts() -> dict[str, Callable[[], Problem]]:
    """Give problems whose first cover may be long in coming."""
    return {
        "queens 50": partial(queens, 50),
        "pentominoes 3x20": partial(pentominoes, 3, 20),
        "dominoes 20x20": lambda: dominoes(Board.rectangle(20, 20)),
        "random, 60 items, 400 options": partial(chance, 60, 400, 3),
        "edge matching 7x7, 7 colors": partial(tiles, 7, 7),
        "Latin square 33, 42 % holes": partial(latin, 33, 0.42, 2),
        "Latin square 36, 45 % holes": partial(latin, 36, 0.45, 3),
        "Latin square 40, 45 % holes": partial(latin, 40, 0.45, 4),
        "partridge 8": partial(partridge, 8),
    }


def seeds(patience_s: float) -> Table:
    """Look for a first cover with many seeds, and tell how far the times spread."""
    rows = []
    for name, make in firsts().items():
        problem = make()
        say(f"{name}, first cover")
        rows.append([name, *spread(partial(engine_for, problem), problem, patience_s)])
        if isinstance(engine_for(problem), XCC):
            make_engine = partial(XCC, choose="weighted")
            texts = spread(make_engine, problem, patience_s)
            rows.append([f"{name}, weighted", *texts])
    header = ["problem", "no seed, s", "least", "median", "most"]
    header += ["restarting, mean", "too late"]
    return Table(f"The first cover, with {SEEDS} seeds", header, rows)


def spread(
    make_engine: Callable[..., Engine], problem: Problem, patience_s: float
) -> list[str]:
    """Look for a first cover without a seed, and with many."""
    plain = first_seconds(make_engine(), problem, patience_s)
    times = sorted(
        first_seconds(make_engine(seed=seed), problem, patience_s)
        for seed in range(SEEDS)
    )
    cells = [plain, times[0], statistics.median(times), times[-1], restarting(times)]
    texts = [
        f"{seconds:.3f}" if seconds < math.inf else f">{patience_s:g}"
        for seconds in cells
    ]
    return [*texts, f"{times.count(math.inf)}"]


def first_seconds(engine: Engine, problem: Problem, patience_s: float) -> float:
    """Tell how long the first cover took; infinite if it did not come in time."""
    run = search(engine, problem, 1, patience_s)
    return run.seconds if run.covers else math.inf


def restarting(times: list[float]) -> float:
    """Tell what it takes on average to try seed after seed, each for a time.

    The time is that which turns out best. If a share p of the seeds comes in time t,
    then 1/p - 1 tries are given up before, on average, each after t.
    """
    best = math.inf
    for limit in times:
        if limit < math.inf:
            in_time = [seconds for seconds in times if seconds <= limit]
            mean = statistics.fmean(in_time)
            mean += limit * (len(times) / len(in_time) - 1)
            best = min(best, mean)
    return best


def say(text: str) -> None:
    """Tell on stderr what is being done."""
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    """Print the tables; return 1 if any two searches disagree."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.heuristics")
    parser.add_argument(
        "--patience", type=float, default=20.0, help="seconds a search may take"
    )
    parser.add_argument(
        "--haste", type=float, default=3.0, help="seconds a first cover may take"
    )
    arguments = parser.parse_args()
    patience_s = arguments.patience
    if not COMPILED:
        say("interpreted: these figures say nothing")
    made = problems(data_folder(None))
    tables, agree = choices(made, patience_s)
    for table in (*tables, preprocessing(made, patience_s), seeds(arguments.haste)):
        print(table.as_markdown(), end="\n\n")
    if not agree:
        say("WRONG: the searches do not agree")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
