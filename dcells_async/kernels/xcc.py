# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""XCC: exact covering with colors, by dancing cells.

Given options, each a set of items: choose some such that every *primary* item
is covered exactly once, and every *secondary* item at most once, unless all
options that cover it give it the same color.

The search branches on the primary item with the fewest live options and tries
each of them in turn (d-way branching). Like Knuth's program SSXCC it remembers
which items have just become *forced*, with one option left: such items are
branched on first, without a look at the others.

One level of the search tree goes like this:

- C1. [Enter.] Count a node.
- C2. [Choose.] Choose an item. If no primary item is active, the path is a cover.
- C3. [Branch.] Retire the item and *hide* its options: delete each from the sets
  of all other active items, for however the item gets covered, the other options
  of it cannot be used. Save the sizes of the active items.
- C4. [Try.] For each surviving option of the item: *commit* to it and, if that
  starves nobody, go a level deeper.
- C5. [Back.] Restore the sizes, and try the next option; after the last, go up.

To commit an option is to retire its other items, and to delete from all sets
what clashes with it: every option of its primary items, and those options of its
secondary items that do not agree in color. If some active primary item is left
with no option, the commit fails.

Beyond ``cells.py`` the arrays are, for a level l of the path:

- ``slot[l], slot_end[l]``: the cell of the option being tried, and where the set
  of the branching item ends. A retired item's set is never touched, so walking
  its cells needs no copy.
- ``lent[l]``: how many options behind those were given to another kernel (`split`).

A level without alternatives saves no sizes: the level above restores what it
changed. An item is forced if it was seen with one option.

