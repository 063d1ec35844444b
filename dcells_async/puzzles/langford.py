"""Langford pairings: two of each number, and k other numbers between the two k's.

The numbers 1, ..., n and the slots s1, ..., s2n of a row are primary items, and an
option puts the two copies of a number into two slots.

>>> problem = langford(4)
>>> print(*problem.options[-1])
4 s3 s8
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from ..problem import Problem
from .settings import check_setting

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Style", "draw", "langford", "row"]

Style: TypeAlias = Literal["arcs", "numbers"]


def langford(n: int, *, up_to_reversal: bool = False) -> Problem:
    """Ask for all Langford pairings of the numbers 1, ..., n.

    There are some if n is 0 or 3 modulo 4, and none otherwise.

    Parameters
    ----------
    n : int, >= 0
    up_to_reversal : bool
        Whether to give just one of a pairing and the same read backwards. The slot
        halfway between the two copies of an odd number is in either half of the row,
        for its middle lies between two slots; of the largest odd number just those
        places are kept where it is in the first half.

    Raises
    ------
    ProblemError
        If n is negative.

    Examples
    --------
    >>> [len(langford(n).options) for n in range(6)]
    [0, 0, 3, 9, 18, 30]
    >>> [len(langford(n, up_to_reversal=True).options) for n in range(6)]
    [0, 0, 2, 8, 16, 28]
    """
    if n < 0:
        raise ProblemError(f"there cannot be {n} numbers")
    largest_odd = n - 1 + n % 2
    options = [
        (str(k), f"s{slot}", f"s{slot + k + 1}")
        for k in range(1, n + 1)
        for slot in range(1, 2 * n - k)
        if not (up_to_reversal and k == largest_odd and slot > n // 2)
    ]
    numbers = [str(k) for k in range(1, n + 1)]
    slots = [f"s{slot}" for slot in range(1, 2 * n + 1)]
    return Problem.from_options(options, primary=[*numbers, *slots])


def row(cover: Iterable[Iterable[str]]) -> tuple[int, ...]:
    """Read off the numbers in the slots, from the first to the last.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a Langford problem, or the names of the items of its options.

    Examples
    --------
    >>> row([("3", "s1", "s5"), ("1", "s2", "s4"), ("2", "s3", "s6")])
    (3, 1, 2, 1, 3, 2)
    """
    numbers = {}
    for number, *slots in cover:
        for slot in slots:
            numbers[int(slot[1:])] = int(number)
    return tuple(number for _, number in sorted(numbers.items()))


def draw(cover: Iterable[Iterable[str]], style: Style = "arcs") -> str:
    """Draw the row of numbers.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a Langford problem, or the names of the items of its options.
    style : {"arcs", "numbers"}
        With an arc under each pair, or the bare row.

    Raises
    ------
    ProblemError
        If there is no such style.

    Examples
    --------
    >>> print(draw([("1", "s2", "s4"), ("2", "s3", "s6"), ("3", "s1", "s5")]))
    3 1 2 1 3 2
    │ ╰─┼─╯ │ │
    │   ╰───┼─╯
    ╰───────╯
    """
    check_setting("style", style, get_args(Style))
    numbers = row(cover)
    width = max((len(str(number)) for number in numbers), default=0)
    text = " ".join(str(number).rjust(width) for number in numbers)
    if style == "numbers":
        return text
    return "\n".join([text, *_arcs(numbers, width)])


def _arcs(numbers: tuple[int, ...], width: int) -> list[str]:
    """Draw arcs that hang on stems below the numbers, short ones above long ones."""
    levels: list[list[tuple[int, int]]] = []
    for number in sorted(set(numbers)):
        first = numbers.index(number)
        ends = (first, first + number + 1)
        for level in levels:
            if all(ends[1] < left or right < ends[0] for left, right in level):
                level.append(ends)
                break
        else:
            levels.append([ends])
    return [
        _level(levels[depth:], len(numbers), width)[1:].rstrip()
        for depth in range(len(levels))
    ]


def _level(levels: list[list[tuple[int, int]]], slots: int, width: int) -> str:
    """Draw the arcs of the first level, and the stems of those below."""
    line = [" "] * slots
    gaps = [" "] * slots
    for left, right in levels[0]:
        line[left : right + 1] = "╰" + "─" * (right - left - 1) + "╯"
        gaps[left + 1 : right + 1] = "─" * (right - left)
    for ends in chain.from_iterable(levels[1:]):
        for end in ends:
            line[end] = "┼" if line[end] == "─" else "│"
    return "".join(gap * width + joint for gap, joint in zip(gaps, line, strict=True))
