"""Find the cheapest transversal: `python -m examples.transversal 9`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from dcells_async.puzzles.transversal import (
    assignment,
    cyclic,
    draw,
    prices,
    transversal,
)
from examples.cheapest import LeastCost
from examples.show import Look, NoCoverError, Task, program

if TYPE_CHECKING:
    from collections.abc import Callable

    from dcells_async import Cover

_BROADEST = 12

# A function for each, since not everyone has what the bounds need.
_BOUNDS: dict[str, Callable[[int], dict[str, Any]]] = {
    "none": lambda _: {"taxes": "greedy"},
    "hungarian": lambda n: {"taxes": "greedy", "bound": assignment(n)},
    "lp": lambda _: {"taxes": "lp"},
}


@program
@click.argument("n", type=click.IntRange(1, 1000), default=9)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Decides the prices."
)
@click.option(
    "--bound",
    type=click.Choice(list(_BOUNDS)),
    help="How to foresee what is still to be paid; by default the library decides.",
)
@click.option(
    "--compare", is_flag=True, help="Search with each bound in turn, and draw nothing."
)
def main(n: int, seed: int, bound: str | None, compare: bool) -> Task:
    """Find the cheapest transversal of the cyclic square of N rows (9 by default).

    A transversal is one cell from each row and each column, no two of which hold the
    same symbol. Each cell has a price from 0 to 999.
    """
    if compare and bound:
        raise click.UsageError("choose one of --bound and --compare")
    if n % 2 == 0:
        raise NoCoverError("a cyclic square with an even number of rows has none")
    note = f"seed {seed}" + f", bound {bound}" * bool(bound)
    problem = transversal(cyclic(n), prices(n, seed))
    task = LeastCost(problem=problem, draw=_picture, note=note)
    if compare:
        every = {name: replace(task, **make(n)) for name, make in _BOUNDS.items()}
        return Comparison(problem=problem, draw=_picture, note=note, every=every)
    return replace(task, **_BOUNDS[bound](n)) if bound else task


@dataclass(frozen=True, kw_only=True)
class Comparison(LeastCost):
    """To do the same search with several bounds.

    Attributes
    ----------
    every : mapping of str to LeastCost
    """

    every: dict[str, LeastCost]

    async def show(self, first: int | None, look: Look) -> int:
        """Print a table of what each bound took, and return the exit status."""
        click.echo(f"{'bound':9}{'price':>9}{'nodes':>12}{'updates':>14}{'seconds':>9}")
        for name, task in self.every.items():
            async with task.dance(first) as result:
                async for _ in result.solutions:
                    pass
            stats = result.stats
            click.echo(
                f"{name:9}{stats.best_price:9,}{stats.nodes:12,}{stats.updates:14,}"
                f"{stats.elapsed:9.2f}"
            )
        return 0


def _picture(cover: Cover, look: Look) -> str:
    if len(cover) > _BROADEST:
        return draw(cover, "list")
    return draw(cover, color=look.color)


if __name__ == "__main__":
    main()
