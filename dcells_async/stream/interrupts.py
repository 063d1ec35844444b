"""Ctrl-C on trio: it is delivered where it can be seen off, and nowhere else.

Trio raises ``KeyboardInterrupt`` in whatever code runs when the signal arrives,
unless that code asks to be spared; then it waits for the main task to wait. A
search has to be spared while it opens and closes, since what is left half done
there would leave the scopes of trio's tasks in disorder.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["spare"]


def spare(*functions: Callable[..., Any]) -> None:
    """Keep trio, if it is there, from interrupting these, and what they call."""
    if "trio" in sys.modules:
        from trio.lowlevel import enable_ki_protection  # noqa: PLC0415

        for function in functions:
            enable_ki_protection(function)
