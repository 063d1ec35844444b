# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Sparse sets: the data structure that all cell-dancing searches share.

And what such searches do alike, whatever their rules: save sizes and restore them,
remember who is forced, write covers down.

Every item owns a *set* of the options that can still cover it. A set is a
stretch of one big array, ``cells``, whose first part is alive and whose rest is
dead. To delete a member, swap it with the last live one and shorten the live
part by one; to undo any number of deletions, write the old size back. Nothing
is ever moved back: that is the whole trick (Briggs and Torczon 1993; Knuth calls
an exact-cover search on it *dancing cells*, see his program SSXCC).

The arrays
----------
An item is known by the offset ``x`` of its first cell.

- ``cells[x - 2]``: the place of item x in ``items``;
- ``cells[x - 1]``: the size of its set, that is, the number of live members;
- before these two, what a search may want to keep there: the *header* of an
  item is as wide as the search says;
- ``cells[x], cells[x + 1], ...``: its members, live ones first. A member is a
  *node*: one item within one option. Offsets grow with item numbers, so that an
  item is primary just when ``x < second``.
- ``items[0 .. active - 1]``: the items still to be decided, permuted; the
  retired ones follow.
- ``node_item[n], node_cell[n], node_color[n]``: the item of node n, the cell
  where the node is found, and its color (0: none). The nodes of an option stand
  side by side; behind them stands a spacer whose ``node_item`` is minus their
  number, so that a walk steps back to the first, and whose ``node_cell`` is the
  number of the option.
- ``chosen[0 .. depth - 1]``: a node of each option on the current path.
- ``saved[2 * k], saved[2 * k + 1]`` for k from ``saved_at[l]`` on: the active
  items and their sizes as level l of the path saved them; ``saved_active[l]`` is
  their number. The array behind ``saved`` is ``room``, which can be lengthened.
- ``forced[0 .. n_forced - 1]``: a stack of items of which it was seen that they
  leave no choice. Who has been decided since stays on it until it is on top.
- ``dead_end``: the item whose losing its last option was the last dead end, where a
  search notes that; for those who learn from it (see ``learning.py``).

Invariants (``sanity`` checks just these)
-----------------------------------------
1. ``items`` is a permutation, and ``cells[x - 2]`` is its inverse.
2. The cells of an item hold exactly its nodes, and ``node_cell`` is the inverse.
3. Sizes lie between nought and the number of the item's nodes.
4. No item is on the stack of forced ones twice.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import copied, from_bytes, lengthen, pack, unpack, zeros
from .search import Search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Buffer

MOST_SAVED = 0x7FFFFFFF
"""Places in ``saved`` are 32-bit integers."""

STRIDE = 1 << 18
"""Up to so many numbers, ``saved`` is doubled when it is full."""


