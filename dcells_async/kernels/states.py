# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The state of a search with bounds and colors, and the moves from state to state.

Items have the bounds of ``mcc.py``, and sparse sets as in ``xcc.py``. The moves are
told apart more finely than there, for a search with a memo has to know exactly what
a state is: which options are live. An option is live if each of its items can take
it. So a secondary item stays active when it gets its color, and its set goes on
shrinking; and the options that clash with a chosen one all go at once.

- To *commit* to an option is to pay for its items. A primary item that may be covered
  no more, or a secondary one that is covered without a color, retires with all its
  options; of one that gets a color now, the options that disagree go.
- To *drop* an option is to delete it from all sets.
- `refund` gives back what an option was paid, and `restore_sizes` all the rest.

Beyond ``cells.py``, in front of the set of an item x stand

- ``cells[x - 3]``: how often it is still to be covered, or the color of a secondary
  item, 0 for none;
- ``cells[x - 4]``: how often it may be covered yet,

and the arrays are:

- ``trail``: the secondary items that have a color, in the order they got it;
- ``starved``: items that lost all their options to one that was branched on;
- ``option_of[n]``: the option that has node n.
"""

from __future__ import annotations

import cython

from .arrays import zeros
from .cells import SparseSets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

COMPILED: bool = cython.compiled


@cython.cclass
class States(SparseSets):
    """Sparse sets with bounds and colors.

    Parameters
    ----------
    n_items, n_primary, option_start, option_item, option_color, max_depth, header
        Those of the sparse sets; ``header >= 4``.
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
        max_depth: int,
        header: int,
        low: array[int],
        high: array[int],
    ) -> None:
        SparseSets.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            max_depth,
            header,
        )
        self.low = low if n_primary else zeros(1)
        self.high = high if n_primary else zeros(1)
        self.multiple = any(bound != 1 for bound in low) or any(
            bound != 1 for bound in high
        )
        self.option_of = zeros(len(self.node_item))
        self.trail = zeros(n_items - n_primary + 1)
        # Twice: those that were loaded, and those that come to starve further on.
        self.starved = zeros(2 * n_primary + 1)
        self.n_trail = self.n_starved = 0

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = SparseSets.prepare(self)
        if prepared:
            with cython.nogil:
                self.set_bounds()
        return prepared and not self.stopping

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_bounds(self) -> cython.void:
        """Set the bounds of the items, and tell the options of the nodes."""
        k: cython.int
        x: cython.int
        node: cython.int
        option: cython.int = 0
        for k in range(self.n_items):
            x = self.items[k]
            if x < self.second:
                self.cells[x - 3] = self.low[k]
                self.cells[x - 4] = self.high[k]
        for node in range(len(self.node_item) - 1):
            self.option_of[node] = option
            if self.node_item[node] < 0:
                option += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def commit(self, chosen: cython.int, but: cython.int) -> cython.bint:
        """Take an option that is in no active set any more; false if that starves.

        The item of node `but` is decided already.
        """
        alive: cython.int = self.active
        k: cython.int
        x: cython.int
        colored: cython.int = self.n_trail
        node: cython.int = chosen
        while self.node_item[node] >= 0:
            node += 1
        node += self.node_item[node]
        while True:
            x = self.node_item[node]
            if x < 0:
                break
            if node != but:
                if x < self.second:
                    if self.multiple:
                        self.cells[x - 3] -= 1
                        self.cells[x - 4] -= 1
                    if not self.multiple or self.cells[x - 4] == 0:
                        self.retire(x)
                        self.updates += 1
                elif not self.colored or self.node_color[node] == 0:
                    self.retire(x)
                    self.updates += 1
                elif self.cells[x - 3] == 0:
                    self.cells[x - 3] = self.node_color[node]
                    self.trail[self.n_trail] = x
                    self.n_trail += 1
            node += 1
        for k in range(self.active, alive):
            if not self.hide(self.items[k], 0, alive):
                return False
        for k in range(colored, self.n_trail):
            x = self.trail[k]
            if not self.hide(x, self.cells[x - 3], alive):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hide(
        self, item: cython.int, color: cython.int, alive: cython.int
    ) -> cython.bint:
        """Delete the item's options from all sets, except those of its color.

        The items at places below `alive` have live sets: the active ones and,
        within a commit, those that the commit has just retired (else an option
        that clashes twice would be deleted twice). An item with a color stays
        active, so its own set shrinks too. False if an active primary item is
        left with fewer options than it needs; but if `alive` is negative, those left
        without any are noted, for they may be covered along with the item.
        """
        cell: cython.int
        hidden: cython.int
        node: cython.int
        x: cython.int
        size: cython.int
        last: cython.int
        place: cython.int
        moved: cython.int
        check: cython.bint = alive >= 0
        alive = abs(alive)
        # From the back: deletions bring in only what was looked at.
        for cell in range(item + self.cells[item - 1] - 1, item - 1, -1):
            if self.stopping:
                return False
            hidden = self.cells[cell]
            if color != 0:
                if self.node_color[hidden] == color:
                    continue
                self.delete(hidden)
            node = hidden + 1
            while node != hidden:
                x = self.node_item[node]
                if x < 0:
                    node += x
                    continue
                if self.cells[x - 2] < alive:
                    size = self.cells[x - 1] - 1
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
                    if x < self.second and size < self.cells[x - 3]:
                        if self.cells[x - 2] < self.active:
                            if check:
                                return False
                            if size == 0:
                                self.starved[self.n_starved] = x
                                self.n_starved += 1
                node += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop(self, node: cython.int, check: cython.bint) -> cython.bint:
        """Delete the option of a node from all sets; false if that starves an item."""
        x: cython.int
        while self.node_item[node] >= 0:
            node += 1
        node += self.node_item[node]
        while self.node_item[node] >= 0:
            x = self.node_item[node]
            if self.cells[x - 2] < self.active:
                self.delete(node)
                if check and x < self.second:
                    if self.cells[x - 1] < self.cells[x - 3]:
                        return False
            node += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def refund(self, chosen: cython.int) -> cython.void:
        """Give back what `commit` paid to the items of an option.

        A negative number stands for the node that was paid too.
        """
        x: cython.int
        start: cython.int = chosen if chosen >= 0 else -1 - chosen
        node: cython.int = start + 1
        while node != start:
            x = self.node_item[node]
            if x < 0:
                node += x
                continue
            if x < self.second:
                self.cells[x - 3] += 1
                self.cells[x - 4] += 1
            node += 1
        if chosen < 0:
            x = self.node_item[start]
            self.cells[x - 3] += 1
            self.cells[x - 4] += 1
