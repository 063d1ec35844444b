# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""A problem laid out for searching on bits.

A *row* says what is left of a problem. Its first `width` words have a bit for every
option: whether it is *live*. The rest, up to `stride` words, have a bit for every
primary item: whether it is still to be covered. So the whole effect of choosing an
option is one AND of the row with another one that is known beforehand, that of the
option: it lacks the options that clash with it, in whatever item or color, and the
items that it covers. To undo it is to go back to the row before.

These rows are a table of n * n bits for n options, and then some. Two options of
pentominoes on a board of 6 by 10 clash or do not: 0.5 MB. For 20,000 options it is 50
MB, and takes some 50 ms to fill; much larger ones would not pay.

How many live options an item has is a count over the words in which it has any. There
are fewer of those if options with the same items stand together. So the options are
put in another order (see ``arranging.py``), which halves the words for pentominoes.
Of the words of an item those with the most options come first: who wants to know just
whether there are at least three looks at one or two.

The arrays
----------
- ``row[o * stride], ...``: the row of option o, in the order of the table.
- ``root[0 .. stride - 1]``: the row to start from, with everything.
- ``number[o]``: which option of the problem that is; ``place`` is the inverse.
- ``word[k], mask[k]`` for k from ``start[i]`` to ``start[i + 1]``: the words of a row
  that have options of item i, most options first, and which bits these are.
- ``covered[v * n_options + o]``: the v-th word of the set of items that option o has.

Nothing here changes once it is made: any number of searches can share it, also at the
same time.
"""

from __future__ import annotations

from array import array

import cython

from .arranging import arranged
from .arrays import zeros
from .marks import Rivals
from .search import Search

if not cython.compiled:
    from .bitwise import ones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COMPILED: bool = cython.compiled

_NO_SEARCH: Any = None

LARGEST_TABLE = 64 << 20
"""A larger one takes too long to make, and what is looked up is seldom in a cache."""


def words_of_row(n_options: int, n_primary: int) -> int:
    """Tell how many words a row has."""
    return (n_options + 63) // 64 + (n_primary + 63) // 64


def bytes_of_clashes(n_options: int, n_primary: int) -> int:
    """Tell what the rows of all options take."""
    return 8 * n_options * words_of_row(n_options, n_primary)


@cython.cclass
class Clashes:
    """The rows of all options, and where to look for those of an item.

    Parameters
    ----------
    n_items, n_primary : int
        Items are numbered from 0, primary ones first.
    option_start, option_item, option_color : array('i')
        As for a search.
    watched : Search, optional
        Once this is stopped, the table is of no use, and left as it is.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        watched: Search | None = None,
    ) -> None:
        n: int = len(option_start) - 1
        items = option_item or zeros(1)
        self.n_items = n_items
        self.n_primary = n_primary
        self.n_options = n
        self.width = (n + 63) // 64
        self.n_covered = (n_primary + 63) // 64
        self.stride = self.width + self.n_covered
        self.number = arranged(option_start, items, n_primary)
        self.place = zeros(n + 1)
        self.begin = zeros(n + 1)
        self.item = zeros(len(items))
        color = zeros(len(option_color))
        self.permute(option_start, items, self.item)
        if option_color:
            self.permute(option_start, option_color, color)
        self.rivals = Rivals(n_items, self.begin, self.item, color)
        self.row = zeros(n * self.stride + 1, "Q")
        self.root = zeros(self.stride + 1, "Q")
        self.covered = zeros(n * self.n_covered + 1, "Q")
        self.start = zeros(n_primary + 1)
        n_words: int = self.rivals.of_item.start[n_primary]
        self.word = zeros(n_words + 1)
        self.mask = zeros(n_words + 1, "Q")
        self.search = Search(0, zeros(1), zeros(0), zeros(0), 0)
        if watched is not None:
            self.search = watched
        with cython.nogil:
            self.fill()
            self.list_words()
        self.search = _NO_SEARCH

    def numbered(self, kept: array[int]) -> array[int]:
        """Give which option of a larger problem each is, in the order of the table."""
        return array("i", [kept[self.number[o]] for o in range(self.n_options)] + [0])

    def agree(self, options: tuple[int, ...]) -> bool:
        """Tell whether no two of some options clash."""
        one: cython.ulonglong = 1
        bit: cython.int
        at: cython.Py_ssize_t
        places = [self.place[o] for o in options]
        for k, o in enumerate(places):
            at = self.stride
            at *= o
            for other in places[:k]:
                bit = other
                if not self.row[at + bit // 64] & (one << (bit % 64)):
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def permute(
        self,
        option_start: cython.int[::1],
        source: cython.int[::1],
        target: cython.int[::1],
    ) -> cython.void:
        """Copy what the entries have in the order of the table."""
        e: cython.int
        o: cython.int
        at: cython.int = 0
        for o in range(self.n_options):
            self.place[self.number[o]] = o
            self.begin[o] = at
            for e in range(
                option_start[self.number[o]], option_start[self.number[o] + 1]
            ):
                target[at] = source[e]
                at += 1
        self.begin[self.n_options] = at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill(self) -> cython.void:
        """Make the rows of all options, and the one to start from."""
        e: cython.int
        i: cython.int
        o: cython.int
        w: cython.Py_ssize_t
        at: cython.Py_ssize_t
        one: cython.ulonglong = 1
        for o in range(self.n_options):
            self.root[o // 64] |= one << (o % 64)
        for i in range(self.n_primary):
            self.root[self.width + i // 64] |= one << (i % 64)
        for o in range(self.n_options):
            if self.search.stopping:
                return
            at = self.stride * o
            for w in range(self.stride):
                self.row[at + w] = self.root[w]
            self.row[at + o // 64] ^= one << (o % 64)
            for e in range(self.begin[o], self.begin[o + 1]):
                self.rivals.strike(self.row, at, e)
                i = self.item[e]
                if i < self.n_primary:
                    self.row[at + self.width + i // 64] &= ~(one << (i % 64))
                    w = i // 64
                    self.covered[w * self.n_options + o] |= one << (i % 64)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_words(self) -> cython.void:
        """Copy the words of the primary items, those with most options first."""
        i: cython.int
        k: cython.int
        at: cython.int
        first: cython.int
        mask: cython.ulonglong
        for i in range(self.n_primary):
            first = self.rivals.of_item.start[i]
            self.start[i] = first
            for k in range(first, self.rivals.of_item.start[i + 1]):
                mask = self.rivals.of_item.mask[k]
                at = k
                while at > first and ones(mask) > ones(self.mask[at - 1]):
                    self.mask[at] = self.mask[at - 1]
                    self.word[at] = self.word[at - 1]
                    at -= 1
                self.mask[at] = mask
                self.word[at] = self.rivals.of_item.word[k]
        self.start[self.n_primary] = self.rivals.of_item.start[self.n_primary]
