"""XCC begun on cells, and taken over on bits where that turns out to pay.

A search on bits is many times faster as a rule, but its table has to be made first, and
many a search is over before that would be: a sudoku, say, or the first of many covers.
Which it will be cannot be told beforehand. So the search begins on cells. When that has
taken somewhat longer than to make the table, the search goes on on bits, from the very
node that was reached. Thus it never takes much longer than the better of the two would
have (the argument is that of renting skis until they would have been cheaper to buy).

There are searches that are better off on cells: large problems that fall into small
ones deep in the tree, such as dominoes on a large board. Bits go through whole rows at
every node, while cells touch nothing but what is near. How much that is has been
counted by then: the steps a node. Measured on queens, dominoes and Langford pairs of
many sizes, bits win as long as a row has no more words than half as many, or a few
more:

    ============  ============  =============  ================
    .             words a row   steps a node   bits are faster
    ============  ============  =============  ================
    queens 20             8             67           2.1 times
    queens 40            27             85           1.2
    queens 60            59            100           0.9
    Langford 20          10             26           1.2
    Langford 40          39             25           0.8
    dominoes 10           5              8           1.4
    dominoes 20          19              8           1.0
    dominoes 40          74              8           0.5
    pentominoes          35            908           5.9
    filomino 15         103         18,851            89
    ============  ============  =============  ================

The steps a node are looked at once after a certain number of steps, and again whenever
that has doubled. The first way down the tree is longer a node than what comes after
it, and does not count. All of that goes by steps, so covers, their order and all
counters do not depend on how the search is sliced.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..kernels.arrays import pack, unpack
from ..kernels.bits import BitsKernel
from ..kernels.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..kernels.xcc import XccKernel

__all__ = ["Relay"]


class Relay:
    """Two kernels as one: the second goes on where the first was left.

    Parameters
    ----------
    first : XccKernel or BitsKernel
        The one to begin with; on bits, there is nothing to go on to.
    make : callable
        Makes the other one.
    patience : int, steps
        After so many, updates included, the other one may take over.
    width : int
        How many words the rows of the other one have.
    """

    def __init__(
        self,
        first: XccKernel | BitsKernel,
        make: Callable[[], BitsKernel],
        patience: int,
        width: int,
    ) -> None:
        # None once it is done with: its tables go then.
        self._first = None if isinstance(first, BitsKernel) else first
        self._make = make
        self._width = width
        self._patience = patience
        # When to look next; and the steps and nodes of the first at the last look.
        self._next_look = max(1, patience // 2)
        self._steps_then = self._nodes_then = 0
        # Whether it was looked often enough to say that cells are better so far.
        self._is_weighed = False
        self._kernel: XccKernel | BitsKernel = first
        self._follower: BitsKernel | None = None
        # All that are split off make do with one table, once there is one.
        self._with_table: list[BitsKernel] = []
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
        return self._kernel.prepare()

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Search on until something happens; see `kernels.search.Search`."""
        first = self._first
        if first is None:
            return self._kernel.advance(budget, want, keep)
        left = self._next_look - first.updates - first.steps
        if left > 0 or first.depth < 0:
            return first.advance(max(1, min(budget, left)), want, keep)
        if self._pays(first):
            self._hand_over()
        return Status.STOPPED if self._is_stopped else Status.PAUSED

    def _pays(self, first: XccKernel) -> bool:
        """Tell, at a look, whether to hand over; the first time just take note."""
        total = first.updates + first.steps
        steps, nodes = total - self._steps_then, first.nodes - self._nodes_then
        is_second = self._steps_then > 0
        self._steps_then, self._nodes_then = total, first.nodes
        self._next_look = 2 * total
        is_down = nodes > first.depth
        self._is_weighed = self._is_weighed or (is_second and is_down)
        return is_second and is_down and 2 * nodes * self._width <= steps + 8 * nodes

    def _hand_over(self) -> None:
        first, follower = self._first, self._prepared()
        if first is None or follower is None:
            return
        follower.follow(first.trail(), first.depth, first.is_entered())
        self._past = (first.nodes, first.updates, first.covers, first.steps)
        self._kernel, self._first = follower, None

    def _prepared(self) -> BitsKernel | None:
        """Give the other kernel with its table; None if `stop` was called meanwhile."""
        # Known before it is prepared, so that it can be stopped while it is.
        relatives = self._with_table
        self._follower = follower = relatives[0].twin() if relatives else self._make()
        if self._is_stopped:
            follower.stop()
        if not follower.prepare():
            return None
        relatives.append(follower)
        return follower

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split."""
        return self._kernel.keeps_order

    def split(self) -> Relay | None:
        """Give a part of what is left to another relay, between two slices.

        On cells there is nothing to give before it is known that they are better: two
        relays would need twice the patience. The other one goes on looking.
        """
        if self._first is not None and not self._is_weighed:
            return None
        given = self._kernel.split()
        if given is None:
            return None
        other = Relay(given, self._make, self._patience, self._width)
        other._is_weighed = self._is_weighed
        other._with_table = self._with_table
        return other

    def share(self, other: Relay) -> None:
        """Make do with the other's table, or the other way round."""
        self._with_table = other._with_table

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found: option numbers, and where each cover ends."""
        return self._kernel.take()

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self._is_stopped = True
        self._kernel.stop()
        if self._follower is not None:
            self._follower.stop()

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
        is_first = self._first is not None
        looks = (self._next_look, self._steps_then, self._nodes_then)
        numbers = array("q", [is_first, *looks, *self._past])
        return pack([numbers, self._kernel.save()])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        """
        blocks = unpack(data)
        if len(blocks) != 2 or len(blocks[0]) != 64:
            raise ValueError("this is no state of such a search")
        is_first, next_look, steps_then, nodes_then, *past = array("q", blocks[0])
        if is_first:
            self._kernel.load(blocks[1])
        else:
            follower = self._prepared()
            if follower is None:
                return
            follower.load(blocks[1])
            nodes, updates, covers, steps = past
            self._past = (nodes, updates, covers, steps)
            self._kernel, self._first = follower, None
        self._next_look, self._steps_then = next_look, steps_then
        self._nodes_then = nodes_then

    def sanity(self) -> str:
        """Name the first thing that is not as it should be; empty if all is."""
        return self._kernel.sanity()
