"""A search that has come to its end before: nothing of it is left but its numbers."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..kernels.status import Status

if TYPE_CHECKING:
    from ..cover import Stats

__all__ = ["Finished"]


class Finished:
    """A kernel that has nothing to do.

    Parameters
    ----------
    stats : Stats
        What the search came to.
    """

    depth = -1
    steps = 0

    def __init__(self, stats: Stats) -> None:
        self._stats = stats
        self.nodes = stats.nodes
        self.updates = stats.updates
        self.covers = stats.covers
        self.purges = stats.purges
        self.purged = -1 if stats.purged is None else stats.purged
        self.signatures = stats.signatures
        self.hits = stats.hits
        self.memory = stats.memory
        self.has_given_up = stats.memo_given_up
        self.engine = stats.engine
        self.why = stats.why

    def prepare(self) -> bool:
        """Do nothing."""
        return True

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Say that this is the end."""
        return Status.DONE

    def take(self) -> tuple[array[int], array[int]]:
        """Give no covers."""
        return array("i"), array("i")

    def stop(self) -> None:
        """Do nothing: there is nothing to be stopped."""

    def best_price(self) -> int | None:
        """Give what was known at the end."""
        return self._stats.best_price

    def lower_bound(self) -> int | None:
        """Give what was known at the end."""
        return self._stats.lower_bound

    def fraction(self) -> float:
        """Give 1."""
        return 1.0

    def save(self) -> bytes:
        """Give nothing: the statistics are all there is."""
        return b""

    def load(self, data: bytes) -> None:
        """Take nothing."""
