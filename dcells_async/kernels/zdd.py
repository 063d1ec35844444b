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

An item that may be covered several times is decided one option at a time: its
first live option is taken or dropped (two ways), and then the item goes on being
branched on until it is done.

With `split`, the live items are looked at every few levels. If they fall apart into
parts that share no option, the parts are searched one after the other, and the
family is the join of theirs (the idea of #SAT counters; T. Nishino, N. Yasuda,
S. Minato and M. Nagata, AAAI 2017, for exact covers).

The diagram is ordered by option numbers, whatever the search branches on, unless
not `ordered`: then each node is about an option of the item branched on, and joins
are nodes of their own. Such a diagram is made faster, and is good for counting.

What a level has, and how a search is saved, is told in ``levels.py``.

Source: D. E. Knuth's program DLX6 (after M. Nishino, N. Yasuda, S. Minato, M.
Nagata: Dancing with decision diagrams). What is ours: sparse sets, a machine that can
rest between any two steps, an ordered and reduced result, multiplicities.
"""

from __future__ import annotations

import cython

from .arrays import doubled, zeros
from .diagrams import JOIN, PRODUCT
from .levels import Levels
from .status import Status

if not cython.compiled:
    from .gaps import gap_below
    from .levels import (
        DROP,
        ENTER,
        MARK,
        NUMBER,
        PART,
        PLAIN,
        REST,
        RETURN,
        TAKE,
        TRY,
        UNITE,
    )

COMPILED: bool = cython.compiled

PAUSED = int(Status.PAUSED)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)

_PIECE = 1 << 14
EVERY = 4
"""Every so many levels it is seen whether the items fall apart."""


@cython.cclass
class ZddKernel(Levels):
    """The search that makes a diagram of all covers, resumable at every step.

    The parameters are those of `Levels`.
    """

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
            # On the way back, many levels may store something with no node in between.
            if self.state <= TRY and self.memo.is_full():
                return GROW
            level = self.depth
            if self.state == ENTER:
                if 2 * self.active > len(self.saved) - self.saved_at[level]:
                    return GROW
                if level >= self.max_depth:
                    # So deep is only what was loaded, and is no search.
                    self.value = 0
                    self.state = RETURN
                    continue
                self.nodes += 1  # Z1
                item = self.choose()
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
    def branch(self, item: cython.int) -> cython.void:
        """Z3: set out for the options of an item, or for two ways."""
        level: cython.int = self.depth
        self.result[level] = 0
        self.trail_at[level] = self.n_trail
        self.starved_at[level + 1] = self.starved_at[level]
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
            self.n_starved = self.starved_at[level]
            self.hide(item, 0, -self.active)
            self.starved_at[level + 1] = self.n_starved
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
        gap: cython.int = gap_below(size)
        k: cython.int
        at: cython.int
        node: cython.int
        while gap > 0 and not self.stopping:
            for k in range(gap, size):
                node = self.cells[item + k]
                at = k
                while at >= gap and node < self.cells[item + at - gap]:
                    self.cells[item + at] = self.cells[item + at - gap]
                    self.node_cell[self.cells[item + at]] = item + at
                    at -= gap
                self.cells[item + at] = node
                self.node_cell[node] = item + at
            gap = gap_below(gap)

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
            self.first = self.keys[2 * self.depth]
            self.second_key = self.keys[2 * self.depth + 1]
            if kind == PLAIN:
                self.toggle(self.slot_end[self.depth])
        if self.multiple and kind == PLAIN:
            self.refund(self.chosen[self.depth])
        elif kind == TAKE:
            self.refund(-1 - self.chosen[self.depth])

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
        if self.memory > self.memory_limit:  # from the beginning
            self.too_large = True
            return Status.TOO_LARGE
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
        self.memo.judge()
        if self.algebra.n + 2 >= self.algebra.most:
            if not self.algebra.grow(self.memory_limit - self.memory):
                return False
        if self.memo.is_full():
            if not self.memo.grow(self.memory_limit - self.memory):
                return False
        if 2 * self.active > len(self.saved) - self.saved_at[self.depth]:
            return self._make_room_for_sizes()
        return True

    def _make_room_for_sizes(self) -> bool:
        """Enlarge the room for saved sizes; false if that is not allowed."""
        needed: int = self.saved_at[self.depth] + 2 * self.active
        # While they are copied, both rooms are held.
        more = doubled(self.saved, needed, self.memory_limit - self.memory)
        if more is None:
            return False
        self.saved = more
        return True
