"""A search ends, and leaves nothing behind, from wherever it is cancelled."""

from __future__ import annotations

import threading

import anyio
import pytest
from problems import FRUITLESS, SMALL, queens
from standing import HANG_S, until

from dcells_async import XCC, Outcome


def big_text(options: int) -> bytes:
    head = " ".join(f"i{i}" for i in range(1000))
    line = " ".join(f"i{i}" for i in range(0, 1000, 20))
    return "\n".join([head, *[line] * options]).encode()


@pytest.mark.parametrize("source", [FRUITLESS, queens(13)], ids=["fruitless", "full"])
async def test_scope_around_the_dance(source):
    with anyio.fail_after(HANG_S), anyio.CancelScope() as scope:
        async with XCC().dance(source) as result:
            scope.deadline = anyio.current_time() + 0.05
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert result.outcome is Outcome.CANCELLED


async def test_scope_around_iteration():
    with anyio.fail_after(HANG_S), anyio.CancelScope() as scope:
        async with XCC().dance(FRUITLESS) as result:
            scope.deadline = anyio.current_time() + 0.05
            async for _ in result.solutions:
                pytest.fail("there is no cover")
    assert scope.cancelled_caught
    assert result.outcome is Outcome.CANCELLED


async def test_deadline_inside_the_block_leaves_the_search_alive():
    async with XCC().dance(queens(8), buffer=0) as result:
        with anyio.move_on_after(0):
            await anyio.sleep_forever()
        assert result.outcome is Outcome.RUNNING
        assert len([cover async for cover in result.solutions]) == 92


async def test_break_ends_the_search():
    with anyio.fail_after(HANG_S):
        async with XCC().dance(queens(13)) as result:
            async for _ in result.solutions:
                break
    assert result.outcome is Outcome.CANCELLED


async def test_exception_in_the_body_ends_the_search():
    with anyio.fail_after(HANG_S), pytest.raises(ZeroDivisionError):
        async with XCC().dance(FRUITLESS) as result:
            _ = 1 / 0
    assert result.outcome is Outcome.CANCELLED


async def test_cancelled_before_it_starts():
    with anyio.CancelScope() as scope:
        scope.cancel()
        async with XCC().dance(FRUITLESS):
            pytest.fail("entered")
    assert scope.cancelled_caught


@pytest.mark.parametrize("delay", [0.0, 0.005, 0.02, 0.05, 0.1, 0.2])
async def test_while_reading_or_preparing(delay):
    text = big_text(20_000)
    with anyio.fail_after(HANG_S), anyio.move_on_after(delay):
        async with XCC().dance(text):
            await anyio.sleep_forever()


async def test_while_a_read_blocks():
    gate = threading.Event()

    def lines():
        yield "a b"
        gate.wait(60)
        yield "a b"

    try:
        with anyio.fail_after(HANG_S), anyio.move_on_after(0.05) as scope:
            async with XCC().dance(lines()):
                pytest.fail("entered")
        assert scope.cancelled_caught
    finally:
        gate.set()


@pytest.mark.parametrize("method", ["count", "first", "is_unique"])
async def test_conveniences_are_cancelled_too(method):
    with anyio.fail_after(HANG_S), anyio.move_on_after(0.05) as scope:
        await getattr(XCC(), method)(FRUITLESS)
    assert scope.cancelled_caught


async def test_task_group_around_the_dance():
    async def search(task_status):
        async with XCC().dance(FRUITLESS) as result:
            task_status.started(result)
            await anyio.sleep_forever()

    with anyio.fail_after(HANG_S):
        async with anyio.create_task_group() as tasks:
            results = [
                await tasks.start(lambda *, task_status: search(task_status))
                for _ in range(5)
            ]
            tasks.cancel_scope.cancel()
    assert {result.outcome for result in results} == {Outcome.CANCELLED}


async def test_shielded_body_still_ends():
    with anyio.fail_after(HANG_S), anyio.CancelScope() as scope:
        async with XCC().dance(FRUITLESS) as result:
            scope.deadline = anyio.current_time() + 0.01
            with anyio.CancelScope(shield=True):
                # The pump notices by itself.
                await until(lambda: result.outcome is Outcome.CANCELLED)
            await anyio.sleep_forever()


async def test_nested_dances_end_from_the_outside_in():
    with anyio.fail_after(HANG_S), anyio.CancelScope() as scope:
        async with XCC().dance(FRUITLESS) as outer, XCC().dance(queens(13)) as inner:
            scope.deadline = anyio.current_time() + 0.05
            await anyio.sleep_forever()
    assert outer.outcome is Outcome.CANCELLED
    assert inner.outcome is Outcome.CANCELLED


async def test_cancel_at_many_moments():
    with anyio.fail_after(3 * HANG_S):
        for moment in range(200):
            with anyio.move_on_after(moment * 0.00005):
                async with XCC().dance(queens(8), buffer=moment % 3) as result:
                    async for _ in result.solutions:
                        pass
            # Nothing of it disturbs the next one.
            if moment % 20 == 0:
                assert await XCC().count(SMALL) == 2


async def test_covers_found_before_a_cancel_stay_with_the_caller():
    kept = []
    with anyio.CancelScope() as scope:
        async with XCC().dance(queens(13)) as result:
            async for cover in result.solutions:
                kept.append(cover)
                if len(kept) == 1000:
                    scope.cancel()
    assert len(kept) >= 1000
    assert result.stats.covers >= len(kept)
    assert all(len(list(cover)) == 13 for cover in kept)
