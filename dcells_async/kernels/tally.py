# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""How many sets there are under each node of a diagram, exactly.

A node has as many sets as its two children together. That is all there is to it,
but for the size of the numbers: the tilings of a 16 by 16 board by dominoes are a
number of 102 bits, and 64 would not do. So a number is written in *limbs* of 32 bits,
the lowest first, and takes as many as it needs; node 0 has none at all. Sums of limbs
fit a C integer with room for the carry.

With these numbers at hand,

- the set of a given *rank* in the family's order (those without the option of the
  root come first, then those with it, each half in its own order) is found on one way
  down: it is under the low child if its rank is less than the number there; otherwise
  that number is taken off, and it is under the high child. A rank drawn at random
  gives a set drawn at random, all being equally likely.
- how many sets use an option is found on one walk backwards, which counts the ways
  from the root to each node. Through the high edge of v go (ways to v) times (sets
  under its child) sets, and each of them uses the option of v.

The arrays:

- ``limbs[begins[v] .. begins[v + 1] - 1]``: the number of sets under node v.

Source: D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4: Algorithm C for
the counting, and what follows it for random sets. Limbs are those of volume 2, 4.3.1.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import enlarged, zeros
from .family import Family
from .status import Status

DONE = int(Status.DONE)
GROW = int(Status.GROW)

LIMB = 0xFFFFFFFF


@cython.cclass
class Tally(Family):
    """A family with the number of sets under each of its nodes.

    To be filled by `count` before anything else is asked.
    """

    def __init__(
        self,
        options: array[int],
        lows: array[int],
        highs: array[int],
        root: int,
        n_options: int,
    ) -> None:
        Family.__init__(self, options, lows, highs, root, n_options)
        self.begins = array("q", [0]) * (self.n_nodes + 1)
        self.limbs = array("I", [0]) * (2 * self.n_nodes)
        self.begins[2] = self.limbs[0] = 1
        self.n_counted = 2

    def count(self, nodes: int) -> bool:
        """Count on for so many nodes; whether all are done."""
        until: cython.int = min(self.n_nodes, self.n_counted + nodes)
        status: cython.int = GROW
        while status == GROW:
            with cython.nogil:
                status = self.fill(until)
            if status == GROW:
                more = array("I")
                more.frombytes(memoryview(self.limbs).cast("B"))
                more.extend(array("I", [0]) * (len(more) // 2 + self.n_options + 16))
                self.limbs = more
        return self.n_counted == self.n_nodes

    def number(self, node: int) -> int:
        """Give the number of sets under a node."""
        total = 0
        for at in range(self.begins[node + 1] - 1, self.begins[node] - 1, -1):
            total = total << 32 | self.limbs[at]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill(self, until: cython.int) -> cython.int:
        """Count up to a node, or until there is no room for the next number."""
        low: cython.int
        high: cython.int
        room: cython.longlong
        while self.n_counted < until:
            low = self.lows[self.n_counted]
            high = self.highs[self.n_counted]
            room = self.begins[self.n_counted] + 1
            room += max(
                self.begins[low + 1] - self.begins[low],
                self.begins[high + 1] - self.begins[high],
            )
            if room > len(self.limbs):
                return GROW
            self.add(self.n_counted, low, high)
            self.n_counted += 1
        return DONE

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
        size: cython.int = width
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
        begin: cython.int,
        end: cython.int,
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
        begin: cython.int,
        end: cython.int,
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

    # -- from the root down --------------------------------------------------------

    def frequencies(self) -> list[int]:
        """Give for each option the number of sets that use it."""
        size: cython.int = self.begins[self.root + 1] - self.begins[self.root]
        if self.root < 2:
            return [0] * self.n_options
        places = array("q", [0]) * (self.n_nodes + 1)
        begins: cython.longlong[::1] = places
        with cython.nogil:
            self.lay_out(begins, size)
        ways: cython.uint[::1] = array("I", [0]) * places[self.n_nodes]
        sums = array("I", [0]) * (size * self.n_options)
        uses: cython.uint[::1] = sums
        with cython.nogil:
            self.spread(begins, ways, uses, size)
        numbers = []
        for end in range(size, len(sums) + 1, size):
            total = 0
            for limb in reversed(sums[end - size : end]):
                total = total << 32 | limb
            numbers.append(total)
        return numbers

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay_out(self, begins: cython.longlong[::1], width: cython.int) -> cython.void:
        """Make room for the ways to each node.

        They, times the sets under it, are sets of the family: so the two numbers
        have at most one limb more than the number of all sets.
        """
        v: cython.int
        for v in range(self.n_nodes):
            begins[v + 1] = (
                begins[v] + width + 1 - (self.begins[v + 1] - self.begins[v])
            )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def spread(
        self,
        begins: cython.longlong[::1],
        ways: cython.uint[::1],
        uses: cython.uint[::1],
        width: cython.int,
    ) -> cython.void:
        """Count the ways to each node, and for its option the sets by its high edge."""
        v: cython.int
        ways[begins[self.root]] = 1
        for v in range(self.root, 1, -1):
            self.pass_on(v, self.lows[v], begins, ways)
            self.pass_on(v, self.highs[v], begins, ways)
            self.multiply(
                self.highs[v],
                begins[v],
                begins[v + 1],
                ways,
                uses,
                self.options[v] * width,
            )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pass_on(
        self,
        node: cython.int,
        child: cython.int,
        begins: cython.longlong[::1],
        ways: cython.uint[::1],
    ) -> cython.void:
        """Add the ways to a node to those to its child."""
        a: cython.longlong = begins[node]
        out: cython.longlong = begins[child]
        carry: cython.longlong = 0
        if child == 0:
            return
        while a < begins[node + 1] or carry != 0:
            if a < begins[node + 1]:
                carry += ways[a]
                a += 1
            carry += ways[out]
            ways[out] = carry & LIMB
            carry >>= 32
            out += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def multiply(
        self,
        node: cython.int,
        begin: cython.longlong,
        end: cython.longlong,
        ways: cython.uint[::1],
        uses: cython.uint[::1],
        at: cython.int,
    ) -> cython.void:
        """Add to a number at `at` the product of some ways and the sets of a node."""
        i: cython.longlong
        k: cython.longlong
        out: cython.longlong
        carry: cython.ulonglong
        factor: cython.ulonglong
        for i in range(begin, end):
            factor = ways[i]
            if factor == 0:
                continue
            out = at + i - begin
            carry = 0
            for k in range(self.begins[node], self.begins[node + 1]):
                carry += uses[out] + factor * self.limbs[k]
                uses[out] = carry & LIMB
                carry >>= 32
                out += 1
            while carry != 0:
                carry += uses[out]
                uses[out] = carry & LIMB
                carry >>= 32
                out += 1
