"""What the programs share that look for a cheapest cover."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from dcells_async import XCC, Minimizer, Outcome
from examples.show import Look, Task, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from dcells_async import Cover, Dance, Frame, Result
    from dcells_async.pricing import TaxMethod


@dataclass(frozen=True, kw_only=True)
class LeastCost(Task):
    """To find a cheapest cover: a line for each improvement, and a picture at the end.

    Attributes
    ----------
    engine : Minimizer
        The engine that solves it.
    bound : callable, optional
        Gives a lower bound of what is still to be paid.
    taxes : {"auto", "greedy", "lp"}
        How the built-in bound is made.
    say : callable
        Puts a price into words.
    """

    engine: Minimizer = field(default_factory=XCC)
    bound: Callable[[Frame], float] | None = None
    taxes: TaxMethod = "auto"
    say: Callable[[int], str] = "price {:,}".format

    async def show(self, first: int | None, look: Look) -> int:
        """Print improvements as they come, then the best, and return the status."""
        best: Cover | None = None
        try:
            async with self.dance(first) as result:
                async for cover in result.solutions:
                    best = cover
                    stats = result.stats
                    click.echo(
                        f"{self.say(cover.price)}: {counted(stats.nodes, 'node')}, "
                        f"{stats.elapsed:.2f} s"
                    )
        finally:
            # Who has waited for long, and then leaves by Ctrl-C, shall see it, too.
            if best is not None:
                click.echo(f"\n{self.draw(best, look)}\n")
        click.echo(self.summary(result), err=True)
        if best is not None:
            return 0
        return 1 if result.optimal else 3

    def dance(self, limit: int | None) -> Dance:
        """Open the search for so many improvements."""
        # With no buffer the search rests until an improvement is taken, and so the
        # numbers printed next to it are those of the moment when it was found.
        return self.engine.minimize(
            self.problem,
            bound=self.bound,
            taxes=self.taxes,
            buffer=0,
            limit=limit,
            timeout=self.timeout,
        )

    def verdict(self, result: Result) -> str:
        """Say what the best is, and whether that is proved."""
        stats = result.stats
        late = ", time is up" * (result.outcome is Outcome.TIMED_OUT)
        if stats.best_price is None:
            return super().verdict(result)
        if result.optimal:
            return f"{self.say(stats.best_price)}, the least possible"
        return (
            f"{self.say(stats.best_price)}, perhaps not the least: at least "
            f"{stats.lower_bound:,}, gap {stats.gap:,}{late}"
        )
