"""A part of a search that several workers divide, and what all parts come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cover import Outcome, Stats

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..cover import Cover
    from .session import Session
    from .stretch import Stretch

__all__ = ["Part", "total"]


class Part:
    """A stretch of the tree: its session, where it ends, and what it has found.

    Parameters
    ----------
    session : Session
    end : float
        In the whole tree, from 0 to 1.
    held : sequence of Cover
        What it has found before, and nobody was given.
    """

    def __init__(
        self, session: Session, end: float = 1.0, held: Sequence[Cover] = ()
    ) -> None:
        self.session = session
        self.end = end
        self.is_running = False
        # Steps done that no copy was made for yet.
        self.credit = 0
        self.held = [*held]

    @property
    def is_done(self) -> bool:
        """Whether all is searched, and at most covers are held."""
        return self.session.outcome is not Outcome.RUNNING

    @property
    def is_waiting(self) -> bool:
        """Whether a worker could go on with it."""
        return not (self.is_running or self.is_done or self.session.rests)

    @property
    def yields(self) -> bool:
        """Whether there is something better to do."""
        return self.session.yields

    @property
    def left(self) -> float:
        """How much of the tree is still to be searched here."""
        return 0.0 if self.is_done else max(0.0, self.end - self.session.position)

    def stretch(self) -> Stretch:
        """Tell where it stands, between two slices, for a token."""
        return self.session.stretch(self.end, self.held)


def total(all_stats: Iterable[Stats]) -> Stats:
    """Add up what parts have done; the prices are the best."""
    all_stats = [*all_stats]
    prices = [s.best_price for s in all_stats if s.best_price is not None]
    # Only in the first part of all a race may have been run.
    racing = next((s for s in all_stats if s.engine is not None), Stats())
    return Stats(
        nodes=sum(stats.nodes for stats in all_stats),
        updates=sum(stats.updates for stats in all_stats),
        covers=sum(stats.covers for stats in all_stats),
        depth=max((stats.depth for stats in all_stats), default=0),
        best_price=min(prices, default=None),
        engine=racing.engine,
        why=racing.why,
    )
