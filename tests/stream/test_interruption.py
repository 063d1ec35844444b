"""Cancellation that is not anyio's, and Ctrl-C: a search is seen off all the same."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys

import anyio
import pytest
from problems import FRUITLESS, queens
from standing import PROCESS_S

from dcells_async import XCC, Outcome, Problem, SearchError


def test_asyncio_cancels_twice_while_the_block_is_left():
    results, begun = [], asyncio.Event()

    async def body():
        async with anyio.create_task_group(), XCC().dance(FRUITLESS) as result:
            results.append(result)
            begun.set()
            await anyio.sleep_forever()

    async def main():
        task = asyncio.create_task(body())
        await begun.wait()
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert results[0].outcome is Outcome.CANCELLED


def test_asyncio_timeouts_at_many_moments():
    async def main():
        problem = Problem.from_dlx(queens(7))
        for moment in range(150):
            try:
                async with asyncio.timeout(moment * 0.0001):
                    async with XCC().dance(problem, buffer=1) as result:
                        async for _ in result.solutions:
                            pass
            except TimeoutError:
                pass
        return await XCC().count(problem)

    assert asyncio.run(main()) == 40


CTRL_C = """
import signal, sys
import anyio
from dcells_async import XCC

async def main():
    async with XCC().dance(sys.argv[1]) as result:
        print("ready", flush=True)
        await result.wait()

try:
    anyio.run(main, backend=sys.argv[2])
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.isolated
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_ctrl_c_ends_the_search_and_the_program(backend):
    with subprocess.Popen(
        [sys.executable, "-c", CTRL_C, FRUITLESS, backend],
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout.readline() == "ready\n"
        program.send_signal(signal.SIGINT)
        out, _ = program.communicate(timeout=PROCESS_S)
    assert out == "interrupted\n"
    assert program.returncode == 0


class Rude(BaseException):
    """What no handler of plain exceptions catches."""


@pytest.mark.parametrize("error", [SystemExit(3), Rude("mine")])
async def test_whatever_a_source_raises_comes_out_as_it_is(error):
    def lines():
        yield "a b"
        raise error

    with pytest.raises(type(error)) as caught:
        async with XCC().dance(lines()):
            pytest.fail("entered")
    assert caught.value is error


async def test_source_that_says_it_was_cancelled_is_a_failure():
    cancelled = anyio.get_cancelled_exc_class()
    if cancelled is not asyncio.CancelledError:
        pytest.skip("trio lets nobody make such an exception")

    def lines():
        yield "a b"
        raise cancelled

    with pytest.raises(SearchError, match="cancelled"):
        async with XCC().dance(lines()):
            pytest.fail("entered")


async def test_receiver_that_waits_when_the_block_is_left_gets_an_error():
    async def wait(result):
        with pytest.raises(anyio.ClosedResourceError):
            async for _ in result.solutions:
                pass

    async with anyio.create_task_group() as tasks:
        async with XCC().dance(FRUITLESS) as result:
            tasks.start_soon(wait, result)
            await anyio.sleep(0.02)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"buffer": float("nan")}, TypeError),
        ({"limit": 1.5}, TypeError),
        ({"timeout": float("nan")}, ValueError),
        ({"timeout": -1}, ValueError),
        ({"timeout": "soon"}, TypeError),
        ({"pulse_interval": float("nan")}, ValueError),
    ],
)
def test_numbers_that_are_none_are_refused_by_name(options, kind):
    with pytest.raises(kind, match=next(iter(options))):
        XCC().dance("a\na", **options)
