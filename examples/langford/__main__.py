"""Pair numbers in a row: `python -m examples.langford 7`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dcells_async.puzzles.langford import draw, langford
from examples.show import Look, Task, program

if TYPE_CHECKING:
    from dcells_async import Cover


@program
@click.argument("n", type=click.IntRange(0, 1000), default=4)
@click.option("--both-ways", is_flag=True, help="Also give each one read backwards.")
def main(n: int, both_ways: bool) -> Task:
    """Put 1, 1, ..., N, N in a row, K numbers between the K's (N = 4 by default)."""
    note = "" if both_ways else "up to reversal"
    problem = langford(n, up_to_reversal=not both_ways)
    return Task(problem=problem, draw=_picture, note=note)


def _picture(cover: Cover, look: Look) -> str:
    return draw(cover, "numbers" if look.plain else "arcs")


if __name__ == "__main__":
    main()
