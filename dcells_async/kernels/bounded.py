# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Sparse sets of items that may be covered several times: to take and to drop options.

An option of the sets is *taken* or *dropped*. To drop it is to delete it from all sets.
To take it, or to *commit* to it, is to pay for its items one after the other. An item
that is now covered as often as it may be, as a secondary item is at once, is finished:
its other options are dropped from all sets, except those of its color, and it retires.
Any other item just loses this one option.

An item *starves* if it has fewer options than it needs, which is the end of a way.
A primary item that loses its last option, and needs none, retires.

In front of the set of a primary item x stand, besides its place and its size:

- ``cells[x - 4]``, its *bound*: how many times more it can be covered;
- ``cells[x - 3]``, its *need*: how many times more it has to be covered; below
  nought if it has been covered more often than that. (Knuth keeps their difference,
  ``high - low``, and calls it slack.)

Bounds are not saved: what was paid can be told from the path, and is given back.

Beyond ``cells.py`` the arrays are:

- ``low, high``: how often each primary item is to be covered;
- ``first[n]``: the first node of the option that has node n.

Invariants beyond those of ``cells.py``, for a search that goes on as ``mcc.py`` tells:

5. The bound of an item is its ``high`` less the options on the path that cover it,
   its need likewise its ``low``.
6. When a node is entered, every active primary item has an option, and as many as it
   needs; one on the stack of forced items needs them all.
7. The stack of forced items is empty before the search goes back.

The last one is more than tidiness. A forced move has no second way, so whatever gives
up a node must not leave forced items to the next one, which would follow them and lose
covers. Failing to commit therefore clears the stack; and a search that gives up nodes
for reasons of its own may do so where the stack is empty, and nowhere else.

Source: that of ``mcc.py``. What is ours: bounds are given back instead of being saved.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import zeros
from .checking import fault_of
from .priced import PricedSets

COMPILED: bool = cython.compiled

# Where a search rests: before M1, before M2, or before M6.
ENTER = 0
CHOOSE = 1
BACK = 2


@cython.cclass
class BoundedSets(PricedSets):
    """Sparse sets with bounds, as far as a search does not say how it goes on.

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

    def need(self, number: int) -> int:
        """Give how many times an item, counted from 0, has to be covered yet."""
        x: int = self.offset_of(number)
        return max(0, self.cells[x - 3]) if x < self.second else 0

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
        level: cython.int
        n_levels: cython.int = levels
        offsets = sorted(self.items[k] for k in range(self.n_items))
        for number in range(self.n_items):
            x = offsets[number]
            if x < self.second:
                self.cells[x - 4] = self.high[number]
                self.cells[x - 3] = self.low[number]
        options = {self.first[self.chosen[number]] for number in range(levels)}
        if len(options) < levels:
            return "an option is twice on the path"
        with cython.nogil:
            level = self.retrace(n_levels)
        if level < levels:
            return f"level {level} has an item that it cannot have"
        for number in range(self.n_items):
            x = offsets[number]
            if x < self.second and self.cells[x - 4] < 0:
                return f"item {x} is covered more often than it may be"
        if self.state == BACK:
            return ""
        for k in range(self.active):
            x = self.items[k]
            if not self.is_fit(x, self.cells[x - 1]):
                return f"item {x} is done, or has fewer options than it needs"
        # Or it would come to be on the stack twice, for which there is no room.
        for k in range(self.n_forced):
            x = self.forced[k]
            if (
                self.cells[x - 2] < self.active
                and self.cells[x - 1] != self.cells[x - 3]
            ):
                return f"item {x} is forced and needs not just what it has"
        return ""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def retrace(self, levels: cython.int) -> cython.int:
        """Pay for the path, up to a level that is at fault; give that, or how many."""
        level: cython.int
        k: cython.longlong
        x: cython.int
        for level in range(levels):
            k = self.saved_at[level]
            while k < self.saved_at[level] + 2 * self.saved_active[level]:
                if not self.is_fit(self.saved[k], self.saved[k + 1]):
                    return level
                k += 2
            x = self.node_item[self.chosen[level]]
            if x >= self.second or self.cells[x - 4] < 1:
                return level
            if level < self.depth:
                self.pay(self.chosen[level])
        return levels

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_fit(self, x: cython.int, size: cython.int) -> cython.bint:
        """Tell whether an item may be active with so many options."""
        return x >= self.second or (
            self.cells[x - 4] >= 1 and size >= 1 and size >= self.cells[x - 3]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pay(self, node: cython.int) -> cython.void:
        """Take what an option on the path has been paid."""
        node = self.first[node]
        while self.node_item[node] >= 0:
            if self.node_item[node] < self.second:
                self.cells[self.node_item[node] - 4] -= 1
                self.cells[self.node_item[node] - 3] -= 1
            node += 1
