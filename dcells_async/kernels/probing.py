# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Options that can be in no cover, found before the search begins.

If the use of an option would starve some item, leave it with fewer options than it
still needs, then the option is in no cover, and may go before the search begins. That
may make others hopeless in turn, so all are tried again, round after round, until a
whole round has changed nothing. What remains does not depend on the order in which
they were tried: it is the largest set of options none of which starves an item.

To try an option is to commit to it just as the search for covers with multiplicities
does (``bounded.py``), and to take that back. So whatever an option needs to be in a
cover is judged by the rules of the search itself: colors, and items that are to be
covered several times or may be left out. That is `Probing`, which remembers nothing and
takes n commits a round for n options.

Where every item is to be covered once, the same options remain after the first pass of
``xccdc.py``, which remembers a witness for every option and item, and is some ten times
as fast. `FirstPass` is that pass, and nothing after it.

Taking a commit back needs the sizes of the sets that it has changed, and those are few
where options have few neighbors. So `Probing` first walks through the neighbors, and
saves the sizes of their items only; unless that walk turns out to be longer than
saving all sizes is. Whether a size is saved already is told as in a sparse set: item x
says where, in ``saved_place[x]``, and there it is or it is not.

In `Probing` a step of the budget is an update, as in the search, or a look at an item
whose size may be saved; it rests between two options.

Source: D. E. Knuth's program DLX-PRE (2017), which does this for dancing links.
"""

from __future__ import annotations

import cython

from .arrays import zeros
from .bounded import BoundedSets
from .status import Status
from .xccdc import XccdcKernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

# As in domains.py, and a C constant here too.
ALIVE = 0x7FFFFFFF

PAUSED = int(Status.PAUSED)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)


@cython.cclass
class Probing(BoundedSets):
    """Tries all options, until `advance` is `DONE`.

    The parameters are those of `BoundedSets`.

    Attributes
    ----------
    is_hopeless : bool
        Whether it turned out that there is no cover at all.
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
        self.is_hopeless = False
        self.begin_of = zeros(self.n_options + 1)
        self.saved_place = zeros(len(self.cells))
        self.n_saved = 0
        self.next_option = 0
        self.untried = self.n_options

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = BoundedSets.prepare(self)
        if prepared:
            self.is_hopeless = self.depth < 0
            with cython.nogil:
                self.index_options()
        return prepared

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def index_options(self) -> cython.void:
        """Note where each option begins."""
        node: cython.int
        n: cython.int = 0
        for node in range(len(self.node_item) - 1):
            if self.first[node] == node and n < self.n_options:
                self.begin_of[n] = node
                n += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong, target: cython.longlong) -> cython.int:
        node: cython.int
        while self.untried > 0 and not self.is_hopeless:
            if self.stopping:
                return STOPPED
            if self.updates + self.steps >= until:
                return PAUSED
            node = self.begin_of[self.next_option]
            self.next_option += 1
            if self.next_option == self.n_options:
                self.next_option = 0
            self.untried -= 1
            self.steps += 1
            if self.is_live(node) and self.starves(node):
                if self.stopping:
                    return STOPPED
                self.untried = self.n_options
                self.is_hopeless = not self.drop(node)
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_live(self, node: cython.int) -> cython.bint:
        """Tell whether the option of a node is still there."""
        x: cython.int = self.node_item[node]
        return x >= 0 and self.node_cell[node] < x + self.cells[x - 1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def starves(self, node: cython.int) -> cython.bint:
        """Tell whether the use of an option starves an item; leave all as it was."""
        is_possible: cython.bint
        if not self.save_touched(node):
            self.save_sizes()
        is_possible = self.commit(node)
        if is_possible:
            self.refund(node, len(self.node_item))
        self.restore_sizes()
        return not is_possible

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def save_touched(self, node: cython.int) -> cython.bint:
        """Save the sizes that a commit may change; false if all are saved sooner."""
        x: cython.int = self.node_item[node]
        cell: cython.int
        other: cython.int
        looks: cython.int = 0
        self.n_saved = 0
        while x >= 0:
            self.save_size(x)
            if x >= self.second or self.cells[x - 4] == 1:
                # The item will be finished, and so its other options are dropped.
                for cell in range(x, x + self.cells[x - 1]):
                    other = self.first[self.cells[cell]]
                    while self.node_item[other] >= 0:
                        self.save_size(self.node_item[other])
                        looks += 1
                        other += 1
                    if looks > self.active:
                        self.steps += looks
                        return False
            node += 1
            x = self.node_item[node]
        self.steps += looks
        self.saved_active[0] = self.active
        self.saved_at[1] = 2 * self.n_saved
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def save_size(self, x: cython.int) -> cython.void:
        """Save the size of an item, once."""
        k: cython.int = self.saved_place[x]
        if k >= self.n_saved or self.saved[2 * k] != x:
            k = self.n_saved
            self.saved_place[x] = k
            self.saved[2 * k] = x
            self.saved[2 * k + 1] = self.cells[x - 1]
            self.n_saved += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def restore_sizes(self) -> cython.void:
        k: cython.int
        self.active = self.saved_active[0]
        for k in range(0, self.saved_at[1], 2):
            self.cells[self.saved[k] - 1] = self.saved[k + 1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_live(self, live: cython.int[::1]) -> cython.int:
        o: cython.int
        n: cython.int = 0
        for o in range(self.n_options):
            if self.is_live(self.begin_of[o]):
                live[n] = o
                n += 1
        return n

    def live_options(self) -> array[int]:
        """List the options that are left; none if there is no cover at all."""
        live = zeros(self.n_options + 1)
        if self.is_hopeless:
            return live[:0]
        n: int = self.list_live(live)
        return live[:n]


@cython.cclass
class FirstPass(XccdcKernel):
    """Makes the domains consistent, until `advance` is `DONE`.

    The parameters are the first ones of `XccdcKernel`.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
    ) -> None:
        XccdcKernel.__init__(
            self, n_items, n_primary, option_start, option_item, option_color, False
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settled(self) -> cython.void:
        self.purged = self.purges
        self.depth = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_live(self, live: cython.int[::1]) -> cython.int:
        o: cython.int
        n: cython.int = 0
        for o in range(self.n_options):
            if self.age_of[o] == ALIVE:
                live[n] = o
                n += 1
        return n

    def live_options(self) -> array[int]:
        """List the options that are left; none if there is no cover at all."""
        live = zeros(self.n_options + 1)
        if self.purged < 0:
            return live[:0]
        n: int = self.list_live(live)
        return live[:n]
