"""Keep squares out of the middle: `python -m examples.hollow --z 16`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dcells_async import MCC
from dcells_async.puzzles.partridge import (
    cell_bound,
    draw,
    partridge,
    piece_bound,
    zone,
)
from examples.cheapest import LeastCost
from examples.show import Look, Task, counted, limited, program

if TYPE_CHECKING:
    from dcells_async import Cover

_BOUNDS = {"piece": piece_bound, "cell": cell_bound}


@program
@click.argument("n", type=click.IntRange(1, 12), default=8)
@click.option(
    "--z",
    type=click.IntRange(min=0),
    metavar="SIDE",
    help="The side of the zone in the middle; by default 2 N, or one less.",
)
@click.option(
    "--bound",
    type=click.Choice(["none", *_BOUNDS]),
    default="none",
    show_default=True,
    help="How to foresee what is still to come.",
)
@limited
def main(n: int, z: int | None, bound: str, limit: float | None) -> Task:
    """Lay squares in a square, as few as possible of them in the middle.

    The squares are 1 of side 1, 2 of side 2, ..., N of side N (N = 8 by default). A
    square is trapped if it lies in the zone in the middle entirely. Improvements are
    told as they are found, and the best is drawn.
    """
    whole = n * (n + 1) // 2
    if z is None:
        z = min(2 * n - (2 * n - whole) % 2, whole)
    hollow = zone(n, z)

    def picture(cover: Cover, look: Look) -> str:
        if look.plain:
            return draw(cover, hollow, "numbers")
        return draw(cover, hollow, color=look.color)

    return LeastCost(
        problem=partridge(n, z),
        draw=picture,
        note=f"z = {z}, bound {bound}",
        engine=MCC(),
        timeout=limit,
        bound=None if bound == "none" else _BOUNDS[bound](n, z),
        taxes="greedy",
        say=lambda price: f"{counted(price, 'square')} trapped",
    )


if __name__ == "__main__":
    main()
