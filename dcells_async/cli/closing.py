"""What is told on stderr after a search."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ..cover import Outcome
from .statuses import CUT_SHORT
from .words import reasons, summary

if TYPE_CHECKING:
    from .run import Ending

__all__ = ["tell_ending"]


def tell_ending(ending: Ending, *, stats: bool, price: str | None = None) -> None:
    """Tell how a search ended, as far as the output does not.

    Parameters
    ----------
    ending : Ending
    stats : bool
        Whether to tell what the search came to even if it was not cut short.
    price : str, optional
        A line about prices.
    """
    if ending.outcome is Outcome.EXHAUSTED and not ending.stats.covers:
        click.echo("no cover", err=True)
        for reason in reasons(ending.problem) if ending.problem else ():
            click.echo(f"note: {reason}", err=True)
    if ending.outcome is Outcome.CANCELLED and sys.stderr and sys.stderr.isatty():
        click.echo(err=True)  # the line on which the terminal has put ^C
    if price is not None:
        click.echo(price, err=True)
    if stats or ending.outcome in CUT_SHORT:
        click.echo(summary(ending.outcome, ending.stats), err=True)
    if ending.problem is None:
        click.echo("the problem was not read to its end", err=True)
    if not ending.is_complete:
        click.echo("interrupted: the output was cut off", err=True)
