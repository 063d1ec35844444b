# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The family of all covers as a decision diagram, by dancing cells with a memo.

Two paths of the search that leave the same items open, with the same options, have
the same covers below them. So the search keeps, for every state it has searched,
the family of sets of options that complete it, and where a state comes up again
it is done at once. What it makes is not a list of covers but a diagram of them:
seventeen digits of domino tilings in some ten thousand nodes.

One node of the search tree goes like this:

- Z1. [Enter.] Count a node. Look at the active items: if a primary one lacks
  options, the family is empty; if none is left to decide, it is {{}}.
- Z2. [Remember.] If the *signature* of the state is in the memo, so is its family.
- Z3. [Branch.] Choose a primary item with the fewest options, ties to the smallest
  (or just the smallest). The choice depends on the state alone: if it depended on
  the order in which the items happen to stand, there would be more states.
- Z4. [Try.] Commit to each of its options in turn, the last in the input first;
  enter what is left, and put the option into each set of the family that comes out.
- Z5. [Unite.] The union of these families is the family of the node. Where every item
  branched on is the smallest left, and options come in the order of theirs, that is
  one new node an option; else the whole diagrams may have to be gone through.

The signature says which options are live: they follow from which primary items are
active, which secondary ones a live option still mentions, and which of those
have which color. A secondary item stays active when it gets its color, and its set
goes on shrinking; when no live option mentions it, its color no longer matters.

An item that may be covered several times is decided one option at a time: its
first live option is taken or dropped (two ways), and then the item goes on being
branched on until it is done. So which of its options were dropped is told by the
first one left, which the signature then holds, besides what the items still need.

With `split`, the live items are looked at every few levels. If they fall apart into
parts that share no option, the parts are searched one after the other, and the
family is the join of theirs (the idea of #SAT counters; T. Nishino, N. Yasuda,
S. Minato and M. Nagata, AAAI 2017, for exact covers).

The diagram is ordered by option numbers, whatever the search branches on, unless
not `ordered`: then each node is about an option of the item branched on, and joins
are nodes of their own. Such a diagram is made faster, and is good for counting.

Beyond ``cells.py``, the header of an item x holds ``cells[x - 3]``: how often it is
still to be covered, or the color of a secondary item; ``cells[x - 4]``: how often
it may be covered yet; ``cells[x - 5]``: a stamp; ``cells[x - 9 .. x - 6]``: its
share of the signature, 4 times 31 bits. For a level l of the path,

- ``kind[l]``: what the level tries: options, dropping, taking, a part, the rest;
- ``slot[l], slot_end[l]``: the cells still to be tried are ``slot_end[l]`` to
  ``slot[l]``; for the kinds other than options, ``slot[l]`` is the item;
- ``result[l]``: the node of the union so far;
- ``current[l]``: the item that must be branched on, or 0;
- ``trail_at[l]``: how many items had got their color before the level's option;
- ``keys[2 * l], keys[2 * l + 1]``: the signature of the state.

