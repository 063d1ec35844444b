# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The ledger of a least-cost search: prices, taxes, and what is still affordable.

A search for the cheapest cover gives up a path when even the least that is still
to be paid makes it no cheaper than what is known. How much that is, is foreseen
by *taxes* (Knuth, DLX5): every item i levies a tax t(i), and the taxes on the
items of an option never exceed its price. So whoever still has to cover the items
of a set S pays at least the sum of their taxes, the *tax due*; and what an option
costs beyond the taxes on its own items is its *net* cost, which is never negative.

- An option whose net cost alone exceeds what is to spare need not be tried, here
  or deeper. All options stand in one list, dearest net cost first; each node goes
  on *sweeping* them away from where its parent stopped.
- The k cheapest covers found so far stand on the *podium*. When it is full, the
  dearest of them is to be beaten: that is the cutoff.

Money is counted in units of ``1 / scale``, so that taxes may be fractions of the
prices' unit. A total is worth having if it is at most ``cutoff - 1`` of the
callers' units; hence everything from ``(cutoff - 1) * scale + 1`` on is too dear,
which is what rounding the bound up to a whole price amounts to.

The arrays
----------
- ``price[o], share[o], net[o]``: of option o, its price, the taxes on its items,
  and what is left.
- ``dearest``: all options by net cost, falling; equal ones in input order.
- ``first_node[o]``: the first node of option o; ``option_of_node[n]``: the option
  of node n.
- ``cost[d], due[d]``: paid, and due, when d options are chosen;
- ``swept[d]``: how far into ``dearest`` the sweep has come there.
- ``podium[0 .. n_podium - 1]``: a heap, the dearest of the cheapest on top.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NO_LIMIT = 1 << 62
MOST = 1 << 61


@cython.cclass
class Ledger:
    """What a least-cost search has to keep besides the sets.

    Parameters
    ----------
    price, share : array('q'), shape (n_options,)
        In units of 1/scale. No sum of prices along a path reaches 2**61.
    due : int
        The taxes due before anything is chosen.
    option_start : array('i'), shape (n_options + 1,)
        As for the kernel.
    depth : int
        More options than this are never chosen together.
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
        option_start: array[int],
        depth: int,
        scale: int,
        best: int,
        bound: Callable[[Any], int] | None = None,
    ) -> None:
        n_options = len(price)
        self.scale = scale
        self.price = price if n_options else array("q", [0])
        self.share = share if n_options else array("q", [0])
        net = array("q", map(int.__sub__, price, share))
        self.net = net if n_options else array("q", [0])
        order = sorted(range(n_options), key=net.__getitem__, reverse=True)
        self.dearest = array("i", [*order, 0])
        self.first_node = zeros(n_options + 1)
        self.option_of_node = zeros(option_start[n_options] + n_options + 1)
        for o in range(n_options):
            self.first_node[o] = option_start[o] + o
            for node in range(option_start[o] + o, option_start[o + 1] + o):
                self.option_of_node[node] = o
        self.cost = array("q", bytes(8 * (depth + 2)))
        self.due = array("q", bytes(8 * (depth + 2)))
        self.swept = zeros(depth + 2)
        self.due[0] = due
        self.podium = array("q", bytes(8 * best))
        self.n_podium = 0
        self.n_options = n_options
        self.limit = NO_LIMIT
        self.most = MOST
        self.bound = bound
        self.asks = bound is not None
        self.refused = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pay(self, depth: cython.int, option: cython.int) -> cython.void:
        """Choose an option where `depth` are chosen already."""
        self.cost[depth + 1] = self.cost[depth] + self.price[option]
        self.due[depth + 1] = self.due[depth] - self.share[option]
        self.swept[depth + 1] = self.swept[depth]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_too_dear(self, depth: cython.int, rest: cython.longlong) -> cython.bint:
        """Tell whether what is paid, and a rest, leave nothing to gain."""
        if self.cost[depth] + rest < self.limit:
            return False
        self.refused = True
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_beyond(self, depth: cython.int, option: cython.int) -> cython.bint:
        """Tell whether choosing an option there would leave nothing to gain."""
        if self.net[option] < self.limit - self.cost[depth] - self.due[depth]:
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

    def cap(self, limit: int) -> None:
        """Let nothing be worth having from this total on, in units of 1/scale."""
        self.limit = min(self.limit, limit)

    def tables(self) -> list[Any]:
        """Give all arrays that change during the search."""
        return [self.cost, self.due, self.swept, self.podium]

    def restore(self, n_podium: int) -> None:
        """Take up a podium that was loaded, with so many places taken."""
        self.n_podium = n_podium
        if n_podium == len(self.podium):
            self.cap(self.podium[0] - self.scale + 1)

    @property
    def root(self) -> int:
        """The taxes due before anything is chosen, in units of 1/scale."""
        return self.due[0]

    @property
    def best(self) -> int | None:
        """The price of the cheapest cover found, in the callers' units."""
        if self.n_podium == 0:
            return None
        return min(self.podium[k] for k in range(self.n_podium)) // self.scale
