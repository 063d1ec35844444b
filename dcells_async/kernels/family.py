# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""A family of sets of options, as a zero-suppressed decision diagram (ZDD).

A node asks about one option. Its *low* child is the family of those sets that go on
without the option, its *high* child that of those that go on with it. There are two
sinks: node 0 is the empty family, node 1 the family whose one set is empty. A diagram
is *ordered*: options grow on every way down. And it is *reduced*: no node has node 0
as its high child (zero suppression: an option that is not asked about is not in the
set), and no two nodes are equal. Then every family has just one diagram, in which
every node but node 0 leads to some set.

Here all children have smaller indices than their parents. So what has to be computed
from the leaves up takes one walk through the arrays, and what has to be computed
from the root down takes one walk backwards; neither needs a stack.

The arrays, parallel:

- ``options[v]``: the option of node v, from 0; -1 for the sinks;
- ``lows[v], highs[v]``: its children; without meaning for the sinks.

Source: S. Minato, Zero-suppressed BDDs for set manipulation in combinatorial problems
(DAC 1993); D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4.
"""

from __future__ import annotations

import cython

from .arrays import copied, zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

COMPILED: bool = cython.compiled


@cython.cclass
class Family:
    """The arrays, and what keeps them in order.

    Parameters
    ----------
    options, lows, highs : array('i'), shape (n_nodes,)
    root : int
        The node that stands for the whole family.
    n_options : int
    """

    def __init__(
        self,
        options: array[int],
        lows: array[int],
        highs: array[int],
        root: int,
        n_options: int,
    ) -> None:
        self.options = options
        self.lows = lows
        self.highs = highs
        self.root = root
        self.n_nodes = len(options)
        self.n_options = n_options

    def first_fault(self) -> int:
        """Give the first node that is out of order, or -1."""
        faulty: cython.int
        with cython.nogil:
            faulty = self.fault()
        return faulty

    def compact(self) -> int:
        """Leave out the nodes that the root does not reach; how many are left.

        Both sinks stay, whatever they have for children. The arrays are replaced, and
        those handed in are left as they were.
        """
        places: cython.int[::1] = zeros(self.n_nodes)
        n: cython.int
        with cython.nogil:
            n = self.mark(places)
        if n < self.n_nodes:
            options: cython.int[::1] = zeros(n)
            lows: cython.int[::1] = zeros(n)
            highs: cython.int[::1] = zeros(n)
            with cython.nogil:
                self.move(places, options, lows, highs)
            self.root = places[self.root] - 1
            self.options = options
            self.lows = lows
            self.highs = highs
            self.n_nodes = n
        return n

    def columns(self) -> tuple[array[int], array[int], array[int]]:
        """Give copies of the arrays."""
        return (
            copied(self.options, self.n_nodes),
            copied(self.lows, self.n_nodes),
            copied(self.highs, self.n_nodes),
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def level(self, node: cython.int) -> cython.int:
        """Give the option of a node; for the sinks, what comes after all options."""
        return self.options[node] if node > 1 else self.n_options

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fault(self) -> cython.int:
        """Find the first node that is out of order, or -1."""
        v: cython.int
        option: cython.int
        low: cython.int
        high: cython.int
        for v in range(2, self.n_nodes):
            option = self.options[v]
            low = self.lows[v]
            high = self.highs[v]
            if option < 0 or option >= self.n_options:
                return v
            if low < 0 or low >= v or high < 1 or high >= v:
                return v
            if self.level(low) <= option or self.level(high) <= option:
                return v
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark(self, places: cython.int[::1]) -> cython.int:
        """Give each node its place among those that the root reaches, from 1, or 0."""
        v: cython.int
        n: cython.int = 0
        places[0] = places[1] = places[self.root] = 1
        for v in range(self.n_nodes - 1, 1, -1):
            if places[v] != 0:
                places[self.lows[v]] = 1
                places[self.highs[v]] = 1
        for v in range(self.n_nodes):
            if places[v] != 0:
                n += 1
                places[v] = n
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(
        self,
        places: cython.int[::1],
        options: cython.int[::1],
        lows: cython.int[::1],
        highs: cython.int[::1],
    ) -> cython.void:
        """Move each node to its place."""
        v: cython.int
        options[0] = options[1] = -1
        for v in range(2, self.n_nodes):
            if places[v] != 0:
                options[places[v] - 1] = self.options[v]
                lows[places[v] - 1] = places[self.lows[v]] - 1
                highs[places[v] - 1] = places[self.highs[v]] - 1
