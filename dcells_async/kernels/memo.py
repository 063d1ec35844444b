# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The memo of a search: what came out of the states it has met.

A hash table with open addressing. The key of a state is its signature in 124 bits:
two states that differ have the same with a chance of 2^-124, so among a billion
(2^30) states there are two such with a chance below 2^-64. That is less than the
chance of the machine being wrong.

A memo that seldom knows an answer is not worth its memory. It watches itself over
windows of some questions, and gives up where fewer than one in `FEW` was
answered; from there on the search does without.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import pack, pages, unpack, zeros
from .diagrams import FIRST_SIZE

TYPE_CHECKING = False

WINDOW = 1 << 17
FEW = 32

_BYTES = 20
"""Those of a state: its signature and its value."""


@cython.cclass
class Memo:
    """States, as two numbers of 62 bits each, and their values.

    Parameters
    ----------
    window : int, > 0
        After so many questions it is seen whether they were worth while.
    """

    def __init__(self, window: int = WINDOW) -> None:
        self.window = window
        self.most = FIRST_SIZE
        self.n = self.lookups = self.hits = 0
        self.window_begin = self.window_hits = 0
        self.given_up = False
        self.settled = self.n_old = 0
        self.old_keys = pages(1, "q")
        self.old_values = pages(1)
        self.keys = pages(2 * self.most, "q")
        self.values = pages(self.most)

    @property
    def memory(self) -> int:
        """How many bytes the table takes."""
        return _BYTES * (len(self.values) + len(self.old_values))

    def grow(self, room: int) -> bool:
        """Double the table, if that takes no more bytes than there is room for.

        `settle` fills it. Gives false, and nothing is changed, if it does not fit.
        """
        if 2 * _BYTES * self.most > room:
            return False
        self.old_keys = self.keys
        self.old_values = self.values
        self.settled = 0
        self.n_old = self.most
        self.most *= 2
        self.keys = pages(2 * self.most, "q")
        self.values = pages(self.most)
        return True

    def release(self) -> None:
        """Let go of the old table, if it was moved."""
        if self.settled == self.n_old:
            self.old_keys = pages(1, "q")
            self.old_values = pages(1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self, most: cython.longlong) -> cython.longlong:
        """Move what is in so many slots to the new table; give how many are left."""
        at: cython.longlong
        k: cython.longlong = self.settled
        end: cython.longlong = min(k + most, self.n_old)
        while k < end:
            if self.old_values[k] != 0:
                at = self.old_keys[2 * k] & (self.most - 1)
                while self.values[at] != 0:
                    at = (at + 1) & (self.most - 1)
                self.keys[2 * at] = self.old_keys[2 * k]
                self.keys[2 * at + 1] = self.old_keys[2 * k + 1]
                self.values[at] = self.old_values[k]
            k += 1
        self.settled = end
        return self.n_old - end

    def save(self) -> bytes:
        """Give all that is remembered, for `load`."""
        # Once it is emptied, just the number is kept.
        n: cython.longlong = self.n if self.most >= FIRST_SIZE else 0
        with cython.nogil:
            self.settle(self.n_old)
        keys, values = zeros(2 * n, "q"), zeros(n)
        self.gather(keys, values)
        numbers = [self.most, self.n, self.lookups, self.hits, self.given_up]
        numbers += [self.window_begin, self.window_hits]
        return pack([array("q", numbers), keys, values])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(
        self, keys: cython.longlong[::1], values: cython.int[::1]
    ) -> cython.void:
        n: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        for k in range(len(self.values)):
            if self.values[k] != 0 and n < len(values):
                keys[2 * n] = self.keys[2 * k]
                keys[2 * n + 1] = self.keys[2 * k + 1]
                values[n] = self.values[k]
                n += 1

    def load(self, data: bytes, end: int) -> None:
        """Take up what `save` gave, with values that are all below `end`.

        Raises
        ------
        ValueError
            It makes no sense.
        """
        blocks = unpack(data)
        if len(blocks) != 3 or len(blocks[0]) != 56:
            raise ValueError("this is no memo")
        numbers = array("q", blocks[0])
        keys, values = array("q", blocks[1]), array("i", blocks[2])
        most, n, lookups, hits, given_up, window_begin, window_hits = numbers
        if not 0 <= min(n, hits, window_begin, window_hits) <= lookups < 1 << 60:
            raise ValueError("this is no memo")
        if len(keys) != 2 * len(values) or len(values) not in (0, n):
            raise ValueError("this is no memo")
        if not all(0 < value <= end for value in values):
            raise ValueError("the memo knows nodes that there are not")
        self.n, self.lookups, self.hits = n, lookups, hits
        self.window_begin, self.window_hits = window_begin, window_hits
        self.given_up = bool(given_up)
        # It was emptied, perhaps before it had remembered anything.
        if given_up or len(values) < n or most < FIRST_SIZE:
            self.empty()
            return
        # As `grow` leaves it: never larger than it needs to be, and never full.
        is_needed = most == FIRST_SIZE or FIRST_SIZE < most <= 5 * (n // 2 + 1)
        if most & (most - 1) or not is_needed or n >= most:
            raise ValueError("the memo is not of the size that it needs")
        self.most = most
        self.keys, self.values = pages(2 * most, "q"), pages(most)
        self.old_keys, self.old_values = keys or zeros(1, "q"), values or zeros(1)
        self.settled, self.n_old = 0, n
        with cython.nogil:
            self.settle(self.n_old)
        self.release()

    def empty(self) -> None:
        """Let go of the table: nothing will be asked any more."""
        self.most = 4
        self.settled = self.n_old = 0
        self.release()
        self.keys = pages(8, "q")
        self.values = pages(4)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, first: cython.longlong, second: cython.longlong) -> cython.int:
        """Give the value of a state, or -1 if it was not met before."""
        at: cython.longlong = first & (self.most - 1)
        self.lookups += 1
        while self.values[at] != 0:
            if self.keys[2 * at] == first and self.keys[2 * at + 1] == second:
                self.hits += 1
                return self.values[at] - 1
            at = (at + 1) & (self.most - 1)
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def store(
        self, first: cython.longlong, second: cython.longlong, value: cython.int
    ) -> cython.void:
        """Remember the value of a state that is not known; there is room."""
        at: cython.longlong = first & (self.most - 1)
        while self.values[at] != 0:
            at = (at + 1) & (self.most - 1)
        self.keys[2 * at] = first
        self.keys[2 * at + 1] = second
        self.values[at] = value + 1
        self.n += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_full(self) -> cython.bint:
        """Tell whether `grow` is needed before the next `store`."""
        return not self.given_up and self.n * 5 >= self.most * 4

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_watched(self) -> cython.bint:
        """Tell whether it is time to `judge` the memo."""
        return self.lookups - self.window_begin >= self.window

    def judge(self) -> None:
        """Give up, at the end of a window, if too few questions were answered in it."""
        if self.is_watched():
            if (self.hits - self.window_hits) * FEW < self.window:
                self.given_up = True
                self.empty()
            self.window_begin = self.lookups
            self.window_hits = self.hits
