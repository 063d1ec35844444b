# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Whether sparse sets that were loaded can be searched on.

A search trusts its arrays and looks at no bounds. So what comes from a file has to be
looked through before: not only that all numbers are in range, but that no deletion
can find an option where it is not, now or after any return to a level above.

What the proof needs, beyond the invariants of ``cells.py``: at every moment that can
be returned to (the *snapshots*: the sizes saved for each level, and the present), an
option is live in the sets of all items that are active then, or in none of them.
Going from the present upwards, items come in and sets grow, and nothing else happens.
So each node is looked at once, when it comes to life, and after each snapshot the
options it has touched have all their nodes live or none.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cells import SparseSets

COMPILED: bool = cython.compiled

MOST = 1 << 60


def lengths(sets: SparseSets, items: array[int]) -> array[int]:
    """Tell how many members the set at each cell has; -1 where no set begins."""
    length: array[int] = array("i", [-1]) * (len(sets.cells) + 1)
    count: cython.int[::1] = length
    known: cython.int[::1] = items
    k: cython.int
    n: cython.int
    with cython.nogil:
        for k in range(sets.n_items):
            count[known[k]] = 0
        for n in range(len(sets.node_item) - 1):
            if sets.node_item[n] > 0:
                count[sets.node_item[n]] += 1
    return length


def fault_of_sets(sets: SparseSets, items: array[int], places: array[int]) -> str:
    """Name what is wrong with sets, but for their sizes; empty if they are sound.

    Parameters
    ----------
    sets, items, places
        As for `fault_of`.
    """
    length: cython.int[::1] = lengths(sets, items)
    seen: cython.int[::1] = zeros(len(sets.cells) + 1)
    before: cython.int[::1] = places
    fault: cython.p_const_char
    if min(sets.updates, sets.nodes, sets.covers, sets.steps) < 0:
        return "a counter is below nought"
    if max(sets.updates, sets.nodes, sets.covers, sets.steps) >= MOST:
        return "a counter is too large"
    if not 0 <= sets.active <= sets.n_items:
        return "more items are active than there are"
    with cython.nogil:
        fault = fault_of_permutations(sets, length, seen, before)
    return fault.decode()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fault_of_permutations(
    sets: SparseSets,
    length: cython.int[::1],
    seen: cython.int[::1],
    before: cython.int[::1],
) -> cython.p_const_char:
    """Do the long part of `fault_of_sets`."""
    n_cells: cython.int = len(sets.cells)
    k: cython.int
    n: cython.int
    x: cython.int
    c: cython.int
    for k in range(sets.n_items):
        x = sets.items[k]
        if x < 0 or x >= n_cells or length[x] < 0 or sets.cells[x - 2] != k:
            return b"the items are no permutation"
        if sets.cells[x - 1] < 0 or sets.cells[x - 1] > length[x]:
            return b"a set has more members than there are"
    for n in range(len(sets.node_item) - 1):
        x = sets.node_item[n]
        c = sets.node_cell[n]
        if x <= 0:
            if c != before[n]:
                return b"the options are numbered otherwise"
        elif c < x or c >= x + length[x] or sets.cells[c] != n:
            return b"a set is no permutation of its members"
    if sets.n_forced < 0 or sets.n_forced >= len(sets.forced):
        return b"more items are forced than there are"
    for k in range(sets.n_forced):
        x = sets.forced[k]
        if x < 0 or x >= sets.second or length[x] < 0 or seen[x] != 0:
            return b"the stack of forced items has something else"
        seen[x] = 1
    return b""


def fault_of(
    sets: SparseSets,
    items: array[int],
    places: array[int],
    levels: int,
    whole: bool,
    flagged: bool,
    dropped: array[int],
    entire: bool = False,
) -> str:
    """Name what is wrong with sets that were loaded; empty if they can be used.

    Parameters
    ----------
    sets : SparseSets
    items, places : array('i')
        Its ``items`` and its ``node_cell`` before it was loaded.
    levels : int
        How many levels have branched.
    whole : bool
        Whether the sets are as after a branch or a commit, and not to be restored.
    flagged : bool
        Whether ``saved_active`` is 0 where nothing is to be restored.
    dropped : array('i'), shape (levels,)
        Not 0 for levels that save sizes while their option is live, to drop it later,
        and so nobody below may choose it again; the others have hidden the options of
        their item by then.
    entire : bool
        Whether an option of an active primary item is live only if all its items are
        active.
    """
    fault: str = fault_of_sets(sets, items, places)
    if fault or sets.depth < 0:
        return fault
    length = lengths(sets, items)
    drops = dropped if levels else zeros(1)
    return Checking(sets, length, levels, whole, flagged, drops, entire).fault()