Node and update counts are those of SSXCC to the unit: an update is one swap,
be it of an option in a set or of an item among the active ones. So the order of
everything matters here, even where it looks arbitrary: singletons go last in,
first out, and other ties to the leftmost item.

Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, and his
program SSXCC (2020, with C. Solnon's improvements of 2023). What is ours: the
recursion is a state machine that can rest between any two steps, and a level
that has no alternative saves no sizes.
"""

from __future__ import annotations

import cython

from .arrays import zeros
from .cells import SparseSets
from .checking import fault_of
from .status import Status

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

# Where the machine rests: before C1, before C2, before the first C4 of a level,
# before C5.
ENTER = 0
CHOOSE = 1
FIRST = 2
NEXT = 3


@cython.cclass
class XccKernel(SparseSets):
    """The search for exact covers with colors, resumable at every step.

    The parameters are those of the sparse sets; depth is bounded by the number
    of primary items.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        header: int = 2,
    ) -> None:
        levels: int = min(n_primary, len(option_start) - 1)
        SparseSets.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            levels,
            header,
        )
        self.slot = zeros(levels + 2)
        self.slot_end = zeros(levels + 2)
        self.lent = zeros(levels + 2)

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        A primary item without options ends the search before it begins.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = SparseSets.prepare(self)
        if self.is_starved():
            self.depth = -1
        return prepared

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
                self.nodes += 1  # C1
                self.state = CHOOSE
            elif self.state == CHOOSE:
                item = self.choose_item()
                if item > 0:
                    self.branch(item)
                    self.state = FIRST
                    continue
                if item == 0:
                    self.covers += 1
                    if self.keep and not self.record():
                        target = self.covers
                self.depth -= 1
                self.state = NEXT
                if self.covers >= target and self.depth >= 0:
                    return FULL
            elif self.slot[self.depth] + 1 == self.slot_end[self.depth]:
                self.depth -= 1
                self.state = NEXT
            else:
                if self.state == NEXT:
                    self.restore_sizes()
                self.slot[self.depth] += 1
                self.chosen[self.depth] = self.cells[self.slot[self.depth]]
                if self.commit(self.chosen[self.depth]):
                    self.depth += 1
                    self.state = ENTER
                else:
                    self.state = NEXT
        return STOPPED if self.stopping else DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_item(self) -> cython.int:
        """C2: a forced item, else the smallest and leftmost; 0 if none is active.

        Who chooses otherwise (``learning.py``) may find an item without options and
        then gives -1, for a dead end. Here there is none: an item loses options
        unchecked only in C3, to one that has no more of them than it has itself.
        """
        k: cython.int
        x: cython.int
        size: cython.int
        best: cython.int = 0
        best_size: cython.int = 0x7FFFFFFF
        x = self.forced_item()
        if x > 0:
            return x
        self.steps += self.active
        for k in range(self.active):
            x = self.items[k]
            if x < self.second:
                size = self.cells[x - 1]
                if size == 1:
                    self.forced[self.n_forced] = x
                    self.n_forced += 1
                elif size < best_size or (size == best_size and x < best):
                    best = x
                    best_size = size
        if self.n_forced > 0:
            return self.forced[self.n_forced - 1]
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def branch(self, item: cython.int) -> cython.void:
        """C3: retire the item, hide its options, save the sizes of the others."""
        self.retire(item)
        self.updates += 1
        # Unchecked: whoever loses its last option here shares it with the item.
        self.hide(item, 0, self.active, False)
        self.slot[self.depth] = item - 1
        self.slot_end[self.depth] = item + self.cells[item - 1]
        self.lent[self.depth] = 0
        if self.cells[item - 1] > 1:
            self.save_sizes()
        else:
            self.saved_at[self.depth + 1] = self.saved_at[self.depth]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def commit(self, chosen: cython.int) -> cython.bint:
        """C4: use an option, of which `chosen` is a node; false if that starves."""
        alive: cython.int = self.active
        node: cython.int = chosen + 1
        color: cython.int
        x: cython.int
        while node != chosen:
            x = self.node_item[node]
            if x < 0:
                node += x
                continue
            if self.cells[x - 2] < self.active:
                self.retire(x)
                self.updates += 1
            node += 1
        node = chosen + 1
        while node != chosen:
            x = self.node_item[node]
            if x < 0:
                node += x
                continue
            # A secondary item retired earlier has its color already.
            if self.cells[x - 2] < alive:
                color = self.node_color[node] if self.colored else 0
                if not self.hide(x, color, alive, True):
                    return False
            node += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hide(
        self, item: cython.int, color: cython.int, alive: cython.int, check: cython.bint
    ) -> cython.bint:
        """Delete the item's options from all sets, except those of its color.

        The items at places below `alive` have live sets: the active ones and,
        within a commit, those that the commit has just retired (else an option
        that clashes twice would be deleted twice). If `check`, an active primary
        item left with one option is forced, and one left with none is an end.
        """
        cell: cython.int
        hidden: cython.int
        node: cython.int
        x: cython.int
        size: cython.int
        last: cython.int
        place: cython.int
        moved: cython.int
        for cell in range(item, item + self.cells[item - 1]):
            if self.stopping:
                return False
            hidden = self.cells[cell]
            if color != 0 and self.node_color[hidden] == color:
                continue
            node = hidden + 1
            while node != hidden:
                x = self.node_item[node]
                if x < 0:
                    node += x
                    continue
                if self.cells[x - 2] < alive:
                    size = self.cells[x - 1] - 1
                    if size <= 1 and check and x < self.second:
                        if self.cells[x - 2] < self.active:
                            if size == 0:
                                self.n_forced = 0
                                self.dead_end = x
                                return False
                            self.forced[self.n_forced] = x
                            self.n_forced += 1
                    # `delete`, written out: a call here costs half the speed.
                    last = x + size
                    place = self.node_cell[node]
                    moved = self.cells[last]
                    self.cells[x - 1] = size
                    self.cells[last] = node
                    self.cells[place] = moved
                    self.node_cell[node] = last
                    self.node_cell[moved] = place
                    self.updates += 1
                node += 1
        return True

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1.

        Knuth's measure: a level whose item has d options is worth a d-th of its
        parent for each option that is finished. It never decreases.
        """
        done = 0.0
        share = 1.0
        if self.depth < 0:
            return 1.0
        for level in range(self.depth + (self.state >= FIRST)):
            end = self.slot_end[level]
            first = self.node_item[self.cells[end - 1]]
            tried = self.slot[level] - first + (level == self.depth)
            width = end - first + self.lent[level]
            done += share * tried / width
            share /= width
        return min(done, 1.0)

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split.

        They do not: in what order a set is walked depends on what was deleted from it.
        """
        return False

    def twin(self) -> XccKernel:
        """Make another kernel for the same problem, to be prepared."""
        return XccKernel(
            self.n_items,
            self.n_primary,
            self.option_start,
            self.option_item,
            self.option_color if self.colored else zeros(0),
        )

    def split(self) -> XccKernel | None:
        """Give half of the options left to try to another kernel, between two slices.

        They are those of the level nearest to the root that has any, the later ones:
        all that this kernel has still to search comes before what the other one has.

        Returns
        -------
        XccKernel or None
            Ready to `advance`, its counters at nought; None if there is nothing to
            give.
        """
        for level in range(self.depth + (self.state >= FIRST)):
            left: int = self.slot_end[level] - self.slot[level] - 1
            given = (left + (level < self.depth)) // 2
            if given:
                break
        else:
            return None
        other: XccKernel = self.twin()
        other.prepare()
        other.stand_at(self, level)
        other.state = NEXT
        self.slot_end[level] -= given
        self.lent[level] += given
        # It stands there as if it had just tried the last one that is kept.
        other.slot[level] = self.slot_end[level] - 1
        other.chosen[level] = other.cells[other.slot[level]]
        return other

    def trail(self) -> list[tuple[int, list[int], list[int]]]:
        """Give for each level its item, and its options tried so far, and those lent.

        The last one tried is that on the path, but for a level that is about to try
        the next: that stands at the end, and there are `depth` before it.
        """
        offsets = sorted(self.items[k] for k in range(self.n_items))
        number = {x: i for i, x in enumerate(offsets)}
        trail = []
        for level in range(self.depth + (self.state >= FIRST)):
            end: int = self.slot_end[level]
            item: int = self.node_item[self.cells[end - 1]]
            tried = self._options_between(item, self.slot[level] + 1)
            lent = self._options_between(end, end + self.lent[level])
            trail.append((number[item], tried, lent))
        return trail

    def path(self) -> list[int]:
        """Give the options of the path, as numbers."""
        level: cython.int
        node: cython.int
        options = []
        for level in range(self.depth):
            node = self.chosen[level]
            while self.node_item[node] >= 0:
                node += 1
            options.append(self.node_cell[node])
        return options

    def _options_between(self, cell: int, end: int) -> list[int]:
        options = []
        for k in range(cell, end):
            node: int = self.cells[k]
            while self.node_item[node] >= 0:
                node += 1
            options.append(self.node_cell[node])
        return options

    def leave(self, level: int) -> None:
        """Go on as if the node of that level of the path were done with."""
        self.depth = level - 1
        self.state = NEXT
        self.n_forced = 0

    def may_find_starved(self) -> bool:
        """Tell whether `choose_item` may come upon an item without options."""
        return False

    def is_entered(self) -> bool:
        """Tell whether the current node is counted, and has no item yet."""
        return self.state == CHOOSE

    def _fault(self, items: array[int], places: array[int]) -> str:
        if self.depth >= 0 and not ENTER <= self.state <= NEXT:
            return "it rests nowhere"
        levels = self.depth + (self.state >= FIRST)
        whole: bool = self.state != NEXT
        fault: str = fault_of(
            self, items, places, levels, whole, False, zeros(max(levels, 1))
        )
        if fault or self.depth < 0:
            return fault
        if self.state == NEXT and self.n_forced > 0:
            return "items are forced still"
        for level in range(levels):
            end = self.slot_end[level]
            node = self.cells[end - 1] if 0 < end < len(self.cells) else -1
            item = self.node_item[node] if 0 <= node < len(self.node_item) else 0
            if not 0 < item < min(self.second, end):
                return f"level {level} branches on no item"
            first = item if level < self.depth or self.state == NEXT else item - 1
            behind = item + self.cells[item - 1]
            if end > behind or self.lent[level] != behind - end:
                return f"level {level} has lent what it has not"
            if self.cells[item - 2] < self.active or not (
                first <= self.slot[level] < end
            ):
                return f"level {level} is at no option of its item"
            is_fresh = level == self.depth and self.state == FIRST
            chosen = self.cells[self.slot[level]]
            if not is_fresh and self.chosen[level] != chosen:
                return f"level {level} is not at its option"
            saves = self.saved_active[level] if self.cells[item - 1] > 1 else 0
            if self.saved_at[level + 1] - self.saved_at[level] != 2 * saves:
                return f"level {level} has saved no sizes, or for nothing"
        if self.state < FIRST and not self.may_find_starved():
            for k in range(self.active):
                x = self.items[k]
                if x < self.second and self.cells[x - 1] == 0:
                    return f"item {x} has no options"
        # Who shares its only option with the item branched on has lost it in C3.
        least = 1 if self.state < FIRST else 0
        for k in range(self.n_forced):
            x = self.forced[k]
            is_active: bool = self.cells[x - 2] < self.active
            if is_active and not least <= self.cells[x - 1] <= 1:
                return f"item {x} is forced and has not one option"
        return ""

    def _tables(self) -> list[Buffer]:
        return [*super()._tables(), self.slot, self.slot_end, self.lent]
