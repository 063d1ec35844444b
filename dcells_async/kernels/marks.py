# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Sets of options as bits of words, and which options agree in a color.

A set of options is a *row*: option o is bit ``o % 64`` of word ``o // 64``. The options
of one item seldom fill a row, so of its set only the words that are not zero are kept,
and a row is narrowed by an item in as many operations:

- ``word[k], mask[k]`` for k from ``start[s]`` to ``start[s + 1]``: the words of set s,
  in rising order.

To choose an option is to clear from the row of live options all that clash with it:
for each of its items the whole set, or, if the item is given a color, the set less
the options that give it the same. Those are a *class*, one item in one color; the
words of a class are among the words of its item.
"""

from __future__ import annotations

import cython

from .arrays import zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from typing import Any as Buffer

COMPILED: bool = cython.compiled


@cython.cclass
class Marks:
    """Sets of options: in each those that have an entry with the set's number.

    Parameters
    ----------
    option_start : array('i'), shape (n_options + 1,)
        Where the entries of each option begin.
    key : array('i'), shape (n_entries,)
        The set that each entry puts its option into; -1 for none.
    n_sets : int
    """

    def __init__(self, option_start: Buffer, key: Buffer, n_sets: int) -> None:
        last = zeros(n_sets + 1)
        self.n_sets = n_sets
        self.start = zeros(n_sets + 1)
        n_words: int = self.count(option_start, key, last)
        self.word = zeros(n_words + 1)
        self.mask = zeros(n_words + 1, "Q")
        self.fill(option_start, key, last)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count(
        self, option_start: cython.int[::1], key: cython.int[::1], last: cython.int[::1]
    ) -> cython.int:
        """Find where the words of each set begin; give how many there are in all."""
        o: cython.int
        k: cython.int
        s: cython.int
        total: cython.int = 0
        words: cython.int
        for o in range(len(option_start) - 1):
            for k in range(option_start[o], option_start[o + 1]):
                s = key[k]
                # `last` holds one more than the last word, so that 0 is none.
                if s >= 0 and last[s] != o // 64 + 1:
                    last[s] = o // 64 + 1
                    self.start[s] += 1
        for s in range(self.n_sets):
            words = self.start[s]
            self.start[s] = total
            last[s] = total
            total += words
        self.start[self.n_sets] = total
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill(
        self, option_start: cython.int[::1], key: cython.int[::1], last: cython.int[::1]
    ) -> cython.void:
        """Write the words; `last` is the place behind the last one of each set."""
        o: cython.int
        k: cython.int
        s: cython.int
        at: cython.int
        one: cython.ulonglong = 1
        for o in range(len(option_start) - 1):
            for k in range(option_start[o], option_start[o + 1]):
                s = key[k]
                if s < 0:
                    continue
                at = last[s]
                if at == self.start[s] or self.word[at - 1] != o // 64:
                    self.word[at] = o // 64
                    last[s] += 1
                    at += 1
                self.mask[at - 1] |= one << (o % 64)


@cython.cclass
class Rivals:
    """The options that clash with an option because of one of its entries.

    Parameters
    ----------
    n_items : int
    option_start, option_item, option_color : array('i')
        As for a search.
    """

    def __init__(
        self,
        n_items: int,
        option_start: Buffer,
        option_item: Buffer,
        option_color: Buffer,
    ) -> None:
        self.colored = len(option_color) > 0
        self.item = option_item if len(option_item) else zeros(1)
        self.of_item = self.of_class = Marks(option_start, option_item, n_items)
        self.entry_class = zeros(1)
        if self.colored:
            self.entry_class, n_classes = classes(option_item, option_color, n_items)
            self.of_class = Marks(option_start, self.entry_class, n_classes)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def strike(
        self,
        row: cython.ulonglong[::1],
        begin: cython.Py_ssize_t,
        entry: cython.int,
    ) -> cython.void:
        """Clear the rivals of an entry, itself among them, from the row at `begin`."""
        i: cython.int = self.item[entry]
        c: cython.int = self.entry_class[entry] if self.colored else -1
        m: cython.int = self.of_class.start[c] if c >= 0 else 0
        k: cython.int
        w: cython.int
        gone: cython.ulonglong
        for k in range(self.of_item.start[i], self.of_item.start[i + 1]):
            w = self.of_item.word[k]
            gone = self.of_item.mask[k]
            if c >= 0 and m < self.of_class.start[c + 1]:
                if self.of_class.word[m] == w:
                    gone &= ~self.of_class.mask[m]
                    m += 1
            row[begin + w] &= ~gone


def classes(item: Buffer, color: Buffer, n_items: int) -> tuple[array[int], int]:
    """Give the class of each entry, -1 for those without color, and how many there are.

    Parameters
    ----------
    item, color : array('i'), shape (n_entries,)
        Color 0 is none.
    n_items : int
    """
    n_entries: int = len(color)
    of_entry = zeros(n_entries)
    order = zeros(n_entries + 1)
    place = zeros(largest(color) + 2)
    order_by(color, place, order)
    n_classes: int = number(
        item, color, order, zeros(n_items + 1), zeros(n_items + 1), of_entry
    )
    return of_entry, n_classes


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def largest(numbers: cython.int[::1]) -> cython.int:
    """Give the largest of some numbers that are not negative."""
    k: cython.int
    most: cython.int = 0
    for k in range(len(numbers)):
        most = max(most, numbers[k])
    return most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def order_by(
    color: cython.int[::1], place: cython.int[::1], order: cython.int[::1]
) -> cython.void:
    """Sort the entries by color (counting sort)."""
    k: cython.int
    for k in range(len(color)):
        place[color[k] + 1] += 1
    for k in range(1, len(place)):
        place[k] += place[k - 1]
    for k in range(len(color)):
        order[place[color[k]]] = k
        place[color[k]] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number(
    item: cython.int[::1],
    color: cython.int[::1],
    order: cython.int[::1],
    seen: cython.int[::1],
    of_item: cython.int[::1],
    of_entry: cython.int[::1],
) -> cython.int:
    """Number the classes in the order of their colors; give how many there are."""
    k: cython.int
    e: cython.int
    i: cython.int
    n_classes: cython.int = 0
    for k in range(len(color)):
        e = order[k]
        i = item[e]
        of_entry[e] = -1
        if color[e] > 0:
            if seen[i] != color[e]:
                seen[i] = color[e]
                of_item[i] = n_classes
                n_classes += 1
            of_entry[e] = of_item[i]
    return n_classes
