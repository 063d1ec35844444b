"""A paused search costs memory and nothing else: 2,000 stand open at once."""

import threading
from pathlib import Path
from typing import Any

import anyio

from benchmarks.memory import resident_bytes
from benchmarks.promises.figures import MIB
from dcells_async import XCC
from dcells_async.puzzles.queens import queens

__all__ = ["measure"]

_DANCES = 2_000
_SETTLED_S = 1.0


async def measure(_: Path) -> dict[str, str]:
    """Open the searches, each of a text of its own, and take one cover from each."""
    text = queens(8).to_dlx()
    async with XCC().dance(text) as result:
        async for _cover in result.solutions:
            pass
    release, all_open = anyio.Event(), anyio.Event()
    opened: list[Any] = []

    async def pause() -> None:
        async with XCC().dance(text, buffer=1) as result:
            async for _cover in result.solutions:
                break
            opened.append(result)
            if len(opened) == _DANCES:
                all_open.set()
            await release.wait()

    before, threads = resident_bytes(), threading.active_count()
    async with anyio.create_task_group() as group:
        for _dance in range(_DANCES):
            group.start_soon(pause)
        await all_open.wait()
        await anyio.sleep(_SETTLED_S)
        nodes = [result.stats.nodes for result in opened]
        await anyio.sleep(_SETTLED_S)
        moving = sum(
            result.stats.nodes != n for result, n in zip(opened, nodes, strict=True)
        )
        most = max(result.stats.covers for result in opened)
        grown, active = resident_bytes(), threading.active_count()
        release.set()
    name = f"{_DANCES:,} paused dances of 8 queens"
    figures = {
        f"{name}: threads, before and then": f"{threads}, {active}",
        f"{name}: searches still moving": str(moving),
        f"{name}: covers made by any": str(most),
    }
    if before is not None and grown is not None:
        figures[f"{name}: memory in all"] = f"{(grown - before) / MIB:.0f} MiB"
    return figures
