# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""MCC: exact covering with multiplicities and colors, by dancing cells.

Given options, each a set of items: choose some, none of them twice, such that
every *primary* item is covered at least ``low`` times and at most ``high`` times,
each with bounds of its own, and every *secondary* item at most once, unless all
options that cover it give it the same *color*.

An item that is to be covered five times has no single option to branch on: five
of them can be chosen, in whatever order. So the search asks about one option at
a time and goes two ways (binary branching): the option is *taken*, or it is
*dropped*, which is to say that it is never taken from here on. Each set of
options is then met just once.

One node of the search tree goes like this:

- M1. [Enter.] Count a node.
- M2. [Forced?] If an item needs all the options that it has left, go to M5 with
  its first one; there is nothing else to be tried at this level.
- M3. [Choose.] Look at all active items, and note those that need all that they
  have; if there are any, go on as in M2. If no primary item is active, the path
  is a cover. Otherwise choose an item of least *degree*.
- M4. [Branch.] Save the sizes of the active items.
- M5. [Take.] *Commit* to the first option of the item and, if that starves nobody,
  go a level deeper, to M1.
- M6. [Back.] Undo the option. If the level has another way to go, restore the
  sizes, drop the option from all sets and, if that starves nobody, go to M1 on
  the same level. Otherwise go a level up, and do M6 there.

To commit to an option is to pay for its items one by one. An item that is then
covered as often as it may be is finished: its other options clash with this one
and are dropped, and it retires. A secondary item is finished at once; those of its
options that agree in color stay. Any other item just loses the option.

An item *starves* when it has fewer options than it still needs, and that is the
end of a way. An item without options that needs none retires.

In front of the set of a primary item x stand, besides its place and its size:

- ``cells[x - 3]``, its *bound*: how many more times it can be covered;
- ``cells[x - 4]``, its *slack*: ``high - low``. It needs ``bound - slack`` options
  more; nought or less is none.

Its degree is the number of its options less those it needs, plus one: as many are
the first ones of its options that can be the first one taken, "none" included if it
needs none. Ties go to the item that can do with fewer beyond its need, then
to the one with more options, then to the leftmost.

For a level l of the path:

- ``saved_active[l]`` is 0 if the level has no other way to go, or no more. Such a
  level saved no sizes, or needs them no more: one further up restores what it changed.
- ``ahead[l + 1]``: the estimated part of the tree that was not done when the level
  was entered; ``ahead[0] = 0``.

Bounds are not saved: what a path has paid can be told from its options.

The second way of a level leaves nothing to come back to on that level. So it takes
the place of the first, the path is never longer than the options chosen, and an item
with 200,000 options costs a walk, not a stack.

Invariants beyond those of ``cells.py``:

5. The bound of an item is ``high`` less the options on the path that cover it.
6. When a node is entered, no active primary item is starved, and items on the stack
   of forced ones that are active need all that they have.
7. A branch (M4) is made, and another way found (M6), only when that stack is empty:
   forced moves have no other way to go, and who gives up a node must not leave any of
   them behind for the next. A search that wants to give up a node for reasons of its
   own may do so at M3, not before.

Node and update counts are those of SSMCC to the unit: an update is the deletion of
one option from one set; that an item retires is not counted.

Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithm M
and its exercises; SSMCC, the program for it that he and F. Stappers made on sparse
sets in 2023. What is ours: the recursion is a state machine that can rest between
any two steps; the second way replaces the first; bounds are paid back, not saved.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import zeros
from .cells import SparseSets
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

# Where the machine rests: before M1, or before M6.
ENTER = 0
BACK = 1


