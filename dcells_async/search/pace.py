"""How long a slice of search should be, and how many covers it should bring."""

from __future__ import annotations

__all__ = ["Pace"]

_SLICE_S = 0.005
"""A slice should take so long: a cancel waits for one slice, and a hop to a
worker thread, some 0.1 ms, is then a few per cent."""

_PATIENCE_S = 0.002
"""A waiting consumer should get a cover at the latest so long after it was found."""

_MOST_COVERS = 8192

_MOST_COUNTED = 1 << 40
"""A count may jump by any number at once; no more of it than this tells the speed."""


class Pace:
    """Turns what slices took into what the next one may take.

    It is told the time and never asks for it. Budgets start tiny, so that the
    first cover is prompt, and grow at most fourfold from slice to slice.

    Examples
    --------
    >>> pace = Pace()
    >>> pace.want(room=1000, waiting=True)
    1
    >>> pace.learn(steps=2000, covers=1, seconds=0.00001)
    >>> pace.budget()
    8000
    """

    def __init__(self) -> None:
        self._budget = 2000
        self._bunch = 1

    def budget(self) -> int:
        """Give the steps that the next slice may take."""
        return self._budget

    def want(self, room: int, waiting: bool) -> int:
        """Give the number of covers after which the next slice should return.

        While somebody waits, only as many as the search finds in an instant: a
        cover is not held back for others that may be long in coming. When the
        consumer is behind, as many as there is room for.
        """
        return max(1, min(room, self._bunch if waiting else _MOST_COVERS))

    def learn(self, steps: int, covers: int, seconds: float) -> None:
        """Take note of a slice: steps taken, covers found, and how long it took."""
        seconds = max(seconds, 1e-6)
        fitting = int(steps * _SLICE_S / seconds)
        self._budget = max(500, min(fitting, 4 * self._budget))
        instant = int(min(covers, _MOST_COUNTED) * _PATIENCE_S / seconds)
        self._bunch = max(1, min(instant, 4 * self._bunch))
