# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Domain consistency: sparse sets from which hopeless options have gone.

Seen as a constraint problem, every primary item of an exact cover problem is a
variable, and the set of its options is its *domain*. Two options are *compatible*
if whatever items they share are secondary, and both give them the same color.
The domains are *consistent* if every live option has, in the domain of every
active primary item that it does not cover, a compatible option: we call it the
*witness* of that *pair* of an option and an item. An option that lacks a witness
can be in no cover, since the item could not be covered beside it: it is *purged*.
That may take a witness from others, and so on. What remains in the end does not
depend on the order of events: it is the largest consistent part. If a domain
would become empty, there is no cover here.

To begin with, every option looks for its witnesses. After that ``triggers.py``
tells who has lost one: those options wait in the queue, and when its turn comes,
an option finds new witnesses, always the first compatible option in the domain, or
it is purged in turn. When the queue is empty, the domains are consistent.

Beyond ``triggers.py`` the arrays are:

- ``mark[x], match[x]``: the option that was marked last, plus one, and its node, if
  it has item x. So a walk through another option tells whether it is compatible.
- ``clash``: a quicker test, a bit for every two options, row by row. A row is made
  when its option first needs it, and only after the first pass, which would use it
  just once. The options that matter then are those left by that pass, the first
  ``root_size[x]`` in the set of item x. The table may be too large to be had.

Invariant (`sanity` checks just this one, and all before it)
------------------------------------------------------------
8. Every pair of a live option and an active primary item that it does not cover is
   in one stack, once: it is a hole, or its witness is alive, covers the item, and
   is compatible with the option.

It is broken with the others, and does not hold for options that have not yet begun
to look for witnesses.

