# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Sparse sets with prices: a search on them for the cheapest covers.

What options cost beyond their taxes is settled once, at the root; each node sweeps
away what has become too dear, and goes on where its parent stopped. (The other way,
to levy taxes anew at every node, is that of ``cheapest.py``. This one takes the items
and options just as the plain search does.) See ``sweep.py`` for the figures.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import pack, unpack
from .cells import SparseSets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from typing import Any as Buffer

    from .sweep import SweptLedger

COMPILED: bool = cython.compiled


_NO_LEDGER: Any = None


@cython.cclass
class PricedSets(SparseSets):
    """Sparse sets, with a ledger if the search is for the cheapest covers."""

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        max_depth: int,
        header: int = 2,
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
        self.priced = False
        self.ledger = _NO_LEDGER
        self.offsets: list[int] = []
        self.numbers: dict[int, int] = {}

    def open_ledger(self, ledger: SweptLedger) -> None:
        """Look for the cheapest covers only, before the first `advance`."""
        self.ledger = ledger
        self.priced = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def afford(self) -> cython.bint:
        """Tell whether the node may lead to a cover worth having.

        If so, sweep away the options that are too dear from here on. The node is
        to be given up where no item is known to be forced: what is on the stack
        then would be taken for forced in the next node too, which it is not.
        """
        level: cython.int = self.depth
        at: cython.int
        option: cython.int
        if self.ledger.is_too_dear(self.ledger.cost[level] + self.ledger.owed[level]):
            return False
        at = self.ledger.swept[level]
        while at < self.ledger.n_options:
            option = self.ledger.dearest[at]
            if not self.ledger.is_beyond(level, option):
                break
            if not self.discard(self.ledger.first_node[option]):
                return False
            at += 1
            self.steps += 1
        self.ledger.swept[level] = at
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def earn(self) -> cython.bint:
        """Put the cover at hand on the podium, or give it up if it is too dear.

        Being a cover, it owes no more; but the tax due may be below nought, where an
        item was covered more often than it had to be, or a secondary one not at all.
        """
        if self.ledger.is_too_dear(self.ledger.cost[self.depth]):
            self.give_up()
            return False
        self.ledger.enter(self.ledger.cost[self.depth])
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def discard(self, first: cython.int) -> cython.bint:
        """Delete an option, known by its first node, from all sets; each in its way."""
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def give_up(self) -> cython.void:
        """Leave the node just entered for good; each in its own way."""

    def beat(self, price: int) -> None:
        """Let only covers be worth having that cost less; between two slices."""
        self.ledger.cap((price - 1) * self.ledger.scale + 1)

    def live(self) -> list[tuple[int, list[int]]]:
        """Give the active primary items, and the options that can still cover each.

        Items and options are numbered from 0; both come in the order in which they
        happen to stand.
        """
        self._number()
        pairs = []
        for k in range(self.active):
            x = self.items[k]
            if x < self.second:
                pairs.append((self.numbers[x], self._options_at(x)))
        return pairs

    def options_of(self, number: int) -> list[int]:
        """Give the options that can still cover an item; none if it is not active."""
        x: int = self.offset_of(number)
        return self._options_at(x) if self.cells[x - 2] < self.active else []

    def _options_at(self, x: int) -> list[int]:
        return [
            self.ledger.option_of_node[self.cells[cell]]
            for cell in range(x, x + self.cells[x - 1])
        ]

    def offset_of(self, number: int) -> int:
        """Give the offset of an item, counted from 0."""
        self._number()
        return self.offsets[number]

    def _number(self) -> None:
        if not self.offsets:
            self.offsets = sorted(self.items[k] for k in range(self.n_items))
            self.numbers = {x: number for number, x in enumerate(self.offsets)}

    def need(self, number: int) -> int:
        """Give how many times an item, counted from 0, has to be covered yet."""
        x: int = self.offset_of(number)
        return int(x < self.second and self.cells[x - 2] < self.active)

    def paid(self) -> int:
        """Give the price of the options chosen so far, in the callers' units."""
        return self.ledger.cost[self.depth] // self.ledger.scale

    def best_price(self) -> int | None:
        """Give the price of the cheapest cover found; None if there is none."""
        return self.ledger.best if self.priced else None

    def lower_bound(self) -> int | None:
        """Give what any cover costs at least; None in a search without prices."""
        if not self.priced:
            return None
        money = self.ledger
        least = money.limit
        for level in range(self.depth + 1):
            ahead = self.least_ahead(level)
            if ahead is not None:
                least = min(least, money.cost[level] + money.owed[level] + ahead)
        return money.bound_on_all(least)

    def least_ahead(self, level: int) -> int | None:
        """Give the least net cost of what is still to be tried on a level.

        None if nothing is; each search in its way.
        """
        return None

    def ask(self) -> None:
        """Ask the caller's bound, and give the node up if it is too dear."""
        if self.ledger.is_bound_too_dear(self, self.ledger.cost[self.depth]):
            with cython.nogil:
                self.give_up()

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        podium = array("q", [self.ledger.n_podium if self.priced else 0])
        return pack([podium, SparseSets.save(self)])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to a problem of another size.
        """
        podium, *rest = unpack(data)
        if len(podium) != 8 or len(rest) != 1:
            raise ValueError("this state belongs to another problem")
        SparseSets.load(self, rest[0])
        if self.priced:
            self.ledger.restore(array("q", podium)[0])

    def _fault(self, items: array[int], places: array[int]) -> str:
        if self.priced:
            for level in range(self.max_depth + 2):
                if not 0 <= self.ledger.swept[level] <= self.ledger.n_options:
                    return "more options are swept than there are"
        return ""

    def _tables(self) -> list[Buffer]:
        tables: list[Buffer] = super()._tables()
        return [*tables, *(self.ledger.tables() if self.priced else ())]
