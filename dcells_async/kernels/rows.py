# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Rows of bits along a path: where a search on bits stands.

Each level of the path has a *row*, which tells what options are live there, and behind
them which items have still to be covered (``clashes.py``). To choose an option makes
the row of the next level, and to go up again is nothing at all. An option that was
tried, or given to another search, is cleared from the row of its level. (No other
option of the item can be chosen with it anyway.)

So the rows tell where a search stands, and it can be left and taken up there: it can
follow another search, be split in two, be saved and loaded. How it goes on is told in
``bits.py``.

The arrays, besides those of `Search` and ``clashes.py``
--------------------------------------------------------
- ``rows[l * stride], ...``: the row of level l; ``first`` is what the root began with.
- ``item[l]``: the item that level l branches on.
- ``slot[l]``: which of its words has the next option.
- ``tried[l], size[l]``: how many of its options were tried, and how many there were.
- ``lent[l]``: how many of them were given to another kernel (`split`).
- ``suspect[l]``: the item to be counted first below level l.
- ``chosen[0 .. depth - 1]``: the options of the path.
- ``above``: what every cover begins with; ``number[o]`` is what option o is called.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import copied, enlarged, pack, unpack, zeros
from .clashes import Clashes
from .search import NOTHING, Search

if not cython.compiled:
    from .bitwise import lowest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

COMPILED: bool = cython.compiled

# Where the machine rests: before B1, before B2.
ENTER = 0
NEXT = 1

ENDLESS = 0x7FFFFFFF

MOST = 1 << 60
"""No search counts so far."""

_NONE_YET: Any = None

NO_ROWS = zeros(1, "Q")


@cython.cclass
class BitRows(Search):
    """A search on bits, as far as it does not say how it goes on.

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
    def narrow(self, option: cython.int, further: cython.Py_ssize_t) -> cython.void:
        """Choose an option: make the row that is so much further than the current.

        This and the next are the search's own, so that it need not ask for them here.
        """

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arrive(self) -> cython.void:
        """Find the item of the node at the end of a path that was not searched.

        Where some item is starved, go up.
        """

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

    def twin(self) -> BitRows:
        """Make another kernel for the same problem, to be prepared, on this table."""
        return type(self)(
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

    def split(self) -> BitRows | None:
        """Give half of the options left to try to another kernel, between two slices.

        They are those of the level nearest to the root that has any, the later ones:
        all that this kernel has still to search comes before what the other one has.

        Returns
        -------
        BitRows or None
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
        other: BitRows = self.twin()
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
            self.arrive()
            fault = "an item starves" if self.depth < depth else ""
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