@cython.cclass
class Checking:
    """Looks through the path and the snapshots of sets, for `fault_of`.

    Its work is long for a deep search, and other threads run meanwhile.
    """

    def __init__(
        self,
        sets: SparseSets,
        length: array[int],
        levels: int,
        whole: bool,
        flagged: bool,
        drops: array[int],
        entire: bool,
    ) -> None:
        n_cells: int = len(sets.cells)
        self.sets, self.length, self.levels, self.drops = sets, length, levels, drops
        self.whole, self.flagged, self.entire = whole, flagged, entire
        self.option_of = zeros(len(sets.node_item))
        self.live, self.seen = zeros(n_cells + 1), zeros(n_cells + 1)
        self.live_nodes = zeros(sets.n_options + 1)
        self.all_nodes = zeros(sets.n_options + 1)
        self.nodes = zeros(sets.n_options + 1)

    def fault(self) -> str:
        """Name what is wrong; empty if nothing is."""
        fault: cython.p_const_char
        with cython.nogil:
            fault = self.find()
        return fault.decode()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self) -> cython.p_const_char:
        n_nodes: cython.int = len(self.sets.node_item) - 1
        n_cells: cython.int = len(self.sets.cells)
        k: cython.int
        n: cython.int
        o: cython.int = 0
        x: cython.int
        c: cython.int
        level: cython.int
        at: cython.longlong
        count: cython.int
        active: cython.int = 0
        size: cython.int
        for n in range(n_nodes):
            self.option_of[n] = o
            self.nodes[o] += self.sets.node_item[n] > 0
            o += self.sets.node_item[n] <= 0
        for k in range(self.sets.n_items):
            self.live[self.sets.items[k]] = -1
        if self.levels > self.sets.max_depth + 1 or self.sets.saved_at[0] != 0:
            return b"more levels than there can be"
        for level in range(self.levels):
            if self.sets.saved_at[level] > self.sets.saved_at[level + 1]:
                return b"the sizes saved are out of order"
            n = self.sets.chosen[level]
            if n < 0 or n >= n_nodes or self.sets.node_item[n] < 0:
                return b"the path has something else than options"
        if self.levels < self.sets.depth or self.sets.saved_at[self.levels] > len(
            self.sets.saved
        ):
            return b"the sizes saved have no end"
        # The snapshots, the present first; that is the last level and one more.
        for level in range(self.levels, -1, -1):
            at = self.sets.saved_at[level]
            if level == self.levels:
                count = self.sets.active
                if not self.whole:
                    continue
            else:
                count = self.sets.saved_active[level]
                n = self.sets.chosen[level]
                if self.drops[level] != 0 and level < self.sets.depth:
                    while n > 0 and self.sets.node_item[n - 1] > 0:
                        n -= 1
                    while self.sets.node_item[n] > 0:
                        x = self.sets.node_item[n]
                        if (
                            self.live[x] >= 0
                            and self.sets.node_cell[n] < x + self.live[x]
                        ):
                            return b"an option of the path can be chosen again"
                        n += 1
                if self.sets.saved_at[level + 1] == at:
                    # Nothing is saved, and so nothing may be restored.
                    if self.flagged and count != 0:
                        return b"sizes are missing"
                    continue
                if self.flagged and count == 0:
                    continue
                if 2 * count != self.sets.saved_at[level + 1] - at or count < 0:
                    return b"the sizes saved are more or fewer than the items"
            if count < active or count > self.sets.n_items:
                return b"items come and go"
            active = count
            for k in range(count):
                if level == self.levels:
                    x = self.sets.items[k]
                    size = self.sets.cells[x - 1]
                else:
                    x = self.sets.saved[at + 2 * k]
                    size = self.sets.saved[at + 2 * k + 1]
                    if x < 0 or x >= n_cells or self.length[x] < 0:
                        return b"a size is saved for no item"
                    if size < max(self.live[x], 0) or size > self.length[x]:
                        return b"a size saved is wrong"
                if self.sets.cells[x - 2] >= count or self.seen[x] == level + 1:
                    return b"a size is saved for another item"
                self.seen[x] = level + 1
                if self.live[x] < 0:
                    for c in range(x, x + self.length[x]):
                        self.all_nodes[self.option_of[self.sets.cells[c]]] += 1
                for c in range(x + max(self.live[x], 0), x + size):
                    self.live_nodes[self.option_of[self.sets.cells[c]]] += 1
            for k in range(count):
                if level == self.levels:
                    x = self.sets.items[k]
                    size = self.sets.cells[x - 1]
                else:
                    x = self.sets.saved[at + 2 * k]
                    size = self.sets.saved[at + 2 * k + 1]
                if self.entire and x < self.sets.second:
                    for c in range(x + max(self.live[x], 0), x + size):
                        o = self.option_of[self.sets.cells[c]]
                        if self.live_nodes[o] != self.nodes[o]:
                            return b"an option is live and has an item that is done"
                # Of an item that came in, the dead ones matter, too.
                for c in range(
                    x + self.live[x] if self.live[x] >= 0 else x + size, x + size
                ):
                    o = self.option_of[self.sets.cells[c]]
                    if self.live_nodes[o] != self.all_nodes[o]:
                        return b"an option is live in one set and dead in another"
                if self.live[x] < 0:
                    for c in range(x, x + self.length[x]):
                        o = self.option_of[self.sets.cells[c]]
                        if (
                            self.live_nodes[o] != 0
                            and self.live_nodes[o] != self.all_nodes[o]
                        ):
                            return b"an option is live in one set and dead in another"
                self.live[x] = size
            if level < self.levels and self.drops[level] != 0:
                n = self.sets.chosen[level]
                x = self.sets.node_item[n]
                if (
                    self.seen[x] != level + 1
                    or self.sets.node_cell[n] >= x + self.live[x]
                ):
                    return b"an option to be dropped is dead"
        return b""
