"""The command ``trace``: the dance, step by step."""

from __future__ import annotations

import sys
from itertools import islice
from time import sleep
from typing import TYPE_CHECKING

import click

from ..tracing import Action
from ..tracing import trace as traced
from .matrix import is_drawable, plain, table
from .parameters import output, source
from .statuses import FOUND, NONE, STATUSES
from .telling import told

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..tracing import Step
    from ..tracing.watch import WayName

__all__ = ["trace"]

_COLORS = {
    Action.SOLUTION: "green",
    Action.DEAD_END: "red",
    Action.TRY: "cyan",
    Action.CHOOSE: "bold",
}


@click.command(epilog=f"Exit status: {FOUND}, or {NONE} if {STATUSES[NONE]}.")
@click.argument("file", metavar="FILE|-")
@click.option(
    "--way",
    type=click.Choice(["links", "cells"]),
    default="links",
    show_default=True,
    help="How to dance.",
)
@click.option("--steps", type=click.IntRange(min=1), metavar="K", help="Stop after K.")
@click.option(
    "--matrix/--no-matrix",
    default=None,
    help="Draw the matrix at each step. [default: on a terminal, if it is small]",
)
@click.option(
    "--delay",
    type=click.FloatRange(min=0, max=3600),
    default=0.0,
    metavar="SECONDS",
    help="Wait so long after each step.",
)
@click.pass_context
def trace(
    ctx: click.Context,
    *,
    file: str,
    way: WayName,
    steps: int | None,
    matrix: bool | None,
    delay: float,
) -> None:
    """Watch how a search for all covers goes, step by step.

    With links, items are covered and uncovered, undoing backwards all that was done;
    with cells, options are hidden and sizes restored. Steps are indented by the
    number of options chosen. In the matrix, columns that are covered and rows that
    have left are dimmed; if the output is no terminal, they are dots, and chosen
    rows are starred. This is for small problems; to solve, see dcells solve.

    \b
    Examples:
      dcells trace small.dlx
      dcells trace --way cells --delay 0.5 small.dlx
      dcells trace --steps 100 --no-matrix large.dlx
    """
    found = False
    is_over = True
    with told(file):
        show = _view()
        output()
        for number, step in enumerate(islice(traced(source(file), way), steps), 1):
            found = found or step.action is Action.SOLUTION
            is_over = number != steps
            is_drawn = sys.stdout.isatty() and is_drawable(step.problem)
            show(step, is_drawn if matrix is None else matrix)
            sleep(delay)
    ctx.exit(FOUND if found or not is_over else NONE)


def _view() -> Callable[[Step, bool], None]:
    if not sys.stdout.isatty():
        return _show_plain
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)

    def show(step: Step, has_matrix: bool) -> None:
        console.print(Text("  " * step.depth + str(step), _COLORS.get(step.action, "")))
        if has_matrix:
            console.print(table(step))

    return show


def _show_plain(step: Step, has_matrix: bool) -> None:
    lines = "  " * step.depth + str(step)
    if has_matrix:
        lines += "\n" + plain(step)
    click.echo(lines.encode())
