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

Since an option that was tried is cleared from its row, the row tells where the search
stands. (No other option of the item can be chosen with it anyway.)

Counters: `nodes` as in ``xcc.py``, although the trees differ where that branches on an
item of size 1 that is not the leftmost; `updates` are the options tried, refused ones
included; `steps` are the words looked at.

The arrays, besides those of `Search` and ``clashes.py``
--------------------------------------------------------
- ``rows[l * stride], ...``: the row of level l.
- ``item[l]``: the item that level l branches on.
- ``slot[l]``: which of its words has the next option.
- ``tried[l], size[l]``: how many of its options were tried, and how many there were.
- ``lent[l]``: how many of them were given to another kernel (`split`).
- ``suspect[l]``: the item to be counted first below level l.
- ``chosen[0 .. depth - 1]``: the options of the path.
- ``live``: a list of live options, used while counting.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import copied, enlarged, pack, unpack, zeros
from .clashes import Clashes
from .search import NOTHING, Search
from .status import Status

if not cython.compiled:
    from .bitwise import lowest, ones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

COMPILED: bool = cython.compiled

PAUSED = int(Status.PAUSED)
FULL = int(Status.FULL)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)

# Where the machine rests: before B1, before B2.
ENTER = 0
NEXT = 1

# What there may be instead of a smallest item.
NONE_LEFT = -1
STARVED = -2

ENDLESS = 0x7FFFFFFF

FEW = 64
"""Up to so many sets of items are gone through rather than counting each item."""

MOST = 1 << 60
"""No search counts so far."""

_NONE_YET: Any = None

