"""The first cover comes promptly, counted from entering the block with bare text."""

from pathlib import Path
from time import perf_counter

from benchmarks.promises.figures import milliseconds, quantile
from dcells_async import XCC
from dcells_async.puzzles.queens import queens

__all__ = ["measure"]

_TIMES = 50


async def measure(_: Path) -> dict[str, str]:
    """Time the first cover of 12 queens in a fresh process, then again and again."""
    text = queens(12, "organ-pipe").to_dlx()
    seconds = [await _seconds_to_first(text) for _ in range(_TIMES + 1)]
    cold, *warm = seconds
    return {
        "first cover of 12 queens, parsing included": milliseconds(cold),
        f"the same, median of {_TIMES} more": milliseconds(quantile(warm, 0.5)),
        f"the same, slowest of {_TIMES} more": milliseconds(max(warm)),
    }


async def _seconds_to_first(text: str) -> float:
    started = perf_counter()
    async with XCC().dance(text) as result:
        async for _ in result.solutions:
            return perf_counter() - started
    message = "12 queens without a cover"
    raise AssertionError(message)
