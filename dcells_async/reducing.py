"""Problems without what can be in no cover: preprocessing.

An option goes if its use would starve some item, and others then in turn (see
`dcells_async.kernels.probing`). After that an item may be superfluous: a primary one
that is in the same options as another with the same bounds, and a secondary one on
whose color all options agree that still have it. The covers stay what they were.
"""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import TYPE_CHECKING

from .kernels import COMPILED
from .kernels.domains import bytes_of_pairs
from .kernels.probing import FirstPass, Probing
from .kernels.status import Status
from .layout import Layout, multiplicities
from .problem import Problem

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["reduced", "reducing"]

_BUDGET = 200_000 if COMPILED else 2_000
"""So many steps take a millisecond or two."""

_LONGEST = 2_000
"""So many options are looked through in a few milliseconds."""

_MOST_PAIRS = 256 << 20
"""The quick way takes some bytes for every option and item; not more than this."""


def reduced(problem: Problem) -> Problem:
    """Give a problem without the options and items that covers can do without.

    Options go whose use would leave some item with too few others, until there is
    none; then items that the options left make superfluous. The covers are those of
    the problem given, but options are numbered anew. (An engine with
    ``preprocess=True`` does the same for one search, and keeps the numbers.)

    If it turns out that there is no cover at all, no option is left.

    References
    ----------
    D. E. Knuth's program DLX-PRE.

    Examples
    --------
    >>> from dcells_async import Problem, reduced
    >>> print(reduced(Problem.from_dlx("a b c\\na b\\nb c\\nc\\na c\\nb")).to_dlx())
    a b c
    a b
    c
    a c
    b
    <BLANKLINE>
    """
    steps = reducing(Layout.of(problem))
    while True:
        try:
            next(steps)
        except StopIteration as end:
            layout: Layout = end.value
            return _as_problem(layout)


def reducing(
    layout: Layout, *, with_items: bool = True
) -> Generator[bool, None, Layout]:
    """Reduce a layout step by step; each yields False, for it never blocks.

    Parameters
    ----------
    layout : Layout
        With no start that is left to the kernel.
    with_items : bool
        Whether items may go, too.
    """
    kernel = _kernel(layout)
    yield False
    kernel.prepare()
    yield False
    while kernel.advance(_BUDGET, 1, False) != Status.DONE:
        yield False
    live = kernel.live_options()
    items = array("i", range(layout.n_items))
    if live and with_items:
        items = yield from _needed(layout, live)
    smaller = yield from _restricted(layout, live, items)
    return smaller._replace(
        removed=(layout.n_options - len(live), layout.n_items - len(items)),
    )


def _kernel(layout: Layout) -> FirstPass | Probing:
    low, high = multiplicities(layout)
    tables = (
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
    )
    pairs = bytes_of_pairs(layout.n_primary, layout.n_options)
    if set(low) | set(high) <= {1} and 0 <= pairs <= _MOST_PAIRS:
        return FirstPass(*tables)
    return Probing(*tables, low, high)


def _needed(layout: Layout, live: array[int]) -> Generator[bool, None, array[int]]:
    """Give the items that still make a difference, in order."""
    options_of = [array("i") for _ in range(layout.n_items)]
    colors_of: list[set[int]] = [set() for _ in range(layout.n_items)]
    for k, o in enumerate(live):
        if k % _LONGEST == _LONGEST - 1:
            yield False
        for e in range(layout.option_start[o], layout.option_start[o + 1]):
            i = layout.option_item[e]
            options_of[i].append(o)
            colors_of[i].add(layout.option_color[e] if layout.option_color else 0)
    needed, seen = array("i"), set()
    for i, item in enumerate(layout.items):
        if i % _LONGEST == _LONGEST - 1:
            yield False
        if i >= layout.n_primary:
            is_shared = len(colors_of[i]) == 1 and 0 not in colors_of[i]
            if len(options_of[i]) > 1 and not is_shared:
                needed.append(i)
            continue
        key = (item.low, item.high, options_of[i].tobytes())
        if key not in seen:
            seen.add(key)
            needed.append(i)
    return needed


def _restricted(
    layout: Layout, live: array[int], items: array[int]
) -> Generator[bool, None, Layout]:
    """Give the layout of some of the options and items."""
    number = {i: n for n, i in enumerate(items)}
    option_start, kept = array("i", [0]), array("i")
    option_item, option_color = array("i"), array("i")
    for k, o in enumerate(live):
        if k % _LONGEST == _LONGEST - 1:
            yield False
        begin, end = layout.option_start[o], layout.option_start[o + 1]
        entries = [e for e in range(begin, end) if layout.option_item[e] in number]
        option_item.extend([number[layout.option_item[e]] for e in entries])
        if layout.option_color:
            option_color.extend([layout.option_color[e] for e in entries])
        option_start.append(len(option_item))
        kept.append(o if layout.kept is None else layout.kept[o])
    return layout._replace(
        n_items=len(items),
        n_primary=sum(i < layout.n_primary for i in items),
        option_start=option_start,
        option_item=option_item,
        option_color=option_color if any(option_color) else array("i"),
        kept=kept,
        items=tuple(layout.items[i] for i in items),
        clashes=None,
    )


def _as_problem(layout: Layout) -> Problem:
    tables, kept = layout.problem.tables, layout.kept or array("i")
    # In the order in which they appear, as in every problem.
    colors = [*dict.fromkeys(color for color in layout.option_color if color)]
    number = {color: n for n, color in enumerate(colors, 1)} | {0: 0}
    return Problem(
        replace(
            tables,
            items=layout.items,
            n_primary=layout.n_primary,
            colors=tuple(tables.colors[color - 1] for color in colors),
            option_start=layout.option_start,
            entry_item=layout.option_item,
            entry_color=array("i", [number[color] for color in layout.option_color]),
            option_price=_picked(tables.option_price, kept),
            option_line=_picked(tables.option_line, kept),
            dropped=(),
        )
    )


def _picked(column: array[int], kept: array[int]) -> array[int]:
    """Give what a column has for the options kept; it may be empty."""
    return array(column.typecode, [column[o] for o in kept] if column else ())
