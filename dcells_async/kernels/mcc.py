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

To commit to an option is to pay for its items one after the other. An item that is
now covered as often as it may be, as a secondary item is at once, is finished: its
other options are dropped from all sets, except those of its color, and it retires.
Any other item just loses this one option.

An item *starves* if it has fewer options than it needs, which is the end of a way.
A primary item that loses its last option, and needs none, retires.

In front of the set of a primary item x stand, besides its place and its size:

- ``cells[x - 4]``, its *bound*: how many times more it can be covered;
- ``cells[x - 3]``, its *need*: how many times more it has to be covered; below
  nought if it has been covered more often than that. (Knuth keeps their difference,
  ``high - low``, and calls it slack.)

The degree of an item is its size, less its need if that is above nought, plus one:
that many of its options can be the first one taken, or, without a need, all of them
or none. Ties go to the item that can be covered fewer times beyond its need, then to
the one with more options, then to the leftmost.

Beyond ``cells.py`` the arrays are:

- ``first[n]``: the first node of the option that has node n;
- ``saved_active[l]`` is 0 if level l has no second way, or has gone it: the sizes
  that a level further up saved are enough then;
- ``ahead[l + 1]``: the estimated part of the tree that was not done when level l
  was entered; ``ahead[0]`` is 0.

The second way leaves nothing to come back to on its level, so it takes the place of
the first: the path is never longer than the options on it, and an item with 200,000
options takes a walk, not a stack. Bounds are not saved, since what was paid can be
told from the path.

Invariants beyond those of ``cells.py``:

5. The bound of an item is its ``high`` less the options on the path that cover it,
   its need likewise its ``low``.
6. When a node is entered, every active primary item has an option, and as many as it
   needs; one on the stack of forced items needs them all.
7. The stack of forced items is empty before M6.

The last one is more than tidiness. A forced move has no second way, so whatever gives
up a node must not leave forced items to the next one, which would follow them and lose
covers. Failing to commit (M5) therefore clears the stack; and a search that gives up
nodes for reasons of its own may do so where the stack is empty, after M2, and
nowhere else.

Node and update counts are those of SSMCC to the unit. An update is the deletion of an
option from a set, unless it was the last one there; that items retire is not counted.

Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithm M,
and SSMCC (Knuth and F. Stappers, 2023), the program that puts it on sparse sets. What
is ours: the recursion is a state machine that can rest between any two steps, the
second way replaces the first, and bounds are given back instead of being saved.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import zeros
from .checking import fault_of
from .priced import PricedSets
from .status import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Buffer

COMPILED: bool = cython.compiled

PAUSED = int(Status.PAUSED)
FULL = int(Status.FULL)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)
ASK = int(Status.ASK)

# Where the machine rests: before M1, before M2, or before M6.
ENTER = 0
CHOOSE = 1
BACK = 2


