"""When what goes on in other threads has come to a stand."""

from __future__ import annotations

import anyio
import anyio.to_thread

LOOKS = 4


async def settled(value):
    """Wait until a value stands still, and give it.

    One look is not enough where the machine is busy: between any two, the event loop
    and a thread have had their turn.
    """
    limiter = anyio.CapacityLimiter(1)
    before, looks = value(), 0
    while looks < LOOKS:
        await anyio.to_thread.run_sync(int, limiter=limiter)
        await anyio.sleep(0.02)
        looks = looks + 1 if value() == before else 0
        before = value()
    return before
