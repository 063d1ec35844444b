# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Algebra of sets as zero-suppressed decision diagrams.

A node ``(option, low, high)`` stands for the family ``low``, and each set of the
family ``high`` with the option put in. Node 0 is the empty family, node 1 the
family of the empty set alone. A diagram is *ordered* if option numbers grow from
the root to the leaves, and *reduced* if no high is 0 and no two nodes are equal;
then a family has one diagram only, and equal families are the same node (Minato
1993; Knuth, The Art of Computer Programming 4A, section 7.1.4).

The arrays
----------
- ``nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2]``: option, low and high of
  node i. Children are older than their parents, so they have smaller numbers.
- ``unique``: a hash table with open addressing; each slot holds a node or 0.
- ``cache[4 * s], ...``: two operands and the result of an operation done before.
  A newer one takes the slot of an older one: forgetting costs time, no more.
- ``stack[5 * h], ...``: the operations under way: kind, operands, the option on
  top, and the low side when it is known.

Two operations are enough. The *union* of two families goes down both diagrams
like the merging of two sorted lists. The *join* of two families that have no
option in common, ``{a | b for a in f for b in g}``, goes down the one whose top
option is smaller. Both are state machines, to be interrupted at any step; their
stack is no higher than there are options.
"""

from __future__ import annotations

import cython

from .arrays import pages
from .diagrams import (
    FIRST_SIZE,
    GOLDEN,
    M63,
    MIX,
    STIR,
    TERMINAL,
    UNION,
)

TYPE_CHECKING = False

MOST_NODES = 0x7FFFFFF0


@cython.cclass
class Algebra:
    """The node table with its unique table and its cache, and the two operations.

    Parameters
    ----------
    n_options : int
        Options are numbered from 0.
    """

    def __init__(self, n_options: int) -> None:
        self.most = FIRST_SIZE
        self.n = 2
        self.settled = self.n
        self.old = pages(1)
        self.nodes = pages(3 * self.most)
        self.nodes[0] = self.nodes[3] = TERMINAL
        self.nodes[4] = self.nodes[5] = 1
        self.unique = pages(2 * self.most)
        self.unique_mask = 2 * self.most - 1
        self.cache = pages(4 * self.most)
        self.cache_mask = self.most - 1
        self.stack = pages(5 * (n_options + 4))
        self.steps = 0
        self.kind = self.left = self.right = self.height = self.value = 0
        self.descending = False
        self.root = self.cursor = self.n_kept = 0
        self.names = pages(1)

    @property
    def memory(self) -> int:
        """How many bytes the tables take."""
        return 4 * (
            len(self.nodes) + len(self.unique) + len(self.cache) + len(self.old)
        )

    def grow(self) -> None:
        """Double the tables; `settle` fills them. What the cache held is forgotten."""
        self.old = self.nodes
        self.most = min(2 * self.most, MOST_NODES)
        self.nodes = pages(3 * self.most)
        self.unique = pages(2 * self.most)
        self.unique_mask = 2 * self.most - 1
        self.cache = pages(4 * self.most)
        self.cache_mask = self.most - 1
        self.settled = 0

    @property
    def memory_to_grow(self) -> int:
        """How many more bytes `grow` would take."""
        return 2 * self.memory

    def release(self) -> None:
        """Let go of the old table, if it was moved."""
        if self.settled == self.n:
            self.old = pages(1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self, until: cython.longlong) -> cython.bint:
        """Move the nodes to their new table; true when that is done."""
        k: cython.longlong
        at: cython.longlong
        while self.settled < self.n:
            if self.steps >= until:
                return False
            self.steps += 1
            k = self.settled
            self.nodes[3 * k] = self.old[3 * k]
            self.nodes[3 * k + 1] = self.old[3 * k + 1]
            self.nodes[3 * k + 2] = self.old[3 * k + 2]
            if k > 1:
                at = self.slot(
                    self.old[3 * k], self.old[3 * k + 1], self.old[3 * k + 2]
                )
                at &= self.unique_mask
                while self.unique[at] != 0:
                    at = (at + 1) & self.unique_mask
                self.unique[at] = self.settled
            self.settled += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def slot(
        self, kind: cython.int, left: cython.int, right: cython.int
    ) -> cython.longlong:
        """Hash three numbers; the lowest bits are the best mixed."""
        a: cython.ulonglong = kind + 3
        b: cython.ulonglong = left
        c: cython.ulonglong = right
        h: cython.ulonglong = (a * GOLDEN + b * MIX + c * STIR) & M63
        return h >> 29

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_full(self) -> cython.bint:
        """Tell whether `grow` is needed before the next step."""
        return self.n + 2 >= self.most

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def node(self, option: cython.int, low: cython.int, high: cython.int) -> cython.int:
        """Give the node of these three, a new one if there is none yet."""
        at: cython.longlong
        k: cython.longlong
        if high == 0:
            return low
        at = self.slot(option, low, high) & self.unique_mask
        k = self.unique[at]
        while k != 0:
            if (
                self.nodes[3 * k] == option
                and self.nodes[3 * k + 1] == low
                and self.nodes[3 * k + 2] == high
            ):
                return self.unique[at]
            at = (at + 1) & self.unique_mask
            k = self.unique[at]
        k = self.n
        self.nodes[3 * k] = option
        self.nodes[3 * k + 1] = low
        self.nodes[3 * k + 2] = high
        self.unique[at] = self.n
        self.n += 1
        self.settled = self.n
        return self.n - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(
        self, kind: cython.int, left: cython.int, right: cython.int
    ) -> cython.void:
        """Set out for a union or a join; `work` does it."""
        self.kind = kind
        self.left = left
        self.right = right
        self.height = 0
        self.descending = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_plain(self) -> cython.bint:
        """Tell whether the operation at hand is trivial, and has its value then."""
        left: cython.int = self.left
        right: cython.int = self.right
        if self.kind == UNION:
            if left == 0 or left == right:
                self.value = right
                return True
            if right == 0:
                self.value = left
                return True
        else:
            if left == 0 or right == 0:
                self.value = 0
                return True
            if left == 1:
                self.value = right
                return True
            if right == 1:
                self.value = left
                return True
        if left > right:
            self.left = right
            self.right = left
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def work(self, until: cython.longlong) -> cython.bint:
        """Go on with the operation; true when it is done and `value` holds it.

        False when so many steps are done, or the table is full.
        """
        at: cython.longlong
        top: cython.longlong
        left: cython.longlong
        right: cython.longlong
        key: cython.int
        option: cython.int
        other: cython.int
        while self.steps < until and self.n + 2 < self.most:
            self.steps += 1
            if self.descending:
                if self.is_plain():
                    self.descending = False
                    if self.height == 0:
                        return True
                    continue
                key = self.right if self.kind == UNION else -self.right
                at = 4 * (self.slot(self.kind, self.left, self.right) & self.cache_mask)
                if self.cache[at] == self.left and self.cache[at + 1] == key:
                    self.value = self.cache[at + 2]
                    self.descending = False
                    if self.height == 0:
                        return True
                    continue
                left = self.left
                right = self.right
                option = self.nodes[3 * left]
                other = self.nodes[3 * right]
                top = self.height
                top *= 5
                self.height += 1
                self.stack[top] = self.kind
                self.stack[top + 1] = self.left
                self.stack[top + 2] = self.right
                self.stack[top + 3] = min(other, option)
                self.stack[top + 4] = -1
                if option <= other:
                    self.left = self.nodes[3 * left + 1]
                if other <= option:
                    self.right = self.nodes[3 * right + 1]
                continue
            top = self.height - 1
            top *= 5
            left = self.stack[top + 1]
            right = self.stack[top + 2]
            option = self.nodes[3 * left]
            other = self.nodes[3 * right]
            if self.stack[top + 4] < 0:
                # The low side is known; now the high one.
                self.stack[top + 4] = self.value
                if option < other:
                    self.left = self.nodes[3 * left + 2]
                    self.right = 0 if self.stack[top] == UNION else self.stack[top + 2]
                elif other < option:
                    self.left = 0 if self.stack[top] == UNION else self.stack[top + 1]
                    self.right = self.nodes[3 * right + 2]
                else:
                    self.left = self.nodes[3 * left + 2]
                    self.right = self.nodes[3 * right + 2]
                self.kind = self.stack[top]
                self.descending = True
                continue
            self.value = self.node(self.stack[top + 3], self.stack[top + 4], self.value)
            key = self.stack[top + 2]
            at = 4 * (
                self.slot(self.stack[top], self.stack[top + 1], key) & self.cache_mask
            )
            self.cache[at] = self.stack[top + 1]
            self.cache[at + 1] = key if self.stack[top] == UNION else -key
            self.cache[at + 2] = self.value
            self.height -= 1
            if self.height == 0:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark(self, until: cython.longlong) -> cython.bint:
        """Mark what the root leads to, from above; true when that is done."""
        k: cython.longlong
        while self.cursor > 1:
            if self.steps >= until:
                return False
            self.steps += 1
            k = self.cursor
            if self.names[k] != 0:
                self.names[self.nodes[3 * k + 1]] = 1
                self.names[self.nodes[3 * k + 2]] = 1
            self.cursor -= 1
        self.names[0] = 0
        self.names[1] = 1
        self.n_kept = 2
        self.cursor = 2
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def number(
        self,
        options: cython.int[::1],
        lows: cython.int[::1],
        highs: cython.int[::1],
    ) -> cython.int:
        """Write down the next marked nodes, numbered anew; give how many."""
        k: cython.longlong
        n: cython.int = 0
        most: cython.int = len(options)
        while self.cursor <= self.root and n < most:
            k = self.cursor
            if self.names[k] != 0:
                options[n] = self.nodes[3 * k]
                lows[n] = self.names[self.nodes[3 * k + 1]]
                highs[n] = self.names[self.nodes[3 * k + 2]]
                self.names[k] = self.n_kept
                self.n_kept += 1
                n += 1
            self.cursor += 1
            self.steps += 1
        return n

    def begin_numbering(self, root: int) -> None:
        """Let go of all but the nodes, before `mark`."""
        self.cache = pages(4)
        self.unique = pages(4)
        self.names = pages(self.n)
        self.root = self.cursor = root
        self.names[root] = 1
