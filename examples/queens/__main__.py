"""Put queens on a chessboard: `python -m examples.queens 8`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dcells_async.puzzles.queens import Order, draw, queens
from examples.show import Look, Task, program

if TYPE_CHECKING:
    from dcells_async import Cover


@program
@click.argument("n", type=click.IntRange(0, 1000), default=6)
@click.option("--natural", is_flag=True, help="Take rows and columns from 0 up.")
def main(n: int, natural: bool) -> Task:
    """Put N queens on an N by N board, none attacking another (N = 6 if not given)."""
    order: Order = "natural" if natural else "organ-pipe"
    return Task(problem=queens(n, order), draw=_picture)


def _picture(cover: Cover, look: Look) -> str:
    return draw(cover, "letters" if look.plain else "board", color=look.color)


if __name__ == "__main__":
    main()
