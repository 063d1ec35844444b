"""A cancel stops a search promptly, wherever it is."""

import random
from pathlib import Path
from time import perf_counter

import anyio

from benchmarks.promises.figures import milliseconds, quantile
from benchmarks.promises.problems import MEDIUM, mutilated_board
from dcells_async import XCC, Problem

__all__ = ["measure"]

_CANCELS = 100
_PARSINGS = 20


async def measure(folder: Path) -> dict[str, str]:
    """Cancel fruitless searches, and dances that are still being parsed, at random."""
    board = mutilated_board()
    text = (folder / MEDIUM).read_text("ascii")
    return {
        **await _latencies("in a fruitless search", board, _CANCELS),
        **await _latencies("while 20 MB are parsed", text, _PARSINGS),
    }


async def _latencies(where: str, source: str | Problem, times: int) -> dict[str, str]:
    rng = random.Random(times)
    seconds = [await _latency(source, rng.uniform(0.01, 0.1)) for _ in range(times)]
    return {
        f"cancel {where}, median of {times}": milliseconds(quantile(seconds, 0.5)),
        f"cancel {where}, 99 of 100": milliseconds(quantile(seconds, 0.99)),
        f"cancel {where}, slowest": milliseconds(max(seconds)),
    }


async def _latency(source: str | Problem, delay: float) -> float:
    """Return the seconds from a cancel to the end of the cancelled block."""
    ended = 0.0

    async def search(scope: anyio.CancelScope) -> None:
        nonlocal ended
        with scope:
            async with XCC().dance(source) as result:
                async for _ in result.solutions:
                    pass
        ended = perf_counter()

    async with anyio.create_task_group() as group:
        scope = anyio.CancelScope()
        group.start_soon(search, scope)
        await anyio.sleep(delay)
        cancelled = perf_counter()
        scope.cancel()
    if not scope.cancelled_caught:
        message = "the search ended before it was cancelled"
        raise AssertionError(message)
    return ended - cancelled
