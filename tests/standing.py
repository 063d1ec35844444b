"""When what goes on in other threads has come to a stand, or to an end."""

from __future__ import annotations

import gc

import anyio
import anyio.to_thread

HANG_S = 60
"""Far more than anything takes that does not hang, on a machine that is busy."""

PROCESS_S = 600
"""The same for a whole program: it may take long only to be imported."""

PATIENCE_S = (0.05, 0.5, 5)
"""Times to be given one after another, until there was enough for what is asked.

However short a time is, a machine may stand still for all of it.
"""

LOOKS = 5


async def settled(value):
    """Wait until a value stands still, and give it.

    One look is not enough where the machine is busy: between any two, the event loop
    and a thread have had their turn.
    """
    limiter = anyio.CapacityLimiter(1)
    before, looks = value(), 0
    with anyio.fail_after(HANG_S):
        while looks < LOOKS:
            await anyio.to_thread.run_sync(int, limiter=limiter)
            await anyio.sleep(0.02)
            looks = looks + 1 if value() == before else 0
            before = value()
    return before


async def gone(*references):
    """Wait until nothing is left of what weak references refer to.

    A worker thread lets go of its last slice in its own time, after it has said what
    came of it.
    """
    with anyio.fail_after(HANG_S):
        while any(reference() is not None for reference in references):
            if gc.isenabled():
                gc.collect()
            await anyio.sleep(0.001)


async def until(condition):
    """Wait until something is so."""
    with anyio.fail_after(HANG_S):
        while not condition():
            await anyio.sleep(0.001)
