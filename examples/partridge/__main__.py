"""Lay squares in a square: `python -m examples.partridge 8`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dcells_async import MCC
from dcells_async.puzzles.partridge import draw, partridge
from examples.show import Look, Task, limited, program

if TYPE_CHECKING:
    from dcells_async import Cover


@program
@click.argument("n", type=click.IntRange(1, 12), default=8)
@limited
def main(n: int, limit: float | None) -> Task:
    """Lay 1 square of side 1, 2 of side 2, ..., N of side N in one (N = 8 by default).

    There are no answers for N from 2 to 7, which takes seconds to find out for 6, and
    long for 7.
    """
    return Task(problem=partridge(n), draw=_picture, engine=MCC(), timeout=limit)


def _picture(cover: Cover, look: Look) -> str:
    if look.plain:
        return draw(cover, style="numbers")
    return draw(cover, color=look.color)


if __name__ == "__main__":
    main()
