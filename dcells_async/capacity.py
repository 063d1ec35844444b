"""How much memory a search may take, and what is said to one that needs more."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import CapacityError

__all__ = ["check_memory", "default_memory_limit", "free_memory"]

_UNKNOWN = 8 << 30
"""What the machine is taken to have if it does not tell."""


def default_memory_limit() -> int:
    """Give half of the machine's memory, in bytes."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        memory = _UNKNOWN
    return (memory if memory > 0 else _UNKNOWN) // 2


def free_memory() -> int:
    """Give what the machine has left for programs, in bytes.

    Where it does not tell, that is taken to be half of its memory.
    """
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(
            1024 * int(line.split()[1])
            for line in lines
            if line.startswith("MemAvailable:")
        )
    except (OSError, ValueError, StopIteration):
        return default_memory_limit()


def check_memory(engine: str, need: int, limit: int, size: str) -> None:
    """Refuse a search that would need too much, before anything is allocated.

    Raises
    ------
    CapacityError
        Saying how much it needs, and which engine needs less.

    Examples
    --------
    >>> check_memory("XCCDC", 5 * 10**9, 10**9, "a million options")
    Traceback (most recent call last):
    dcells_async.errors.CapacityError: XCCDC needs about 5,000 MB for a million
    options, and may have 1,000 MB (its memory_limit); XCC needs far less
    """
    if need > limit:
        raise CapacityError(
            f"{engine} needs about {need // 10**6:,} MB for {size}, and may have "
            f"{limit // 10**6:,} MB (its memory_limit); XCC needs far less"
        )
