# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The ledger of a least-cost search: prices, and what is still worth having.

The k cheapest covers found so far stand on the *podium*. When it is full, the dearest
of them is to be beaten: that is the cutoff.

Money is counted in units of ``1 / scale``, so that taxes may be fractions of the
prices' unit. A total is worth having if it is at most ``cutoff - 1`` of the callers'
units; hence everything from ``(cutoff - 1) * scale + 1`` on is too dear, which is what
rounding a bound up to a whole price amounts to.

The arrays
----------
- ``price[o]``: the price of option o;
- ``net[o]``: its price less the taxes on its items that are levied at the root;
- ``podium[0 .. n_podium - 1]``: a heap, the dearest of the cheapest on top; and
  ``cheapest``, the cheapest of all, `NO_LIMIT` if there is none.
"""

from __future__ import annotations

from array import array

import cython

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

COMPILED: bool = cython.compiled

NO_LIMIT = 1 << 62
MOST = 1 << 61


@cython.cclass
class Ledger:
    """What a least-cost search has to keep besides the options left.

    Parameters
    ----------
    price, share : array('q'), shape (n_options,)
        What an option costs, and how much of it is taxes, in units of 1/scale; the
        taxes never exceed the price. No sum of prices along a path reaches 2**61.
    due : int
        The taxes due before anything is chosen.
    scale : int, >= 1
    best : int, >= 1
        How many cheapest covers are sought.
    bound : callable, optional
        Gives a lower bound of what is still to be paid, in the callers' units.

    Attributes
    ----------
    limit : int
        The total, in units of 1/scale, from which on nothing is worth having.
    refused : bool
        Whether anything was ever given up for its price.
    """

    def __init__(
        self,
        price: array[int],
        share: array[int],
        due: int,
        scale: int,
        best: int,
        bound: Callable[[Any], int] | None = None,
    ) -> None:
        self.price = price or array("q", [0])
        net = array("q", map(int.__sub__, price, share))
        self.net = net or array("q", [0])
        self.due = due
        self.scale = scale
        self.podium = array("q", bytes(8 * best))
        self.n_podium = 0
        self.cheapest = NO_LIMIT
        self.limit = NO_LIMIT
        self.most = MOST
        self.bound = bound
        self.asks = bound is not None
        self.refused = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_too_dear(self, total: cython.longlong) -> cython.bint:
        """Tell whether at this price there is nothing to gain."""
        if total < self.limit:
            return False
        self.refused = True
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(self, cost: cython.longlong) -> cython.void:
        """Put a cover on the podium, which it has earned, and adjust the limit."""
        place: cython.int
        child: cython.int
        size: cython.int = len(self.podium)
        self.cheapest = min(self.cheapest, cost)
        if self.n_podium < size:
            place = self.n_podium
            self.n_podium += 1
            while place > 0 and self.podium[(place - 1) // 2] < cost:
                self.podium[place] = self.podium[(place - 1) // 2]
                place = (place - 1) // 2
        else:
            place = 0
            while 2 * place + 1 < size:
                child = 2 * place + 1
                if child + 1 < size and self.podium[child + 1] > self.podium[child]:
                    child += 1
                if self.podium[child] <= cost:
                    break
                self.podium[place] = self.podium[child]
                place = child
        self.podium[place] = cost
        if self.n_podium == size:
            self.limit = min(self.limit, self.podium[0] - self.scale + 1)

    def is_bound_too_dear(self, kernel: Any, paid: int) -> bool:
        """Ask the caller's bound what is still to be paid at least."""
        assert self.bound is not None
        rest = self.bound(kernel) * self.scale
        return bool(self.is_too_dear(paid + max(-self.most, min(rest, self.most))))

    def cap(self, limit: int) -> None:
        """Let nothing be worth having from this total on, in units of 1/scale."""
        self.limit = min(self.limit, limit)

    def restore(self, n_podium: int) -> None:
        """Take up a podium that was loaded, with so many places taken.

        Raises
        ------
        ValueError
            There are not so many.
        """
        if not 0 <= n_podium <= len(self.podium):
            raise ValueError("this state belongs to a search for fewer covers")
        self.n_podium = n_podium
        self.cheapest = NO_LIMIT
        for k in range(n_podium):
            self.cheapest = min(self.cheapest, self.podium[k])
        if n_podium == len(self.podium):
            self.cap(self.podium[0] - self.scale + 1)

    def twin(self) -> Ledger:
        """Open another one at the same prices, with nothing on its podium yet."""
        other = Ledger(
            self.price,
            array("q", map(int.__sub__, self.price, self.net)),
            self.due,
            self.scale,
            len(self.podium),
            self.bound,
        )
        other.cap(self.limit)
        return other

    def figures(self) -> list[Any]:
        """Give all that was settled before the search."""
        return [array("q", [self.due, self.scale]), self.price, self.net]

    def bound_on_all(self, least: int) -> int | None:
        """Give what any cover costs at least if those not found yet cost `least`.

        In the callers' units; None if there is no cover at all. Where several are
        sought, what is still open may be dearer than what was found.
        """
        least = min(least, self.cheapest)
        return None if least >= NO_LIMIT else -(-least // self.scale)

    @property
    def best(self) -> int | None:
        """The price of the cheapest cover found, in the callers' units."""
        return None if self.n_podium == 0 else self.cheapest // self.scale
