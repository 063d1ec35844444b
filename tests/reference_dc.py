"""Domain consistency and exact covering, from their definitions: obvious and slow.

Nothing here imports the library. An option is a dict: from its items, which are
numbers and of which those below `n_primary` are primary, to their colors, 0 for
none.
"""

from __future__ import annotations


def are_compatible(n_primary, one, other):
    """Tell whether two different options may be chosen together."""
    return all(
        item >= n_primary and one[item] and one[item] == other[item]
        for item in one.keys() & other.keys()
    )


def covers(n_primary, options):
    """Give all covers, each as an ascending tuple of option numbers from 0."""

    def extended(chosen, covered):
        missing = [item for item in range(n_primary) if item not in covered]
        if not missing:
            yield tuple(sorted(chosen))
            return
        for number, option in enumerate(options):
            if missing[0] in option and all(
                are_compatible(n_primary, option, options[other]) for other in chosen
            ):
                yield from extended([*chosen, number], covered | option.keys())

    return sorted(extended([], frozenset()))


def consistent_part(n_primary, options):
    """Give the numbers of the options that domain consistency leaves.

    An option goes if some primary item that it lacks has no compatible option among
    those that are left; this is repeated until none goes.
    """
    left = set(range(len(options)))

    def is_supported(number):
        return all(
            any(
                item in options[other]
                and are_compatible(n_primary, options[number], options[other])
                for other in left
            )
            for item in range(n_primary)
            if item not in options[number]
        )

    while gone := {number for number in left if not is_supported(number)}:
        left -= gone
    return left
