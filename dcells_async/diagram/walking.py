"""A walk through the covers of a diagram, as a search like any other.

Where it begins is known only when all covers have been counted. That is the walk's
own first work, slice by slice, so that opening it keeps nobody waiting.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..kernels.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..kernels.walk import WalkKernel
    from ..layout import Layout
    from .steps import Steps

__all__ = ["Walk"]


class Walk:
    """The kernel of a walk; see `WalkKernel`, which takes over when all is counted.

    Parameters
    ----------
    counting : generator
        Counts, step by step, and returns what makes the kernel, from a name for each
        option.
    layout : Layout
        The problem as the search sees it.
    """

    def __init__(
        self, counting: Steps[Callable[[array[int]], WalkKernel]], layout: Layout
    ) -> None:
        # The layout leaves options without a primary item out, and so counts
        # differently; it will translate back.
        self._numbers = array("i", range(len(layout.problem.options) + 1))
        for number, index in enumerate(layout.kept or ()):
            self._numbers[index] = number
        self._counting = counting
        self._walk: WalkKernel | None = None
        self._is_stopped = False

    def prepare(self) -> bool:
        """Prepare nothing: all takes its time."""
        return True

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Walk on until something happens; first of all, count."""
        if self._is_stopped:
            return Status.STOPPED
        if self._walk is not None:
            status: Status = self._walk.advance(budget, want, keep)
            return status
        try:
            next(self._counting)
        except StopIteration as end:
            self._walk = end.value(self._numbers)
            self._walk.prepare()
        return Status.PAUSED

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found: option numbers, and where each cover ends."""
        if self._walk is None:
            return array("i"), array("i")
        found: tuple[array[int], array[int]] = self._walk.take()
        return found

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self._is_stopped = True
        if self._walk is not None:
            self._walk.stop()

    @property
    def nodes(self) -> int:
        """Nodes entered."""
        return 0 if self._walk is None else self._walk.nodes

    steps = nodes

    @property
    def covers(self) -> int:
        """Covers found."""
        return 0 if self._walk is None else self._walk.covers

    @property
    def depth(self) -> int:
        """Options chosen."""
        return 0 if self._walk is None else self._walk.depth

    @property
    def updates(self) -> int:
        """None at all."""
        return 0

    def fraction(self) -> float:
        """Give the part of the family that is behind the walk."""
        return 0.0 if self._walk is None else self._walk.fraction()

    def best_price(self) -> None:
        """Give nothing: a walk looks at no prices."""

    def lower_bound(self) -> None:
        """Give nothing: a walk looks at no prices."""

    def save(self) -> bytes:
        """Give the state of the walk between two slices; nothing while it counts."""
        return b"" if self._walk is None else self._walk.save()

    def load(self, data: bytes) -> None:
        """Take up a state that `save` gave, once all is counted."""
        if self._walk is None:
            raise ValueError("this walk has not begun")
        self._walk.load(data)
