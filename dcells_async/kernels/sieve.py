# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Those sets of a family that use some options and avoid others.

Every node gets an *image*, which stands for those of its sets that pass. A node whose
option is to be avoided has that of its low child; a node whose option is to be used
loses its low child. There is one more thing to see to: a way that jumps over an option
does not use it. So if it should, whatever is behind that edge is replaced by node 0.

Nodes that differed may become equal, and must become one. A table with open addressing
finds the node that is there already, by all three of its numbers.

- ``wish[o]``: 1 to use option o, -1 to avoid it, 0 else;
- ``next_use[o]``: the first option from o on that is to be used, or n_options;
- ``image[v]``: the image of node v, in the ``sifted`` arrays.
"""

from __future__ import annotations

import cython

from .arrays import pages
from .family import Family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any as Buffer

# Odd numbers of 32 bits; a product with an index fits 64 bits without a sign.
HASH_OPTION = 0x9E3779B1
HASH_LOW = 0x85EBCA77
HASH_HIGH = 0xC2B2AE3D


@cython.cclass
class Sieve(Family):
    """A family and what is wished of its sets.

    Parameters
    ----------
    wish : array('i'), shape (n_options + 1,)
    """

    def __init__(
        self,
        options: Buffer,
        lows: Buffer,
        highs: Buffer,
        root: int,
        n_options: int,
        wish: array[int],
    ) -> None:
        Family.__init__(self, options, lows, highs, root, n_options)
        size: int = 1 << (2 * self.n_nodes).bit_length()
        self.wish = wish
        self.next_use = pages(n_options + 1)
        self.sifted_options = pages(self.n_nodes)
        self.sifted_lows = pages(self.n_nodes)
        self.sifted_highs = pages(self.n_nodes)
        self.sifted_options[0] = self.sifted_options[1] = -1
        self.image = pages(self.n_nodes)
        self.image[1] = 1
        self.table = pages(size)
        self.mask = size - 1
        self.n_seen = self.n_sifted = 2
        with cython.nogil:
            self.look_ahead()

    def advance(self, nodes: int) -> bool:
        """Sift so many more nodes; whether that was the last of it."""
        n: cython.int = min(nodes, self.n_nodes)
        with cython.nogil:
            self.sift(n)
        return self.n_seen == self.n_nodes

    def result(self) -> tuple[memoryview, memoryview, memoryview, int]:
        """Give the three columns of what passes, and its root.

        There may be nodes that the root does not reach.
        """
        return (
            memoryview(self.sifted_options)[: self.n_sifted],
            memoryview(self.sifted_lows)[: self.n_sifted],
            memoryview(self.sifted_highs)[: self.n_sifted],
            self.behind(-1, self.root),
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_ahead(self) -> cython.void:
        """Find for each option the next one that is to be used."""
        o: cython.int
        self.next_use[self.n_options] = self.n_options
        for o in range(self.n_options - 1, -1, -1):
            self.next_use[o] = o if self.wish[o] > 0 else self.next_use[o + 1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sift(self, nodes: cython.int) -> cython.void:
        o: cython.int
        v: cython.int
        low: cython.int
        end: cython.int = self.n_seen + min(nodes, self.n_nodes - self.n_seen)
        for v in range(self.n_seen, end):
            o = self.options[v]
            low = 0 if self.wish[o] > 0 else self.behind(o, self.lows[v])
            if self.wish[o] < 0:
                self.image[v] = low
            else:
                self.image[v] = self.node_of(o, low, self.behind(o, self.highs[v]))
        self.n_seen = end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def behind(self, option: cython.int, child: cython.int) -> cython.int:
        """Give what is left behind an edge from an option's node to a child."""
        if self.next_use[option + 1] < self.level(child):
            return 0
        return self.image[child]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def node_of(
        self, option: cython.int, low: cython.int, high: cython.int
    ) -> cython.int:
        """Find the node with these children, or make it."""
        h: cython.ulonglong = option
        at: cython.longlong
        v: cython.int
        if high == 0:
            return low
        h = (h * HASH_OPTION) ^ (low * HASH_LOW) ^ (high * HASH_HIGH)
        at = (h ^ (h >> 17) ^ (h >> 34)) & self.mask
        while self.table[at] != 0:
            v = self.table[at]
            if (
                self.sifted_options[v] == option
                and self.sifted_lows[v] == low
                and self.sifted_highs[v] == high
            ):
                return v
            at = (at + 1) & self.mask
        v = self.n_sifted
        self.n_sifted += 1
        self.table[at] = v
        self.sifted_options[v] = option
        self.sifted_lows[v] = low
        self.sifted_highs[v] = high
        return v
