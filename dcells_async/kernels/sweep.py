# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""A ledger whose taxes are levied once, with a list of all options by net cost.

Every item i levies a tax t(i) at the root, and the taxes on the items of an option
never exceed its price (Knuth, DLX5). So whoever still has to cover the items of a set
S pays at least the sum of their taxes: that is *owed*. And what an option costs beyond
the taxes on its own items is its *net* cost, which is never negative. An option whose
net cost alone exceeds what is to spare need not be tried, here or deeper. All options
stand in one list, dearest net cost first; each node goes on *sweeping* them away from
where its parent stopped.

The arrays
----------
- ``share[o]``: the taxes on the items of option o;
- ``dearest``: all options by net cost, falling; equal ones in input order;
- ``first_node[o]``: the first node of option o; ``option_of_node[n]``: the option of
  node n;
- ``cost[d], owed[d]``: what is paid, and owed, when d options are chosen;
- ``swept[d]``: how far into ``dearest`` the sweep has come there.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import zeros
from .ledger import Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

COMPILED: bool = cython.compiled


@cython.cclass
class SweptLedger(Ledger):
    """What a least-cost search on sparse sets has to keep besides the sets.

    The parameters are those of a ledger, and

    Parameters
    ----------
    option_start : array('i'), shape (n_options + 1,)
        As for the kernel.
    depth : int
        More options than this are never chosen together.
    """

    def __init__(
        self,
        price: array[int],
        share: array[int],
        due: int,
        scale: int,
        best: int,
        bound: Callable[[Any], int] | None,
        option_start: array[int],
        depth: int,
    ) -> None:
        n_options = len(price)
        Ledger.__init__(self, price, share, due, scale, best, bound)
        self.share = share if n_options else zeros(1, "q")
        order = sorted(range(n_options), key=self.net.__getitem__, reverse=True)
        self.dearest = array("i", [*order, 0])
        self.first_node = zeros(n_options + 1)
        self.option_of_node = zeros(option_start[n_options] + n_options + 1)
        for o in range(n_options):
            self.first_node[o] = option_start[o] + o
            for node in range(option_start[o] + o, option_start[o + 1] + o):
                self.option_of_node[node] = o
        self.cost = zeros(depth + 2, "q")
        self.owed = zeros(depth + 2, "q")
        self.swept = zeros(depth + 2)
        self.owed[0] = due
        self.n_options = n_options
        self.option_start = option_start

    def twin(self) -> SweptLedger:
        """Open another one at the same prices, with nothing on its podium yet."""
        other = SweptLedger(
            self.price,
            self.share,
            self.due,
            self.scale,
            len(self.podium),
            self.bound,
            self.option_start,
            len(self.swept) - 2,
        )
        other.cap(self.limit)
        return other

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pay(self, depth: cython.int, option: cython.int) -> cython.void:
        """Choose an option where `depth` are chosen already."""
        self.cost[depth + 1] = self.cost[depth] + self.price[option]
        self.owed[depth + 1] = self.owed[depth] - self.share[option]
        self.swept[depth + 1] = self.swept[depth]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_beyond(self, depth: cython.int, option: cython.int) -> cython.bint:
        """Tell whether choosing an option there would leave nothing to gain."""
        if self.net[option] < self.limit - self.cost[depth] - self.owed[depth]:
            return False
        self.refused = True
        return True

    def tables(self) -> list[Any]:
        """Give all arrays that change during the search."""
        return [self.cost, self.owed, self.swept, self.podium]