Source: D. E. Knuth's program DLX6 (after M. Nishino, N. Yasuda, S. Minato, M.
Nagata: Dancing with decision diagrams). What is ours: sparse sets, a machine that can
rest between any two steps, an ordered and reduced result, multiplicities.
"""

from __future__ import annotations

from array import array

import cython

from .algebra import Algebra
from .arrays import pages, zeros
from .cells import SparseSets
from .diagrams import GOLDEN, JOIN, M63, MIX, PRODUCT, STIR
from .memo import WINDOW, Memo
from .status import Status

TYPE_CHECKING = False

COMPILED: bool = cython.compiled

PAUSED = int(Status.PAUSED)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)

# Where the machine rests.
ENTER = 0
TRY = 1
RETURN = 2
UNITE = 3
MARK = 4
NUMBER = 5

# What a level tries.
PLAIN = 0
DROP = 1
TAKE = 2
PART = 3
REST = 4

_HEADER = 9
_PIECE = 1 << 14
EVERY = 4
"""Every so many levels it is seen whether the items fall apart."""


def _random_words(n: int) -> array[int]:
    """Give n numbers of 31 bits, always the same (SplitMix64, Vigna 2015)."""
    words = array("i")
    state = 20261130
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        words.append((z ^ (z >> 31)) >> 33)
    return words


@cython.cclass
class ZddKernel(SparseSets):
    """The search that makes a diagram of all covers, resumable at every step.

    Parameters
    ----------
    n_items, n_primary, option_start, option_item, option_color
        Those of the sparse sets.
    low, high : array('i'), shape (n_primary,)
        How often each primary item is to be covered, ``0 <= low <= high``.
    mrv : bool
        Branch on an item with the fewest options, not on the smallest.
    split : bool
        See whether the items fall apart.
    ordered : bool
        Order the diagram by option numbers.
    memory_limit : int, bytes
        What the tables may take.
    all_colors : bool
        Keep in the signature the colors that no longer matter, as the program does
        whose counters the tests compare with.
    window : int
        That of the memo.
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
        mrv: bool = True,
        split: bool = False,
        ordered: bool = True,
        memory_limit: int = 1 << 62,
        all_colors: bool = False,
        window: int = WINDOW,
    ) -> None:
        n_options: int = len(option_start) - 1
        multiple: bool = any(bound != 1 for bound in low) or any(
            bound != 1 for bound in high
        )
        levels: int = n_options if multiple else min(n_primary, n_options)
        if split:
            levels += n_primary
        SparseSets.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            levels + 1,
            _HEADER,
        )
        self.low = low if n_primary else zeros(1)
        self.high = high if n_primary else zeros(1)
        self.mrv = mrv
        self.split = split
        self.ordered = ordered
        self.multiple = multiple
        self.memory_limit = memory_limit
        self.all_colors = all_colors
        self.simple = not multiple and n_items == n_primary
        self.algebra = Algebra(n_options)
        self.memo = Memo(window)
        self.option_of = zeros(len(self.node_item))
        self.kind = zeros(levels + 3)
        self.slot = zeros(levels + 3)
        self.slot_end = zeros(levels + 3)
        self.result = zeros(levels + 3)
        self.current = zeros(levels + 3)
        self.trail = zeros(n_items - n_primary + 1)
        self.trail_at = zeros(levels + 3)
        self.keys = pages(2 * levels + 6, "q")
        self.members = zeros(n_items + 1 if split else 1)
        self.n_trail = self.value = self.stamp = self.n_members = 0
        self.first = self.second_key = 0
        self.options_made = array("i", (-1, -1))
        self.lows_made = array("i", (0, 0))
        self.highs_made = array("i", (0, 0))
        self.too_large = False

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = SparseSets.prepare(self)
        words = _random_words(4 * self.n_items)
        for k in range(self.n_items):
            x: int = self.items[k]
            for word in range(4):
                self.cells[x - 9 + word] = words[4 * k + word]
        if prepared:
            with cython.nogil:
                self.begin()
        return prepared and not self.stopping

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(self) -> cython.void:
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

    # -- the machine -------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong, target: cython.longlong) -> cython.int:
        item: cython.int
        level: cython.int
        known: cython.int
        while True:
            if self.stopping:
                return STOPPED
            if self.updates + self.steps + self.algebra.steps >= until:
                return PAUSED
            if self.memo.settled < self.memo.n_old:
                self.memo.settle(1 << 12)
                self.steps += 1 << 12
                continue
            if self.algebra.settled < self.algebra.n:
                self.algebra.settle(until - self.updates - self.steps)
                continue
            level = self.depth
            if self.state == ENTER:
                if 2 * self.active > len(self.saved) - self.saved_at[level]:
                    return GROW
                if self.memo.is_full():
                    return GROW
                self.nodes += 1  # Z1
                item = self.glance() if self.simple else self.survey()
                self.state = RETURN
                if item <= 0:
                    self.value = 1 if item == 0 else 0
                    continue
                if not self.memo.given_up:  # Z2
                    known = self.memo.find(self.first, self.second_key)
                    if known >= 0:
                        self.value = known
                        continue
                self.keys[2 * level] = self.first
                self.keys[2 * level + 1] = self.second_key
                self.branch(item)  # Z3
                self.state = TRY
            elif self.state == TRY:
                if self.try_next():  # Z4
                    self.depth += 1
                    self.state = ENTER
                elif self.state == TRY:
                    self.value = self.result[level]
                    self.state = RETURN
                    if not self.memo.given_up:
                        self.memo.store(
                            self.keys[2 * level], self.keys[2 * level + 1], self.value
                        )
                        if self.memo.is_watched():
                            return GROW
            elif self.state == RETURN:
                if level == 0:
                    self.state = MARK
                    return GROW
                if self.algebra.is_full():
                    return GROW
                self.depth -= 1
                self.undo()
                self.merge()  # Z5
            elif self.state == UNITE:
                if self.algebra.is_full():
                    return GROW
                if self.algebra.work(until - self.updates - self.steps):
                    self.result[level] = self.algebra.value
                    self.state = TRY
            elif self.state == MARK:
                if self.algebra.mark(until - self.updates - self.steps):
                    self.state = NUMBER
            else:
                return GROW
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def merge(self) -> cython.void:
        """Z5: put what came out of a branch to the result."""
        level: cython.int = self.depth
        kind: cython.int = self.kind[level]
        value: cython.int = self.value
        option: cython.int
        so_far: cython.int = self.result[level]
        self.state = TRY
        if kind in (DROP, PART):
            self.result[level] = value
            return
        if kind == REST:
            if not self.ordered and value > 1 and so_far > 1:
                self.result[level] = self.algebra.node(PRODUCT, so_far, value)
            else:
                self.algebra.begin(JOIN, so_far, value)
                self.state = UNITE
            return
        if value == 0:
            return
        option = self.option_of[self.chosen[level]]
        if self.ordered:
            self.algebra.begin(option, so_far, value)
            self.state = UNITE
        else:
            self.result[level] = self.algebra.node(option, so_far, value)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def survey(self) -> cython.int:
        """Z1: choose an item and take the signature; 0 if all is done, -1 if none can.

        An active item without options has all it needs; it no longer counts.
        """
        k: cython.int
        x: cython.int
        size: cython.int
        need: cython.int
        degree: cython.int
        best: cython.int = 0
        best_degree: cython.int = 0x7FFFFFFF
        a: cython.int = 0
        b: cython.int = 0
        c: cython.int = 0
        d: cython.int = 0
        first: cython.longlong = 0
        second: cython.longlong = 0
        high: cython.longlong
        self.steps += self.active
        for k in range(self.active):
            x = self.items[k]
            size = self.cells[x - 1]
            need = self.cells[x - 3]
            if x < self.second:
                if size < need:
                    return -1
                if size == 0:
                    continue
                degree = size if need <= 0 else size - need + 1
                if not self.mrv:
                    degree = 0
                if degree < best_degree or (degree == best_degree and x < best):
                    best = x
                    best_degree = degree
                if need != 1 or self.cells[x - 4] != 1:
                    need = max(need, 0)
                    size = min(self.cells[x - 4], size)
                    first ^= self.mixed(x, 0, need, size)
                    second ^= self.mixed(x, 1, need, size)
                    continue
            elif size == 0 and not (self.all_colors and need != 0):
                continue
            elif need != 0:
                first ^= self.mixed(x, 0, need, 0)
                second ^= self.mixed(x, 1, need, 0)
                continue
            a ^= self.cells[x - 9]
            b ^= self.cells[x - 8]
            c ^= self.cells[x - 7]
            d ^= self.cells[x - 6]
        x = self.current[self.depth]
        if x > 0 and self.cells[x - 1] > 0:
            best = x
            k = self.smallest(x)
            first ^= self.mixed(x, 0, k, -1)
            second ^= self.mixed(x, 1, k, -1)
        high = a
        self.first = first ^ (high << 31) ^ b
        high = c
        self.second_key = second ^ (high << 31) ^ d
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def glance(self) -> cython.int:
        """Z1 where all items are primary and to be covered once: without branches.

        The processor would guess wrong every few items, and half of the time would go
        into that. Degree and offset in one number make choosing a plain minimum.
        """
        k: cython.int
        x: cython.int
        degree: cython.longlong
        most: cython.longlong = self.n_options if self.mrv else 1
        best: cython.longlong = (most + 1) << 32
        a: cython.int = 0
        b: cython.int = 0
        c: cython.int = 0
        d: cython.int = 0
        high: cython.longlong
        self.steps += self.active
        for k in range(self.active):
            x = self.items[k]
            degree = self.cells[x - 1]
            degree = min(most, degree)
            degree = (degree << 32) | x
            best = min(best, degree)
            a ^= self.cells[x - 9]
            b ^= self.cells[x - 8]
            c ^= self.cells[x - 7]
            d ^= self.cells[x - 6]
        high = a
        self.first = (high << 31) ^ b
        high = c
        self.second_key = (high << 31) ^ d
        if self.active == 0:
            return 0
        return best & 0x7FFFFFFF if best >> 32 > 0 else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mixed(
        self, x: cython.int, half: cython.int, p: cython.int, q: cython.int
    ) -> cython.longlong:
        """Give 62 bits of the share of an item in a state of its own (SplitMix64)."""
        seed: cython.ulonglong = self.cells[x - 9 + 2 * half]
        word: cython.ulonglong = self.cells[x - 8 + 2 * half]
        one: cython.ulonglong = p + 1
        two: cython.ulonglong = q + 2
        h: cython.ulonglong = ((seed << 31) + word + one * GOLDEN + two * MIX) & M63
        h = ((h ^ (h >> 30)) * MIX) & M63
        h = ((h ^ (h >> 27)) * STIR) & M63
        return (h ^ (h >> 31)) >> 1

    # -- branching -----------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def smallest(self, item: cython.int) -> cython.int:
        """Give the first live option of an item, as its node."""
        cell: cython.int
        node: cython.int = self.cells[item]
        for cell in range(item + 1, item + self.cells[item - 1]):
            node = min(node, self.cells[cell])
        return node

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def branch(self, item: cython.int) -> cython.void:
        """Z3: set out for the options of an item, or for two ways."""
        level: cython.int = self.depth
        self.result[level] = 0
        self.trail_at[level] = self.n_trail
        self.slot[level] = item
        if self.split and (
            level % EVERY == 0 or (level > 0 and self.kind[level - 1] == REST)
        ):
            if self.gather(item):
                self.kind[level] = PART
                self.slot_end[level] = 0
                self.save_sizes()
                return
        if self.cells[item - 3] == 1 and self.cells[item - 4] == 1:
            self.kind[level] = PLAIN
            self.largest_first(item)
            self.retire(item)
            self.updates += 1
            self.hide(item, 0, -self.active)
            self.slot[level] = item + self.cells[item - 1]
            self.slot_end[level] = item
            if self.cells[item - 1] == 1:
                # Without an alternative: the level above restores what this changes.
                self.saved_active[level] = 0
                self.saved_at[level + 1] = self.saved_at[level]
                return
        else:
            self.kind[level] = DROP
            self.slot_end[level] = 0
            self.chosen[level] = self.smallest(item)
        self.save_sizes()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def largest_first(self, item: cython.int) -> cython.void:
        """Sort the live options of an item (Shell's sort); the last is tried first."""
        size: cython.int = self.cells[item - 1]
        gap: cython.int = size // 2
        k: cython.int
        at: cython.int
        node: cython.int
        while gap > 0:
            for k in range(gap, size):
                node = self.cells[item + k]
                at = k
                while at >= gap and node < self.cells[item + at - gap]:
                    self.cells[item + at] = self.cells[item + at - gap]
                    self.node_cell[self.cells[item + at]] = item + at
                    at -= gap
                self.cells[item + at] = node
                self.node_cell[node] = item + at
            gap //= 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def try_next(self) -> cython.bint:
        """Z4: make the state of the next branch; false if there is none."""
        level: cython.int = self.depth
        kind: cython.int = self.kind[level]
        item: cython.int = self.slot[level]
        if kind == PLAIN:
            while self.slot[level] > self.slot_end[level]:
                self.slot[level] -= 1
                self.chosen[level] = self.cells[self.slot[level]]
                self.current[level + 1] = 0
                if self.commit(self.chosen[level], self.chosen[level]):
                    return True
                self.undo()
                if self.stopping:
                    return False
            return False
        self.slot_end[level] += 1
        if kind == DROP and self.slot_end[level] == 1:
            self.current[level + 1] = item
            if self.drop(self.chosen[level], True):
                return True
            self.undo()
            self.slot_end[level] += 1
        if kind == DROP:
            self.kind[level] = TAKE
            self.drop(self.chosen[level], False)
            if self.commit(self.chosen[level], -1):
                self.current[level + 1] = item if self.cells[item - 4] > 0 else 0
                return True
            self.undo()
            return False
        if kind == PART and self.slot_end[level] == 1:
            self.current[level + 1] = self.current[level]
            self.keep_part(False)
            return True
        if kind == PART and self.result[level] != 0:
            self.kind[level] = REST
            self.gather(item)
            self.current[level + 1] = 0
            self.keep_part(True)
            return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def undo(self) -> cython.void:
        """Make the state what it was before a branch of the level."""
        kind: cython.int = self.kind[self.depth]
        if self.saved_active[self.depth] > 0:
            self.restore_sizes()
            while self.n_trail > self.trail_at[self.depth]:
                self.n_trail -= 1
                self.cells[self.trail[self.n_trail] - 3] = 0
        if self.multiple and kind == PLAIN:
            self.refund(self.chosen[self.depth])
        elif kind == TAKE:
            self.refund(-1 - self.chosen[self.depth])

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
        left with fewer options than it needs, unless `alive` is negative.
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
                    if check and x < self.second and size < self.cells[x - 3]:
                        if self.cells[x - 2] < self.active:
                            return False
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

    # -- parts -----------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(self, item: cython.int) -> cython.bint:
        """Stamp all that hangs together with an item; true if something does not.

        A secondary item that has its color ties nothing together: all its live
        options agree on it.
        """
        k: cython.int = 0
        x: cython.int
        cell: cython.int
        node: cython.int
        start: cython.int
        self.stamp += 1
        self.n_members = 1
        self.members[0] = item
        self.cells[item - 5] = self.stamp
        while k < self.n_members:
            item = self.members[k]
            k += 1
            if item >= self.second and self.cells[item - 3] != 0:
                continue
            for cell in range(item, item + self.cells[item - 1]):
                start = self.cells[cell]
                node = start + 1
                self.steps += 1
                while node != start:
                    x = self.node_item[node]
                    if x < 0:
                        node += x
                        continue
                    if self.cells[x - 5] != self.stamp:
                        if self.cells[x - 2] < self.active:
                            self.cells[x - 5] = self.stamp
                            self.members[self.n_members] = x
                            self.n_members += 1
                    node += 1
        for k in range(self.active):
            x = self.items[k]
            if x < self.second and self.cells[x - 1] > 0:
                if self.cells[x - 5] != self.stamp:
                    return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep_part(self, rest: cython.bint) -> cython.void:
        """Retire all items but those stamped, or just the stamped ones."""
        k: cython.int
        x: cython.int
        # From the back: who takes the place of a retired item has been looked at.
        for k in range(self.active - 1, -1, -1):
            x = self.items[k]
            if self.cells[x - 5] != self.stamp:
                if not rest:
                    self.retire(x)
            elif rest and (x < self.second or self.cells[x - 3] == 0):
                self.retire(x)

    # -- growing ---------------------------------------------------------------------

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Search on until so many steps are done, or the diagram is finished.

        Parameters
        ----------
        budget : int, steps, > 0
            A step is an update, a look at one active item, or one of an operation on
            diagrams.
        want, keep
            Without meaning here.

        Returns
        -------
        Status
            `PAUSED`, `DONE`, `STOPPED`, or `TOO_LARGE` where the tables would need
            more memory than allowed.
        """
        algebra: int = self.algebra.steps
        until: cython.longlong = self.steps + self.updates + algebra + budget
        status: cython.int
        self.algebra.release()
        self.memo.release()
        while True:
            with cython.nogil:
                status = self.run(until, 0)
            if status != GROW:
                return Status(status)
            if self.state == MARK:
                self.memo.empty()
                self.algebra.begin_numbering(self.value)
            elif self.state == NUMBER:
                if self._write_piece():
                    return Status.DONE
                if self.steps + self.updates + self.algebra.steps >= until:
                    return Status.PAUSED
            elif not self._make_room():
                self.too_large = True
                return Status.TOO_LARGE

    def _write_piece(self) -> bool:
        """Write down some nodes of the diagram; true if these were the last."""
        options, lows, highs = zeros(_PIECE), zeros(_PIECE), zeros(_PIECE)
        a: cython.int[::1] = options
        b: cython.int[::1] = lows
        c: cython.int[::1] = highs
        n: cython.int
        with cython.nogil:
            n = self.algebra.number(a, b, c)
        self.options_made += options[:n]
        self.lows_made += lows[:n]
        self.highs_made += highs[:n]
        return n < _PIECE

    def _make_room(self) -> bool:
        """Enlarge what is full; false if that is not allowed."""
        rest: int = self.memory_limit - self.memory
        self.memo.judge()
        if self.algebra.n + 2 >= self.algebra.most:
            if self.algebra.memory_to_grow > rest:
                return False
            self.algebra.grow()
        if self.memo.is_full():
            if self.memo.memory_to_grow > rest:
                return False
            self.memo.grow()
        if 2 * self.active > len(self.saved) - self.saved_at[self.depth]:
            self.grow()
        return True

    @property
    def root(self) -> int:
        """The root of the finished diagram."""
        return len(self.options_made) - 1 if self.value > 1 else self.value

    @property
    def memory(self) -> int:
        """How many bytes the tables take."""
        return int(self.algebra.memory + self.memo.memory)

    @property
    def diagram_nodes(self) -> int:
        """How many nodes of diagrams there are, those superseded included."""
        return int(self.algebra.n)

    @property
    def has_given_up(self) -> bool:
        """Whether states are no longer remembered."""
        return bool(self.memo.given_up)

    @property
    def signatures(self) -> int:
        """How many states the memo holds, or held when it was given up."""
        return int(self.memo.n)

    @property
    def hits(self) -> int:
        """How many states were found in the memo."""
        return int(self.memo.hits)

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1.

        Knuth's measure, as for the other searches. The memo makes the later parts
        shorter. It never decreases.
        """
        done = 0.0
        share = 1.0
        if self.state >= MARK:
            return 1.0
        for level in range(self.depth + (self.state in (TRY, UNITE))):
            if self.kind[level] == PLAIN:
                left = self.slot[level] - self.slot_end[level]
                all_ = self.cells[self.slot_end[level] - 1]
            else:
                left = (self.kind[level] in (DROP, PART)) + (self.slot_end[level] == 0)
                all_ = 2
            ended = all_ - left - (level < self.depth)
            done += share * ended / all_
            share /= all_
        if self.state == RETURN:
            done += share
        return min(done, 1.0)