@cython.cclass
class SparseSets(Search):
    """The sets of all items, and what every search on them has to keep.

    Parameters
    ----------
    n_items, n_primary : int
        Items are numbered from 0, primary ones first.
    option_start : array('i'), shape (n_options + 1,)
        Option o has the entries ``option_start[o]`` to ``option_start[o + 1]``.
    option_item : array('i'), shape (n_entries,)
        The item of each entry.
    option_color : array('i'), shape (n_entries,), or shape (0,)
        The color of each entry, 0 for none; empty if there is no color at all.
    max_depth : int
        More options than this are never chosen together.
    header : int, >= 2
        How many cells come before the set of each item.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        max_depth: int,
        header: int = 2,
    ) -> None:
        n_entries: int = len(option_item)
        Search.__init__(
            self, n_items, option_start, option_item, option_color, max_depth
        )
        self.header = header
        self.n_primary = self.second = n_primary
        self.active = n_items
        self.n_forced = self.dead_end = 0
        self.node_item = zeros(n_entries + self.n_options + 1)
        self.node_cell = zeros(n_entries + self.n_options + 1)
        self.node_color = zeros(n_entries + self.n_options if self.colored else 1)
        self.cells = zeros(header * n_items + n_entries + 1)
        self.items = zeros(n_items + 1)
        self.chosen = zeros(max_depth + 1)
        self.forced = zeros(n_primary + 1)
        self.saved_at = zeros(max_depth + 2)
        self.saved_active = zeros(max_depth + 2)
        self.saved = self.room = zeros(4 * n_items + 2)

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        faulty: cython.bint
        with cython.nogil:
            faulty = not self.is_sound()
            if not faulty:
                self.build()
        if faulty:
            raise ValueError("the options mention items that do not exist")
        return not self.stopping

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def build(self) -> cython.void:
        # `items` first counts the entries of each item, then holds its offset.
        i: cython.int
        k: cython.int
        o: cython.int
        x: cython.int = self.header
        node: cython.int = 0
        length: cython.int
        n_primary: cython.int = self.second
        for k in range(self.option_start[self.n_options]):
            self.items[self.option_item[k]] += 1
        for i in range(self.n_items):
            length = self.items[i]
            if i == n_primary:
                self.second = x
            self.items[i] = x
            self.cells[x - 2] = i
            x += length + self.header
        if n_primary == self.n_items:
            self.second = x
        for o in range(self.n_options):
            if self.stopping:
                return
            length = self.option_start[o + 1] - self.option_start[o]
            for k in range(self.option_start[o], self.option_start[o + 1]):
                x = self.items[self.option_item[k]]
                self.node_item[node] = x
                self.node_cell[node] = x + self.cells[x - 1]
                if self.colored:
                    self.node_color[node] = self.option_color[k]
                self.cells[x + self.cells[x - 1]] = node
                self.cells[x - 1] += 1
                node += 1
            self.node_item[node] = -length
            self.node_cell[node] = o
            node += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_starved(self) -> cython.bint:
        """Tell whether some active primary item has no option left."""
        k: cython.int
        for k in range(self.active):
            if self.items[k] < self.second and self.cells[self.items[k] - 1] == 0:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def retire(self, item: cython.int) -> cython.void:
        """Take an item out of the active ones: it is decided on this path."""
        place: cython.int = self.cells[item - 2]
        last: cython.int
        self.active -= 1
        last = self.items[self.active]
        self.items[place] = last
        self.cells[last - 2] = place
        self.items[self.active] = item
        self.cells[item - 2] = self.active

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def delete(self, node: cython.int) -> cython.void:
        """Delete a live node from the set of its item."""
        x: cython.int = self.node_item[node]
        size: cython.int = self.cells[x - 1] - 1
        last: cython.int = x + size
        place: cython.int = self.node_cell[node]
        moved: cython.int = self.cells[last]
        self.cells[x - 1] = size
        self.cells[last] = node
        self.cells[place] = moved
        self.node_cell[node] = last
        self.node_cell[moved] = place
        self.updates += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forced_item(self) -> cython.int:
        """Give the last forced item that is still active, or 0; it stays there."""
        x: cython.int
        while self.n_forced > 0:
            x = self.forced[self.n_forced - 1]
            if self.cells[x - 2] < self.active:
                return x
            self.n_forced -= 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def save_sizes(self) -> cython.void:
        """Save the sizes of the active items for the current level."""
        k: cython.int
        x: cython.int
        at: cython.int = self.saved_at[self.depth]
        self.steps += self.active
        self.saved_active[self.depth] = self.active
        for k in range(self.active):
            x = self.items[k]
            self.saved[at] = x
            self.saved[at + 1] = self.cells[x - 1]
            at += 2
        self.saved_at[self.depth + 1] = at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restore_sizes(self) -> cython.void:
        """Make all sets, and the active items, what they were for `save_sizes`."""
        at: cython.int = self.saved_at[self.depth]
        k: cython.int
        self.active = self.saved_active[self.depth]
        for k in range(self.active):
            self.cells[self.saved[at + 2 * k] - 1] = self.saved[at + 2 * k + 1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record(self) -> cython.bint:
        """Write the path down as a cover; false if the next might not fit."""
        stage: cython.int
        node: cython.int
        for stage in range(self.depth):
            node = self.chosen[stage]
            while self.node_item[node] >= 0:
                node += 1
            self.found[self.n_found] = self.node_cell[node]
            self.n_found += 1
        return self.end_cover()

    def grow(self) -> None:
        """Enlarge what `run` has found too small."""
        size: int = len(self.room)
        if size == MOST_SAVED:
            raise MemoryError("the sizes saved along the path no longer fit")
        # Little by little, as a slice is not to end late; and in place, as copying
        # takes the time and the memory once more.
        more = min(size, max(STRIDE, size // 32))
        # The array may only be resized while nothing looks into it.
        self.saved = zeros(1)
        try:
            lengthen(self.room, min(size + more, MOST_SAVED))
        finally:
            self.saved = self.room

    def stand_at(self, origin: SparseSets, level: cython.int) -> None:
        """Take up, after `prepare`, a level of the path of another kernel.

        It is one that saved sizes, of a kernel for the same problem; what that has
        counted, and below the level, is not taken along.
        """
        self.room = copied(origin.saved, max(origin.saved_at[level + 1], 2))
        self.saved = self.room
        for table, theirs in zip(self._tables(), origin._tables(), strict=True):
            memoryview(table).cast("B")[:] = memoryview(theirs).cast("B")
        self.active = origin.active
        self.depth = level
        self.n_forced = 0

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        numbers = [self.updates, self.nodes, self.covers, self.steps]
        numbers += [self.depth, self.active, self.state, self.n_forced]
        return pack([self.saved, array("q", numbers), *self._tables()])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to a problem of another size.
        """
        blocks = unpack(data)
        items = copied(self.items, self.n_items)
        places = copied(self.node_cell, len(self.node_cell))
        tables = [memoryview(table).cast("B") for table in self._tables()]
        sizes = [64, *map(len, tables)]
        if len(blocks) < 2 or list(map(len, blocks[1:])) != sizes:
            raise ValueError("this state belongs to another problem")
        # Too little room to go on with is a state, too: it would grow at once.
        self.saved = self.room = from_bytes(blocks[0] or bytes(8))
        scalars = array("q", blocks[1])
        for table, block in zip(tables, blocks[2:], strict=True):
            table[:] = block
        try:
            self.updates, self.nodes, self.covers, self.steps = scalars[:4]
            self.depth, self.active, self.state, self.n_forced = scalars[4:8]
            fault = "the path is longer than it can be"
            if -1 <= self.depth <= self.max_depth:
                fault = self._fault(items, places)
        except OverflowError:
            fault = "a number is too large"
        if fault:
            # Nothing is to be searched with that.
            self.depth = -1
            raise ValueError(f"this state makes no sense: {fault}")

    def _fault(self, items: array[int], places: array[int]) -> str:
        """Name what is wrong with what was loaded; each search in its own way.

        Parameters
        ----------
        items, places : array('i')
            What ``items`` and ``node_cell`` were before.
        """
        return ""

    def _tables(self) -> list[Buffer]:
        """Give all arrays that change during the search and keep their length."""
        return [
            self.node_cell,
            self.cells,
            self.items,
            self.chosen,
            self.forced,
            self.saved_at,
            self.saved_active,
        ]

    def sanity(self) -> str:
        """Name the first invariant that does not hold; empty if all do."""
        offsets = sorted(self.items[k] for k in range(self.n_items))
        for k in range(self.n_items):
            if self.cells[self.items[k] - 2] != k:
                return f"item {self.items[k]} is not where it says"
        ends = [*(x - self.header for x in offsets[1:]), len(self.cells) - 1]
        for x, end in zip(offsets, ends, strict=False):
            if not 0 <= self.cells[x - 1] <= end - x:
                return f"item {x} has size {self.cells[x - 1]}"
            for cell in range(x, end):
                node = self.cells[cell]
                if self.node_item[node] != x or self.node_cell[node] != cell:
                    return f"cell {cell} of item {x} holds node {node} of another"
        forced = [self.forced[k] for k in range(self.n_forced)]
        if len(set(forced)) < len(forced):
            return f"items {forced} are forced, some of them twice"
        return ""
