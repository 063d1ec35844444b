# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""How many sets there are under each node of a diagram, exactly.

A node has as many sets as its two children together. That is all there is to it,
but for the size of the numbers: the tilings of a 16 by 16 board by dominoes are a
number of 102 bits, and 64 would not do. So a number is written in *limbs* of 32 bits,
the lowest first, and takes as many as it needs; node 0 has none at all. Sums of limbs
fit a C integer with room for the carry.

Some diagrams have nodes that are *products*: such a node stands for the join of its
two sides, which have no option in common, and has as many sets as one side times as
many as the other. They come out of a search that splits its problem into independent
parts, and need not be ordered: to count, it is enough that the two sides of a node
have no set in common (A. Darwiche, Decomposable negation normal form, Journal of the
ACM 48, 2001). What follows is for diagrams without products.

With these numbers at hand, the set of a given *rank* in the family's order (those
without the option of the root come first, then those with it, each half in its own
order) is found on one way down: it is under the low child if its rank is less than the
number there; otherwise that number is taken off, and it is under the high child. A
rank drawn at random gives a set drawn at random, all being equally likely.

The arrays:

- ``limbs[begins[v] .. begins[v + 1] - 1]``: the number of sets under node v.

When there is no room for the next number, all limbs move to an array half as large
again, piece by piece, as everything here is done.

