"""The covers of a diagram, as if a search had found them.

A diagram of all covers is made first; then its covers are counted, which takes next to
no time, however many they are; and then, where they are wanted, they are taken out of
it one by one, by their ranks. To the layers above it is a search that finds nothing for
a long time, and then everything at once.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..kernels.arrays import limbs_of, pack, unpack
from ..kernels.status import Status
from ..kernels.tally import Tally
from .kernel import EVER

if TYPE_CHECKING:
    from ..kernels.zdd import ZddKernel

__all__ = ["Unfolded"]

_MOST_AT_ONCE = 8192

_PIECE = 1 << 10
"""So many nodes are counted at a time."""


class Unfolded:
    """A kernel that makes a diagram, as one that finds covers.

    Parameters
    ----------
    diagram : ZddKernel
        Without products of nodes; it need not be ordered.
    """

    def __init__(self, diagram: ZddKernel) -> None:
        self._diagram = diagram
        self._tally: Tally | None = None
        # How many covers there are, once that is known.
        self._total: int | None = None
        self._steps = 0
        self._is_stopped = False
        self._found, self._ends = array("i"), array("i")
        self.covers = 0

    @property
    def nodes(self) -> int:
        """Nodes entered while the diagram was made."""
        return self._diagram.nodes

    @property
    def updates(self) -> int:
        """Updates of the sparse sets."""
        return self._diagram.updates

    @property
    def steps(self) -> int:
        """All other steps, those of operations on diagrams included."""
        return self._diagram.steps + self._diagram.algebra.steps + self._steps

    @property
    def depth(self) -> int:
        """Options on the path."""
        return self._diagram.depth

    @property
    def signatures(self) -> int:
        """How many states are remembered."""
        return self._diagram.signatures

    @property
    def hits(self) -> int:
        """How many states came up again."""
        return self._diagram.hits

    @property
    def memory(self) -> int:
        """How many bytes the tables take."""
        return self._diagram.memory

    @property
    def has_given_up(self) -> bool:
        """Whether states are no longer remembered; without meaning at the end."""
        return self._total is None and bool(self._diagram.has_given_up)

    def prepare(self) -> bool:
        """Prepare the diagram's kernel; false if `stop` was called meanwhile."""
        return self._diagram.prepare()

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Go on with the diagram, and give covers once it is finished."""
        if self._is_stopped:
            return Status.STOPPED
        if self._total is None:
            return self._make(budget)
        return self._give(want, keep)

    def _make(self, budget: int) -> Status:
        if self._tally is None:
            status = self._diagram.advance(budget, 1)
            if status == Status.DONE:
                self._tally = self._tally_of()
                status = Status.PAUSED
            return status
        # In pieces of one size, so that the steps do not depend on the budget.
        until = self._steps + budget
        while self._total is None and self._steps < until:
            self._steps += _PIECE
            if self._tally.advance(_PIECE):
                self._total = self._tally.number(self._tally.root)
        return Status.PAUSED

    def _tally_of(self) -> Tally:
        made = self._diagram
        return Tally(
            made.options_made,
            made.lows_made,
            made.highs_made,
            made.root,
            made.n_options,
        )

    def _give(self, want: int, keep: bool) -> Status:
        """Give the next covers, by rank, or just count them."""
        assert self._tally is not None
        assert self._total is not None
        left = self._total - self.covers
        if left == 0:
            return Status.DONE
        most = left if want == EVER else min(left, want)
        if keep:
            most = min(most, _MOST_AT_ONCE)
            # About as long as the last of them, however many there are in all.
            width = (self.covers + most).bit_length() // 32 + 1
            ranks = [self.covers + k for k in range(most)]
            found, ends = self._tally.unrank(limbs_of(ranks, width), width)
            self._ends.extend(len(self._found) + end for end in ends)
            self._found += found
        self.covers += most
        # To count any number of them is a step.
        self._steps += most if keep else 1
        return Status.DONE if most == left else Status.FULL

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers given: option numbers, and where each cover ends."""
        found, ends = self._found, self._ends
        self._found, self._ends = array("i"), array("i")
        return found, ends

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self._is_stopped = True
        self._diagram.stop()

    def best_price(self) -> int | None:
        """Give None: prices do not count."""
        return None

    def lower_bound(self) -> int | None:
        """Give None: prices do not count."""
        return None

    def fraction(self) -> float:
        """Estimate the part of the diagram's search that is done, from 0 to 1."""
        return 1.0 if self._total is not None else self._diagram.fraction()

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        numbers = [self._tally is not None, self._total is not None]
        covers = self.covers.to_bytes(self.covers.bit_length() // 8 + 1, "little")
        return pack([array("q", [*numbers, self._steps]), covers, self._diagram.save()])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        """
        blocks = unpack(data)
        if len(blocks) != 3 or len(blocks[0]) != 24:
            raise ValueError("this is no state of a diagram that is unfolded")
        is_made, is_counted, self._steps = array("q", blocks[0])
        self.covers = int.from_bytes(blocks[1], "little")
        self._diagram.load(blocks[2])
        self._tally = self._total = None
        if is_made:
            # Its nodes are numbered anew.
            nodes = self._diagram.nodes
            while (status := self._diagram.advance(_PIECE, 1)) == Status.PAUSED:
                if self._diagram.nodes > nodes:
                    raise ValueError("this diagram is not finished")
            if status == Status.STOPPED:
                return
            self._tally = self._tally_of()
        if is_counted and self._tally is not None:
            while not self._tally.advance(_PIECE):
                pass
            self._total = self._tally.number(self._tally.root)
            if not 0 <= self.covers <= self._total:
                raise ValueError("this state belongs to another problem")
