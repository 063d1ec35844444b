# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Rows, lines and taxes along a path: where a search for the cheapest covers stands.

A node has a row of the options that are live (``marks.py``), the taxes that it levied,
and a line of the options that it is to try; ``cheapest.py`` tells what they are for,
and how the search goes on. Here is what can be told of a search that rests: the bounds
of the callers get to see it, half of a line can be given to another one, and it can be
saved, looked through, and loaded.

The arrays, besides those of `Search` and ``marks.py``
------------------------------------------------------
- ``rows``: two rows for each level l of the path, the options live when the node was
  entered, at ``2 * l * width``, and behind them those that are live now. Taxes
  are levied on the former, and remitted to them.
- ``rest[o]``: the rest of option o at the current node.
- ``low, high, taken``: how often item i is to be covered, and how often it is.
- ``cost[l], floor[l]``: what is paid at level l, and what is to be paid in all.
- ``queue, queue_rest``: the lines of all levels, end to end: options and their rests.
  Level l is to try those from ``slot[l]`` to ``slot_end[l]``; its line ends at
  ``queue_end[l]``, which may be later.
- ``lent[l]``: how many from ``slot_end[l]`` on were given to another kernel (`split`).
- ``taxed, tax``: the taxes of all levels likewise, up to ``taxes_end[l]``.
- ``chosen[0 .. depth - 1]``: the options of the path.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import pack, unpack, zeros
from .marks import Rivals
from .search import Search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from typing import Any as Buffer

    from .ledger import Ledger

COMPILED: bool = cython.compiled

# Where the machine rests: before B1, before B3, before B5 (or the first B4).
ENTER = 0
CHOOSE = 1
NEXT = 2

MOST = 1 << 60
"""No search counts so far."""

_NONE_YET: Any = None


