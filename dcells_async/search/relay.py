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
from .kernel import EVER
from .lookout import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..kernels.remains import Part, Remains
    from ..kernels.rows import BitRows
    from ..kernels.xcc import XccKernel
    from .lookout import Lookout

__all__ = ["Relay"]


class _Leg(NamedTuple):
    """What the other kernel does.

    Attributes
    ----------
    kernel : BitRows
    path : list of int
        The options that lead to the node whose subtree it is.
    before, after : float
        What part of the whole tree was done when it began, and will be at its end.
    its : float
        What part of the subtree was done when it began.
    """

    kernel: BitRows
    path: list[int]
    before: float
    after: float
    its: float


class Relay:
    """Two kernels as one: the second does what the first leaves to it.

    Parameters
    ----------
    first : XccKernel or None
        The one to begin with; None if there is nothing to do but a leg on bits.
    remains : Remains
        What is left of the problem at each node.
    make : callable
        Makes the other one, for what is left behind the options of a path.
    lookout : Lookout
        Says when and where it is to go on.
    """

    def __init__(
        self,
        first: XccKernel | None,
        remains: Remains,
        make: Callable[[Part, list[int]], BitRows],
        lookout: Lookout,
    ) -> None:
        # None once nothing is left to it: its tables go then.
        self._first = first
        self._remains = remains
        self._make = make
        self._lookout = lookout
        self._leg: _Leg | None = None
        self._elder: _Leg | None = None
        # Kept apart since it has to be stopped while it is being prepared.
        self._follower: BitRows | None = None
        # Nodes, updates, covers and steps of all that is done with.
        self._past = [0, 0, 0, 0]
        self._is_stopped = False

    def _kernels(self) -> Iterator[XccKernel | BitRows]:
        if self._first is not None:
            yield self._first
        if self._leg is not None:
            yield self._leg.kernel

    @property
    def nodes(self) -> int:
        """Nodes entered."""
        return self._past[0] + sum(kernel.nodes for kernel in self._kernels())

    @property
    def updates(self) -> int:
        """Updates of the cells, and options tried on bits."""
        return self._past[1] + sum(kernel.updates for kernel in self._kernels())

    @property
    def covers(self) -> int:
        """Covers found."""
        return self._past[2] + sum(kernel.covers for kernel in self._kernels())

    @property
    def steps(self) -> int:
        """Steps that are not updates."""
        return self._past[3] + sum(kernel.steps for kernel in self._kernels())

    @property
    def depth(self) -> int:
        """Options on the path."""
        first, leg = self._first, self._leg
        if leg is not None and (leg.kernel.depth >= 0 or first is None):
            return leg.kernel.depth + (len(leg.path) if leg.kernel.depth >= 0 else 0)
        assert first is not None
        return first.depth

    def prepare(self) -> bool:
        """Prepare the first kernel; false if `stop` was called meanwhile."""
        return self._first is None or self._first.prepare()

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
        if leg is not None:
            if first is None or leg.kernel.depth >= 0:
                status = leg.kernel.advance(budget, want, keep)
                is_first_next = status == Status.DONE and first is not None
                return Status.PAUSED if is_first_next else status
            self._dismiss(leg.kernel)
            self._leg = None
        assert first is not None
        left = self._lookout.next_look - first.updates - first.steps
        if left > 0 or first.depth < 0:
            return first.advance(max(1, min(budget, left)), want, keep)
        level = self._lookout.look(first, self.updates + self.steps)
        if level is not None:
            self._hand_over(level)
        return Status.STOPPED if self._is_stopped else Status.PAUSED

    def _dismiss(self, kernel: XccKernel | BitRows) -> None:
        """Keep the counters of a kernel that is done with."""
        for k, count in enumerate(
            (kernel.nodes, kernel.updates, kernel.covers, kernel.steps)
        ):
            self._past[k] += count

    def _hand_over(self, level: int) -> None:
        """Leave the subtree of a node of the path to the other kernel, if it pays."""
        first = self._first
        assert first is not None
        path = first.path()[:level]
        part = self._part(path)
        kernel = self._prepared(self._make(part, path))
        if kernel is None:
            return
        trail = [
            (part.number[item], _ranks(part.kept, tried), _ranks(part.kept, lent))
            for item, tried, lent in first.trail()[level:]
        ]
        kernel.follow(trail, first.depth - level, first.is_entered())
        if not self._is_worth_it(kernel, part):
            return
        before = first.fraction()
        first.leave(level)
        self._leg = _Leg(kernel, path, before, first.fraction(), kernel.fraction())
        if first.depth < 0:
            self._dismiss(first)
            self._first = None

    def _part(self, path: list[int]) -> Part:
        self._remains.follow(path)
        return self._remains.part(len(path))

    def _prepared(self, follower: BitRows) -> BitRows | None:
        """Give the other kernel with its table; None if `stop` was called meanwhile."""
        self._follower = follower
        if self._is_stopped:
            follower.stop()
        return follower if follower.prepare() else None

    def _is_worth_it(self, kernel: BitRows, part: Part) -> bool:
        """Let it search for a while, and take that back."""
        size = len(part.kept), part.n_primary
        state, before = kernel.save(), Tally.of(kernel)
        status = kernel.advance(self._lookout.trial(*size), EVER, keep=False)
        trial = Tally.of(kernel).since(before)
        kernel.load(state)
        return status != Status.PAUSED or self._lookout.accepts(trial, *size)

    def share(self, other: Relay) -> None:
        """Make do with the other's table, if a state to `load` is of the same leg."""
        self._elder = other._leg

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found: option numbers, and where each cover ends."""
        kernel = self._leg.kernel if self._leg is not None else self._first
        assert kernel is not None
        return kernel.take()

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self._is_stopped = True
        # Once each: the search may let go of them meanwhile.
        for kernel in (self._first, self._leg and self._leg.kernel, self._follower):
            if kernel is not None:
                kernel.stop()

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split."""
        return self._first is None

    def split(self) -> Relay | None:
        """Give a part of what is left to another relay, between two slices.

        What is left to the cells comes behind the subtree that is on bits, and so goes
        first. Before it is known that cells are better, they give nothing: two relays
        would need twice the patience.
        """
        first, leg = self._first, self._leg
        if first is not None and (leg is not None or self._lookout.prefers_cells):
            given = first.split()
            if given is not None:
                remains = self._remains.twin(given)
                return Relay(given, remains, self._make, self._lookout.twin(remains))
        part = None if leg is None else leg.kernel.split()
        if leg is None or part is None:
            return None
        other = Relay(None, self._remains, self._make, self._lookout)
        other._leg = leg._replace(kernel=part)
        return other

    def best_price(self) -> int | None:
        """Give None: prices do not count."""
        return None

    def lower_bound(self) -> int | None:
        """Give None: prices do not count."""
        return None

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1."""
        first, leg = self._first, self._leg
        if leg is None:
            assert first is not None
            return first.fraction()
        its = leg.kernel.fraction()
        left = (1.0 - its) / (1.0 - leg.its) if leg.its < 1.0 else 0.0
        return leg.after - (leg.after - leg.before) * left

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        first, leg = self._first, self._leg
        return pack(
            [
                array("q", [first is not None, leg is not None, *self._past]),
                array("d", leg[2:] if leg is not None else (0.0,) * 3),
                array("i", leg.path if leg is not None else ()),
                self._lookout.save(),
                first.save() if first is not None else b"",
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
        if len(blocks) != 6 or len(blocks[0]) != 48 or len(blocks[1]) != 24:
            raise ValueError("this is no state of such a search")
        has_first, has_leg, *past = array("q", blocks[0])
        path = array("i", blocks[2]).tolist()
        is_path = all(0 <= option < self._remains.n_options for option in path)
        if not (has_first or has_leg) or not is_path:
            raise ValueError("this is no state of such a search")
        self._lookout.load(array("q", blocks[3]))
        self._past, self._leg = past, None
        if has_first:
            assert self._first is not None
            self._first.load(blocks[4])
        if has_leg:
            elder = self._elder
            if elder is not None and elder.path == path:
                made = elder.kernel.twin()
            else:
                made = self._make(self._part(path), path)
            kernel = self._prepared(made)
            if kernel is None:
                return
            kernel.load(blocks[5])
            self._leg = _Leg(kernel, path, *array("d", blocks[1]))
        if not has_first:
            self._first = None

    def sanity(self) -> str:
        """Name the first thing that is not as it should be; empty if all is."""
        return next(filter(None, (kernel.sanity() for kernel in self._kernels())), "")


def _ranks(kept: array[int], options: list[int]) -> list[int]:
    """Tell which of those that are kept some options are."""
    return [bisect_left(kept, option) for option in options]
