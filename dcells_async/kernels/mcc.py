# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""MCC: exact covering with multiplicities and colors, by dancing cells.

Given options, each a set of items: choose some, none of them twice, such that
every *primary* item is covered at least ``low`` times and at most ``high`` times,
each with bounds of its own, and every *secondary* item at most once, unless all
options that cover it give it the same *color*.

An item that is to be covered five times will not be decided by one option, and
to try its options one after the other, level by level, would meet the same five
in every order. So the search asks about a single option and goes two ways (binary
branching): the option is *taken*, or else it is *dropped* and never taken from
there on. Thus every set of options is met once.

One node of the search tree goes like this:

- M1. [Enter.] Count a node.
- M2. [Forced?] If it is known of an item that it needs all the options it has
  left, go to M4 with that item.
- M3. [Choose.] Look at the active items, and note all that need what they have;
  if there are any, take the one noted last. If no primary item is active, the
  path is a cover. Otherwise choose an item of the least *degree*.
- M4. [Branch.] If the item was not forced, save the sizes of the active items.
- M5. [Take.] *Commit* to the first option of the item and, if that starves nobody,
  go a level deeper, to M1.
- M6. [Back.] Give back what the option was paid. If sizes were saved, restore them,
  drop the option from all sets and, if that starves nobody, go to M1 on the same
  level. Otherwise go a level up, and do M6 there.

What it is to commit to an option and to drop one, and when an item *starves*, is told
in ``bounded.py``, with the bounds and needs of items.

The degree of an item is its size, less its need if that is above nought, plus one:
that many of its options can be the first one taken, or, without a need, all of them
or none. Ties go to the item that can be covered fewer times beyond its need, then to
the one with more options, then to the leftmost.

Beyond ``bounded.py``,

- ``saved_active[l]`` is 0 if level l has no second way, or has gone it: the sizes
  that a level further up saved are enough then;
- ``ahead[l + 1]``: the estimated part of the tree that was not done when level l
  was entered; ``ahead[0]`` is 0.

The second way leaves nothing to come back to on its level, so it takes the place of
the first: the path is never longer than the options on it, and an item with 200,000
options takes a walk, not a stack.

