"""Throw out sudokus that are the same: `python -m examples.minlex`."""

from __future__ import annotations

from random import Random

import anyio
import click

from dcells_async.puzzles.minlex import random_equivalent
from dcells_async.puzzles.minlex_batch import minlex_forms

GRIDS = ("12" + "." * 79, "1..2" + "." * 77, "1" + "." * 80)


@click.command()
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--backend", type=click.Choice(["asyncio", "trio"]), default="asyncio")
def main(seed: int, backend: str) -> None:
    """Disguise three grids, three times each, and find them again."""
    rng = Random(seed)
    lines = [random_equivalent(grid, rng) for grid in GRIDS for _ in range(3)]
    rng.shuffle(lines)
    anyio.run(_classes, lines, backend=backend)


async def _classes(lines: list[str]) -> None:
    first: dict[str, int] = {}
    async for answer in minlex_forms(lines):
        if answer.form is not None:
            line = first.setdefault(answer.form, answer.line)
            same = f"the same as line {line}" if line < answer.line else "new"
            click.echo(f"{answer.line}: {same}, {answer.automorphisms:,} automorphisms")


if __name__ == "__main__":
    main()
