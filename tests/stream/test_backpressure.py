"""The search is never further ahead of its consumer than the buffer allows."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest
from problems import FRUITLESS, queens
from standing import settled, until

from dcells_async import XCC


@pytest.mark.parametrize("buffer", [0, 1, 3, 20])
async def test_search_stands_still_while_the_consumer_sleeps(buffer):
    taken = 0
    async with XCC().dance(queens(8), buffer=buffer) as result:
        async for _ in result.solutions:
            taken += 1
            assert result.stats.covers <= taken + buffer
            if taken in (1, 2, 30):
                await settled(lambda: result.stats.nodes)
                assert result.stats.covers <= taken + buffer
    assert taken == 92


async def test_rendezvous_searches_only_while_somebody_waits():
    async with XCC().dance(queens(8), buffer=0) as result:
        assert await settled(lambda: result.stats.nodes) == 0
        await result.solutions.receive()
        assert await settled(lambda: result.stats.covers) == 1


async def test_cancelled_receivers_lose_no_cover():
    taken = []
    async with XCC().dance(queens(8), buffer=0) as result:
        done = False
        while not done:
            with anyio.move_on_after(0.0003):
                try:
                    taken.append((await result.solutions.receive()).numbers)
                except anyio.EndOfStream:
                    done = True
    with XCC().solve(queens(8)) as covers:
        assert taken == [cover.numbers for cover in covers]


async def test_receivers_cancelled_between_covers_lose_none():
    taken = []
    async with XCC().dance(queens(9), buffer=5) as result:
        for attempt in range(100_000):
            with anyio.CancelScope() as scope:
                if attempt % 3 == 0:
                    scope.cancel()
                try:
                    taken.append((await result.solutions.receive()).numbers)
                except anyio.EndOfStream:
                    break
    assert len(taken) == len(set(taken)) == 352


async def test_paused_search_holds_no_thread():
    limiter = anyio.to_thread.current_default_thread_limiter()
    async with XCC().dance(queens(8), buffer=1) as result:
        await until(lambda: result.stats.covers == 1)
        await settled(lambda: result.stats.nodes)
        assert limiter.borrowed_tokens == 0


async def test_others_run_while_a_search_finds_nothing():
    turns = 0
    async with XCC().dance(FRUITLESS) as result:
        while result.stats.nodes < 20_000:
            turns += 1
            await anyio.lowlevel.checkpoint()
    assert turns > 10


async def test_others_run_while_a_consumer_never_waits():
    turns = 0
    stop = False

    async def others():
        nonlocal turns
        while not stop:
            turns += 1
            await anyio.lowlevel.checkpoint()

    def work():
        return sum(range(2000))

    async with anyio.create_task_group() as tasks:
        async with XCC().dance(queens(10), buffer=10_000) as result:
            await result.wait()
            tasks.start_soon(others)
            async for _ in result.solutions:
                work()
            stop = True
    assert turns > 3
