# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""An order of options in which those of an item stand close together.

Where options are bits of words, an item is looked at a word at a time, and what counts
is in how many words it has options. To find the best order is as hard as anything;
sorting the options by their first item, and those with the same by their second, does
nearly as well for whatever has neighbors (a greedy choice of the next option by the
items it shares with those before saved 5 to 10 per cent of the words of pentominoes,
and took a hundred times as long). Whether the items that tell more come first or last
is up to who wrote the problem. So both ends are tried, the last two items as well. What
fits into one word stays as it is.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Buffer

COMPILED: bool = cython.compiled


def arranged(option_start: Buffer, option_item: Buffer, n_primary: int) -> array[int]:
    """Give the options in an order that needs few words.

    Parameters
    ----------
    option_start, option_item : array('i')
        As for a search.
    n_primary : int
        Items from this number on do not matter.

    Returns
    -------
    array('i'), shape (n_options + 1,)
        The options; the last place is unused.
    """
    n: int = len(option_start) - 1
    if n <= 64:
        return array("i", range(n + 1))
    orders = [zeros(n + 1), zeros(n + 1)]
    n_words = []
    first, second, before = zeros(n + 1), zeros(n + 1), zeros(n + 1)
    for sign, order in zip((1, -1), orders, strict=True):
        find_keys(option_start, option_item, n_primary, sign, first, second)
        for o in range(n):
            before[o] = o
        sort(before, second, zeros(n_primary + 2), order)
        before[:] = order
        sort(before, first, zeros(n_primary + 2), order)
        n_words.append(words_of(option_start, option_item, order, zeros(n_primary + 1)))
    return orders[n_words[1] < n_words[0]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_keys(
    option_start: cython.int[::1],
    option_item: cython.int[::1],
    n_primary: cython.int,
    sign: cython.int,
    first: cython.int[::1],
    second: cython.int[::1],
) -> cython.void:
    """Find the first two primary items of each option, or with sign -1 the last two.

    They are keys from 0 up; an option that has fewer items has the key `n_primary`.
    """
    k: cython.int
    o: cython.int
    key: cython.int
    for o in range(len(option_start) - 1):
        first[o] = second[o] = n_primary
        for k in range(option_start[o], option_start[o + 1]):
            key = option_item[k]
            if key >= n_primary:
                continue
            if sign < 0:
                key = n_primary - 1 - key
            if key < first[o]:
                second[o] = first[o]
                first[o] = key
            elif key < second[o]:
                second[o] = key


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort(
    before: cython.int[::1],
    key: cython.int[::1],
    place: cython.int[::1],
    after: cython.int[::1],
) -> cython.void:
    """Sort options by key, equal ones in the order they came in (counting sort)."""
    k: cython.int
    n: cython.int = len(before) - 1
    for k in range(n):
        place[key[k] + 1] += 1
    for k in range(1, len(place)):
        place[k] += place[k - 1]
    for k in range(n):
        after[place[key[before[k]]]] = before[k]
        place[key[before[k]]] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def words_of(
    option_start: cython.int[::1],
    option_item: cython.int[::1],
    order: cython.int[::1],
    last: cython.int[::1],
) -> cython.int:
    """Count the words in which each primary item has options, in this order."""
    at: cython.int
    k: cython.int
    i: cython.int
    total: cython.int = 0
    for at in range(len(order) - 1):
        for k in range(option_start[order[at]], option_start[order[at] + 1]):
            i = option_item[k]
            # `last` holds one more than the last word, so that 0 is none.
            if i < len(last) - 1 and last[i] != at // 64 + 1:
                last[i] = at // 64 + 1
                total += 1
    return total
