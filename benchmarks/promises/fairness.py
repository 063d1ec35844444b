"""The event loop goes on while a text is parsed and while a search runs."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter

import anyio

from benchmarks.promises.figures import milliseconds
from benchmarks.promises.problems import MEDIUM, mutilated_board
from dcells_async import XCC
from dcells_async.puzzles.queens import queens

__all__ = ["measure"]

_TICK_S = 0.001
_SEARCH_S = 3.0
_TIMES = 20


async def measure(folder: Path) -> dict[str, str]:
    """Let a ticker run beside the work and note by how much it was ever late."""
    text = (folder / MEDIUM).read_text("ascii")
    board = mutilated_board()
    twelve = queens(12, "organ-pipe")

    async def idle() -> None:
        await anyio.sleep(_SEARCH_S)

    async def parse() -> None:
        async with XCC().dance(text):
            pass

    async def search() -> None:
        with anyio.move_on_after(_SEARCH_S):
            await XCC().first(board)

    async def iterate() -> None:
        for _ in range(_TIMES):
            async with XCC().dance(twelve) as result:
                async for _cover in result.solutions:
                    pass

    return {
        "longest lag of the event loop, idle": await _lag(idle),
        f"while {len(text) / 1e6:.0f} MB of text are parsed": await _lag(parse),
        "while a fruitless search runs": await _lag(search),
        "while covers are iterated without a pause": await _lag(iterate),
    }


async def _lag(work: Callable[[], Awaitable[None]]) -> str:
    longest = 0.0

    async def tick() -> None:
        nonlocal longest
        while True:
            started = perf_counter()
            await anyio.sleep(_TICK_S)
            longest = max(longest, perf_counter() - started - _TICK_S)

    async with anyio.create_task_group() as group:
        group.start_soon(tick)
        await anyio.sleep(10 * _TICK_S)
        started = perf_counter()
        await work()
        seconds = perf_counter() - started
        await anyio.sleep(10 * _TICK_S)
        group.cancel_scope.cancel()
    return f"{milliseconds(longest)} in {seconds:.1f} s"
