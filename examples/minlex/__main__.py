"""Find sudokus that are the same: `python -m examples.minlex grids.txt`."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import anyio
import click

from dcells_async.puzzles.minlex import random_equivalent
from dcells_async.puzzles.minlex_batch import minlex_forms
from dcells_async.puzzles.sudoku_generate import generate
from examples.show import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_SYMMETRIC = (
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
)


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--seed", type=int, default=1, show_default=True, help="Which disguises.")
@click.option(
    "--backend",
    type=click.Choice(["asyncio", "trio"]),
    default="asyncio",
    show_default=True,
    help="The event loop to run on.",
)
def main(file: Path | None, seed: int, backend: str) -> None:
    """Tell which grids in a file, one a line, are the same sudoku.

    Without a FILE, four grids are disguised, three times each, and found again: two
    new puzzles, the fullest symmetry that a solution can have, and a lonely clue.
    """
    lines = file if file is not None else _disguised(Random(seed))
    try:
        bad = anyio.run(_tell, lines, backend=backend)
    except OSError as error:
        raise RefusedError(f"{error.filename}: {error.strerror}") from error
    sys.exit(2 if bad else 0)


def _disguised(rng: Random) -> list[str]:
    grids = [generate(rng), generate(rng), _MOST_SYMMETRIC, "." * 80 + "7"]
    lines = [random_equivalent(grid, rng) for grid in grids for _ in range(3)]
    rng.shuffle(lines)
    return lines


async def _tell(lines: Path | Sequence[str]) -> int:
    """Print a line for each grid, and return how many are none."""
    first: dict[str, int] = {}
    bad = 0
    head = "line  same as  clues  automorphisms\n"
    async for answer in minlex_forms(lines):
        if answer.form is None:
            bad += 1
            told = f"  {answer.reason}"
        else:
            line = first.setdefault(answer.form, answer.line)
            same = line if line < answer.line else "new"
            clues = 81 - answer.form.count("0")
            told = f"  {same:>7}  {clues:5}  {answer.automorphisms:13,}"
        click.echo(f"{head}{answer.line:4}{told}")
        head = ""
    click.echo(f"{len(first)} different", err=True)
    return bad


if __name__ == "__main__":
    main()
