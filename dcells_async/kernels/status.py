"""How a slice of a kernel's work ended."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """What ``advance`` returns; only after `DONE` and `STOPPED` is there no more."""

    PAUSED = 0
    """The budget is spent."""
    FULL = 1
    """As many covers were found as were wanted, or the buffer has no more room."""
    DONE = 2
    """The work is finished."""
    STOPPED = 3
    """Somebody called ``stop``; the kernel is of no further use."""
    FAULTY = 5
    """The input is faulty; the kernel's attributes tell where and how."""
    ASK = 6
    """A bound is wanted: ``advance`` asks for it and goes on, so nobody sees this."""
    TOO_LARGE = 7
    """The work would need more memory than allowed."""
    GROW = 4
    """A table is full: ``advance`` enlarges it and goes on, so nobody sees this."""
