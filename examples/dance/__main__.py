"""Watch the search step by step: `python -m examples.dance`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcells_async import Action, Cover, Problem, trace
from dcells_async.cli.matrix import plain
from examples.show import Look, Task, program

if TYPE_CHECKING:
    from dcells_async.tracing.watch import WayName

TEXTBOOK = """\
A B C D E F G
C E F
A D G
B C F
A D
B G
D E G
"""


@dataclass(frozen=True, kw_only=True)
class Watching(Task):
    """A task that shows the way to the covers, too."""

    way: WayName
    has_matrix: bool

    async def show(self, first: int | None, look: Look) -> int:
        """Print the steps as they are taken, and return the exit status."""
        found = 0
        async with trace(self.problem, self.way, buffer=0) as steps:
            async for step in steps:
                click.echo("  " * step.depth + str(step))
                if self.has_matrix and step.action is Action.CHOOSE:
                    click.echo(plain(step) + "\n")
                if step.action is Action.SOLUTION:
                    found += 1
                    cover = Cover(self.problem, [n - 1 for n in step.chosen])
                    click.echo(f"\n{self.draw(cover, look)}\n")
                if found == first:
                    break
        return 0 if found else 1


@program
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option(
    "--way",
    type=click.Choice(["links", "cells"]),
    default="links",
    show_default=True,
    help="How to dance.",
)
@click.option("--matrix", is_flag=True, help="Draw the matrix at each choice.")
def main(file: Path | None, way: WayName, matrix: bool) -> Task:
    """Watch the search for the covers of a DLX FILE, or of a textbook's example."""
    problem = Problem.from_dlx(TEXTBOOK if file is None else file)
    return Watching(problem=problem, draw=_listed, way=way, has_matrix=matrix)


def _listed(cover: Cover, look: Look) -> str:
    """List the options; with letters for a star if need be."""
    mark = "*" if look.plain else "\u2713"
    return "\n".join(f"  {mark} {' '.join(names)}" for names in cover)


if __name__ == "__main__":
    main()
