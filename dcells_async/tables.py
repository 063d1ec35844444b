"""The numbers behind a problem: what every way of building one comes down to."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array
    from collections.abc import Hashable, Iterable

__all__ = ["Item", "Tables", "did_you_mean"]

_MOST_NAMES = 2000
_LONGEST_NAME = 100


class Item(NamedTuple):
    """What has to be covered: at least `low` times and at most `high` times."""

    label: Hashable
    primary: bool = True
    low: int = 1
    high: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Items, and options end to end as integers.

    Attributes
    ----------
    items : tuple of Item
        Primary items first.
    n_primary : int
    colors : tuple
        Color c of an entry is ``colors[c - 1]``.
    option_start : array('i'), shape (n_options + 1,)
        Where the entries of each option begin.
    entry_item, entry_color : array('i'), shape (n_entries,)
        Item and color (0: none) of each entry; no colors at all is shape (0,).
    option_price : array('q'), shape (n_options,) or (0,)
    option_line : array('i'), shape (n_options,) or (0,)
        Line in the source, from 1.
    dropped : tuple of int
        Numbers, from 1, of the options without a primary item.
    source : str
        Where it came from, for messages.
    """

    items: tuple[Item, ...]
    n_primary: int
    colors: tuple[Hashable, ...]
    option_start: array[int]
    entry_item: array[int]
    entry_color: array[int]
    option_price: array[int]
    option_line: array[int]
    dropped: tuple[int, ...]
    source: str


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Ask back whether one of the `names` was meant; empty if none is close.

    Only some are looked at, since comparing costs some microseconds a name.
    """
    if len(name) <= _LONGEST_NAME:
        for close in get_close_matches(name, islice(names, _MOST_NAMES), n=1):
            return f"; did you mean {close!r}?"
    return ""