@cython.cclass
class MccKernel(PricedSets):
    """The search for exact covers with multiplicities, resumable at every step.

    The parameters are those of the sparse sets, and the bounds of items.

    Parameters
    ----------
    low, high : array('i'), shape (n_primary,)
        How often each primary item is to be covered, ``0 <= low <= high``.
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
        levels: int = min(sum(high), len(option_start) - 1)
        PricedSets.__init__(
            self, n_items, n_primary, option_start, option_item, option_color, levels, 4
        )
        self.first = zeros(len(self.node_item))
        self.low = low if n_primary else zeros(1)
        self.high = high if n_primary else zeros(1)
        self.ahead = memoryview(zeros(2 * levels + 6)).cast("B").cast("d")
        self.ahead[1] = 1.0

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        A primary item with fewer options than it needs ends the search before it
        begins. All other items without options retire.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = PricedSets.prepare(self)
        if prepared and not self.begin():
            self.depth = -1
        return prepared and not self.stopping

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(self) -> cython.bint:
        """Set the bounds and retire who has no options; false if one starves."""
        k: cython.int
        x: cython.int
        node: cython.int
        start: cython.int = 0
        for k in range(self.n_items):
            x = self.items[k]
            if x < self.second:
                self.cells[x - 4] = self.high[k]
                self.cells[x - 3] = self.low[k]
                if self.cells[x - 1] < self.low[k]:
                    return False
        # From the back: who takes the place of a retired item has been looked at.
        for k in range(self.n_items - 1, -1, -1):
            if self.cells[self.items[k] - 1] == 0:
                self.retire(self.items[k])
        for node in range(len(self.node_item) - 1):
            self.first[node] = start
            if self.node_item[node] < 0:
                start = node + 1
                if self.stopping:
                    return False
        return True

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
    def discard(self, first: cython.int) -> cython.bint:
        """Delete an option that may be dead already; false if some item starves."""
        node: cython.int = first
        x: cython.int = self.node_item[node]
        while x >= 0:
            if self.cells[x - 2] < self.active:
                if self.node_cell[node] < x + self.cells[x - 1]:
                    if not self.lose(node):
                        return False
            node += 1
            x = self.node_item[node]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ascend(self) -> cython.void:
        """M6: go a level up, and give back what its option was paid."""
        self.depth -= 1
        if self.depth >= 0:
            self.refund(self.chosen[self.depth], len(self.node_item))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def refund(self, node: cython.int, end: cython.int) -> cython.void:
        """Give back what the option of a node was paid for its nodes before `end`."""
        x: cython.int
        node = self.first[node]
        while node < end and self.node_item[node] >= 0:
            x = self.node_item[node]
            if x < self.second:
                self.cells[x - 4] += 1
                self.cells[x - 3] += 1
            node += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def commit(self, chosen: cython.int) -> cython.bint:
        """M5: take an option, of which `chosen` is a node; false if that starves."""
        node: cython.int = self.first[chosen]
        x: cython.int = self.node_item[node]
        while x >= 0:
            if x < self.second:
                self.cells[x - 4] -= 1
                self.cells[x - 3] -= 1
            if x < self.second and self.cells[x - 4] > 0:
                self.lose(node)
            elif self.cells[x - 2] < self.active:
                if not self.hide(node):
                    self.n_forced = 0
                    self.refund(node, node + 1)
                    return False
                self.retire(x)
            # Else it is a secondary item that got its color earlier.
            node += 1
            x = self.node_item[node]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hide(self, taken: cython.int) -> cython.bint:
        """Drop the options that clash with one in an item; false if that starves."""
        item: cython.int = self.node_item[taken]
        color: cython.int = self.node_color[taken] if self.colored else 0
        cell: cython.int
        node: cython.int
        # From the back: deletions bring in only what was looked at.
        for cell in range(item + self.cells[item - 1] - 1, item - 1, -1):
            if self.stopping:
                return False
            node = self.cells[cell]
            if node == taken or (color != 0 and self.node_color[node] == color):
                continue
            if not self.drop(node):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop(self, node: cython.int) -> cython.bint:
        """Delete the option of a node from all sets; false if that starves an item."""
        node = self.first[node]
        while self.node_item[node] >= 0:
            if self.cells[self.node_item[node] - 2] < self.active:
                if not self.lose(node):
                    return False
            node += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lose(self, node: cython.int) -> cython.bint:
        """Delete a node from the set of its item; false if that starves the item."""
        x: cython.int = self.node_item[node]
        size: cython.int = self.cells[x - 1] - 1
        last: cython.int
        place: cython.int
        moved: cython.int
        if size < self.cells[x - 3]:
            return False
        self.cells[x - 1] = size
        if size > 0:
            # `delete`, written out: a call here costs a third of the speed.
            last = x + size
            place = self.node_cell[node]
            moved = self.cells[last]
            self.cells[last] = node
            self.cells[place] = moved
            self.node_cell[node] = last
            self.node_cell[moved] = place
            self.updates += 1
        elif x < self.second:
            self.retire(x)
        return True

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

    def need(self, number: int) -> int:
        """Give how many times an item, counted from 0, has to be covered yet."""
        x: int = self.offset_of(number)
        return max(0, self.cells[x - 3]) if x < self.second else 0

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

    def sanity(self) -> str:
        """Name the first invariant that does not hold; empty if all do."""
        fault: str = PricedSets.sanity(self)
        if fault or self.depth < 0:
            return fault
        paid = [0] * len(self.cells)
        for level in range(self.depth):
            node = self.first[self.chosen[level]]
            while self.node_item[node] >= 0:
                paid[self.node_item[node]] += 1
                node += 1
        offsets = sorted(self.items[k] for k in range(self.n_items))
        forced = [self.forced[k] for k in range(self.n_forced)]
        for number, x in enumerate(offsets):
            if x >= self.second:
                break
            bound, need, size = self.cells[x - 4], self.cells[x - 3], self.cells[x - 1]
            if (bound, need) != (
                self.high[number] - paid[x],
                self.low[number] - paid[x],
            ):
                return f"item {x}, {paid[x]} times covered, has bounds {need}:{bound}"
            if self.state == ENTER and self.cells[x - 2] < self.active:
                if size < max(need, 1):
                    return f"item {x} needs {need} options and has {size}"
                if x in forced and size != need:
                    return f"item {x} is forced, needs {need} options and has {size}"
        if forced and self.state == BACK:
            return f"items {forced} are forced still"
        return ""

    def _fault(self, items: array[int], places: array[int]) -> str:
        if self.depth >= 0 and not ENTER <= self.state <= BACK:
            return "it rests nowhere"
        levels = self.depth + (self.state == BACK)
        whole: bool = self.state != BACK
        fault: str = fault_of(
            self, items, places, levels, whole, True, array("i", [1]) * max(levels, 1)
        )
        if fault or self.depth < 0:
            return fault
        if self.state == BACK and self.n_forced > 0:
            return "items are forced still"
        if self.state == BACK and self.depth == self.max_depth:
            return "the path is too long"
        return self._bounds_fault(levels) or str(super()._fault(items, places))

    def _bounds_fault(self, levels: int) -> str:
        """Set the bounds by the path, and see that it is one, and goes on as one.

        Each option on it is another one, for an item that could still be covered and
        had what it needs: so it cannot become longer than there is room.
        """
        x: cython.int
        k: cython.int
        at: cython.longlong
        level: cython.int
        offsets = sorted(self.items[k] for k in range(self.n_items))
        for number in range(self.n_items):
            x = offsets[number]
            if x < self.second:
                self.cells[x - 4] = self.high[number]
                self.cells[x - 3] = self.low[number]
        options = {self.first[self.chosen[level]] for level in range(levels)}
        if len(options) < levels:
            return "an option is twice on the path"
        for level in range(levels):
            at = self.saved_at[level]
            for k in range(self.saved_active[level]):
                fault = self._item_fault(
                    self.saved[at + 2 * k], self.saved[at + 2 * k + 1]
                )
                if fault:
                    return fault
            x = self.node_item[self.chosen[level]]
            if x >= self.second or self.cells[x - 4] < 1:
                return f"level {level} branches on no item"
            if level < self.depth:
                self._pay(self.chosen[level])
        for number in range(self.n_items):
            x = offsets[number]
            if x < self.second and self.cells[x - 4] < 0:
                return f"item {x} is covered more often than it may be"
        if self.state == BACK:
            return ""
        for k in range(self.active):
            fault = self._item_fault(self.items[k], self.cells[self.items[k] - 1])
            if fault:
                return fault
        # Or it would come to be on the stack twice, for which there is no room.
        for k in range(self.n_forced):
            x = self.forced[k]
            if (
                self.cells[x - 2] < self.active
                and self.cells[x - 1] != self.cells[x - 3]
            ):
                return f"item {x} is forced and needs not just what it has"
        return ""

    def _item_fault(self, x: int, size: int) -> str:
        """Name what is wrong with an item that is active with so many options."""
        if x < self.second and self.cells[x - 4] < 1:
            return f"item {x} is active, and cannot be covered again"
        if x < self.second and size < max(1, self.cells[x - 3]):
            return f"item {x} has fewer options than it needs"
        return ""

    def _pay(self, node: int) -> None:
        at: cython.int = self.first[node]
        while self.node_item[at] >= 0:
            if self.node_item[at] < self.second:
                self.cells[self.node_item[at] - 4] -= 1
                self.cells[self.node_item[at] - 3] -= 1
            at += 1

    def _tables(self) -> list[Buffer]:
        return [*super()._tables(), self.ahead]
