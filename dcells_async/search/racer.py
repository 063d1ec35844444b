"""One of several kernels that race: what it has cost, and what it may still cost.

The cost is counted in steps, weighed by how long a step takes, and not in seconds: so a
race goes the same way on every machine, however its search is sliced.

How much is left is told from the part of the tree that is done. For a *tree search*
that grows in step with the cost, give or take: a search that has done a hundredth will
take a hundred times as long in all. A search that *remembers* gets faster as it goes:
the part that it has done is a trillionth, a billionth, a thousandth, all. On a log-log
scale that is a steep line, and its slope tells the end much better:

    log total = log cost - (log part) / slope

Where the slope is below one, however, the search is slower than it says. One that has
claimed for long to be nearly done is not believed: what it claims for the total has
grown by some factor since its cost was half, and is taken to grow by it once more. And
what has no estimate yet, for it has not come to the end of a single path, is given the
benefit of the doubt: it may be halfway.

All that is done in logarithms to base 2, by additions and divisions only, which give
the same bits on every machine (as the logarithm of the C library does not).
"""

from __future__ import annotations

from array import array
from math import frexp
from typing import TYPE_CHECKING, NamedTuple

from ..kernels.arrays import pack, unpack
from .relay import Relay
from .shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..kernels.status import Status
    from .kernel import Kernel

__all__ = ["Entrant", "Racer", "log2"]

_BLOCKS = 4
"""So many blocks has the state of a racer without a kernel."""


class Entrant(NamedTuple):
    """Who may take part in a race.

    Attributes
    ----------
    name : str
        What it is called.
    make : callable
        Makes its kernel, or raises a `CapacityError`.
    weight : int
        How long its steps take, in whole steps of the fastest.
    remembers : bool
        Whether it is one that gets faster as it goes.
    """

    name: str
    make: Callable[[], Kernel]
    weight: int
    remembers: bool = False


class Racer:
    """A kernel in a race; it is made when its first turn comes.

    Parameters
    ----------
    entrant : Entrant
    """

    def __init__(self, entrant: Entrant) -> None:
        self.name = entrant.name
        self.kernel: Kernel | None = None
        # Why it no longer takes part; empty as long as it does.
        self.reason = ""
        # The covers that it has found, and that nobody was given.
        self.shelf = Shelf()
        self._entrant = entrant
        self._relative: Kernel | None = None
        # Cost and part done when the cost was half as much or less; and later on.
        self._earlier = (0, 0.0)
        self._later = (0, 0.0)

    @property
    def cost(self) -> int:
        """What it has taken so far, in steps of the fastest."""
        kernel = self.kernel
        if kernel is None:
            return 0
        return self._entrant.weight * (kernel.updates + kernel.steps)

    @property
    def covers(self) -> int:
        """How many covers it has found."""
        return 0 if self.kernel is None else self.kernel.covers

    @property
    def fraction(self) -> float:
        """Its own estimate of the part that is done."""
        return 0.0 if self.kernel is None else self.kernel.fraction()

    def make(self) -> Kernel:
        """Make its kernel, which is not prepared.

        Raises
        ------
        CapacityError
            It would need too much memory.
        """
        self.kernel = kernel = self._entrant.make()
        return kernel

    def another(self) -> Kernel:
        """Make one more kernel, beside its own.

        Raises
        ------
        CapacityError
            It would need too much memory.
        """
        kernel = self._entrant.make()
        for relative in (self.kernel, self._relative):
            if isinstance(kernel, Relay) and isinstance(relative, Relay):
                kernel.share(relative)
        self._relative = kernel
        return kernel

    def advance(self, cost: int, want: int, keep: bool) -> Status:
        """Let its kernel go on until it has taken so much more."""
        assert self.kernel is not None
        return self.kernel.advance(max(1, -(-cost // self._entrant.weight)), want, keep)

    def leave(self, reason: str) -> None:
        """Take no further part, for a reason, and let go of all memory."""
        self.reason = reason
        self.kernel = None
        self.shelf = Shelf()

    def note(self) -> None:
        """Take note, between two turns, of how far it has come."""
        cost = self.cost
        if cost >= 2 * self._later[0] and cost > 0:
            self._earlier, self._later = self._later, (cost, self.fraction)

    def estimate(self) -> float:
        """Give the logarithm of what it is expected to have cost at its end."""
        cost, part = self.cost, self.fraction
        if part <= 0:
            return log2(2 * cost)
        then, part_then = self._later if self._later[0] <= cost // 2 else self._earlier
        at, left = log2(cost), -log2(part)
        if part_then <= 0:
            return at + left
        slope = (-log2(part_then) - left) / (at - log2(then))
        if slope < 1:
            return at + left + 1 - slope
        return at + (left / slope if self._entrant.remembers else left)

    def save(self) -> bytes:
        """Give the whole state between two turns, for `load`."""
        kernel = self.kernel
        marks = array("d", [*self._earlier, *self._later])
        shelf = [self.shelf.found, self.shelf.ends]
        states = [] if kernel is None else [kernel.save()]
        return pack([self.reason.encode(), marks, *shelf, *states])

    def begins(self, state: bytes) -> bool:
        """Tell whether one in this state has a kernel, which `load` needs then."""
        return len(unpack(state)) > _BLOCKS

    def load(self, state: bytes) -> None:
        """Take up what `save` gave.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        """
        reason, marks, found, ends, *states = unpack(state)
        if states:
            assert self.kernel is not None
            self.kernel.load(states[0])
        else:
            self.kernel = None
        cost, part, later, later_part = array("d", marks)
        self._earlier, self._later = (int(cost), part), (int(later), later_part)
        self.reason, self.shelf = reason.decode(), Shelf(found, ends)


def log2(number: float) -> float:
    """Give the logarithm to base 2, to within a tenth; of 0 and less, that of 1."""
    if number <= 0:
        return 0.0
    mantissa, exponent = frexp(number)
    return exponent - 2 + 2 * mantissa
