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

What a state is, and what moves lead from one to the next, is told in ``states.py``;
what tells states apart, and which item is next, in ``signed.py``. Beyond these, for a
level l of the path,

- ``kind[l]``: what the level tries: options, dropping, taking, a part, the rest;
- ``slot[l], slot_end[l]``: the cells still to be tried are ``slot_end[l]`` to
  ``slot[l]``; for the kinds other than options, ``slot[l]`` is the item;
- ``result[l]``: the node of the union so far;
- ``trail_at[l]``: how many items had got their color before the level's option;
- ``keys[2 * l], keys[2 * l + 1]``: the signature of the state that was entered.

Source: D. E. Knuth's program DLX6 (after M. Nishino, N. Yasuda, S. Minato, M.
Nagata: Dancing with decision diagrams). What is ours: sparse sets, a machine that can
rest between any two steps, an ordered and reduced result, multiplicities.
"""

from __future__ import annotations

from array import array

import cython

from .algebra import Algebra
from .arrays import pack, pages, unpack, zeros
from .checking import fault_of
from .diagrams import JOIN, PRODUCT
from .memo import WINDOW, Memo
from .signed import SignedStates
from .status import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Buffer

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

_PIECE = 1 << 14
EVERY = 4
"""Every so many levels it is seen whether the items fall apart."""


@cython.cclass
class ZddKernel(SignedStates):
    """The search that makes a diagram of all covers, resumable at every step.

    Parameters
    ----------
    n_items, n_primary, option_start, option_item, option_color
        Those of the sparse sets.
    low, high : array('i'), shape (n_primary,)
        How often each primary item is to be covered, ``0 <= low <= high``.
    mrv : bool
        Branch on an item with the fewest options, not on the leftmost.
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
        SignedStates.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            levels + 1,
            low,
            high,
            mrv,
            all_colors,
        )
        self.split = split
        self.ordered = ordered
        self.memory_limit = memory_limit
        self.algebra = Algebra(n_options)
        self.memo = Memo(window)
        self.kind = zeros(levels + 3)
        self.slot = zeros(levels + 3)
        self.slot_end = zeros(levels + 3)
        self.result = zeros(levels + 3)
        self.trail_at = zeros(levels + 3)
        self.keys = pages(2 * levels + 6, "q")
        self.value = 0
        self.options_made = array("i", (-1, -1))
        self.lows_made = array("i", (0, 0))
        self.highs_made = array("i", (0, 0))
        self.too_large = False

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

    # -- branching -----------------------------------------------------------------

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
            self.first = self.keys[2 * self.depth]
            self.second_key = self.keys[2 * self.depth + 1]
            if kind == PLAIN:
                self.toggle(self.slot_end[self.depth])
        if self.multiple and kind == PLAIN:
            self.refund(self.chosen[self.depth])
        elif kind == TAKE:
            self.refund(-1 - self.chosen[self.depth])

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
            self.grow()
        return True

    # -- saving ----------------------------------------------------------------------

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`.

        What is numbered after the search is numbered again: that is soon done.
        """
        state, self.state = self.state, min(self.state, MARK)
        if self.state == MARK:
            self.state = RETURN
        sets = SignedStates.save(self)
        self.state = state
        numbers = [self.value, self.n_trail, self.n_starved]
        numbers += [self.stamp, self.first, self.second_key]
        parts = [sets, array("q", numbers), self.algebra.save(), self.memo.save()]
        return pack(parts)

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        MemoryError
            The system has not enough memory for its tables.
        """
        blocks = unpack(data)
        if len(blocks) != 4 or len(blocks[1]) != 48:
            raise ValueError("this is no state of such a search")
        numbers = array("q", blocks[1])
        if not 0 <= min(numbers[:4]) <= max(numbers[:4]) < 1 << 30:
            raise ValueError("this is no state of such a search")
        self.value, self.n_trail, self.n_starved, self.stamp = numbers[:4]
        self.first, self.second_key = numbers[4:]
        SignedStates.load(self, blocks[0])
        try:
            self.algebra.load(blocks[2], self.ordered, self.state != UNITE)
            n: int = self.algebra.n
            self.memo.load(blocks[3], n)
            levels: int = self.depth + (self.state in (TRY, UNITE))
            results = [self.result[level] for level in range(levels)]
            if not all(0 <= node < n for node in [self.value, *results]):
                raise ValueError("a result is no node")
        except ValueError:
            # Nothing is to be searched with that.
            self.depth, self.state, self.value = 0, RETURN, 0
            raise
        # Whoever looks for the leftmost item begins at the first.
        for level in range(len(self.rank)):
            self.rank[level] = 0

    def _fault(self, items: array[int], places: array[int]) -> str:
        if not 0 <= self.depth < self.max_depth or not ENTER <= self.state <= UNITE:
            return "it rests nowhere"
        is_branched: bool = self.state in (TRY, UNITE)
        levels: int = self.depth + is_branched
        for level in range(levels):
            if not PLAIN <= self.kind[level] <= REST:
                return f"level {level} tries nothing"
        dropped = array("i", [self.kind[k] in (DROP, TAKE) for k in range(levels)])
        whole: bool = self.state == ENTER
        if is_branched:
            at: int = self.depth
            is_fresh = self.kind[at] != PLAIN or self.slot[at] > self.slot_end[at]
            whole = self.saved_active[at] > 0 or is_fresh
        fault: str = fault_of(self, items, places, levels, whole, True, dropped)
        return (
            fault
            or self._trails_fault(levels)
            or self._levels_fault(levels)
            or self._bounds_fault(levels)
        )

    def _trails_fault(self, levels: int) -> str:
        """See that colors and starved items are those that they can be."""
        if not 0 <= self.n_trail < len(self.trail):
            return "more items have colors than there are"
        trail = [self.trail[k] for k in range(self.n_trail)]
        colored = [
            x
            for x in map(self.items.__getitem__, range(self.n_items))
            if x >= self.second and self.cells[x - 3] != 0
        ]
        if sorted(trail) != sorted(colored):
            return "other items have colors than those that got them"
        ends = [self.trail_at[level] for level in range(levels)] + [self.n_trail]
        if sorted(ends) != ends or min(ends) < 0:
            return "colors were given out of order"
        offsets = {self.items[k] for k in range(self.n_items)}
        ends = [self.starved_at[level] for level in range(levels + 1)]
        n_primary = (len(self.starved) - 1) // 2
        last: int = max(ends)
        if sorted(ends) != ends or min(ends) < 0 or last > n_primary:
            return "items starved out of order"
        starved = [self.starved[k] for k in range(last)]
        if len({*starved}) < len(starved) or not offsets.issuperset(starved):
            return "other items starve than there are"
        if not 0 <= self.n_starved <= len(self.starved) - 1:
            return "more items starve than there are"
        return ""

    def _levels_fault(self, levels: int) -> str:
        """See that each level is about an item of its own, and at an option of it."""
        offsets = {self.items[k] for k in range(self.n_items)}
        done = set()
        for level in range(levels):
            kind: int = self.kind[level]
            item: int = self.slot_end[level] if kind == PLAIN else self.slot[level]
            if item not in offsets or item >= self.second:
                return f"level {level} branches on no item"
            # Another one had no options left there, and is the same as none.
            if self.current[level] != item:
                self.current[level] = 0
            is_active = self.cells[item - 2] < self.saved_active[level]
            if kind == PLAIN:
                size: int = self.cells[item - 1]
                at: int = self.slot[level]
                if self.cells[item - 2] < self.active or item in done:
                    return f"level {level} branches on an item twice"
                done.add(item)
                if not item <= at < item + size + (level == self.depth):
                    return f"level {level} is at no option of its item"
                if level < self.depth and self.chosen[level] != self.cells[at]:
                    return f"level {level} is not at its option"
                if (self.saved_active[level] == 0) != (
                    self.saved_at[level + 1] == self.saved_at[level]
                ):
                    return f"level {level} has saved no sizes, or for nothing"
            elif not is_active or not 0 <= self.slot_end[level] <= 3:
                return f"level {level} branches on an item that is done"
            elif kind in (DROP, TAKE) and self.node_item[self.chosen[level]] != item:
                return f"level {level} is at an option of another item"
        x: int = self.current[self.depth]
        if self.state == ENTER and x != 0:
            if x not in offsets or x >= self.second or self.cells[x - 2] >= self.active:
                return "an item is to be branched on that is done"
        return ""

    def _bounds_fault(self, levels: int) -> str:
        """Set the bounds of the items by the path."""
        offsets = sorted(self.items[k] for k in range(self.n_items))
        for k in range(self.n_items):
            x: int = offsets[k]
            if x < self.second:
                self.cells[x - 3] = self.low[k]
                self.cells[x - 4] = self.high[k]
        for level in range(self.depth if self.multiple else 0):
            kind: int = self.kind[level]
            if kind in (PLAIN, TAKE):
                chosen: int = self.chosen[level]
                node = chosen
                while self.node_item[node - 1] >= 0 and node > 0:
                    node -= 1
                while self.node_item[node] >= 0:
                    x = self.node_item[node]
                    if x < self.second and (kind == TAKE or node != chosen):
                        self.cells[x - 3] -= 1
                        self.cells[x - 4] -= 1
                    node += 1
        return ""

    def _tables(self) -> list[Buffer]:
        """Give all arrays that change during the search and keep their length."""
        return [
            *super()._tables(),
            self.trail,
            self.starved,
            self.starved_at,
            self.current,
            self.kind,
            self.slot,
            self.slot_end,
            self.result,
            self.trail_at,
            self.keys,
        ]

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
