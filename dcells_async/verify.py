"""Checking a cover against its problem, without any engine."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .cover import Cover

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .problem import Problem

__all__ = ["verify"]


def verify(problem: Problem, numbers: Cover | Iterable[int]) -> list[str]:
    """List what keeps a choice of options from being a cover; empty if it is one.

    Parameters
    ----------
    problem : Problem
        What is to be covered.
    numbers : Cover, or iterable of int
        A cover, or the numbers of the chosen options as written, from 1.

    Examples
    --------
    >>> from dcells_async import Problem
    >>> problem = Problem.from_dlx("a b c\\na b\\nc\\na c\\nb")
    >>> verify(problem, [1, 2])
    []
    >>> verify(problem, [1, 3])
    ["item 'a' is covered 2 times"]
    """
    chosen = list(numbers.numbers if isinstance(numbers, Cover) else numbers)
    faults = [
        f"option {number} does not exist"
        for number in chosen
        if not 1 <= number <= len(problem.options)
    ]
    if faults:
        return faults
    faults += [
        f"option {number} is chosen {times} times"
        for number, times in Counter(chosen).items()
        if times > 1
    ]
    faults += [
        f"option {number} has no primary item"
        for number in sorted(set(chosen) & set(problem.dropped))
    ]
    colors: list[list[int]] = [[] for _ in problem.items]
    for number in chosen:
        begin, end = problem.option_start[number - 1], problem.option_start[number]
        for entry in range(begin, end):
            color = problem.entry_color[entry] if problem.entry_color else 0
            colors[problem.entry_item[entry]].append(color)
    for item, seen in zip(problem.items, colors, strict=True):
        if item.primary:
            if not item.low <= len(seen) <= item.high:
                faults.append(f"item {item.label!r} is covered {len(seen)} times")
        elif len(seen) > 1 and (0 in seen or len(set(seen)) > 1):
            faults.append(f"item {item.label!r} is covered with different colors")
    return faults
