# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""What to branch on, learned from the dead ends met so far.

A search has to decide all items, so it should begin with those that make trouble: a
subtree without a cover is then left early. The plain searches take a small set of
options for a sign of trouble (MRV, minimum remaining values). Here an item of size s
is also judged by its past, and the one with the least quotient of s and its *blame*
comes first. There are two ways to lay blame, of which a search uses one:

- *weighted*: the blame of an item is one more than the number of dead ends at which
  it was the one to lose its last option ("dom/wdeg"). So the search soon turns to the
  knots of a problem, wherever its sizes point to.
- *failures*: the blame of an item is the share of those attempts to branch on it that
  failed at once, that is, starved some other item: (f + 1/2) / (a + 1) for f failures
  of a attempts.

An item with one option left is forced, and is taken whatever its blame is. Of equal
quotients the first one met counts. What is learned stays when the search turns back,
so the tree depends on the order in which it is searched; nothing else is random.

In front of the set of a primary item x stand, besides its place and its size:

- ``cells[x - 3]``: if weighted, its blame; else 2f + 1;
- ``cells[x - 4]``: 2a + 2, in front of every item if, and only if, failures count.

When one of these numbers reaches `MOST`, all are halved, which hardly changes any
quotient, and lets what was long ago count for less. They stand in the cells, so they
are saved with them.

There is one thing to look out for. If an item j is branched on that is larger than
some other item i, all of whose options have j, too, then i is left with none, and can
only be covered by those options of j that have i. MRV never does that. So it may turn
out, when the next item is to be chosen, that one has starved: a dead end as well.

