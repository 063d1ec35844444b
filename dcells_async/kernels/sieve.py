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

from .arrays import copied, zeros
from .family import Family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

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
        options: array[int],
        lows: array[int],
        highs: array[int],
        root: int,
        n_options: int,
        wish: array[int],
    ) -> None:
        Family.__init__(self, options, lows, highs, root, n_options)
        size = 1 << (2 * self.n_nodes).bit_length()
        self.wish = wish
        self.next_use = zeros(n_options + 1)
        self.sifted_options = zeros(self.n_nodes)
        self.sifted_lows = zeros(self.n_nodes)
        self.sifted_highs = zeros(self.n_nodes)
        self.image = zeros(self.n_nodes)
        self.table = zeros(size)
        self.mask = size - 1

    def run(self) -> tuple[array[int], array[int], array[int], int]:
        """Give the three columns of what passes, and its root.

        There may be nodes that the root does not reach.
        """
        with cython.nogil:
            self.sift()
        return (
            copied(self.sifted_options, self.n_sifted),
            copied(self.sifted_lows, self.n_sifted),
            copied(self.sifted_highs, self.n_sifted),
            self.behind(-1, self.root),
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sift(self) -> cython.void:
        o: cython.int
        v: cython.int
        low: cython.int
        self.next_use[self.n_options] = self.n_options
        for o in range(self.n_options - 1, -1, -1):
            self.next_use[o] = o if self.wish[o] > 0 else self.next_use[o + 1]
        self.sifted_options[0] = self.sifted_options[1] = -1
        self.image[1] = 1
        self.n_sifted = 2
        for v in range(2, self.n_nodes):
            o = self.options[v]
            low = 0 if self.wish[o] > 0 else self.behind(o, self.lows[v])
            if self.wish[o] < 0:
                self.image[v] = low
            else:
                self.image[v] = self.node_of(o, low, self.behind(o, self.highs[v]))

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
        at: cython.int
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
