"""Who gets in, who waits, and who is turned away."""

from __future__ import annotations

import anyio
import pytest

from dcells_async.service import Settings
from dcells_async.service.faults import Fault
from dcells_async.service.gate import Gate


def gate(**limits):
    return Gate(Settings(**{"wait_seconds": 10, **limits}))


async def test_a_place_goes_to_whoever_has_the_fewest():
    door = gate(max_open=3)
    order = []

    async def ask(client, leaving):
        async with door.slot(client):
            order.append(client)
            await leaving.wait()

    async with anyio.create_task_group() as tasks:
        first, others = anyio.Event(), anyio.Event()
        for leaving in (first, others, others):
            tasks.start_soon(ask, "many", leaving)
        await anyio.wait_all_tasks_blocked()
        for client in ("many", "many", "few"):
            tasks.start_soon(ask, client, others)
        await anyio.wait_all_tasks_blocked()
        assert (door.n_open, door.n_waiting) == (3, 3)
        first.set()
        await anyio.wait_all_tasks_blocked()
        assert order == ["many"] * 3 + ["few"]
        others.set()
    assert (door.n_open, door.n_waiting) == (0, 0)


async def test_a_client_at_its_limit_lets_others_pass():
    door = gate(max_open_per_client=1, wait_seconds=0)
    async with door.slot("one"):
        with pytest.raises(Fault, match="there may be 1") as caught:
            async with door.slot("one"):
                pytest.fail("let in")
        assert caught.value.status == 429
        async with door.slot("other"):
            assert door.n_open == 2
    assert door.n_open == 0


async def test_no_more_may_wait_than_allowed():
    door = gate(max_open=1, max_waiting=0)
    async with door.slot("one"):
        with pytest.raises(Fault) as caught:
            async with door.slot("other"):
                pytest.fail("let in")
    assert caught.value.status == 503
    assert caught.value.headers == {"retry-after": "10"}


async def test_who_leaves_the_queue_leaves_no_trace():
    door = gate(max_open=1)
    async with door.slot("one"):
        with anyio.move_on_after(0.01):
            async with door.slot("other"):
                pytest.fail("let in")
        assert door.n_waiting == 0
    assert door.n_open == 0


async def test_who_is_called_and_cancelled_at_once_gives_the_place_back():
    door = gate(max_open=1)

    async def ask(scope):
        with scope:
            async with door.slot("other"):
                pytest.fail("let in")

    scope = anyio.CancelScope()
    async with anyio.create_task_group() as tasks:
        async with door.slot("one"):
            tasks.start_soon(ask, scope)
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
        # The place was given away before the other could know that it is cancelled.
    assert (door.n_open, door.n_waiting) == (0, 0)
    async with door.slot("third"):
        assert door.n_open == 1


async def test_closing_sends_away_who_waits():
    door = gate(max_open=1)
    refused = []

    async def ask():
        try:
            async with door.slot("other"):
                pytest.fail("let in")
        except Fault as fault:
            refused.append(fault.kind)

    async with anyio.create_task_group() as tasks, door.slot("one"):
        tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        door.close()
    assert refused == ["closing"]
    with pytest.raises(Fault):
        async with door.slot("late"):
            pytest.fail("let in")