NO_ROWS = zeros(1, "Q")


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
class BitsKernel(Search):
    """The search for exact covers with colors on bits, resumable at every step.

    Parameters
    ----------
    n_items, n_primary : int
        Items are numbered from 0, primary ones first.
    option_start, option_item, option_color : array('i')
        As for any search.
    clashes : Clashes, optional
        The table made of them, if there is one.
    given, without : iterable of int
        Options that are chosen before the search, and are no part of its covers; and
        options that are not to be used. The former must not clash with each other.
    above : iterable of int
        What every cover begins with: options of a larger problem, if this is what is
        left of one.
    kept : array('i'), optional
        Which option of the larger problem each of these is.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        clashes: Clashes | None = None,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
        above: Iterable[int] = (),
        kept: array[int] | None = None,
    ) -> None:
        levels: int = min(n_primary, len(option_start) - 1)
        Search.__init__(self, n_items, option_start, option_item, option_color, levels)
        path = tuple(above)
        self.n_above = len(path)
        self.above = array("i", path) if path else NOTHING
        self.max_depth += self.n_above
        self.kept = kept
        self.n_primary = n_primary
        self.least = 0
        self.is_ready = clashes is not None
        self.clashes = _NONE_YET if clashes is None else clashes
        self.given = tuple(given)
        self.without = tuple(without)
        self.rows = self.first = NO_ROWS
        self.number = NOTHING
        self.live = zeros(FEW + 1)
        self.item = zeros(levels + 2)
        self.slot = zeros(levels + 2)
        self.tried = zeros(levels + 2)
        self.lent = zeros(levels + 2)
        self.size = zeros(levels + 2)
        self.suspect = zeros(levels + 2)
        self.chosen = zeros(levels + 1)

    def prepare(self) -> bool:
        """Make the table and the first row, once, before the first `advance`.

        An item without options ends the search before it begins.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        if not self.is_ready:
            if not self.is_sound():
                raise ValueError("the options mention items that do not exist")
            self.clashes = Clashes(
                self.n_items,
                self.n_primary,
                self.option_start,
                self.option_item,
                self.option_color if self.colored else zeros(0),
                self,
            )
            if self.stopping:
                return False
        self.number = self.clashes.number
        if self.kept is not None:
            self.number = self.clashes.numbered(self.kept)
        self.width = self.clashes.width
        self.stride = self.clashes.stride
        self.rows = zeros(4 * self.stride + 1, "Q")
        self.begin()
        for o in self.without:
            self.strike(self.clashes.place[o], 0)
        for o in self.given:
            self.narrow(self.clashes.place[o], 0)
        self.first = copied(self.rows, self.stride)
        self.arrive()
        return not self.stopping

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(self) -> cython.void:
        """Make the first row that with everything."""
        w: cython.Py_ssize_t
        for w in range(self.stride):
            self.rows[w] = self.clashes.root[w]

    def follow(
        self,
        trail: list[tuple[int, list[int], list[int]]],
        depth: int,
        is_entered: bool,
    ) -> None:
        """Take up, after `prepare`, where another search of the problem stands.

        Parameters
        ----------
        trail : list of (int, list of int, list of int)
            For each level the item, its options tried so far, the last of which is
            the one on the path if the level is less than `depth`, and those lent.
        depth : int
            How many options are on the path.
        is_entered : bool
            Whether the node at the end of the path was counted there.
        """
        self.rows = enlarged(self.rows, (depth + 2) * self.stride + 1)
        self.depth = 0
        for item, tried, lent in trail:
            self.item[self.depth] = item
            self.slot[self.depth] = self.clashes.start[item]
            self.tried[self.depth] = len(tried)
            self.lent[self.depth] = len(lent)
            self.size[self.depth] = ENDLESS
            for o in tried + lent:
                self.strike(self.clashes.place[o], self.depth)
            if self.depth < depth:
                self.chosen[self.depth] = self.clashes.place[tried[len(tried) - 1]]
                self.narrow(self.chosen[self.depth], self.stride)
                self.depth += 1
        self.nodes = -int(is_entered)
        if len(trail) > depth:
            self.state = NEXT
        else:
            self.arrive()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arrive(self) -> cython.void:
        """Find the item of the node at the end of a path that was not searched."""
        at: cython.Py_ssize_t = self.depth * self.stride
        self.item[self.depth] = self.smallest(at, ENDLESS)
        self.size[self.depth] = self.least
        if self.item[self.depth] == STARVED:
            self.depth -= 1
            self.state = NEXT

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
    def strike(self, option: cython.int, level: cython.int) -> cython.void:
        """Take an option out of the row of a level."""
        at: cython.Py_ssize_t = level * self.stride
        one: cython.ulonglong = 1
        self.rows[at + option // 64] &= ~(one << (option % 64))

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
        self.narrow(option, self.stride)
        return self.smallest(at + self.stride, limit)

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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record(self) -> cython.bint:
        """Write the path down as a cover; false if the next might not fit."""
        level: cython.int
        for level in range(self.n_above):
            self.found[self.n_found] = self.above[level]
            self.n_found += 1
        for level in range(self.depth):
            self.found[self.n_found] = self.number[self.chosen[level]]
            self.n_found += 1
        return self.end_cover()

    def grow(self) -> None:
        """Enlarge the rows."""
        levels = min(2 * self.depth + 4, self.max_depth + 2)
        self.rows = enlarged(self.rows, levels * self.stride + 1)

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1.

        Knuth's measure: a level whose item has d options is worth a d-th of its
        parent for each option that is finished. It never decreases.
        """
        done = 0.0
        share = 1.0
        if self.depth < 0:
            return 1.0
        for level in range(self.depth + (self.state == NEXT)):
            tried: int = self.tried[level]
            width: int = tried + len(self._left(level)) + self.lent[level]
            if width:
                done += share * (tried - (level < self.depth)) / width
                share /= width
        return min(done, 1.0)

    def _left(self, level: int) -> list[int]:
        """Give the options of a level's item that are left, as they will be tried."""
        at: int = level * self.stride
        item: int = self.item[level]
        options = []
        for k in range(self.clashes.start[item], self.clashes.start[item + 1]):
            w: int = self.clashes.word[k]
            word: int = self.rows[at + w] & self.clashes.mask[k]
            while word:
                options.append(64 * w + (word & -word).bit_length() - 1)
                word &= word - 1
        return options

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split.

        They do: what is done at a node depends on its row alone.
        """
        return True

    def twin(self) -> BitsKernel:
        """Make another kernel for the same problem, to be prepared, on this table."""
        return BitsKernel(
            self.n_items,
            self.n_primary,
            self.option_start,
            self.option_item,
            self.option_color if self.colored else zeros(0),
            self.clashes,
            self.given,
            self.without,
            self.above[: self.n_above],
            self.kept,
        )

    def split(self) -> BitsKernel | None:
        """Give half of the options left to try to another kernel, between two slices.

        They are those of the level nearest to the root that has any, the later ones:
        all that this kernel has still to search comes before what the other one has.

        Returns
        -------
        BitsKernel or None
            Ready to `advance`, its counters at nought; None if there is nothing to
            give.
        """
        for level in range(self.depth + (self.state == NEXT)):
            left = self._left(level)
            kept = len(left) - (len(left) + (level < self.depth)) // 2
            if kept < len(left):
                break
        else:
            return None
        other: BitsKernel = self.twin()
        other.prepare()
        other.load(self.save())
        other.count_anew()
        other.depth = level
        other.state = NEXT
        other.tried[level] += kept
        self.lent[level] += len(left) - kept
        for o in left[:kept]:
            other.strike(o, level)
        for o in left[kept:]:
            self.strike(o, level)
        return other

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`.

        It is the path, with the options of each level that were tried or given away:
        the rows can be made of that.
        """
        numbers = [self.updates, self.nodes, self.covers, self.steps]
        numbers += [self.depth, self.state]
        path, tried = array("i"), array("i")
        row = zeros(self.stride, "Q")
        for w in range(self.stride):
            row[w] = self.first[w]
        for level in range(self.depth + (self.state == NEXT)):
            gone = zeros(self.tried[level] + self.lent[level])
            self.compare(row, level, gone)
            path.extend([self.item[level], self.slot[level], self.tried[level]])
            path.append(self.lent[level])
            path.append(self.chosen[level] if level < self.depth else 0)
            tried += gone
        return pack([array("q", numbers), self.suspect, path, tried])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def compare(
        self,
        row: cython.ulonglong[::1],
        level: cython.int,
        gone: cython.int[::1],
    ) -> cython.void:
        """Tell what is gone since a level was entered with a row; make the next one."""
        at: cython.Py_ssize_t = level * self.stride
        own: cython.Py_ssize_t = self.stride
        n: cython.Py_ssize_t = 0
        w: cython.Py_ssize_t
        word: cython.ulonglong
        own *= self.chosen[level]
        for w in range(self.stride):
            word = row[w] ^ self.rows[at + w]
            while word != 0 and n < len(gone):
                gone[n] = 64 * w + lowest(word)
                word &= word - 1
                n += 1
            row[w] = self.rows[at + w] & self.clashes.row[own + w]

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to a problem of another size.
        """
        blocks = unpack(data)
        sizes = [*map(len, blocks)]
        if len(blocks) != 4 or sizes[:2] != [48, 4 * len(self.suspect)]:
            raise ValueError("this state belongs to another problem")
        scalars, suspect = array("q", blocks[0]), array("i", blocks[1])
        path, tried = array("i", blocks[2]), array("i", blocks[3])
        *counters, depth, state = scalars
        levels = depth + (state == NEXT)
        if not -1 <= depth <= self.max_depth or not ENTER <= state <= NEXT:
            raise ValueError("this state belongs to another problem")
        if depth + state < 0 or len(path) != 5 * levels:
            raise ValueError("this state belongs to another problem")
        self.rows = zeros((depth + 3) * self.stride + 1, "Q")
        for w in range(self.stride):
            self.rows[w] = self.first[w]
        fault = self._walk(path, tried, depth)
        if not all(0 <= i < max(self.n_primary, 1) for i in suspect):
            fault = "there is no such suspect"
        if not all(-1 <= counter < MOST for counter in counters):
            fault = "a counter is out of range"
        if not fault and state == ENTER:
            at: int = depth * self.stride
            self.item[depth] = self.smallest(at, ENDLESS)
            self.size[depth] = self.least
            fault = "an item starves" if self.item[depth] == STARVED else ""
        if fault:
            # Nothing is to be searched with that.
            self.depth = -1
            raise ValueError(f"this state makes no sense: {fault}")
        self.depth, self.state = depth, state
        self.updates, self.nodes, self.covers, self.steps = counters
        for level in range(len(suspect)):
            self.suspect[level] = suspect[level]

    def _walk(self, path: array[int], tried: array[int], depth: int) -> str:
        """Go along a path, and make its rows; name what is wrong with it."""
        n: int = 0
        self.depth = 0
        for level in range(len(path) // 5):
            item: int = path[5 * level]
            slot: int = path[5 * level + 1]
            own: int = path[5 * level + 2]
            lent: int = path[5 * level + 3]
            chosen: int = path[5 * level + 4]
            count: int = own + lent
            gone = tried[n : n + count] if min(own, lent) >= 0 else array("i")
            n += len(gone)
            if not 0 <= item < self.n_primary or len(gone) != count:
                return f"level {level} branches on no item"
            if not self.clashes.start[item] <= slot <= self.clashes.start[item + 1]:
                return f"level {level} is at no option of its item"
            if level < depth and chosen not in gone:
                return f"level {level} has not tried its option"
            for option in gone:
                if not 0 <= option < self.n_options or not self._is_live(option):
                    return f"level {level} has tried what was not there"
                self.strike(option, level)
            self.item[level] = item
            self.slot[level] = slot
            self.tried[level] = own
            self.lent[level] = lent
            self.size[level] = ENDLESS
            if level < depth:
                self.chosen[level] = chosen
                self.narrow(chosen, self.stride)
                self.depth += 1
        return "" if n == len(tried) else "more was tried than there are levels"

    def _is_live(self, option: int) -> bool:
        word: int = self.rows[self.depth * self.stride + option // 64]
        return bool(word >> (option % 64) & 1)

    def sanity(self) -> str:
        """Name the first thing that is not as it should be; empty if all is."""
        row = [self.clashes.root[w] for w in range(self.stride)]
        for o in self.given:
            self._narrow(row, self.clashes.place[o])
        unused = {self.clashes.place[o] for o in self.without}
        for level in range(self.depth + (self.state == NEXT)):
            at: int = level * self.stride
            left = [self.rows[at + w] for w in range(self.stride)]
            gone = self._options(row) - unused
            if not self._options(left) <= gone:
                return f"level {level} has options that clash with the path"
            gone -= self._options(left)
            if len(gone) != self.tried[level] + self.lent[level]:
                return f"level {level} has lost options that were not tried"
            if left[self.width :] != row[self.width :]:
                return f"level {level} has other items left than it should"
            self._narrow(row, self.chosen[level])
        return ""

    def _narrow(self, row: list[int], option: int) -> None:
        at: int = option * self.stride
        for w in range(self.stride):
            row[w] &= self.clashes.row[at + w]

    def _options(self, row: list[int]) -> set[int]:
        return {o for o in range(self.n_options) if row[o // 64] >> (o % 64) & 1}
