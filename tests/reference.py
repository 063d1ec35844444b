"""Exact covering by brute force, from the definition: obvious and slow.

Nothing here imports the library. An option is a list of entries, and an entry is
an item or a pair ``(item, color)``.
"""

from __future__ import annotations

from itertools import combinations


def parts(entry):
    """Give the item and the color of an entry; no color is None."""
    return entry if isinstance(entry, tuple) else (entry, None)


def mentions(item, chosen):
    """Give the color of each entry, of all chosen options, that is this item."""
    return [
        color
        for option in chosen
        for other, color in map(parts, option)
        if other == item
    ]


def is_cover(primary, secondary, chosen):
    """Tell whether the chosen options are an exact cover.

    Every primary item is in exactly one of them. A secondary item is in at most one,
    or all that have it give it one and the same color.
    """
    for item in primary:
        if len(mentions(item, chosen)) != 1:
            return False
    for item in secondary:
        colors = mentions(item, chosen)
        if len(colors) > 1 and (None in colors or len(set(colors)) > 1):
            return False
    return True


def can_be_chosen(primary, option):
    """Tell whether an option has a primary item; others are never chosen."""
    return any(item in primary for item, _ in map(parts, option))


def covers(primary, secondary, options):
    """Give every cover as a tuple of option numbers, from 1, in ascending order.

    Chosen options have a primary item each, and share none; so subsets of more
    options than there are primary items need no look.
    """
    numbers = [
        number
        for number, option in enumerate(options, 1)
        if can_be_chosen(primary, option)
    ]
    return [
        subset
        for size in range(len(primary) + 1)
        for subset in combinations(numbers, size)
        if is_cover(primary, secondary, [options[number - 1] for number in subset])
    ]
