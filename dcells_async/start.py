"""Where a search starts: with some options chosen, and some struck out."""

from __future__ import annotations

from array import array
from collections import Counter
from operator import index
from typing import TYPE_CHECKING, NamedTuple

from .arguments import checked_numbers
from .errors import GivenError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from .layout import Layout
    from .problem import Problem
    from .tables import Item

__all__ = ["Start", "checked_start", "restricted"]

_LONGEST = 2_000
"""So many options are looked through in a few milliseconds."""


class Start(NamedTuple):
    """Options as positions in the problem, from 0; those given do not clash."""

    given: tuple[int, ...]
    without: tuple[int, ...]


def checked_start(
    problem: Problem, given: Iterable[int], without: Iterable[int]
) -> Start:
    """Turn option numbers into positions, or say what is wrong with them.

    Raises
    ------
    GivenError
        A number is none of an option, or stands twice, or an option that is given is
        not to be used, or can never be chosen, or clashes with another one.
    TypeError
        It is no integer, or there is no iterable of them.
    """
    start = Start(
        _positions(problem, checked_numbers("given", given), "given"),
        _positions(problem, checked_numbers("without", without), "without"),
    )
    if len({*start.given, *start.without}) < len(start.given) + len(start.without):
        _refuse_twice(start)
    if problem.dropped:
        for o in sorted({o + 1 for o in start.given}.intersection(problem.dropped)):
            raise GivenError(
                f"option {o} has no primary item, and so can never be chosen"
            )
    _refuse_clashes(problem, start.given)
    return start


def _refuse_twice(start: Start) -> None:
    """Refuse options that are given twice, or both given and not to be used."""
    seen: set[int] = set()
    unused = set(start.without)
    for o in start.given:
        if o in seen:
            raise GivenError(f"option {o + 1} is given twice")
        if o in unused:
            raise GivenError(f"option {o + 1} is both given and not to be used")
        seen.add(o)


def _positions(
    problem: Problem, numbers: tuple[int, ...], name: str
) -> tuple[int, ...]:
    if not numbers:
        return ()
    try:
        positions = tuple([index(number) - 1 for number in numbers])
        if min(positions) >= 0 and max(positions) < len(problem.option_start) - 1:
            return positions
    except TypeError:
        pass
    # One of them is no number of an option: tell which.
    return tuple(_position(problem, number, name) for number in numbers)


def _position(problem: Problem, number: int, name: str) -> int:
    try:
        position = index(number) - 1
    except TypeError:
        raise TypeError(f"{name} takes option numbers, not {number!r}") from None
    n_options = len(problem.option_start) - 1
    if not 0 <= position < n_options:
        raise GivenError(
            f"{name}: there is no option {number}; they are numbered from 1 to "
            f"{n_options}"
        )
    return position


def _refuse_clashes(problem: Problem, given: tuple[int, ...]) -> None:
    """Refuse options that are not to be chosen together, naming two and the item."""
    compiled = problem.compiled
    if compiled is not None and compiled.agree(given):
        return
    begin, entries = problem.option_start, array("i")
    for o in given:
        entries += problem.entry_item[begin[o] : begin[o + 1]]
    if len(set(entries)) == len(entries):
        return
    # For each item the last option that had it, with what color, and how many had.
    holders: dict[int, tuple[int, int, int]] = {}
    for o in given:
        for e in range(problem.option_start[o], problem.option_start[o + 1]):
            i = problem.entry_item[e]
            color = problem.entry_color[e] if problem.entry_color else 0
            if i not in holders:
                holders[i] = (o, color, 1)
                continue
            other, its, count = holders[i]
            item = problem.items[i]
            if i < problem.n_primary and count < item.high:
                holders[i] = (o, color, count + 1)
                continue
            if i >= problem.n_primary and color == its != 0:
                continue
            raise GivenError(
                f"options {other + 1} and {o + 1} are given and clash: "
                f"{_reason(problem, i, color, its)}"
            )


def _reason(problem: Problem, i: int, color: int, its: int) -> str:
    item = problem.items[i]
    if color and its:
        one, other = problem.colors[its - 1], problem.colors[color - 1]
        return f"item {item.label!r} cannot be both {one!r} and {other!r}"
    if i < problem.n_primary and item.high > 1:
        return f"item {item.label!r} is covered at most {item.high} times"
    return f"both cover item {item.label!r}"


def restricted(layout: Layout, start: Start) -> Generator[bool, None, Layout]:
    """Leave out of a layout what a start decides, step by step.

    What remains is a problem of its own: items that are covered have gone, and with
    them the options that clash with those given.
    """
    taken: Counter[int] = Counter()
    colors: dict[int, int] = {}
    problem = layout.problem
    for o in start.given:
        for e in range(problem.option_start[o], problem.option_start[o + 1]):
            i = problem.entry_item[e]
            if i < layout.n_primary:
                taken[i] += 1
            else:
                colors[i] = problem.entry_color[e] if problem.entry_color else 0
    items: list[Item] = []
    renumbered: dict[int, int] = {}
    n_primary = 0
    for i, item in enumerate(layout.items):
        if i < layout.n_primary:
            if taken[i] == item.high:
                continue
            if taken[i]:
                low, high = max(item.low - taken[i], 0), item.high - taken[i]
                item = item._replace(low=low, high=high)  # noqa: PLW2901
            n_primary += 1
        renumbered[i] = len(items)
        items.append(item)
    gone = {*start.given, *start.without}
    option_start, kept = array("i", [0]), array("i")
    option_item, option_color = array("i"), array("i")
    for o in range(layout.n_options):
        if o % _LONGEST == _LONGEST - 1:
            yield False
        origin = o if layout.kept is None else layout.kept[o]
        begin, end = layout.option_start[o], layout.option_start[o + 1]
        entries = layout.option_item[begin:end]
        tints = layout.option_color[begin:end] or array("i", bytes(4 * (end - begin)))
        if origin in gone or any(
            i not in renumbered or (i in colors and not tint == colors[i] != 0)
            for i, tint in zip(entries, tints, strict=True)
        ):
            continue
        option_item.extend([renumbered[i] for i in entries])
        if layout.option_color:
            option_color.extend(tints)
        option_start.append(len(option_item))
        kept.append(origin)
    return layout._replace(
        n_items=len(items),
        n_primary=n_primary,
        option_start=option_start,
        option_item=option_item,
        option_color=option_color,
        kept=kept,
        items=tuple(items),
        given=start.given,
        clashes=None,
    )