@cython.cclass
class LeviedRows(Search):
    """A search for the cheapest covers, as far as it does not say how it goes on.

    The parameters are those of a search, and

    Parameters
    ----------
    low, high : array('i'), shape (n_primary,)
        How often each primary item is to be covered, ``0 <= low <= high``.
    ledger : Ledger
        Prices, and what is still worth having.
    """

    def __init__(
        self,
        n_items: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        low: array[int],
        high: array[int],
        ledger: Ledger,
    ) -> None:
        levels: int = min(sum(high), len(option_start) - 1)
        Search.__init__(self, n_items, option_start, option_item, option_color, levels)
        self.n_primary = len(low)
        self.width = (self.n_options + 63) // 64
        self.low = low or zeros(1)
        self.high = high or zeros(1)
        self.ledger = ledger
        self.rivals = self.of_item = _NONE_YET
        self.taken = zeros(self.n_primary + 1)
        self.rest = array("q", ledger.net)
        self.rows = zeros(4 * self.width, "Q")
        self.chosen = zeros(levels + 1)
        self.cost = zeros(levels + 2, "q")
        self.floor = zeros(levels + 2, "q")
        self.floor[0] = ledger.due
        self.slot = zeros(levels + 2)
        self.slot_end = zeros(levels + 2)
        self.lent = zeros(levels + 2)
        self.queue_end = zeros(levels + 2)
        self.taxes_end = zeros(levels + 2)
        self.queue = zeros(self.n_options + 1)
        self.queue_rest = zeros(len(self.queue), "q")
        self.taxed = zeros(2 * self.n_primary + 1)
        self.tax = zeros(len(self.taxed), "q")
        self.item = -1
        self.degree = 0

    def prepare(self) -> bool:
        """Sort the options into rows, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        if not self.is_sound():
            raise ValueError("the options mention items that do not exist")
        self.rivals = Rivals(
            self.n_items,
            self.option_start,
            self.option_item,
            self.option_color if self.colored else zeros(0),
        )
        self.of_item = self.rivals.of_item
        for o in range(self.n_options):
            self.rows[o // 64] |= 1 << (o % 64)
        for k in range(self.width):
            self.rows[self.width + k] = self.rows[k]
        return not self.stopping

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record(self) -> cython.bint:
        """Write the path down as a cover; false if the next might not fit."""
        level: cython.int
        for level in range(self.depth):
            self.found[self.n_found] = self.chosen[level]
            self.n_found += 1
        return self.end_cover()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leave(self) -> cython.void:
        """Leave the node at hand for good; the search's own."""

    # -- what a caller's bound gets to see ---------------------------------------------

    def live(self) -> list[tuple[int, list[int]]]:
        """Give the primary items that may still be covered, and the options left."""
        return [
            (i, self.options_of(i))
            for i in range(self.n_primary)
            if self.taken[i] < self.high[i]
        ]

    def options_of(self, number: int) -> list[int]:
        """Give the options that can still cover an item."""
        live: int = (2 * self.depth + 1) * self.width
        options = []
        for k in range(self.of_item.start[number], self.of_item.start[number + 1]):
            w: int = self.of_item.word[k]
            word: int = self.rows[live + w] & self.of_item.mask[k]
            while word:
                options.append(64 * w + (word & -word).bit_length() - 1)
                word &= word - 1
        return options

    def need(self, number: int) -> int:
        """Give how many times an item has to be covered yet; secondary ones: 0."""
        if number >= self.n_primary:
            return 0
        return max(0, self.low[number] - self.taken[number])

    def paid(self) -> int:
        """Give the price of the options chosen so far, in the callers' units."""
        return self.cost[self.depth] // self.ledger.scale

    # -- what the layers above get to know ---------------------------------------------

    def best_price(self) -> int | None:
        """Give the price of the cheapest cover found; None if there is none."""
        return self.ledger.best

    def lower_bound(self) -> int | None:
        """Give what any cover costs at least; None if there is none at all."""
        least: int = self.ledger.limit
        for level in range(self.depth + (self.state == NEXT)):
            at: int = self.slot[level]
            if at < self.slot_end[level]:
                least = min(least, self.floor[level] + self.queue_rest[at])
        if self.depth >= 0 and self.state != NEXT:
            least = min(least, self.floor[self.depth])
        return self.ledger.bound_on_all(least)

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1.

        Knuth's measure: a node with a line of d options gives each a d-th of its share.
        """
        done = 0.0
        share = 1.0
        if self.depth < 0:
            return 1.0
        for level in range(self.depth + (self.state == NEXT)):
            begin = self.queue_end[level - 1] if level > 0 else 0
            width = self.slot_end[level] - begin + self.lent[level]
            if width:
                tried = self.slot[level] - begin - (level < self.depth)
                done += share * tried / width
                share /= width
        return min(done, 1.0)

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split.

        They do not: what is worth having depends on what was found before.
        """
        return False

    def beat(self, price: int) -> None:
        """Let only covers be worth having that cost less; between two slices."""
        self.ledger.cap((price - 1) * self.ledger.scale + 1)

    # -- divided -----------------------------------------------------------------------

    def split(self) -> LeviedRows | None:
        """Give half of what is left in a line to another kernel, between two slices.

        It is the line nearest to the root that has anything left, and the half with
        the larger rests: all that this kernel has still to search comes before what
        the other one has.

        Returns
        -------
        LeviedRows or None
            Ready to `advance`, its counters at nought; None if there is nothing to
            give.
        """
        for level in range(self.depth + (self.state == NEXT)):
            left: int = self.slot_end[level] - self.slot[level]
            given = (left + (level < self.depth)) // 2
            if given:
                break
        else:
            return None
        other: LeviedRows = type(self)(
            self.n_items,
            self.option_start,
            self.option_item,
            self.option_color if self.colored else zeros(0),
            self.low if self.n_primary else zeros(0),
            self.high if self.n_primary else zeros(0),
            self.ledger.twin(),
        )
        other.prepare()
        other.load(self.save())
        other.count_anew()
        other.rise(level)
        self.slot_end[level] -= given
        self.lent[level] += given
        other.forgo(self.slot_end[level])
        return other

    def rise(self, level: cython.int) -> None:
        """Go up to a level, and try nothing more below it."""
        if self.state == ENTER:
            # Nothing was levied at the node yet.
            before = self.taxes_end[self.depth - 1] if self.depth > 0 else 0
            self.taxes_end[self.depth] = before
        with cython.nogil:
            while self.depth > level:
                self.leave()

    def forgo(self, slot: int) -> None:
        """Exclude what comes before this place in the line of the current level."""
        live: int = (2 * self.depth + 1) * self.width
        for k in range(self.slot[self.depth], slot):
            o: int = self.queue[k]
            self.rows[live + o // 64] ^= 1 << (o % 64)
        self.slot[self.depth] = slot

    # -- saved and looked through ------------------------------------------------------

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        numbers = [self.updates, self.nodes, self.covers, self.steps]
        numbers += [self.depth, self.state, self.item, self.degree]
        numbers.append(self.ledger.n_podium)
        growing = [self.rows, self.queue, self.queue_rest, self.taxed, self.tax]
        return pack([array("q", numbers), *growing, *self._tables()])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to a problem of another size.
        """
        blocks = unpack(data)
        tables = [memoryview(table).cast("B") for table in self._tables()]
        if len(blocks) != 6 + len(tables) or len(blocks[0]) != 72:
            raise ValueError("this state belongs to another problem")
        if list(map(len, blocks[6:])) != list(map(len, tables)):
            raise ValueError("this state belongs to another problem")
        scalars = array("q", blocks[0])
        rows = array("Q", blocks[1])
        self.queue, self.queue_rest = array("i", blocks[2]), array("q", blocks[3])
        self.taxed, self.tax = array("i", blocks[4]), array("q", blocks[5])
        for table, block in zip(tables, blocks[6:], strict=True):
            table[:] = block
        try:
            self.updates, self.nodes, self.covers, self.steps = scalars[:4]
            self.depth, self.state, self.item, self.degree = scalars[4:8]
            fault = self._fault(rows)
        except OverflowError:
            fault = "a number is too large"
        if fault:
            # Nothing is to be searched with that.
            self.depth = -1
            raise ValueError(f"this state makes no sense: {fault}")
        self.ledger.restore(scalars[8])

    def _fault(self, rows: array[int]) -> str:
        """Name what is wrong with what was loaded; take the rows if they are right."""
        counters = (self.updates, self.nodes, self.covers, self.steps)
        if min(counters) < 0 or max(counters) >= MOST:
            return "a counter is out of range"
        levels: int = self.depth + (self.state == NEXT)
        if not -1 <= self.depth <= self.max_depth or not ENTER <= self.state <= NEXT:
            return "it rests nowhere"
        if len(self.queue) != len(self.queue_rest) or len(self.taxed) != len(self.tax):
            return "arrays do not fit together"
        if len(self.queue) <= self.n_options or len(self.taxed) <= self.n_primary:
            return "arrays are too short"
        if len(rows) < 2 * self.width * max(self.depth + 1, 2):
            return "there are too few rows"
        all_options = [self.rows[w] for w in range(self.width)]
        self.rows = rows
        for k in range(self.n_primary + 1):
            self.taken[k] = 0
        if self.depth < 0:
            return ""
        return self._path_fault(levels, all_options) or self._node_fault()

    def _path_fault(self, levels: int, above: list[int]) -> str:
        """Follow the path: each row is part of the one before, and has its options."""
        before = levied = 0
        for level in range(self.depth + 1):
            entered: int = 2 * level * self.width
            live = entered + self.width
            for w in range(self.width):
                if self.rows[entered + w] & ~above[w]:
                    return f"level {level} has more options than the one above"
                if self.rows[live + w] & ~self.rows[entered + w]:
                    return f"level {level} has more options than it was entered with"
            if level < levels or self.state == CHOOSE:
                if not levied <= self.taxes_end[level] < len(self.taxed):
                    return f"level {level} has no end of its taxes"
                for at in range(levied, self.taxes_end[level]):
                    if not 0 <= self.taxed[at] < self.n_primary:
                        return f"level {level} taxes no item"
                levied = self.taxes_end[level]
            if level >= levels:
                break
            begin, before = before, self.queue_end[level]
            if not begin <= self.slot[level] <= self.slot_end[level] <= before:
                return f"level {level} is nowhere in its line"
            if not before <= len(self.queue):
                return f"level {level} has a line without an end"
            for at in range(self.slot[level], self.slot_end[level]):
                if not self._is_live(self.queue[at], live):
                    return f"level {level} is to try what is not there"
            if level < self.depth:
                option: int = self.chosen[level]
                if not self._is_live(option, live):
                    return f"level {level} has chosen what is not there"
                above = self._row_below(option, live)
        return ""

    def _is_live(self, option: int, row: int) -> bool:
        if not 0 <= option < self.n_options:
            return False
        word: int = self.rows[row + option // 64]
        return bool(word >> (option % 64) & 1)

    def _row_below(self, option: int, row: int) -> list[int]:
        """Take an option, and give the row that its choice makes of another."""
        size: int = self.width
        below = zeros(size, "Q")
        for w in range(size):
            below[w] = self.rows[row + w]
        below[option // 64] &= ~(1 << (option % 64))
        for e in range(self.option_start[option], self.option_start[option + 1]):
            i: int = self.option_item[e]
            if i < self.n_primary:
                self.taken[i] += 1
                if self.taken[i] < self.high[i]:
                    continue
            self.rivals.strike(below, 0, e)
        return [*below]

    def _node_fault(self) -> str:
        """See that what was found out at the node at hand is so."""
        if self.state != CHOOSE:
            return ""
        before = self.queue_end[self.depth - 1] if self.depth > 0 else 0
        if before + self.n_options >= len(self.queue):
            return "there is no room for its line"
        if self.item < 0:
            return "" if self.item == -1 else "there is no such item"
        if self.item >= self.n_primary:
            return "there is no such item"
        need: int = self.low[self.item] - self.taken[self.item]
        if need <= 0:
            return "its item need not be covered any more"
        # Taxes levied after it was chosen may have struck out some of its options, but
        # all that it had were there when the node was entered.
        if not 1 <= self.degree <= self._size_when_entered(self.item) + 1 - need:
            return "more options are to be tried than there were"
        return ""

    def _size_when_entered(self, number: int) -> int:
        """Count the options of an item that were live when the node was entered."""
        entered: int = 2 * self.depth * self.width
        size = 0
        for k in range(self.of_item.start[number], self.of_item.start[number + 1]):
            w: int = self.of_item.word[k]
            word: int = self.rows[entered + w] & self.of_item.mask[k]
            size += word.bit_count()
        return size

    def _tables(self) -> list[Buffer]:
        """Give all arrays that change during the search and keep their length."""
        return [
            self.taken,
            self.rest,
            self.chosen,
            self.cost,
            self.floor,
            self.slot,
            self.slot_end,
            self.lent,
            self.queue_end,
            self.taxes_end,
            self.ledger.podium,
        ]

    def sanity(self) -> str:
        """Name the first invariant that does not hold; empty if all do."""
        rest = list(self.ledger.net)
        taken = [0] * self.n_items
        at: int = 0
        levels: int = self.depth + (self.state != ENTER)
        for level in range(levels):
            while at < self.taxes_end[level]:
                entered = self._entered(level)
                for o in range(self.n_options):
                    entries = range(self.option_start[o], self.option_start[o + 1])
                    items = [self.option_item[e] for e in entries]
                    if o in entered and self.taxed[at] in items:
                        rest[o] -= self.tax[at]
                at += 1
        for o in range(self.n_options):
            if rest[o] != self.rest[o]:
                return f"option {o} has {self.rest[o]} left instead of {rest[o]}"
        for level in range(self.depth):
            o = self.chosen[level]
            for e in range(self.option_start[o], self.option_start[o + 1]):
                taken[self.option_item[e]] += 1
        for level in range(self.depth + (self.state == NEXT)):
            if self.slot_end[level] + self.lent[level] > self.queue_end[level]:
                return f"level {level} is to try more options than stand in line"
        for i in range(self.n_primary):
            if taken[i] != self.taken[i]:
                return f"item {i} was taken {taken[i]} times, not {self.taken[i]}"
        return ""

    def _entered(self, level: int) -> set[int]:
        begin = 2 * level * self.width
        return {
            o
            for o in range(self.n_options)
            if self.rows[begin + o // 64] >> (o % 64) & 1
        }
