"""Interruptions that come while something is seen off: they have to wait.

On trio, Ctrl-C raises ``KeyboardInterrupt`` in whatever code runs when the signal
arrives, unless that code asks to be spared; then it waits for the main task to
wait. A search has to be spared while it opens and closes, since what is left half
done there would leave the scopes of trio's tasks in disorder.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["see_off", "spare"]


def spare(*functions: Callable[..., Any]) -> None:
    """Keep trio, if it is there, from interrupting these, and what they call."""
    if "trio" in sys.modules:
        from trio.lowlevel import enable_ki_protection  # noqa: PLC0415

        for function in functions:
            enable_ki_protection(function)


async def see_off(over: anyio.Event) -> BaseException | None:
    """Wait for the end of what was told to end; give what came between, to be raised.

    A shield keeps out anyio's cancellation, but not that of asyncio, nor Ctrl-C. They
    wait: whatever comes, a task group must not be left half open.
    """
    interruption: BaseException | None = None
    with anyio.CancelScope(shield=True):
        while not over.is_set():
            try:
                await over.wait()
            except BaseException as error:
                interruption = error
    return interruption
