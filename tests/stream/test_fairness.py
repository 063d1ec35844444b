"""The event loop goes on while problems are read, searched and consumed."""

from __future__ import annotations

from contextlib import asynccontextmanager
from time import perf_counter, process_time

import anyio
from problems import FRUITLESS, queens

from dcells_async import XCC

LAG_S = 1.0
"""Fifty times what is promised, but a loop that is really blocked, by the work below,
would be so for longer."""


@asynccontextmanager
async def ticking():
    """Measure how late a ticker comes while the block runs."""
    lags = [0.0]

    async def tick():
        while True:
            begin, used = perf_counter(), process_time()
            await anyio.sleep(0.001)
            # The machine may keep us waiting, but that is none of our work.
            lags.append(min(perf_counter() - begin, process_time() - used))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(tick)
        await anyio.sleep(0.01)
        lags.clear()
        yield lags
        tasks.cancel_scope.cancel()


async def test_while_a_large_text_is_read():
    head = " ".join(f"item{i}" for i in range(500))
    line = " ".join(f"item{i}" for i in range(0, 500, 10))
    text = "\n".join([head, *[line] * 20_000])
    async with ticking() as lags, XCC().dance(text, limit=1) as result:
        assert len(result.problem.options) == 20_000
    assert max(lags) < LAG_S


async def test_while_a_search_finds_nothing():
    async with ticking() as lags, XCC().dance(FRUITLESS):
        await anyio.sleep(1.5)
    assert len(lags) > 20
    assert max(lags) < LAG_S


async def test_while_covers_are_consumed_in_bulk():
    count = 0
    async with ticking() as lags, XCC().dance(queens(11)) as result:
        async for _ in result.solutions:
            count += 1
    assert count == 2680
    assert lags
    assert max(lags) < LAG_S
