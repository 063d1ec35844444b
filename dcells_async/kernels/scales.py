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

from .arrays import pages, zeros
from .family import Family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any as Buffer

MOST = (1 << 63) - 1
LEAST = -MOST - 1


@cython.cclass
class Scales(Family):
    """A family with the best weight under each of its nodes.

    Parameters
    ----------
    weights : array('q'), shape (n_options or more,)
    heavy : bool
        Whether the heaviest is the best; otherwise the lightest.

    Attributes
    ----------
    fault : int
        The first node with a sum of more than 64 bits, or -1.
    """

    def __init__(
        self,
        options: Buffer,
        lows: Buffer,
        highs: Buffer,
        root: int,
        n_options: int,
        weights: array[int],
        heavy: bool,
    ) -> None:
        Family.__init__(self, options, lows, highs, root, n_options)
        self.weights = weights
        self.best = pages(self.n_nodes, "q")
        self.heavy = heavy
        self.n_weighed = 2
        self.fault = -1

    def advance(self, nodes: int) -> bool:
        """Weigh so many more nodes; whether that was the last of it."""
        n: cython.int = min(nodes, self.n_nodes)
        with cython.nogil:
            self.weigh(n)
        return self.fault >= 0 or self.n_weighed == self.n_nodes

    def weights_below(self) -> memoryview:
        """Give the weight of the best set under each node."""
        return memoryview(self.best)

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
    def weigh(self, nodes: cython.int) -> cython.void:
        v: cython.int
        end: cython.int = self.n_weighed + min(nodes, self.n_nodes - self.n_weighed)
        for v in range(self.n_weighed, end):
            if self.is_too_much(v):
                self.fault = v
                return
            if self.prefers_high(v):
                self.best[v] = self.with_option(v)
            else:
                self.best[v] = self.best[self.lows[v]]
        self.n_weighed = end

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