Node and update counts are those of SSMCC to the unit. An update is the deletion of an
option from a set, unless it was the last one there; that items retire is not counted.

Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithm M,
and SSMCC (Knuth and F. Stappers, 2023), the program that puts it on sparse sets. What
is ours: the recursion is a state machine that can rest between any two steps, and the
second way replaces the first.
"""

from __future__ import annotations

import cython

from .arrays import zeros
from .bounded import BoundedSets
from .status import Status

if not cython.compiled:
    from .bounded import BACK, CHOOSE, ENTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any as Buffer

COMPILED: bool = cython.compiled

PAUSED = int(Status.PAUSED)
FULL = int(Status.FULL)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)
ASK = int(Status.ASK)


@cython.cclass
class MccKernel(BoundedSets):
    """The search for exact covers with multiplicities, resumable at every step.

    The parameters are those of the sets with bounds.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        low: array[int],
        high: array[int],
    ) -> None:
        BoundedSets.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            low,
            high,
        )
        self.ahead = memoryview(zeros(2 * self.max_depth + 6)).cast("B").cast("d")
        self.ahead[1] = 1.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong, target: cython.longlong) -> cython.int:
        item: cython.int
        while self.depth >= 0:
            if self.stopping:
                return STOPPED
            if self.updates + self.steps >= until:
                return PAUSED
            if self.state == ENTER:
                if 2 * self.active > len(self.saved) - self.saved_at[self.depth]:
                    return GROW
                self.nodes += 1  # M1
                self.state = CHOOSE
                if self.priced and self.forced_item() == 0:
                    if not self.afford():
                        self.give_up()
                    elif self.ledger.asks:
                        return ASK
            elif self.state == CHOOSE:
                item = self.forced_item()  # M2
                if item == 0:
                    item = self.choose_item()  # M3
                if item > 0:
                    self.branch(item)  # M4
                    if self.commit(self.chosen[self.depth]):  # M5
                        self.depth += 1
                        self.state = ENTER
                    else:
                        self.state = BACK
                    continue
                if self.priced and not self.earn():
                    continue
                self.covers += 1
                if self.keep and not self.record():
                    target = self.covers
                self.give_up()
                if self.covers >= target and self.depth >= 0:
                    return FULL
            elif self.saved_active[self.depth] == 0:  # M6
                self.ascend()
            else:
                self.restore_sizes()
                self.saved_active[self.depth] = 0
                if self.drop(self.chosen[self.depth]):
                    self.state = ENTER
        return STOPPED if self.stopping else DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_item(self) -> cython.int:
        """M3: a forced item, else one of the least degree; 0 if none is active."""
        k: cython.int
        x: cython.int
        size: cython.int
        need: cython.int
        spare: cython.int
        degree: cython.int
        best: cython.int = 0
        best_size: cython.int = 0
        best_spare: cython.int = 0
        best_degree: cython.int = 0x7FFFFFFF
        self.steps += self.active
        for k in range(self.active):
            x = self.items[k]
            if x < self.second:
                size = self.cells[x - 1]
                need = max(self.cells[x - 3], 0)
                degree = size - need + 1
                if degree > best_degree:
                    continue
                if degree == 1:
                    best_degree = 1
                    self.forced[self.n_forced] = x
                    self.n_forced += 1
                    continue
                spare = self.cells[x - 4] - need
                if (
                    degree < best_degree
                    or spare < best_spare
                    or (
                        spare == best_spare
                        and (size > best_size or (size == best_size and x < best))
                    )
                ):
                    best = x
                    best_size = size
                    best_spare = spare
                    best_degree = degree
        if self.n_forced > 0:
            return self.forced[self.n_forced - 1]
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def branch(self, item: cython.int) -> cython.void:
        """M4: set out for the first option of an item, perhaps to come back."""
        level: cython.int = self.depth
        degree: cython.int = self.cells[item - 1] - max(self.cells[item - 3], 0) + 1
        here: cython.double = self.ahead[level + 1] - self.ahead[level]
        if self.priced:
            self.prefer_cheapest(item)
            self.ledger.pay(level, self.ledger.option_of_node[self.cells[item]])
        self.chosen[level] = self.cells[item]
        self.ahead[level + 2] = self.ahead[level + 1]
        self.ahead[level + 1] = self.ahead[level] + here * (degree - 1) / degree
        if degree > 1:
            self.save_sizes()
        else:
            self.saved_active[level] = 0
            self.saved_at[level + 1] = self.saved_at[level]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prefer_cheapest(self, item: cython.int) -> cython.void:
        """Swap the first of the options with the least net cost to the front."""
        cell: cython.int
        best: cython.int = item
        node: cython.int
        net: cython.longlong
        least: cython.longlong = self.ledger.net[
            self.ledger.option_of_node[self.cells[item]]
        ]
        for cell in range(item + 1, item + self.cells[item - 1]):
            net = self.ledger.net[self.ledger.option_of_node[self.cells[cell]]]
            if net < least:
                least = net
                best = cell
        node = self.cells[best]
        self.cells[best] = self.cells[item]
        self.node_cell[self.cells[best]] = best
        self.cells[item] = node
        self.node_cell[node] = item

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def give_up(self) -> cython.void:
        """Leave the node just entered: it is a cover, or not worth searching."""
        self.state = BACK
        self.ascend()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ascend(self) -> cython.void:
        """M6: go a level up, and give back what its option was paid."""
        self.depth -= 1
        if self.depth >= 0:
            self.refund(self.chosen[self.depth], len(self.node_item))

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split.

        They do not: which option comes first depends on what was deleted before.
        """
        return False

    def split(self) -> MccKernel | None:
        """Give the second way of a level to another kernel, between two slices.

        It is the level nearest to the root that has not gone it: all that this kernel
        has still to search comes before what the other one has.

        Returns
        -------
        MccKernel or None
            Ready to `advance`, its counters at nought; None if there is nothing to
            give.
        """
        for level in range(self.depth):
            if self.saved_active[level] > 0:
                break
        else:
            return None
        other: MccKernel = MccKernel(
            self.n_items,
            self.n_primary,
            self.option_start,
            self.option_item,
            self.option_color if self.colored else zeros(0),
            self.low if self.n_primary else zeros(0),
            self.high if self.n_primary else zeros(0),
        )
        other.prepare()
        if self.priced:
            other.open_ledger(self.ledger.twin())
        other.stand_at(self, level)
        if self.priced:
            other.ledger.restore(self.ledger.n_podium)
        other.state = BACK
        for k in range(level, self.depth):
            other.refund(self.chosen[k], len(self.node_item))
        self.saved_active[level] = 0
        return other

    def least_ahead(self, level: int) -> int | None:
        """Give the least net cost of what is still to be tried on a level, if any."""
        if level == self.depth and self.state <= CHOOSE:
            return 0
        return 0 if self.saved_active[level] > 0 else None

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1.

        For an item of degree d the first way is worth a d-th and the second way the
        rest, so that its options are worth the same if they are dropped one by one.
        It never decreases.
        """
        return 1.0 - self.ahead[self.depth + 1] if self.depth >= 0 else 1.0

    def _tables(self) -> list[Buffer]:
        return [*super()._tables(), self.ahead]
