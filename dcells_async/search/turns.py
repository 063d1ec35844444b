"""Whose turn it is in a race, and for how long.

1. The first one runs alone, for about as long as the others would take to be made; and
   up to four times as long if it expects to be finished by then. So small problems
   have paid nothing.
2. Then they take turns, each as long as a sixteenth of what all have taken so far. The
   next turn is that of the one that has taken least. So the best is never left waiting
   for long; with n racers it would take n times as long as alone.
3. That would be a high price, if it went on like this. But racers tell how far they are
   (see `racer`), and what one has taken counts double if it is expected to take twice
   as long as the one that is expected to finish first; four times, eight times, and no
   more: an estimate may be wrong by any factor, and who is behind keeps its eighth.
   Where estimates are right, the winner takes most of the turns; where they are wrong,
   it still gets its turns, and can show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .racer import log2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .racer import Racer

__all__ = ["Turns"]

_SHORTEST = 60_000
"""The shortest turn, in steps of the fastest: some tenths of a millisecond."""

_LARGEST_LAG = 3
"""What a racer has taken counts two to this power times at most."""


class Turns:
    """Decides, between two turns, about the next.

    Parameters
    ----------
    patience : int, steps
        After so many of the first the others may come in.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._is_open = False
        self.end = patience
        """What the one whose turn it is may have taken when its turn is over."""

    def next(self, running: Sequence[Racer], spent: int) -> tuple[Racer, Racer]:
        """Say whose turn is next, and who of those begun should finish first.

        Parameters
        ----------
        running : sequence of Racer
            Those that take part, the first first; at least one has begun.
        spent : int
            What all have taken so far.
        """
        first = running[0]
        if not self._is_open:
            most = 4 * self._patience
            if first.cost < most and first.estimate() <= log2(most):
                self.end = first.cost + self._patience
                return first, first
            self._is_open = True
        estimates = [racer.estimate() for racer in running]
        least = min(estimates)
        counted = [
            racer.cost << min(_LARGEST_LAG, int(estimate - least + 0.5))
            for racer, estimate in zip(running, estimates, strict=True)
        ]
        racer = running[counted.index(min(counted))]
        self.end = racer.cost + max(_SHORTEST, spent // 16)
        begun = [k for k, racer in enumerate(running) if racer.kernel is not None]
        return racer, running[min(begun, key=estimates.__getitem__)]

    def marks(self) -> list[int]:
        """Give what `remark` wants, to be put away with the state of a search."""
        return [int(self._is_open), self.end]

    def remark(self, marks: Sequence[int]) -> None:
        """Take up what `marks` gave."""
        is_open, self.end = marks
        self._is_open = bool(is_open)
