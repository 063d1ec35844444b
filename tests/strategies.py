"""Random problems for hypothesis, as plain data that the reference understands.

A run is to depend on nothing but the code, so the examples are the same each time. With
``DCELLS_ASYNC_EXAMPLES=20`` there are twenty times as many, and others each time.
"""

from __future__ import annotations

import os
import warnings
from typing import NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from dcells_async import COMPILED, DlxWarning, Problem


class Puzzle(NamedTuple):
    """Items by name, and options of names and ``(name, color)`` pairs."""

    primary: list
    secondary: list
    options: list

    def problem(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DlxWarning)
            return Problem.from_options(self.options, self.primary, self.secondary)

    def text(self):
        """Write it as DLX text, in our own words; it has a primary item."""
        lines = [[*self.primary, "|", *self.secondary]]
        lines += [
            [entry if isinstance(entry, str) else ":".join(entry) for entry in option]
            for option in self.options
        ]
        return "".join(" ".join(line) + "\n" for line in lines)


def drawn(count):
    """Settings for so many examples, which are the same each time; or for more."""
    times = int(os.environ.get("DCELLS_ASYNC_EXAMPLES", "0"))
    return {
        "max_examples": max(1, times) * count,
        "derandomize": times == 0,
        "deadline": None,
    }


def examples(count):
    """Settings for so many examples, or fewer where the kernels run interpreted."""
    return settings(
        **drawn(count if COMPILED else max(25, count // 8)),
        suppress_health_check=[
            HealthCheck.function_scoped_fixture,
            HealthCheck.too_slow,
        ],
    )


def _option(code, primary, secondary, colors):
    """Decode a number into an option; 0 is the empty one.

    To draw one number an option is many times faster than to draw its entries. Most
    options have one or two primary items and some color, so that several fit together.
    """
    option = []
    code, digit = divmod(code, 8)
    if primary and digit:
        code, lead = divmod(code, len(primary))
        option.append(primary[lead])
    for item in primary:
        code, digit = divmod(code, 8)
        if digit == 7 and item not in option:
            option.append(item)
    for item in secondary:
        code, digit = divmod(code, 4 + 2 * len(colors))
        if digit >= 4:
            option.append((item, colors[(digit - 4) % len(colors)]))
        elif digit == 3:
            option.append(item)
    turn = code % max(1, len(option))
    return option[turn:] + option[:turn]


@st.composite
def puzzles(draw, *, least_primary=0, colors="AB"):
    """Draw up to 8 items and 12 options, any of which may be degenerate.

    There may be no items of either kind, no options, equal options, empty ones, and
    ones without a primary item.
    """
    primary = list("pqrst"[: draw(st.integers(least_primary, 5))])
    secondary = list("xyz"[: draw(st.integers(0, 3))])
    most = 8 ** (len(primary) + 3) * (4 + 2 * len(colors)) ** len(secondary)
    least = draw(st.sampled_from([0, 5, 10]))
    codes = draw(st.lists(st.integers(0, most - 1), min_size=least, max_size=12))
    options = [_option(code, primary, secondary, colors) for code in codes]
    return Puzzle(primary, secondary, options)
