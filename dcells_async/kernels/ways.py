# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""How many sets a diagram stands for in which some nodes are products.

A product node stands for the join of its two sides, which have no option in common;
so it has as many sets as one side times as many as the other. Such diagrams come out
of a search that splits its problem into independent parts, and need not be ordered:
to count, it is enough that the two sides of a node have no set in common.

Source: A. Darwiche, Decomposable negation normal form (Journal of the ACM 48, 2001),
for counting in diagrams with products.
"""

from __future__ import annotations

import cython

from .diagrams import PRODUCT
from .status import Status
from .tally import Tally

DONE = int(Status.DONE)
GROW = int(Status.GROW)

LIMB = 0xFFFFFFFF


@cython.cclass
class Ways(Tally):
    """A `Tally` that knows products."""

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
            room += self.begins[low + 1] - self.begins[low]
            room += self.begins[high + 1] - self.begins[high]
            if room > len(self.limbs):
                return GROW
            if self.options[self.n_counted] == PRODUCT:
                self.times(self.n_counted, low, high)
            else:
                self.add(self.n_counted, low, high)
            self.n_counted += 1
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def times(
        self, node: cython.int, one: cython.int, other: cython.int
    ) -> cython.void:
        """Give a node the product of the numbers of two others, which are not 0."""
        a: cython.longlong
        b: cython.longlong
        out: cython.longlong = self.begins[node]
        end: cython.longlong = out
        carry: cython.ulonglong
        factor: cython.ulonglong
        end += self.begins[one + 1] - self.begins[one]
        end += self.begins[other + 1] - self.begins[other]
        for a in range(out, end):
            self.limbs[a] = 0
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
