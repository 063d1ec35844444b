# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The levels of a search for a diagram: what is tried on each, and what came of it.

What a state is, and what moves lead from one to the next, is told in ``states.py``;
what tells states apart, and which item is next, in ``signed.py``; and how the search
goes on, in ``zdd.py``. Here is what a level of its path has beyond these, and how all
of it is saved, looked through, and loaded. For a level l of the path,

- ``kind[l]``: what the level tries: options, dropping, taking, a part, the rest;
- ``slot[l], slot_end[l]``: the cells still to be tried are ``slot_end[l]`` to
  ``slot[l]``; for the kinds other than options, ``slot[l]`` is the item;
- ``result[l]``: the node of the union so far;
- ``trail_at[l]``: how many items had got their color before the level's option;
- ``keys[2 * l], keys[2 * l + 1]``: the signature of the state that was entered.
"""

from __future__ import annotations

from array import array

import cython

from .algebra import Algebra
from .arrays import pack, pages, unpack, zeros
from .checking import fault_of
from .diagrams import FIRST_SIZE
from .memo import WINDOW, Memo
from .signed import SignedStates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Buffer

COMPILED: bool = cython.compiled

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


@cython.cclass
class Levels(SignedStates):
    """A search for a diagram, as far as it does not say how it goes on.

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
        What the tables may take, and the sizes saved along the path.
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

    # -- what the layers above get to know ---------------------------------------------

    @property
    def root(self) -> int:
        """The root of the finished diagram."""
        return len(self.options_made) - 1 if self.value > 1 else self.value

    @property
    def memory(self) -> int:
        """How many bytes the tables take, and the sizes saved along the path."""
        sizes = self.saved.itemsize * len(self.saved)
        return int(self.algebra.memory + self.memo.memory + sizes)

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

    # -- saved and looked through ------------------------------------------------------

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
            is_over: bool = self.depth == 0 and self.state == RETURN
            if self.memo.most < FIRST_SIZE and not (is_over or self.memo.given_up):
                raise ValueError("the memo is emptied too early")
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
        fault: str = fault_of(self, items, places, levels, whole, True, dropped, True)
        fault = fault or self._trails_fault(levels) or self._levels_fault(levels)
        if not fault:
            self._set_bounds()
        return fault or self._stamps_fault()

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
                count: int = self.saved_active[level]
                if level == self.depth and at > item and count == 0:
                    count = self.active
                if not all(self._is_possible(k, count) for k in range(item, at)):
                    return f"level {level} is to try an option that is not left"
            elif not is_active or not 0 <= self.slot_end[level] <= 3:
                return f"level {level} branches on an item that is done"
            elif kind in (DROP, TAKE) and self.node_item[self.chosen[level]] != item:
                return f"level {level} is at an option of another item"
        if levels > self.depth and not self._is_undone():
            return "the last branch is not undone"
        x: int = self.current[self.depth]
        if self.state == ENTER and x != 0:
            if x not in offsets or x >= self.second or self.cells[x - 2] >= self.active:
                return "an item is to be branched on that is done"
        return ""

    def _is_possible(self, cell: int, count: int) -> bool:
        """Tell whether the first so many items are all that an option has further."""
        start: int = self.cells[cell]
        node = start + 1
        while node != start:
            x: int = self.node_item[node]
            if x < 0:
                node += x
                continue
            if self.cells[x - 2] >= count:
                return False
            node += 1
        return True

    def _is_undone(self) -> bool:
        """Tell whether the sets are those that the current level has saved, if any."""
        at: int = self.saved_at[self.depth]
        count: int = self.saved_active[self.depth]
        if count == 0:
            return True
        return self.active == count and all(
            self.cells[self.saved[at + 2 * k] - 1] == self.saved[at + 2 * k + 1]
            for k in range(count)
        )

    def _set_bounds(self) -> None:
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
                while node > 0 and self.node_item[node - 1] >= 0:
                    node -= 1
                while self.node_item[node] >= 0:
                    x = self.node_item[node]
                    if x < self.second and (kind == TAKE or node != chosen):
                        self.cells[x - 3] -= 1
                        self.cells[x - 4] -= 1
                    node += 1

    def _stamps_fault(self) -> str:
        """Stamp the part that is about to be tried, and see that no other seems so."""
        offsets = [self.items[k] for k in range(self.n_items)]
        if not all(0 <= self.cells[x - 5] <= self.stamp for x in offsets):
            return "a stamp is later than now"
        if self.state == TRY and self.kind[self.depth] == PART:
            if self.slot_end[self.depth] == 0:
                for x in offsets:
                    if self.cells[x - 5] == self.stamp:
                        self.cells[x - 5] = 0
                steps: int = self.steps
                self.stamp -= 1
                self.walked = zeros(self.n_options + 1)
                self.gather(self.slot[self.depth])
                self.steps = steps
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