@cython.cclass
class MccKernel(SparseSets):
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
        SparseSets.__init__(
            self, n_items, n_primary, option_start, option_item, option_color, levels, 4
        )
        self.low = low if n_primary else zeros(1)
        self.high = high if n_primary else zeros(1)
        self.ahead = array("d", bytes(8 * (levels + 3)))
        self.ahead[1] = 1.0

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        A primary item with fewer options than it needs ends the search before it
        begins. Other items without options retire.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = SparseSets.prepare(self)
        if prepared and not self.begin():
            self.depth = -1
        return prepared

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(self) -> cython.bint:
        """Set the bounds, and retire who has no options; false if that starves."""
        k: cython.int
        x: cython.int
        for k in range(self.n_items):
            x = self.items[k]
            if x < self.second:
                if self.cells[x - 1] < self.low[k]:
                    return False
                self.cells[x - 3] = self.high[k]
                self.cells[x - 4] = self.high[k] - self.low[k]
        # From the back, for who comes in place of a retired item was looked at.
        for k in range(self.n_items - 1, -1, -1):
            if self.cells[self.items[k] - 1] == 0:
                self.retire(self.items[k])
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
                if self.saved_at[self.depth] + 2 * self.active > len(self.saved):
                    return GROW
                self.nodes += 1  # M1
                item = self.forced_item()  # M2
                if item == 0:
                    item = self.choose_item()  # M3
                if item > 0:
                    self.branch(item)
                    if self.commit(self.chosen[self.depth]):
                        self.depth += 1
                    else:
                        self.state = BACK
                    continue
                self.covers += 1
                self.state = BACK
                if self.keep and not self.record():
                    target = self.covers
                self.ascend()
                if self.covers >= target and self.depth >= 0:
                    return FULL
            elif self.saved_active[self.depth] == 0:
                self.ascend()
            else:
                self.restore_sizes()
                self.saved_active[self.depth] = 0
                item = self.chosen[self.depth]
                if self.drop(item):
                    self.state = ENTER
        return STOPPED if self.stopping else DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_item(self) -> cython.int:
        """M3: a forced item, else one of least degree; 0 if none is active."""
        k: cython.int
        x: cython.int
        size: cython.int
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
                spare = min(self.cells[x - 4], self.cells[x - 3])
                degree = size + 1 - (self.cells[x - 3] - spare)
                if degree == 1:
                    self.forced[self.n_forced] = x
                    self.n_forced += 1
                elif degree < best_degree or (
                    degree == best_degree
                    and (
                        spare < best_spare
                        or (
                            spare == best_spare
                            and (
                                size > best_size or (size == best_size and x < best)
                            )
                        )
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
        """M4: note the option to be taken, and save sizes if it may be dropped."""
        level: cython.int = self.depth
        here: cython.double = self.ahead[level + 1] - self.ahead[level]
        degree: cython.int = self.cells[item - 1] + 1
        if self.cells[item - 3] > self.cells[item - 4]:
            degree -= self.cells[item - 3] - self.cells[item - 4]
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
    def ascend(self) -> cython.void:
        """M6: go a level up, and pay back what its option took."""
        node: cython.int
        self.depth -= 1
        if self.depth >= 0:
            node = self.chosen[self.depth]
            while self.node_item[node] >= 0:
                node += 1
            self.refund(node)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def refund(self, node: cython.int) -> cython.void:
        """Pay back what the nodes of an option before this one took."""
        x: cython.int
        node -= 1
        while node >= 0:
            x = self.node_item[node]
            if x < 0:
                return
            if x < self.second:
                self.cells[x - 3] += 1
            node -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def commit(self, chosen: cython.int) -> cython.bint:
        """M5: take an option, of which `chosen` is a node; false if that starves."""
        node: cython.int = chosen
        x: cython.int
        while self.node_item[node] >= 0:
            node += 1
        node += self.node_item[node]
        x = self.node_item[node]
        while x >= 0:
            # A secondary item retired earlier has its color already.
            if self.cells[x - 2] < self.active:
                if x < self.second:
                    self.cells[x - 3] -= 1
                if x < self.second and self.cells[x - 3] > 0:
                    self.lose(node)
                elif self.hide(node):
                    self.retire(x)
                else:
                    self.n_forced = 0
                    self.refund(node + 1)
                    return False
            node += 1
            x = self.node_item[node]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hide(self, taken: cython.int) -> cython.bint:
        """Drop the options of an item that clash with one; false if that starves.

        The item's own set stays as it is: it is about to retire.
        """
        item: cython.int = self.node_item[taken]
        color: cython.int = self.node_color[taken] if self.colored else 0
        cell: cython.int
        node: cython.int
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
    def drop(self, spared: cython.int) -> cython.bint:
        """Delete the option of a node from all sets but the node's own one."""
        node: cython.int = spared
        while self.node_item[node] >= 0:
            node += 1
        node += self.node_item[node]
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
        last: cython.int = x + size
        place: cython.int = self.node_cell[node]
        moved: cython.int = self.cells[last]
        if x < self.second and size < self.cells[x - 3] - self.cells[x - 4]:
            return False
        if size == 0:
            self.retire(x)
            return True
        self.cells[x - 1] = size
        self.cells[last] = node
        self.cells[place] = moved
        self.node_cell[node] = last
        self.node_cell[moved] = place
        self.updates += 1
        return True

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1.

        Of an item of degree d the first way is worth a d-th, and the second the
        rest: if its options are then dropped one after the other, each is worth the
        same. It never decreases.
        """
        return 1.0 - self.ahead[self.depth + 1] if self.depth >= 0 else 1.0

    def sanity(self) -> str:
        """Name the first invariant that does not hold; empty if all do."""
        fault: str = SparseSets.sanity(self)
        if fault or self.depth < 0:
            return fault
        times: dict[int, int] = {}
        levels = self.depth + (self.state == BACK and self.saved_active[self.depth] > 0)
        for level in range(self.depth):
            node = self.chosen[level]
            while self.node_item[node] >= 0:
                node += 1
            for entry in range(node + self.node_item[node], node):
                x = self.node_item[entry]
                times[x] = times.get(x, 0) + 1
        return fault

    def _tables(self) -> list[Buffer]:
        return [*SparseSets._tables(self), self.ahead]
