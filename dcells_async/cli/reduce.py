"""The command that takes hopeless options out of a problem."""

from __future__ import annotations

import warnings

import click

from ..errors import DlxWarning
from ..problem import Problem
from ..reducing import reduced
from .parameters import source, status_help, write_all
from .statuses import BAD, CLOSED, FOUND, INTERRUPTED, NONE, STATUSES
from .telling import told
from .words import amount

__all__ = ["reduce"]


_STATUSES = {
    FOUND: "the problem that is left was written",
    **{status: STATUSES[status] for status in (NONE, BAD, INTERRUPTED, CLOSED)},
}


@click.command(epilog=status_help(_STATUSES))
@click.argument("file", metavar="FILE|-")
@click.pass_context
def reduce(ctx: click.Context, *, file: str) -> None:
    """Write a problem without what can be in no cover.

    An option goes if its use would leave some item with too few others, and more of
    them then in turn; then items that make no difference any more. The covers remain
    the same; options have other numbers. How much has gone is told on stderr.

    The exit status is 1 if it turned out that there is no cover: then no option is
    left.

    \b
    Examples:
      dcells reduce sudoku.dlx > smaller.dlx
      dcells reduce - < sudoku.dlx | dcells solve -
    """
    with told(file):
        with warnings.catch_warnings():
            # Options without a primary item are among those that go.
            warnings.simplefilter("ignore", DlxWarning)
            problem = Problem.from_dlx(source(file))
        smaller = reduced(problem)
        write_all([smaller.to_dlx().encode()])
        options = len(problem.options) - len(smaller.options)
        items = len(problem.items) - len(smaller.items)
        click.echo(
            f"removed {amount(options, 'option')} of {len(problem.options):,} and "
            f"{amount(items, 'item')} of {len(problem.items):,}",
            err=True,
        )
    is_hopeless = not smaller.options and any(item.low for item in smaller.items)
    ctx.exit(NONE if is_hopeless else FOUND)
