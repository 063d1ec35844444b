# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The heaviest set under each node of a diagram, and the lightest.

The best under a node is the better of two: the best under the low child, and the best
under the high child with the weight of the option added. The low child may be node 0,
which has no set at all; the high child never is. So one walk from the leaves up finds
the best of any number of sets, and one way down from the root shows which it is.

Weights and sums have 64 bits. A sum that does not fit is told before it is made.

- ``weights[o]``: the weight of option o;
- ``best[v]``: the weight of the best set under node v.

Source: D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4, Algorithm B.
"""

from __future__ import annotations

import cython

from .arrays import zeros
from .family import Family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

MOST = (1 << 63) - 1
LEAST = -MOST - 1


@cython.cclass
class Scales(Family):
    """A family with the best weight under each of its nodes.

    Parameters
    ----------
    weights : array('q'), shape (n_options or more,)
    best : array('q'), shape (n_nodes,), zeros
        Where the best weights are put.
    heavy : bool
        Whether the heaviest is the best; otherwise the lightest.
    """

    def __init__(
        self,
        options: array[int],
        lows: array[int],
        highs: array[int],
        root: int,
        n_options: int,
        weights: array[int],
        best: array[int],
        heavy: bool,
    ) -> None:
        Family.__init__(self, options, lows, highs, root, n_options)
        self.weights = weights
        self.best = best
        self.heavy = heavy

    def fill(self) -> int:
        """Weigh all nodes; the first with a sum of more than 64 bits, or -1."""
        node: cython.int
        with cython.nogil:
            node = self.weigh()
        return node

    def path(self) -> array[int]:
        """Give the options of the best set; of equal ones, one with early options."""
        found = zeros(self.n_options)
        n: cython.int = 0
        v: cython.int = self.root
        while v > 1:
            if self.prefers_high(v):
                found[n] = self.options[v]
                n += 1
                v = self.highs[v]
            else:
                v = self.lows[v]
        return found[:n]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weigh(self) -> cython.int:
        v: cython.int
        for v in range(2, self.n_nodes):
            if self.is_too_much(v):
                return v
            if self.prefers_high(v):
                self.best[v] = self.with_option(v)
            else:
                self.best[v] = self.best[self.lows[v]]
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prefers_high(self, node: cython.int) -> cython.bint:
        """Tell whether the best set under a node has its option."""
        low: cython.int = self.lows[node]
        if low == 0:
            return True
        if self.heavy:
            return self.with_option(node) >= self.best[low]
        return self.with_option(node) <= self.best[low]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def with_option(self, node: cython.int) -> cython.longlong:
        """Give the weight of the best set under a node that has its option."""
        return self.weights[self.options[node]] + self.best[self.highs[node]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_too_much(self, node: cython.int) -> cython.bint:
        """Tell whether that weight has more than 64 bits."""
        weight: cython.longlong = self.weights[self.options[node]]
        rest: cython.longlong = self.best[self.highs[node]]
        if weight > 0:
            return rest > MOST - weight
        return rest < LEAST - weight
