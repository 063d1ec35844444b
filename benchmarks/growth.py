"""How time grows with a problem, as a plot: ``python -m benchmarks.growth``.

Three families, each larger from step to step, counted by our engines and by the peers.
A contender that has taken longer than the limit for one size is not asked for larger
ones. Each run has a process of its own, starts from the same lists of names, and is
timed in CPU seconds, the least of several runs. Wrong counts end the whole thing.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.models import neutral
from benchmarks.peers import NAMES, OURS, module_name
from benchmarks.processes import measure
from benchmarks.puzzle import save
from benchmarks.table import Table
from dcells_async import COMPILED, Problem
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.dominoes import dominoes, kasteleyn
from dcells_async.puzzles.langford import langford
from dcells_async.puzzles.queens import queens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["main"]

_PICTURE = Path(__file__).resolve().parent.parent / "docs" / "growth.png"


@dataclass(frozen=True, slots=True)
class Family:
    """Problems by size, with the known number of covers of each.

    Parameters
    ----------
    title : str
        What the plot calls it.
    make : callable
        Gives the problem of a size.
    covers : mapping
        The sizes, ascending, and how many covers each has.
    """

    title: str
    make: Callable[[int], Problem]
    covers: Mapping[int, int]


FAMILIES = (
    Family(
        "n queens",
        lambda n: queens(n, "organ-pipe"),
        {8: 92, 9: 352, 10: 724, 11: 2_680, 12: 14_200, 13: 73_712, 14: 365_596}
        | {15: 2_279_184},
    ),
    Family(
        "domino tilings of 6 x n",
        lambda n: dominoes(Board.rectangle(6, n)),
        {n: kasteleyn(6, n) for n in (4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 32, 48, 64)},
    ),
    Family(
        "Langford pairings of n",
        lambda n: langford(n, up_to_reversal=True),
        {5: 0, 6: 0, 7: 26, 8: 150, 9: 0, 10: 0, 11: 17_792, 12: 108_144, 13: 0},
    ),
)
CONTENDERS = (OURS, f"{OURS}/cells", f"{OURS}/zdd", *NAMES[1:])

Lines = dict[str, dict[int, float]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables and draw the plot; return 1 on a wrong count."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a run")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--picture", type=Path, default=_PICTURE, help="where to draw")
    options = parser.parse_args(arguments)
    if not COMPILED:
        print("interpreted: these figures say nothing", file=sys.stderr)
    names = [name for name in CONTENDERS if find_spec(module_name(name))]
    measured: dict[str, Lines] = {}
    for family in FAMILIES:
        lines = _measured(family, names, options.repeat, options.limit)
        if lines is None:
            return 1
        measured[family.title] = lines
        print(_table(family, lines).as_markdown(), end="\n\n")
    _draw(measured, options.picture)
    print(f"drawn: {options.picture.name}")
    return 0


def _measured(
    family: Family, names: Sequence[str], repeat: int, limit: float
) -> Lines | None:
    """Time a family size by size; None if any count is wrong."""
    lines: Lines = {name: {} for name in names}
    tired: set[str] = set()
    with TemporaryDirectory() as folder:
        path = Path(folder, "puzzle.json")
        for n, covers in family.covers.items():
            save([neutral(family.make(n))], path)
            for name in names:
                if name in tired:
                    continue
                found = measure(name, "count", path, repeat, limit)
                if not found.readings:
                    print(f"{family.title}, {n}, {name}: {found.failure}")
                    tired.add(name)
                elif found.covers != covers:
                    print(f"WRONG COUNT! {name}, {n}: {found.covers}, not {covers}")
                    return None
                else:
                    lines[name][n] = found.cpu
    return lines


def _table(family: Family, lines: Lines) -> Table:
    rows = [
        [name, *(f"{line[n]:.3g}" if n in line else "-" for n in family.covers)]
        for name, line in lines.items()
    ]
    return Table(f"{family.title}, CPU seconds", ["", *map(str, family.covers)], rows)


def _draw(measured: Mapping[str, Lines], path: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415 - not needed for the tables

    figure = Figure(figsize=(13, 4.6), layout="constrained")
    for axes, (title, lines) in zip(
        figure.subplots(1, len(measured)), measured.items(), strict=True
    ):
        for name, line in lines.items():
            ours = name.startswith(OURS)
            axes.plot(
                list(line),
                list(line.values()),
                label=name.replace(OURS, "ours"),
                linewidth=2.2 if ours else 1.1,
                linestyle="-" if ours else "--",
                marker="o" if ours else ".",
            )
        axes.set_yscale("log")
        axes.set_title(title)
        axes.set_xlabel("n")
        axes.grid(alpha=0.3)
    axes = figure.axes[0]
    axes.set_ylabel("CPU seconds to count all covers")
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    sys.exit(main())
