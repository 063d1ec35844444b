"""XCC begun on cells, and gone on with on bits where that turns out to pay.

A search on bits is many times faster as a rule, but its table has to be made first, and
many a search is over before that would be: a sudoku, say, or the first of many covers.
For a large problem the table would be too large, or the rows too long to go through.
Which it will be cannot be told beforehand. So the search begins on cells, and a lookout
(``lookout.py``) tells when it should go on on bits, and where: from which node of the
path. If that is the root, bits take the whole search over, from the very node that was
reached. If it is another one, they do what is left of its subtree, with a table of the
options that are left there; and then the cells go on at the node above.

All of that goes by steps, so covers, their order and all counters do not depend on how
the search is sliced. The counters are sums of both; what is done for a trial that fails
does not count.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from ..kernels.arrays import pack, unpack
from ..kernels.status import Status
from .lookout import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..kernels.bits import BitsKernel
    from ..kernels.remains import Part, Remains
    from ..kernels.xcc import XccKernel
    from .lookout import Lookout

__all__ = ["Relay"]

_EVER = 1 << 60


class _Leg(NamedTuple):
    """What the other kernel does.

    Attributes
    ----------
    kernel : BitsKernel
    level : int
        The level of the node whose subtree it is.
    before, after : float
        What part of the whole tree was done when it began, and will be at its end.
    its : float
        What part of the subtree was done when it began.
    """

    kernel: BitsKernel
    level: int
    before: float
    after: float
    its: float


class Relay:
    """Two kernels as one: the second does what the first leaves to it.

    Parameters
    ----------
    first : XccKernel
        The one to begin with.
    remains : Remains
        What is left of the problem at each node.
    make : callable
        Makes the other one, for what is left behind the options of a path.
    lookout : Lookout
        Says when and where it is to go on.
    """

    def __init__(
        self,
        first: XccKernel,
        remains: Remains,
        make: Callable[[Part, list[int]], BitsKernel],
        lookout: Lookout,
    ) -> None:
        self._first = first
        self._remains = remains
        self._make = make
        self._lookout = lookout
        self._leg: _Leg | None = None
        # Kept apart since it has to be stopped while it is being prepared.
        self._follower: BitsKernel | None = None
        # Nodes, updates, covers and steps of the legs that are done with.
        self._past = [0, 0, 0, 0]
        self._is_stopped = False

    @property
    def nodes(self) -> int:
        """Nodes entered."""
        its = self._leg.kernel.nodes if self._leg else 0
        return self._first.nodes + self._past[0] + its

    @property
    def updates(self) -> int:
        """Updates of the cells, and options tried on bits."""
        its = self._leg.kernel.updates if self._leg else 0
        return self._first.updates + self._past[1] + its

    @property
    def covers(self) -> int:
        """Covers found."""
        its = self._leg.kernel.covers if self._leg else 0
        return self._first.covers + self._past[2] + its

    @property
    def steps(self) -> int:
        """Steps that are not updates."""
        its = self._leg.kernel.steps if self._leg else 0
        return self._first.steps + self._past[3] + its

    @property
    def depth(self) -> int:
        """Options on the path."""
        leg = self._leg
        if leg is None or leg.kernel.depth < 0:
            return self._first.depth
        return leg.level + leg.kernel.depth

    def prepare(self) -> bool:
        """Prepare the first kernel; false if `stop` was called meanwhile."""
        return self._first.prepare()

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Search on until something happens; see `kernels.search.Search`."""
        until = self.updates + self.steps + budget
        before = self.covers
        while True:
            left = max(1, until - self.updates - self.steps)
            status = self._run(left, before + want - self.covers, keep)
            # What was found has to be taken before either kernel goes on.
            is_out = self.updates + self.steps >= until or self.covers > before
            if status != Status.PAUSED or is_out:
                return status

    def _run(self, budget: int, want: int, keep: bool) -> Status:
        """Let the kernel whose turn it is search on, or look whose turn it is."""
        first, leg = self._first, self._leg
        if leg is not None and leg.kernel.depth < 0 <= first.depth:
            self._past = [
                *map(sum, zip(self._past, _counters(leg.kernel), strict=True))
            ]
            self._leg = leg = None
        if leg is not None:
            status = leg.kernel.advance(budget, want, keep)
            is_first_next = status == Status.DONE and first.depth >= 0
            return Status.PAUSED if is_first_next else status
        left = self._lookout.next_look - first.updates - first.steps
        if left > 0 or first.depth < 0:
            return first.advance(max(1, min(budget, left)), want, keep)
        level = self._lookout.look(first, self.updates + self.steps)
        if level is not None:
            self._hand_over(level)
        return Status.STOPPED if self._is_stopped else Status.PAUSED

    def _hand_over(self, level: int) -> None:
        """Leave the subtree of a node of the path to the other kernel, if it pays."""
        first = self._first
        part = self._part(first.path()[:level])
        kernel = self._prepared(part, first.path()[:level])
        if kernel is None:
            return
        trail = [
            (part.number[item], [bisect_left(part.kept, option) for option in tried])
            for item, tried in first.trail()[level:]
        ]
        kernel.follow(trail, first.depth - level, first.is_entered())
        if not self._is_worth_it(kernel, part):
            return
        before = first.fraction()
        first.leave(level)
        self._leg = _Leg(kernel, level, before, first.fraction(), kernel.fraction())

    def _part(self, path: list[int]) -> Part:
        self._remains.follow(path)
        return self._remains.part(len(path))

    def _prepared(self, part: Part, path: list[int]) -> BitsKernel | None:
        """Give the other kernel with its table; None if `stop` was called meanwhile."""
        self._follower = follower = self._make(part, path)
        if self._is_stopped:
            follower.stop()
        return follower if follower.prepare() else None

    def _is_worth_it(self, kernel: BitsKernel, part: Part) -> bool:
        """Let it search for a while, and take that back."""
        size = len(part.kept), part.n_primary
        state, before = kernel.save(), Tally.of(kernel)
        status = kernel.advance(self._lookout.trial(*size), _EVER, keep=False)
        trial = Tally.of(kernel).since(before)
        kernel.load(state)
        return status != Status.PAUSED or self._lookout.accepts(trial, *size)

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found: option numbers, and where each cover ends."""
        return (self._leg.kernel if self._leg else self._first).take()

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self._is_stopped = True
        self._first.stop()
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
        leg = self._leg
        if leg is None:
            return self._first.fraction()
        its = leg.kernel.fraction()
        left = (1.0 - its) / (1.0 - leg.its) if leg.its < 1.0 else 0.0
        return leg.after - (leg.after - leg.before) * left

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        leg = self._leg
        level, shares = (leg.level, leg[2:]) if leg is not None else (-1, (0.0,) * 3)
        return pack(
            [
                array("q", [level, *self._past]),
                array("d", shares),
                self._lookout.save(),
                self._first.save(),
                leg.kernel.save() if leg is not None else b"",
            ]
        )

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        """
        blocks = unpack(data)
        if len(blocks) != 5 or len(blocks[0]) != 40 or len(blocks[1]) != 24:
            raise ValueError("this is no state of such a search")
        level, *past = array("q", blocks[0])
        before, after, its = array("d", blocks[1])
        self._lookout.load(array("q", blocks[2]))
        self._first.load(blocks[3])
        self._past, self._leg = past, None
        if level < 0:
            return
        # The last option of each level leads to where the first was left.
        path = [tried[-1] for _, tried in self._first.trail()]
        if len(path) != level:
            raise ValueError("this is no state of such a search")
        kernel = self._prepared(self._part(path), path)
        if kernel is not None:
            kernel.load(blocks[4])
            self._leg = _Leg(kernel, level, before, after, its)

    def sanity(self) -> str:
        """Name the first thing that is not as it should be; empty if all is."""
        return self._first.sanity() or (self._leg.kernel.sanity() if self._leg else "")


def _counters(kernel: BitsKernel) -> tuple[int, int, int, int]:
    return kernel.nodes, kernel.updates, kernel.covers, kernel.steps
