# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""How many sets of a family use each option.

One walk from the root down counts the *ways* from the root to each node. Through the
high edge of v go (ways to v) times (sets under its child) sets, and each of them uses
the option of v.

Numbers are written in limbs of 32 bits, as in `Tally`, which counts the sets under the
nodes. The ways to a node, times the sets under it, are sets of the family; so the two
numbers have at most one limb more than the number of all sets, which is how much room
the ways are given:

- ``ways[places[v] .. places[v + 1] - 1]``: the number of ways to node v;
- ``uses[width * o .. width * (o + 1) - 1]``: the number of sets with option o;
- ``limbs[begins[v] .. begins[v + 1] - 1]``: the number of sets under node v.

Source: D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4, exercises.
"""

from __future__ import annotations

import cython

from .arrays import number_of, pages
from .family import Family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tally import Tally

LIMB = 0xFFFFFFFF


@cython.cclass
class Spread(Family):
    """A family with the number of ways to each of its nodes.

    Parameters
    ----------
    tally : Tally
        Of the same family, and finished.
    """

    def __init__(self, tally: Tally) -> None:
        Family.__init__(
            self, tally.options, tally.lows, tally.highs, tally.root, tally.n_options
        )
        self.begins = tally.begins
        self.limbs = tally.limbs
        self.width = self.begins[self.root + 1] - self.begins[self.root]
        self.places = pages(self.n_nodes + 1, "q")
        self.ways = pages(1, "I")
        self.uses = pages(self.width * self.n_options, "I")
        self.n_placed = 0
        self.at = self.root

    def make_room(self, nodes: int) -> bool:
        """Make room for the ways to so many nodes; whether that was the last of it."""
        n: cython.int = min(nodes, self.n_nodes)
        with cython.nogil:
            self.lay_out(n)
        if self.n_placed < self.n_nodes:
            return False
        self.ways = pages(self.places[self.n_nodes], "I")
        if self.root > 1:
            self.ways[self.places[self.root]] = 1
        return True

    def advance(self, nodes: int) -> bool:
        """Go on for so many nodes, with room for all; whether these were the last."""
        n: cython.int = min(nodes, self.n_nodes)
        with cython.nogil:
            self.spread(n)
        return self.at < 2

    def number(self, option: int) -> int:
        """Give the number of sets that use an option."""
        return number_of(self.uses, self.width * option, self.width * (option + 1))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay_out(self, nodes: cython.int) -> cython.void:
        """Make room for the ways to each node."""
        v: cython.int
        end: cython.int = self.n_placed + min(nodes, self.n_nodes - self.n_placed)
        size: cython.longlong
        for v in range(self.n_placed, end):
            size = self.begins[v + 1] - self.begins[v]
            self.places[v + 1] = self.places[v] + self.width + 1 - size
        self.n_placed = end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def spread(self, nodes: cython.int) -> cython.void:
        """Count the ways to each node, and for its option the sets by its high edge."""
        v: cython.int
        end: cython.int = max(1, self.at - nodes)
        for v in range(self.at, end, -1):
            self.pass_on(v, self.lows[v])
            self.pass_on(v, self.highs[v])
            self.use(v)
        self.at = end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pass_on(self, node: cython.int, child: cython.int) -> cython.void:
        """Add the ways to a node to those to its child."""
        a: cython.longlong = self.places[node]
        out: cython.longlong = self.places[child]
        carry: cython.longlong = 0
        if child == 0:
            return
        while a < self.places[node + 1] or carry != 0:
            if a < self.places[node + 1]:
                carry += self.ways[a]
                a += 1
            carry += self.ways[out]
            self.ways[out] = carry & LIMB
            carry >>= 32
            out += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def use(self, node: cython.int) -> cython.void:
        """Add the sets by the high edge of a node to those that use its option."""
        i: cython.longlong
        k: cython.longlong
        high: cython.int = self.highs[node]
        at: cython.longlong = self.options[node]
        out: cython.longlong
        carry: cython.ulonglong
        factor: cython.ulonglong
        at *= self.width
        for i in range(self.places[node], self.places[node + 1]):
            factor = self.ways[i]
            if factor == 0:
                continue
            out = at + i - self.places[node]
            carry = 0
            for k in range(self.begins[high], self.begins[high + 1]):
                carry += self.uses[out] + factor * self.limbs[k]
                self.uses[out] = carry & LIMB
                carry >>= 32
                out += 1
            while carry != 0:
                carry += self.uses[out]
                self.uses[out] = carry & LIMB
                carry >>= 32
                out += 1
