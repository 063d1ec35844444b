# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""XCC on bits: exact covering with colors, with what is left kept in a row of bits.

The search tree is that of ``xcc.py``: it branches on the primary item with the fewest
live options, ties to the leftmost, and tries each of them in turn. What differs is how
it knows them. Dancing cells keep the sizes of all items up to date, and pay for each
option that goes, item by item. Here a level of the path has a row that tells which
options are live (``clashes.py``), to choose an option is one AND, to undo it is
nothing at all, and sizes are *counted*, when they are asked for, by looking at the
words of the row that have options of the item.

That would be slow if everything were counted to the end. It is not:

- The count of an item stops when it reaches the least size so far: most items are
  done after a word or two. Starved ones, of size nought, end everything at once.
- The options of a node are tried one after another and tend to fail in the same way.
  So the item that stood out last time, as starved or as smallest, is the *suspect*. It
  is counted first, even before the AND: if it is starved, the option is refused.
- When few options are left, it is quicker to look at them than for them. Each has a
  set of items, as a word (or a few); to go through the sets with ``twice |= once &
  set; once |= set`` tells which items occur at all, and which more than once.

An option whose choice would starve an item is refused before a node is made for it. In
a plain search most options tried are: two of three with pentominoes, five of six with
a filomino puzzle of 15 by 15, whose 6,282 options take dancing cells 2,230 million
updates and this search 0.1 seconds.

One level of the search tree goes like this:

- B1. [Enter.] Count a node. If no item is left to be covered, the path is a cover.
- B2. [Next.] Take the next option of the node's item from the row; if there is none,
  go up.
- B3. [Choose.] Make the row of the next level. If some item is starved there, go back
  to B2; otherwise note the smallest item, and go a level deeper.

Counters: `nodes` as in ``xcc.py``, although the trees differ where that branches on an
item of size 1 that is not the leftmost; `updates` are the options tried, refused ones
included; `steps` are the words looked at.

What a level of the path has, and how a search is saved and split, is told in
``rows.py``. In addition there is ``live``, a list of live options, used while counting.
"""

from __future__ import annotations

import cython

from .arrays import zeros
from .rows import BitRows
from .status import Status

if not cython.compiled:
    from .bitwise import lowest, ones
    from .rows import ENDLESS, ENTER, NEXT

COMPILED: bool = cython.compiled

PAUSED = int(Status.PAUSED)
FULL = int(Status.FULL)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)

# What there may be instead of a smallest item.
NONE_LEFT = -1
STARVED = -2

FEW = 64
"""Up to so many sets of items are gone through rather than counting each item."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def meet(
    rows: cython.ulonglong[::1],
    at: cython.Py_ssize_t,
    below: cython.Py_ssize_t,
    table: cython.ulonglong[::1],
    own: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
) -> cython.void:
    """Make a row of the bits that two rows have in common.

    A function of its own, since a compiler takes several words at once only where it
    can see that the arrays stay in their places.
    """
    w: cython.Py_ssize_t
    for w in range(n):
        rows[below + w] = rows[at + w] & table[own + w]