Source: D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4: Algorithm C for
the counting, and what follows it for random sets. Limbs are those of volume 2, 4.3.1.
"""

from __future__ import annotations

import cython

from .arrays import enlarged, number_of, pages, zeros
from .diagrams import PRODUCT
from .family import Family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any as Buffer

LIMB = 0xFFFFFFFF

AT_ONCE = 8
"""So many limbs are moved in the time in which one node is counted."""


@cython.cclass
class Tally(Family):
    """A family with the number of sets under each of its nodes.

    To be filled by `advance` before anything else is asked.
    """

    def __init__(
        self,
        options: Buffer,
        lows: Buffer,
        highs: Buffer,
        root: int,
        n_options: int,
    ) -> None:
        Family.__init__(self, options, lows, highs, root, n_options)
        self.begins = pages(self.n_nodes + 1, "q")
        self.limbs = pages(2 * self.n_nodes, "I")
        self.limbs_before = pages(1, "I")
        self.begins[2] = self.limbs[0] = 1
        self.n_counted = 2
        self.n_moved = -1

    def advance(self, nodes: int) -> bool:
        """Count on for so many nodes; whether all are done."""
        n: cython.int = min(nodes, self.n_nodes)
        has_room: cython.bint
        if self.n_moved >= 0:
            with cython.nogil:
                self.move(n)
            if self.n_moved < 0:
                self.limbs_before = pages(1, "I")
            return False
        with cython.nogil:
            has_room = self.fill(n)
        if not has_room:
            self.limbs_before = self.limbs
            room = len(self.limbs)
            self.limbs = pages(room + room // 2 + self.n_options + 16, "I")
            self.n_moved = 0
        return self.n_counted == self.n_nodes

    def number(self, node: int) -> int:
        """Give the number of sets under a node."""
        return number_of(self.limbs, self.begins[node], self.begins[node + 1])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill(self, nodes: cython.int) -> cython.bint:
        """Count so many nodes; false if there is no room for the next number."""
        v: cython.int
        one: cython.longlong
        other: cython.longlong
        room: cython.longlong
        for v in range(
            self.n_counted, self.n_counted + min(nodes, self.n_nodes - self.n_counted)
        ):
            one = self.begins[self.lows[v] + 1] - self.begins[self.lows[v]]
            other = self.begins[self.highs[v] + 1] - self.begins[self.highs[v]]
            room = one + other if self.options[v] == PRODUCT else max(one, other) + 1
            if self.begins[v] + room > len(self.limbs):
                return False
            if self.options[v] == PRODUCT:
                self.multiply(v, self.lows[v], self.highs[v])
            else:
                self.add(v, self.lows[v], self.highs[v])
            self.n_counted = v + 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self, nodes: cython.int) -> cython.void:
        """Move on with the limbs, for as long as so many nodes take to be counted."""
        at: cython.longlong
        used: cython.longlong = self.begins[self.n_counted]
        end: cython.longlong = self.n_moved
        end = min(used, end + AT_ONCE * nodes)
        for at in range(self.n_moved, end):
            self.limbs[at] = self.limbs_before[at]
        self.n_moved = end if end < used else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, node: cython.int, one: cython.int, other: cython.int) -> cython.void:
        """Give a node as many sets as two others have together."""
        a: cython.longlong = self.begins[one]
        b: cython.longlong = self.begins[other]
        out: cython.longlong = self.begins[node]
        carry: cython.longlong = 0
        while a < self.begins[one + 1] or b < self.begins[other + 1] or carry != 0:
            if a < self.begins[one + 1]:
                carry += self.limbs[a]
                a += 1
            if b < self.begins[other + 1]:
                carry += self.limbs[b]
                b += 1
            self.limbs[out] = carry & LIMB
            carry >>= 32
            out += 1
        self.begins[node + 1] = out

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def multiply(
        self, node: cython.int, one: cython.int, other: cython.int
    ) -> cython.void:
        """Give a node as many sets as the product of the numbers of two others."""
        a: cython.longlong
        b: cython.longlong
        out: cython.longlong
        end: cython.longlong = self.begins[node]
        carry: cython.ulonglong
        factor: cython.ulonglong
        end += self.begins[one + 1] - self.begins[one]
        end += self.begins[other + 1] - self.begins[other]
        for out in range(self.begins[node], end):
            self.limbs[out] = 0
        for a in range(self.begins[one], self.begins[one + 1]):
            carry = 0
            factor = self.limbs[a]
            out = self.begins[node] + a - self.begins[one]
            for b in range(self.begins[other], self.begins[other + 1]):
                # At most (2^32 - 1)^2 + 2 (2^32 - 1): just what 64 bits hold.
                carry += self.limbs[out] + factor * self.limbs[b]
                self.limbs[out] = carry & LIMB
                carry >>= 32
                out += 1
            self.limbs[out] = carry
        while end > self.begins[node] and self.limbs[end - 1] == 0:
            end -= 1
        self.begins[node + 1] = end

    # -- from ranks to sets --------------------------------------------------------

    def unrank(self, ranks: array[int], width: int) -> tuple[array[int], array[int]]:
        """Give the sets of these ranks: their options, and where each set ends.

        Parameters
        ----------
        ranks : array('I'), shape (n_ranks * width,)
            Each less than the number of all sets; they are used up.
        width : int, limbs
            How long each rank is.
        """
        n_ranks: cython.int = len(ranks) // width
        size: cython.longlong = width
        left: cython.uint[::1] = ranks
        out = zeros(max(2 * self.n_options, 1024))
        found: cython.int[::1] = out
        ends = zeros(n_ranks)
        end: cython.int = 0
        k: cython.int
        for k in range(n_ranks):
            if len(found) - end < self.n_options:
                out = enlarged(out, 2 * len(out))
                found = out
            with cython.nogil:
                end = self.descend(left, k * size, (k + 1) * size, found, end)
            ends[k] = end
        return out[:end], ends

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def descend(
        self,
        rank: cython.uint[::1],
        begin: cython.longlong,
        end: cython.longlong,
        found: cython.int[::1],
        at: cython.int,
    ) -> cython.int:
        """Write down the set of a rank; where it ends."""
        v: cython.int = self.root
        low: cython.int
        i: cython.longlong
        borrow: cython.longlong
        while v > 1:
            while end > begin and rank[end - 1] == 0:
                end -= 1
            low = self.lows[v]
            if self.is_below(rank, begin, end, low):
                v = low
                continue
            borrow = 0
            for i in range(end - begin):
                borrow += rank[begin + i]
                if i < self.begins[low + 1] - self.begins[low]:
                    borrow -= self.limbs[self.begins[low] + i]
                rank[begin + i] = borrow & LIMB
                borrow >>= 32
            found[at] = self.options[v]
            at += 1
            v = self.highs[v]
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_below(
        self,
        rank: cython.uint[::1],
        begin: cython.longlong,
        end: cython.longlong,
        node: cython.int,
    ) -> cython.bint:
        """Tell whether a rank is less than the number of sets under a node."""
        first: cython.longlong = self.begins[node]
        i: cython.longlong = self.begins[node + 1] - first
        if end - begin != i:
            return end - begin < i
        while i > 0:
            i -= 1
            if rank[begin + i] != self.limbs[first + i]:
                return rank[begin + i] < self.limbs[first + i]
        return False
