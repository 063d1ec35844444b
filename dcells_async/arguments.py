"""Checking the numbers that callers hand in, with errors that name them."""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["checked_count", "checked_numbers", "checked_seconds"]


def checked_count(name: str, value: int, least: int, most: int | None = None) -> int:
    """Give a whole number, or say why it is none, or too small or too large."""
    try:
        count = index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
    if count < least:
        raise ValueError(f"{name} must be at least {least}, not {count}")
    if most is not None and count > most:
        raise ValueError(f"{name} must be at most {most:,}, not {count:,}")
    return count


def checked_numbers(name: str, values: Iterable[int]) -> tuple[int, ...]:
    """Give numbers of options, not looked at yet, or say that there are no several."""
    try:
        numbers = iter(values)
    except TypeError:
        raise TypeError(
            f"{name} must be an iterable of option numbers, not {values!r}"
        ) from None
    return tuple(numbers)


def checked_seconds(name: str, value: float, *, may_be_zero: bool = False) -> float:
    """Give a number of seconds, or say why it is none or not positive."""
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    if math.isnan(seconds) or seconds < 0 or (seconds == 0 and not may_be_zero):
        least = "at least 0" if may_be_zero else "positive"
        raise ValueError(f"{name} must be {least}, not {value!r}")
    return seconds