@cython.cclass
class BitsKernel(BitRows):
    """The search for exact covers with colors on bits, resumable at every step.

    The parameters are those of `BitRows`.
    """

    def prepare(self) -> bool:
        """Make the table and the first row, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        self.live = zeros(FEW + 1)
        return bool(BitRows.prepare(self))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong, target: cython.longlong) -> cython.int:
        option: cython.int
        item: cython.int
        while self.depth >= 0:
            if self.stopping:
                return STOPPED
            if self.updates + self.steps >= until:
                return PAUSED
            if self.state == ENTER:
                if (self.depth + 2) * self.stride > len(self.rows):
                    return GROW
                self.nodes += 1  # B1
                self.state = NEXT
                item = self.item[self.depth]
                if item != NONE_LEFT:
                    self.slot[self.depth] = self.clashes.start[item]
                    self.tried[self.depth] = self.lent[self.depth] = 0
                    continue
                self.covers += 1
                if self.keep and not self.record():
                    target = self.covers
                self.depth -= 1
                if self.covers >= target and self.depth >= 0:
                    return FULL
            else:
                option = self.next_option()  # B2
                if option < 0:
                    self.depth -= 1
                    continue
                item = self.choose(option)  # B3
                if item != STARVED:
                    self.depth += 1
                    self.item[self.depth] = item
                    self.size[self.depth] = self.least
                    self.state = ENTER
        return STOPPED if self.stopping else DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def next_option(self) -> cython.int:
        """B2: take the next live option of the item out of the row; -1 for none."""
        at: cython.Py_ssize_t = self.depth * self.stride
        k: cython.int = self.slot[self.depth]
        end: cython.int = self.clashes.start[self.item[self.depth] + 1]
        w: cython.int
        word: cython.ulonglong
        if self.tried[self.depth] == self.size[self.depth]:
            return -1
        while k < end:
            w = self.clashes.word[k]
            word = self.rows[at + w] & self.clashes.mask[k]
            if word != 0:
                self.rows[at + w] ^= word & (~word + 1)
                self.slot[self.depth] = k
                self.tried[self.depth] += 1
                return 64 * w + lowest(word)
            k += 1
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self, option: cython.int) -> cython.int:
        """B3: choose an option; give the smallest item, or what there is instead."""
        at: cython.Py_ssize_t = self.depth * self.stride
        own: cython.Py_ssize_t = self.stride
        w: cython.Py_ssize_t
        i: cython.int = self.suspect[self.depth]
        k: cython.int
        size: cython.int = 0
        limit: cython.int = ENDLESS
        own *= option
        self.updates += 1
        w = self.width + i // 64
        if (self.rows[at + w] & self.clashes.row[own + w]) >> (i % 64) & 1:
            for k in range(self.clashes.start[i], self.clashes.start[i + 1]):
                w = self.clashes.word[k]
                size += ones(
                    self.rows[at + w] & self.clashes.row[own + w] & self.clashes.mask[k]
                )
            self.steps += self.clashes.start[i + 1] - self.clashes.start[i]
            if size == 0:
                return STARVED
            limit = size + 1
        self.chosen[self.depth] = option
        meet(self.rows, at, at + self.stride, self.clashes.row, own, self.stride)
        return self.smallest(at + self.stride, limit)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def narrow(self, option: cython.int, further: cython.Py_ssize_t) -> cython.void:
        """Choose an option: make the row that is so much further than the current."""
        at: cython.Py_ssize_t = self.depth * self.stride
        own: cython.Py_ssize_t = self.stride
        own *= option
        meet(self.rows, at, at + further, self.clashes.row, own, self.stride)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arrive(self) -> cython.void:
        """Find the item of a node that was not searched; go up if one is starved."""
        at: cython.Py_ssize_t = self.depth * self.stride
        self.item[self.depth] = self.smallest(at, ENDLESS)
        self.size[self.depth] = self.least
        if self.item[self.depth] == STARVED:
            self.depth -= 1
            self.state = NEXT

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def smallest(self, at: cython.Py_ssize_t, limit: cython.int) -> cython.int:
        """Give the smallest item in a row, ties to the leftmost.

        It must be smaller than `limit`. If there is no item, that is `NONE_LEFT`; if
        one has no options, `STARVED`.
        """
        n: cython.int = 0
        i: cython.int
        w: cython.Py_ssize_t
        most: cython.int = FEW // self.clashes.n_covered if self.n_primary > 0 else 0
        word: cython.ulonglong
        self.steps += self.stride
        for w in range(self.width):
            n += ones(self.rows[at + w])
        if n <= most:
            n = 0
            for w in range(self.width):
                word = self.rows[at + w]
                while word != 0:
                    self.live[n] = 64 * w + lowest(word)
                    word &= word - 1
                    n += 1
            i = self.smallest_of_few(at, n)
            if i != ENDLESS:
                return i
        return self.smallest_counted(at, limit)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def smallest_of_few(self, at: cython.Py_ssize_t, n: cython.int) -> cython.int:
        """Look for the smallest item by going through the sets of n live options.

        It is found if it has one option or two; otherwise this gives `ENDLESS`.
        """
        v: cython.int
        k: cython.int
        alone: cython.int = ENDLESS
        pair: cython.int = ENDLESS
        left: cython.ulonglong
        any_left: cython.ulonglong = 0
        once: cython.ulonglong
        twice: cython.ulonglong
        thrice: cython.ulonglong
        own: cython.ulonglong
        begin: cython.Py_ssize_t = 0
        for v in range(self.clashes.n_covered):
            left = self.rows[at + self.width + v]
            if left != 0:
                any_left = 1
                once = twice = thrice = 0
                for k in range(n):
                    own = self.clashes.covered[begin + self.live[k]]
                    thrice |= twice & own
                    twice |= once & own
                    once |= own
                self.steps += n
                if left & ~once:
                    return STARVED
                if alone == ENDLESS and left & ~twice:
                    alone = 64 * v + lowest(left & ~twice)
                if pair == ENDLESS and left & ~thrice:
                    pair = 64 * v + lowest(left & ~thrice)
            begin += self.n_options
        if any_left == 0:
            return NONE_LEFT
        self.least = 1 if alone != ENDLESS else 2
        return alone if alone != ENDLESS else pair

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def smallest_counted(self, at: cython.Py_ssize_t, limit: cython.int) -> cython.int:
        """Look for the smallest item by counting the options of each, up to the limit.

        Whatever stands out is the suspect from now on.
        """
        v: cython.int
        i: cython.int
        k: cython.int
        end: cython.int
        size: cython.int
        best: cython.int = NONE_LEFT
        left: cython.ulonglong
        for v in range(self.clashes.n_covered):
            left = self.rows[at + self.width + v]
            while left != 0:
                i = 64 * v + lowest(left)
                left &= left - 1
                size = 0
                k = self.clashes.start[i]
                end = self.clashes.start[i + 1]
                while k < end and size < limit:
                    size += ones(
                        self.rows[at + self.clashes.word[k]] & self.clashes.mask[k]
                    )
                    k += 1
                self.steps += k - self.clashes.start[i]
                if size < limit:
                    best = i
                    limit = size
                    if size == 0:
                        self.suspect[self.depth] = i
                        return STARVED
        if best >= 0:
            self.least = limit
            self.suspect[self.depth] = best
        return best

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split.

        They do: what is done at a node depends on its row alone.
        """
        return True
