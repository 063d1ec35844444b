"""XCC begun by one kernel, and taken over by another if it turns out to be long.

A search on bits is many times faster than one on dancing cells, but its table has to
be made first, and many a search is over before that would be: a sudoku, say, or the
first of many covers. Which it will be cannot be told beforehand. So the search begins
on cells. When that has taken somewhat longer than to make the table, it has shown that
it pays, and the search goes on on bits, from the very node that was reached. Thus it
never takes much longer than the better of the two would have (the argument is that of
renting skis until they would have been cheaper to buy).

The hand-over comes after a certain number of steps, so that covers, their order and
all counters do not depend on how the search is sliced.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..kernels.arrays import pack, unpack
from ..kernels.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..kernels.bits import BitsKernel
    from ..kernels.xcc import XccKernel

__all__ = ["Relay"]


class Relay:
    """Two kernels as one: the second goes on where the first was left.

    Parameters
    ----------
    first : XccKernel
        The one to begin with.
    make : callable
        Makes the other one.
    patience : int, steps
        After so many, updates included, the other one takes over.
    """

    def __init__(
        self, first: XccKernel, make: Callable[[], BitsKernel], patience: int
    ) -> None:
        self._first = first
        self._make = make
        self._patience = patience
        self._kernel: XccKernel | BitsKernel = first
        # Nodes, updates, covers and steps of the first, once it is done with.
        self._past = (0, 0, 0, 0)
        self._is_stopped = False

    @property
    def nodes(self) -> int:
        """Nodes entered."""
        return self._past[0] + self._kernel.nodes

    @property
    def updates(self) -> int:
        """Updates of the cells, and options tried on bits."""
        return self._past[1] + self._kernel.updates

    @property
    def covers(self) -> int:
        """Covers found."""
        return self._past[2] + self._kernel.covers

    @property
    def steps(self) -> int:
        """Steps that are not updates."""
        return self._past[3] + self._kernel.steps

    @property
    def depth(self) -> int:
        """Options on the path."""
        return self._kernel.depth

    def prepare(self) -> bool:
        """Prepare the first kernel; false if `stop` was called meanwhile."""
        return self._first.prepare()

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Search on until something happens; see `kernels.search.Search`."""
        if self._kernel is not self._first:
            return self._kernel.advance(budget, want, keep)
        left = self._patience - self._first.updates - self._first.steps
        if left > 0 or self._first.depth < 0:
            return self._first.advance(max(1, min(budget, left)), want, keep)
        self._hand_over()
        return Status.STOPPED if self._is_stopped else Status.PAUSED

    def _hand_over(self) -> None:
        first = self._first
        follower = self._prepared()
        follower.follow(first.trail(), first.depth, first.is_entered())
        self._past = (first.nodes, first.updates, first.covers, first.steps)
        self._change_to(follower)

    def _prepared(self) -> BitsKernel:
        follower = self._make()
        follower.prepare()
        return follower

    def _change_to(self, follower: BitsKernel) -> None:
        self._kernel = follower
        if self._is_stopped:
            follower.stop()

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found: option numbers, and where each cover ends."""
        return self._kernel.take()

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self._is_stopped = True
        self._kernel.stop()

    def best_price(self) -> int | None:
        """Give None: prices do not count."""
        return None

    def lower_bound(self) -> int | None:
        """Give None: prices do not count."""
        return None

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1."""
        return self._kernel.fraction()

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        is_first = self._kernel is self._first
        numbers = array("q", [is_first, *self._past])
        return pack([numbers, self._kernel.save()])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        """
        blocks = unpack(data)
        if len(blocks) != 2 or len(blocks[0]) != 40:
            raise ValueError("this is no state of such a search")
        is_first, *past = array("q", blocks[0])
        if is_first:
            self._first.load(blocks[1])
            return
        follower = self._prepared()
        follower.load(blocks[1])
        nodes, updates, covers, steps = past
        self._past = (nodes, updates, covers, steps)
        self._change_to(follower)

    def sanity(self) -> str:
        """Name the first thing that is not as it should be; empty if all is."""
        return self._kernel.sanity()