Sources: F. Boussemart, F. Hemery, C. Lecoutre and L. Sais, "Boosting systematic search
by weighting constraints" (ECAI 2004); H. Li, M. Yin and Z. Li, "Failure based variable
ordering heuristics for solving CSPs" (CP 2021). Knuth put both into his dancing-cells
programs (2023), SSXCC-WTD0, SSXCC-FRB0 and XCCDC-FRB, whose rules and ties these are.
What is ours: numbers are halved instead of overflowing, and quotients are compared
without rounding while they are small.
"""

from __future__ import annotations

import cython

from .arrays import zeros
from .xcc import XccKernel
from .xccdc import XccdcKernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

    from .cells import SparseSets

# As in xccdc.py, and a C constant here too.
TRY = 1

MOST = 1 << 30
"""Blame is a 32-bit integer."""

WEIGHTED = 3
"""How wide the header of an item is if blame is a weight; it is wider for failures."""


@cython.cclass
class LearningXcc(XccKernel):
    """The search of ``xcc.py``, which learns what to branch on.

    Parameters
    ----------
    n_items, n_primary, option_start, option_item, option_color
        Those of the sparse sets.
    by_failures : bool
        How blame is laid: by failures, or else weighted.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        by_failures: bool,
    ) -> None:
        XccKernel.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            WEIGHTED + by_failures,
        )

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = XccKernel.prepare(self)
        with cython.nogil:
            forget(self)
        return prepared

    def twin(self) -> LearningXcc:
        """Make another kernel for the same problem, to be prepared.

        One that is split off goes by what was learned before, and learns on its own.
        """
        return LearningXcc(
            self.n_items,
            self.n_primary,
            self.option_start,
            self.option_item,
            self.option_color if self.colored else zeros(0),
            self.header != WEIGHTED,
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_item(self) -> cython.int:
        """C2: a forced item, else the best; 0 if none is active, -1 if one starves."""
        item: cython.int = self.forced_item()
        if item > 0:
            return item
        item = best_item(self)
        if item < 0:
            self.n_forced = 0
            if self.header == WEIGHTED:
                blame(self, -item)
            else:
                note_attempt(self, -item, True)
            return -1
        if self.n_forced > 0:
            return self.forced[self.n_forced - 1]
        return item

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def commit(self, chosen: cython.int) -> cython.bint:
        """C4: use an option; note who starved, or whether that failed."""
        is_possible: cython.bint = XccKernel.commit(self, chosen)
        if self.header != WEIGHTED:
            note_attempt(self, self.node_item[chosen], not is_possible)
        elif not is_possible and not self.stopping:
            blame(self, self.dead_end)
        return is_possible

    def may_find_starved(self) -> bool:
        """Tell whether `choose_item` may come upon an item without options."""
        return True

    def _fault(self, items: array[int], places: array[int]) -> str:
        return super()._fault(items, places) or fault_of_blame(self)


@cython.cclass
class LearningXccdc(XccdcKernel):
    """The search of ``xccdc.py``, which learns what to branch on.

    An attempt fails also if what follows from it starves an item; a weighted search
    lays blame for whatever starved, be it when an option was dropped.

    Parameters
    ----------
    n_items, n_primary, option_start, option_item, option_color, with_rows, pool_limit
        Those of `XccdcKernel`.
    by_failures : bool
        How blame is laid: by failures, or else weighted.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        by_failures: bool,
        with_rows: bool = True,
        pool_limit: int = 1 << 62,
    ) -> None:
        XccdcKernel.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            with_rows,
            pool_limit,
            WEIGHTED + by_failures,
        )

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = XccdcKernel.prepare(self)
        with cython.nogil:
            forget(self)
        return prepared

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_item(self) -> cython.int:
        """D3: the first item met of size 1, else the best, or 0."""
        item: cython.int = best_item(self)
        if self.n_forced > 0:
            self.n_forced = 0
            return self.forced[0]
        return item

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settled(self) -> cython.void:
        if self.phase == TRY and self.header != WEIGHTED:
            note_attempt(self, self.node_item[self.chosen[self.depth]], False)
        XccdcKernel.settled(self)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fail(self) -> cython.void:
        XccdcKernel.fail(self)
        if self.header == WEIGHTED:
            blame(self, self.dead_end)
        elif self.phase == TRY:
            note_attempt(self, self.node_item[self.chosen[self.depth]], True)

    def _fault(self, items: array[int], places: array[int]) -> str:
        return super()._fault(items, places) or fault_of_blame(self)


def fault_of_blame(sets: SparseSets) -> str:
    """See that what was loaded can be counted on; empty if so."""
    for k in range(sets.n_items):
        known = [sets.cells[sets.items[k] - at] for at in range(3, sets.header + 1)]
        if not all(0 < number < MOST for number in known):
            return f"item {sets.items[k]} has no such blame"
    return ""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forget(sets: SparseSets) -> cython.void:
    """Begin as if nothing was known: all items are as much to blame."""
    k: cython.int
    for k in range(sets.n_items):
        sets.cells[sets.items[k] - 3] = 1
        if sets.header > WEIGHTED:
            sets.cells[sets.items[k] - 4] = 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_item(sets: SparseSets) -> cython.int:
    """Give the active primary item of the least quotient; 0 if there is none.

    Items of size 1 go on the stack of forced ones instead; for the first one of size
    0 it gives minus that, and looks no further.
    """
    k: cython.int
    x: cython.int
    size: cython.int
    best: cython.int = 0
    # Both sides of a quotient: its least value so far is ``least / least_blame``.
    value: cython.double
    blamed: cython.double
    least: cython.double = 0
    least_blame: cython.double = 0
    sets.steps += sets.active
    for k in range(sets.active):
        x = sets.items[k]
        if x < sets.second:
            size = sets.cells[x - 1]
            if size <= 1:
                if size == 0:
                    return -x
                sets.forced[sets.n_forced] = x
                sets.n_forced += 1
                continue
            value = size
            if sets.header > WEIGHTED:
                value *= sets.cells[x - 4]
            blamed = sets.cells[x - 3]
            if best == 0 or value * least_blame < least * blamed:
                best = x
                least = value
                least_blame = blamed
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def blame(sets: SparseSets, item: cython.int) -> cython.void:
    """Count a dead end, at which an item lost its last option."""
    sets.cells[item - 3] += 1
    if sets.cells[item - 3] >= MOST:
        halve(sets)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_attempt(
    sets: SparseSets, item: cython.int, has_failed: cython.bint
) -> cython.void:
    """Count an attempt to branch on an item."""
    if has_failed:
        sets.cells[item - 3] += 2
    sets.cells[item - 4] += 2
    if sets.cells[item - 4] >= MOST:
        halve(sets)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halve(sets: SparseSets) -> cython.void:
    """Halve what is known of all items, rounding up."""
    k: cython.int
    x: cython.int
    for k in range(sets.n_items):
        x = sets.items[k]
        sets.cells[x - 3] = (sets.cells[x - 3] + 1) >> 1
        if sets.header > WEIGHTED:
            sets.cells[x - 4] = (sets.cells[x - 4] + 1) >> 1
