"""Many searches at once, and many after each other, leave no trace."""

from __future__ import annotations

import gc
import os
import threading
import weakref

import anyio
import psutil
import pytest
from problems import FRUITLESS, queens
from standing import HANG_S, gone, until

from dcells_async import XCC, Problem

SOME = 1000


def threads() -> int:
    return threading.active_count()


async def test_fifty_searches_take_turns_on_two_threads():
    limiter = anyio.to_thread.current_default_thread_limiter()
    limiter.total_tokens = 2
    counts = []

    async def dance():
        async with XCC().dance(queens(6), buffer=0) as result:
            counts.append(len([cover async for cover in result.solutions]))

    with anyio.fail_after(HANG_S):
        async with anyio.create_task_group() as tasks:
            for _ in range(50):
                tasks.start_soon(dance)
    assert counts == [4] * 50


async def test_searches_run_though_others_hold_all_default_threads():
    limiter = anyio.to_thread.current_default_thread_limiter()
    gate = threading.Event()
    async with anyio.create_task_group() as tasks:
        for _ in range(int(limiter.total_tokens)):
            tasks.start_soon(anyio.to_thread.run_sync, gate.wait)
        await anyio.sleep(0.05)
        try:
            problem = Problem.from_dlx(queens(6))
            with anyio.fail_after(HANG_S):
                assert await XCC().count(problem) == 4
        finally:
            gate.set()


@pytest.mark.slow
async def test_two_thousand_open_and_paused_searches():
    problem = Problem.from_dlx(queens(8))
    results = []
    process = psutil.Process()
    before, idle = process.memory_info().rss, threads()

    async def dance(done):
        async with XCC().dance(problem, buffer=1) as result:
            await result.solutions.receive()
            results.append(result)
            await done.wait()

    with anyio.fail_after(4 * HANG_S):
        done = anyio.Event()
        async with anyio.create_task_group() as tasks:
            for _ in range(2000):
                tasks.start_soon(dance, done)
            while len(results) < 2000:
                await anyio.sleep(0.01)
            most = idle + (os.cpu_count() or 1) + 2
            await until(lambda: threads() <= most)
            grown = process.memory_info().rss - before
            done.set()
    assert grown < 300e6


async def test_dances_abandoned_after_one_cover_leave_no_trace():
    problem = Problem.from_dlx(queens(8))
    process = psutil.Process()

    async def abandon(times):
        for _ in range(times):
            async with XCC().dance(problem, buffer=2) as result:
                async for _ in result.solutions:
                    break

    with anyio.fail_after(4 * HANG_S):
        await abandon(50)
        gc.collect()
        memory, busy = process.memory_info().rss, threads()
        await abandon(SOME)
        await until(lambda: threads() <= busy + 2)
        gc.collect()
        assert process.memory_info().rss - memory < 20e6


async def test_search_is_freed_on_leaving_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        async with XCC().dance(queens(8), buffer=1) as result:
            await result.solutions.receive()
            session = weakref.ref(result._session)
        await gone(session)
    finally:
        gc.enable()


async def test_no_task_is_left_behind(anyio_backend):
    before = len(anyio.get_running_tasks())
    for _ in range(5):
        async with XCC().dance(FRUITLESS):
            await anyio.sleep(0.01)
    with anyio.move_on_after(0.01):
        await XCC().count(FRUITLESS)
    await until(lambda: len(anyio.get_running_tasks()) == before)
