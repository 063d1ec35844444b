"""A fan-out ends, and leaves nothing behind, from wherever it is cancelled."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import weakref

import anyio
import anyio.lowlevel
import pytest
from problems import FRUITLESS, SMALL, queens
from standing import HANG_S, PROCESS_S, gone, until

from dcells_async import XCC, Problem, fan_out


def endless(problem):
    while True:
        yield problem


async def endless_later(problem):
    while True:
        await anyio.lowlevel.checkpoint()
        yield problem


async def never():
    await anyio.sleep_forever()
    yield SMALL


SOURCES = {
    "fruitless": lambda: [FRUITLESS] * 5,
    "endless": lambda: endless(SMALL),
    "later": lambda: endless_later(SMALL),
    "many covers": lambda: endless(queens(13)),
    "no input": never,
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("is_taken", [True, False])
async def test_scope_around_the_block(source, is_taken):
    with anyio.fail_after(HANG_S), anyio.move_on_after(0.03) as scope:
        async with fan_out(SOURCES[source](), limit=None) as answers:
            if is_taken:
                async for _ in answers:
                    pass
            await anyio.sleep_forever()
    assert scope.cancelled_caught


@pytest.mark.parametrize("source", SOURCES)
async def test_block_left_at_once(source):
    with anyio.fail_after(HANG_S):
        async with fan_out(SOURCES[source]()):
            pass


async def test_exception_in_the_body_comes_out_as_it_is():
    error = ZeroDivisionError()
    with anyio.fail_after(HANG_S), pytest.raises(ZeroDivisionError) as caught:
        async with fan_out(endless(FRUITLESS)):
            await anyio.sleep(0.01)
            raise error
    assert caught.value is error


async def test_cancelled_before_it_starts():
    with anyio.CancelScope() as scope:
        scope.cancel()
        async with fan_out([SMALL]):
            pytest.fail("entered")
    assert scope.cancelled_caught


async def test_while_the_input_blocks_the_thread_is_left_alone():
    gate = threading.Event()
    is_closed = threading.Event()

    def blocking():
        try:
            yield SMALL
            gate.wait(60)
            yield SMALL
        finally:
            is_closed.set()

    try:
        with anyio.fail_after(HANG_S), anyio.move_on_after(0.05) as scope:
            async with fan_out(blocking()) as answers:
                async for _ in answers:
                    pass
        assert scope.cancelled_caught
        assert not is_closed.is_set()
    finally:
        gate.set()
    # It closes the generator when it can.
    assert await anyio.to_thread.run_sync(is_closed.wait, HANG_S)


async def test_while_a_source_blocks():
    gate = threading.Event()

    def lines():
        yield "a b"
        gate.wait(60)
        yield "a b"

    try:
        with anyio.fail_after(HANG_S), anyio.move_on_after(0.05) as scope:
            async with fan_out([lines(), lines(), SMALL]) as answers:
                async for _ in answers:
                    pass
        assert scope.cancelled_caught
    finally:
        gate.set()


async def test_receiver_that_waits_when_the_block_is_left_gets_an_error():
    async def wait(answers):
        with pytest.raises(anyio.ClosedResourceError):
            async for _ in answers:
                pass

    with anyio.fail_after(HANG_S):
        async with anyio.create_task_group() as tasks:
            async with fan_out([FRUITLESS]) as answers:
                tasks.start_soon(wait, answers)
                await anyio.sleep(0.02)


async def test_cancel_at_many_moments():
    problem = Problem.from_dlx(queens(6))
    with anyio.fail_after(3 * HANG_S):
        for moment in range(80):
            source = (endless, endless_later)[moment % 2](problem)
            with anyio.move_on_after(moment * 0.00005):
                async with fan_out(source, buffer=moment % 5) as answers:
                    async for _ in answers:
                        pass
            if moment % 30 == 0:
                assert await XCC().count(SMALL) == 2


async def test_no_task_thread_or_search_is_left_behind():
    async def some():
        for source in SOURCES.values():
            with anyio.move_on_after(0.01):
                async with fan_out(source()) as answers:
                    async for _ in answers:
                        pass

    with anyio.fail_after(3 * HANG_S):
        await some()
        tasks, threads = len(anyio.get_running_tasks()), threading.active_count()
        for _ in range(5):
            await some()
        await until(lambda: len(anyio.get_running_tasks()) == tasks)
        most = threads + (os.cpu_count() or 1) + 2
        await until(lambda: threading.active_count() <= most)


async def test_all_is_freed_on_leaving_without_the_collector():
    class Text(str):
        __slots__ = ("__weakref__",)

    gc.collect()
    gc.disable()
    try:
        texts = [Text(queens(6)) for _ in range(20)]
        known = [weakref.ref(text) for text in texts]
        source = iter(texts)
        del texts
        async with fan_out(source, limit=None) as answers:
            answer = await answers.receive()
        del answer, source
        await gone(*known)
    finally:
        gc.enable()


async def test_searches_run_though_others_hold_all_default_threads():
    limiter = anyio.to_thread.current_default_thread_limiter()
    gate = threading.Event()

    async with anyio.create_task_group() as tasks:
        for _ in range(int(limiter.total_tokens)):
            tasks.start_soon(anyio.to_thread.run_sync, gate.wait)
        await anyio.sleep(0.05)
        try:
            with anyio.fail_after(HANG_S):
                async with fan_out(endless_later(SMALL)) as answers:
                    assert (await answers.receive()).index == 0
        finally:
            gate.set()


def test_asyncio_cancels_twice_while_the_block_is_left():
    async def body():
        async with anyio.create_task_group(), fan_out(endless(FRUITLESS)):
            await anyio.sleep_forever()

    async def main():
        task = asyncio.create_task(body())
        await asyncio.sleep(0.03)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


def test_asyncio_timeouts_at_many_moments():
    async def main():
        problem = Problem.from_dlx(queens(6))
        for moment in range(50):
            try:
                async with asyncio.timeout(moment * 0.0001):
                    async with fan_out(endless(problem), buffer=2) as answers:
                        async for _ in answers:
                            pass
            except TimeoutError:
                pass
        return await XCC().count(problem)

    assert asyncio.run(main()) == 4


CTRL_C = """
import sys
import anyio
from dcells_async import fan_out

async def main():
    async with fan_out([sys.argv[1]] * 4) as answers:
        print("ready", flush=True)
        async for _ in answers:
            pass

try:
    anyio.run(main, backend=sys.argv[2])
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.isolated
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_ctrl_c_ends_all(backend):
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", CTRL_C, FRUITLESS, backend],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout.readline() == "ready\n"
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=PROCESS_S)
    assert (out, err) == ("interrupted\n", "")
    assert program.returncode == 0
