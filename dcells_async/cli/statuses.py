"""Exit statuses; those from 124 up are what shells and ``timeout`` give too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cover import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "BAD",
    "CLOSED",
    "CUT_SHORT",
    "FOUND",
    "INTERRUPTED",
    "NONE",
    "SEVERAL",
    "STATUSES",
]

FOUND = 0
NONE = 1
BAD = 2
SEVERAL = 3
TIMED_OUT = 124
INTERRUPTED = 130
CLOSED = 141

CUT_SHORT: Mapping[Outcome, int] = {
    Outcome.TIMED_OUT: TIMED_OUT,
    Outcome.CANCELLED: INTERRUPTED,
}
"""The status after an end that came before what was asked is known."""

STATUSES: Mapping[int, str] = {
    FOUND: "what was asked for was found (--unique: there is one cover)",
    NONE: "there is no cover",
    BAD: "bad input or usage, or the output could not be written",
    SEVERAL: "--unique: there are several covers",
    TIMED_OUT: "the time ran out first",
    INTERRUPTED: "interrupted by Ctrl-C",
    CLOSED: "nobody reads the output any more",
}
