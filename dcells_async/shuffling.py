"""Problems with their options in another order: the same covers, others first.

The items keep theirs. It decides ties between items, and most models have reasons for
it: on a board the search then stays where it is, instead of leaving holes everywhere.
"""

from __future__ import annotations

from array import array
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    from .layout import Layout

__all__ = ["shuffled"]

_LONGEST = 2_000
"""So many options are put in their places in a few milliseconds."""


def shuffled(layout: Layout, seed: int) -> Generator[bool, None, Layout]:
    """Shuffle the options step by step; each yields False, for it never blocks.

    For a seed the order is the same on every machine: of all that `random` offers,
    only the sequence of ``Random(seed).random()`` is promised to stay.
    """
    options = yield from _permutation(layout.n_options, Random(seed))
    option_start, kept = array("i", [0]), array("i")
    option_item, option_color = array("i"), array("i")
    for k, o in enumerate(options):
        if k % _LONGEST == _LONGEST - 1:
            yield False
        begin, end = layout.option_start[o], layout.option_start[o + 1]
        option_item += layout.option_item[begin:end]
        option_color += layout.option_color[begin:end]
        option_start.append(len(option_item))
        kept.append(o if layout.kept is None else layout.kept[o])
    return layout._replace(
        option_start=option_start,
        option_item=option_item,
        option_color=option_color,
        kept=kept,
        clashes=None,
    )


def _permutation(n: int, rng: Random) -> Generator[bool, None, array[int]]:
    """Shuffle the numbers below n, by the method of Fisher and Yates."""
    numbers = array("i", range(n))
    for k in range(n - 1, 0, -1):
        if k % _LONGEST == 0:
            yield False
        other = int(rng.random() * (k + 1))
        numbers[k], numbers[other] = numbers[other], numbers[k]
    return numbers
