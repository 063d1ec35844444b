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
    n_cells: cython.int = len(sets.cells)
    k: cython.int
    n: cython.int
    x: cython.int
    c: cython.int
    if min(sets.updates, sets.nodes, sets.covers, sets.steps) < 0:
        return "a counter is below nought"
    if max(sets.updates, sets.nodes, sets.covers, sets.steps) >= MOST:
        return "a counter is too large"
    if not 0 <= sets.active <= sets.n_items:
        return "more items are active than there are"
    for k in range(sets.n_items):
        x = sets.items[k]
        if x < 0 or x >= n_cells or length[x] < 0 or sets.cells[x - 2] != k:
            return "the items are no permutation"
        if sets.cells[x - 1] < 0 or sets.cells[x - 1] > length[x]:
            return "a set has more members than there are"
    for n in range(len(sets.node_item) - 1):
        x = sets.node_item[n]
        c = sets.node_cell[n]
        if x <= 0:
            if c != before[n]:
                return "the options are numbered otherwise"
        elif c < x or c >= x + length[x] or sets.cells[c] != n:
            return "a set is no permutation of its members"
    if not 0 <= sets.n_forced < len(sets.forced):
        return "more items are forced than there are"
    for k in range(sets.n_forced):
        x = sets.forced[k]
        if x < 0 or x >= sets.second or length[x] < 0 or seen[x] != 0:
            return "the stack of forced items has something else"
        seen[x] = 1
    return ""


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
    n_levels: cython.int = levels
    is_flagged: cython.bint = flagged
    drops: cython.int[::1] = dropped if levels else zeros(1)
    is_entire: cython.bint = entire
    n_nodes: cython.int = len(sets.node_item) - 1
    n_cells: cython.int = len(sets.cells)
    n_saved: cython.longlong = len(sets.saved)
    length: cython.int[::1] = lengths(sets, items)
    option_of: cython.int[::1] = zeros(n_nodes + 1)
    live: cython.int[::1] = zeros(n_cells + 1)
    seen: cython.int[::1] = zeros(n_cells + 1)
    live_nodes: cython.int[::1] = zeros(sets.n_options + 1)
    all_nodes: cython.int[::1] = zeros(sets.n_options + 1)
    nodes: cython.int[::1] = zeros(sets.n_options + 1)
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
        option_of[n] = o
        nodes[o] += sets.node_item[n] > 0
        o += sets.node_item[n] <= 0
    for k in range(sets.n_items):
        live[sets.items[k]] = -1
    if n_levels > sets.max_depth + 1 or sets.saved_at[0] != 0:
        return "more levels than there can be"
    for level in range(n_levels):
        if sets.saved_at[level] > sets.saved_at[level + 1]:
            return "the sizes saved are out of order"
        n = sets.chosen[level]
        if n < 0 or n >= n_nodes or sets.node_item[n] < 0:
            return "the path has something else than options"
    if n_levels < sets.depth or sets.saved_at[n_levels] > n_saved:
        return "the sizes saved have no end"
    # The snapshots, the present first; that is level n_levels.
    for level in range(n_levels, -1, -1):
        at = sets.saved_at[level]
        if level == n_levels:
            count = sets.active
            if not whole:
                continue
        else:
            count = sets.saved_active[level]
            n = sets.chosen[level]
            if drops[level] != 0 and level < sets.depth:
                while n > 0 and sets.node_item[n - 1] > 0:
                    n -= 1
                while sets.node_item[n] > 0:
                    x = sets.node_item[n]
                    if live[x] >= 0 and sets.node_cell[n] < x + live[x]:
                        return "an option of the path can be chosen again"
                    n += 1
            if sets.saved_at[level + 1] == at:
                # Nothing is saved, and so nothing may be restored.
                if is_flagged and count != 0:
                    return "sizes are missing"
                continue
            if is_flagged and count == 0:
                continue
            if 2 * count != sets.saved_at[level + 1] - at or count < 0:
                return "the sizes saved are more or fewer than the items"
        if count < active or count > sets.n_items:
            return "items come and go"
        active = count
        for k in range(count):
            if level == n_levels:
                x = sets.items[k]
                size = sets.cells[x - 1]
            else:
                x = sets.saved[at + 2 * k]
                size = sets.saved[at + 2 * k + 1]
                if x < 0 or x >= n_cells or length[x] < 0:
                    return "a size is saved for no item"
                if size < max(live[x], 0) or size > length[x]:
                    return "a size saved is wrong"
            if sets.cells[x - 2] >= count or seen[x] == level + 1:
                return "a size is saved for another item"
            seen[x] = level + 1
            if live[x] < 0:
                for c in range(x, x + length[x]):
                    all_nodes[option_of[sets.cells[c]]] += 1
            for c in range(x + max(live[x], 0), x + size):
                live_nodes[option_of[sets.cells[c]]] += 1
        for k in range(count):
            if level == n_levels:
                x = sets.items[k]
                size = sets.cells[x - 1]
            else:
                x = sets.saved[at + 2 * k]
                size = sets.saved[at + 2 * k + 1]
            if is_entire and x < sets.second:
                for c in range(x + max(live[x], 0), x + size):
                    o = option_of[sets.cells[c]]
                    if live_nodes[o] != nodes[o]:
                        return "an option is live and has an item that is done"
            # Of an item that came in, the dead ones matter, too.
            for c in range(x + live[x] if live[x] >= 0 else x + size, x + size):
                o = option_of[sets.cells[c]]
                if live_nodes[o] != all_nodes[o]:
                    return "an option is live in one set and dead in another"
            if live[x] < 0:
                for c in range(x, x + length[x]):
                    o = option_of[sets.cells[c]]
                    if live_nodes[o] != 0 and live_nodes[o] != all_nodes[o]:
                        return "an option is live in one set and dead in another"
            live[x] = size
        if level < n_levels and drops[level] != 0:
            n = sets.chosen[level]
            x = sets.node_item[n]
            if seen[x] != level + 1 or sets.node_cell[n] >= x + live[x]:
                return "an option to be dropped is dead"
    return ""