Source: D. E. Knuth's program XCCDC (2023); C. Lecoutre and F. Hemery (AC3rm, 2007).
Options are queued and tried in the order of XCCDC. What is ours: marks need no
stamps; the table of clashes.
"""

from __future__ import annotations

import cython

from .arrays import pages, zeros
from .triggers import Triggers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator
    from typing import Any as Buffer

# As in triggers.py, and C constants here too.
ALIVE = 0x7FFFFFFF
BLOCK = 16
EMPTY = BLOCK - 1


def bytes_of_pairs(n_primary: int, n_options: int) -> int:
    """Estimate what the pool takes; -1 if a pair does not fit into 31 bits.

    A pair takes 4 bytes and a bit, a hole 9; each option has two stacks, whose last
    blocks are not full; the rest is room to grow.
    """
    if n_primary << max(n_options - 1, 0).bit_length() > ALIVE:
        return -1
    return 6 * n_primary * n_options + 8 * BLOCK * (n_options + 2 * n_primary + 8)


def bytes_of_rows(n_options: int) -> int:
    """Tell what the table of clashes takes."""
    return n_options * ((n_options + 7) // 8)


@cython.cclass
class Domains(Triggers):
    """Sparse sets that can be made, and kept, domain consistent.

    The first parameters are those of `SparseSets`.

    Parameters
    ----------
    with_rows : bool
        Whether to have a table of clashes, for speed; nothing else depends on it.
    pool_limit : int, bytes
        As for `Triggers`.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        max_depth: int,
        with_rows: bool,
        pool_limit: int,
        header: int,
    ) -> None:
        Triggers.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            max_depth,
            pool_limit,
            header,
        )
        self.n_begun = 0
        self.mark = zeros(len(self.cells))
        self.match = zeros(len(self.cells))
        self.root_size = zeros(len(self.cells))
        self.has_rows = with_rows
        self.by_rows = False
        self.row = (self.n_options + 7) // 8
        self.clash = memoryview(zeros(1)).cast("B")

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        A primary item without options ends the search before it begins.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        if self.has_rows:
            size = bytes_of_rows(self.n_options)
            self.clash = pages(size // 4 + 1).cast("B")
        prepared: bool = Triggers.prepare(self)
        return prepared

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def wake(self, n_trail: cython.int) -> cython.void:
        """Take as alive what was purged since the trail had this length."""
        while self.n_trail > n_trail:
            self.n_trail -= 1
            self.age_of[self.trail[self.n_trail]] = ALIVE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def dequeue(self) -> cython.int:
        """Take the first option out of the queue."""
        option: cython.int = self.queue[self.queue_front]
        self.queue_front += 1
        if self.queue_front > self.n_options:
            self.queue_front = 0
        self.steps += 1
        return option

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def witness(self, option: cython.int) -> cython.bint:
        """Find an option its first witnesses, or purge it; false if impossible."""
        i: cython.int
        self.n_begun += 1
        self.mark_items(option)
        for i in range(self.n_primary - 1, -1, -1):
            if self.mark[self.primary[i]] != option + 1:
                # For want of a former witness: should the option be purged, such
                # holes revert to its own stack, which then forgets them.
                self.open_hole(option, i << self.shift | option, option)
        return self.repair(option)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self, option: cython.int) -> cython.bint:
        """Find an option from the queue new witnesses, as `witness` does."""
        if self.age_of[option] != ALIVE:
            self.revert(option)  # it was purged while it waited
            return True
        if self.by_rows:
            self.fill_row(option)
        else:
            self.mark_items(option)
        return self.repair(option)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def repair(self, option: cython.int) -> cython.bint:
        """Close all holes of an option, or purge it; false if impossible."""
        pair: cython.int
        item: cython.int
        found: cython.int
        while self.fixit[option] != EMPTY:
            if self.stopping:
                return True
            pair = self.pool[self.fixit[option]]
            item = self.primary[pair >> self.shift]
            if self.by_rows:
                found = find_by_row(self, option, item)
            else:
                found = find_by_marks(self, option, item)
            if found < 0:
                self.revert(option)
                return self.purge(option, self.active)
            self.close_hole(option, found)
        return True

    # -- compatibility -------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def agrees(self, node: cython.int, other: cython.int) -> cython.bint:
        """Tell whether two nodes of one item give it the same color."""
        return (
            self.colored
            and self.node_color[node] != 0
            and self.node_color[node] == self.node_color[other]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark_items(self, option: cython.int) -> cython.void:
        """Note the items and nodes of an option.

        The mark is the option's own number, which only its own items can bear: so
        marks need not be taken back.
        """
        node: cython.int = self.first[option]
        x: cython.int = self.node_item[node]
        while x > 0:
            self.mark[x] = option + 1
            self.match[x] = node
            node += 1
            x = self.node_item[node]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_row(self, option: cython.int) -> cython.void:
        """Find out, if not yet known, which options clash with one."""
        row: cython.Py_ssize_t = self.row
        node: cython.int = self.first[option]
        x: cython.int = self.node_item[node]
        cell: cython.int
        other: cython.int
        row *= option
        # It clashes with itself, so its own bit tells that it had its turn.
        if self.clash[row + (option >> 3)] >> (option & 7) & 1:
            return
        while x > 0:
            if self.stopping:
                return
            self.steps += self.root_size[x]
            for cell in range(x, x + self.root_size[x]):
                if not self.agrees(node, self.cells[cell]):
                    other = self.option_of[self.cells[cell]]
                    self.clash[row + (other >> 3)] |= 1 << (other & 7)
            node += 1
            x = self.node_item[node]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_rows(self) -> cython.void:
        """Note what the first pass has left; from now on use the table of clashes."""
        i: cython.int
        for i in range(self.n_items):
            self.root_size[self.items[i]] = self.cells[self.items[i] - 1]
        self.by_rows = self.has_rows

    # -- seen from outside ---------------------------------------------------------

    def alive(self) -> list[int]:
        """List the options that are not purged at present."""
        return [o for o in range(self.n_options) if self.age_of[o] == ALIVE]

    def sanity(self) -> str:
        """Name the first invariant that does not hold; empty if all do."""
        pairs = []
        for o in range(self.n_options):
            for pair in self._stack(self.trigger[o], 1, set()):
                if self._is_awake(pair):
                    pairs.append(pair)
                    if not self._is_witness(o, pair):
                        return f"option {o} is no witness of pair {pair}"
            for pair in self._stack(self.fixit[o], 2, set()):
                if self._is_awake(pair):
                    pairs.append(pair)
                if pair & self.mask != o:
                    return f"option {o} has hole {pair} of another"
        everything = [
            i << self.shift | o
            for i in range(self.n_primary)
            for o in range(self.n_begun)
            if self._is_awake(i << self.shift | o)
            and self.primary[i] not in [self.node_item[n] for n in self._nodes(o)]
        ]
        if sorted(pairs) != everything:
            return f"the pairs are {pairs}, and should be {everything}"
        return self._fault_of_stacks() or Triggers.sanity(self)

    def _fault_of_stacks(self) -> str:
        size = self.n_options + 1
        n_queued = (self.queue_rear - self.queue_front) % size
        queued = [self.queue[(self.queue_front + k) % size] for k in range(n_queued)]
        waiting = [o for o in range(self.n_options) if self.fixit[o] != EMPTY]
        if sorted(queued) != waiting:
            return f"the queue holds {queued}, and options with holes are {waiting}"
        for o in range(self.n_options):
            for node in self._nodes(o):
                x = self.node_item[node]
                is_live = self.node_cell[node] < x + self.cells[x - 1]
                if self.cells[x - 2] < self.active and is_live != (
                    self.age_of[o] == ALIVE
                ):
                    return f"option {o} has age {self.age_of[o]}, against item {x}"
        blocks: set[int] = set()
        for o in range(self.n_options):
            self._stack(self.trigger[o], 1, blocks)
            self._stack(self.fixit[o], 2, blocks)
        if len(blocks) + self.n_free + 1 != len(self.pool) // BLOCK:
            return f"of all blocks {len(blocks)} are used, and {self.n_free} free"
        return ""

    def _nodes(self, option: int) -> range:
        begin = end = self.first[option]
        while self.node_item[end] > 0:
            end += 1
        return range(begin, end)

    def _stack(self, at: int, step: int, blocks: set[int]) -> list[int]:
        """List the pairs in a stack from the top, and the blocks that it takes."""
        pairs = []
        while at != EMPTY:
            blocks.add(at // BLOCK)
            if self.pool[at] >= 0:
                pairs.append(self.pool[at])
            for _ in range(step if self.pool[at] >= 0 else 3):
                at -= 1
                if at % BLOCK == step - 1:
                    at = self.pool[at - at % BLOCK]
        return pairs

    def _is_awake(self, pair: int) -> bool:
        item = self.primary[pair >> self.shift]
        is_active = self.cells[item - 2] < self.active
        return is_active and self.age_of[pair & self.mask] == ALIVE

    def _is_witness(self, option: int, pair: int) -> bool:
        mine = {self.node_item[node]: node for node in self._nodes(option)}
        return (
            self.age_of[option] == ALIVE
            and self.primary[pair >> self.shift] in mine
            and all(
                self.agrees(node, mine[self.node_item[node]])
                for node in self._nodes(pair & self.mask)
                if self.node_item[node] in mine
            )
        )

    def _registers(self) -> list[int]:
        return [*super()._registers(), self.n_begun, self.by_rows]

    def _restore(self, registers: Iterator[int]) -> None:
        super()._restore(registers)
        self.n_begun = next(registers)
        self.by_rows = bool(next(registers)) and self.has_rows

    def _tables(self) -> list[Buffer]:
        return [*super()._tables(), self.root_size]


# Functions, not methods, for the reason told in triggers.py.


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_by_marks(sets: Domains, option: cython.int, item: cython.int) -> cython.int:
    """Give the first option of an item that is compatible with one, or -1.

    That one must have been marked; it does not have the item.
    """
    cell: cython.int
    node: cython.int
    start: cython.int
    x: cython.int
    for cell in range(item, item + sets.cells[item - 1]):
        if sets.stopping:
            return 0
        start = sets.cells[cell]
        sets.steps += 1
        node = start + 1
        while node != start:
            x = sets.node_item[node]
            if x < 0:
                node += x
                continue
            if sets.mark[x] == option + 1:
                if not sets.agrees(node, sets.match[x]):
                    break
            node += 1
        else:
            return sets.option_of[start]
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_by_row(sets: Domains, option: cython.int, item: cython.int) -> cython.int:
    """Do the same for an option whose row is filled."""
    row: cython.Py_ssize_t = sets.row
    cell: cython.int
    other: cython.int
    row *= option
    for cell in range(item, item + sets.cells[item - 1]):
        other = sets.option_of[sets.cells[cell]]
        if not sets.clash[row + (other >> 3)] >> (other & 7) & 1:
            sets.steps += cell - item + 1
            return other
    sets.steps += sets.cells[item - 1]
    return -1
