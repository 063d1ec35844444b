"""Owners of searches take turns."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial

import anyio

from dcells_async.stream.turns import Turns, owner


async def test_an_owner_of_many_gets_no_more_turns_than_one_of_few():
    turns = Turns(1)
    order = []

    async def work(name, times):
        owner.set(name)
        for _ in range(times):
            await turns.run(lambda: order.append(name))

    async with anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(work, "many", 5)
        await anyio.wait_all_tasks_blocked()
        order.clear()
        tasks.start_soon(work, "few", 5)
    last = max(at for at, name in enumerate(order) if name == "few")
    assert order[: last + 1].count("many") <= 12


async def test_an_owner_of_one_does_not_come_too_late_for_the_next_turn():
    async def work(name, turns, count):
        owner.set(name)
        while count["one"] < 40:
            # The thread is busy, and uses none of what is counted but the hop.
            await turns.run(partial(time.sleep, 0.002))
            count[name] += 1

    # A machine that is busy may keep one thread waiting while another goes on.
    for _ in range(10):
        turns, count = Turns(2), Counter()
        async with anyio.create_task_group() as tasks:
            for name in ["ten"] * 10 + ["one"]:
                tasks.start_soon(work, name, turns, count)
        if count["ten"] <= 1.5 * count["one"]:
            break
    assert count["ten"] <= 1.5 * count["one"]


async def test_owners_that_rest_are_forgotten_and_begin_where_the_others_are():
    turns = Turns(1)
    for name in range(1000):
        owner.set(name)
        await turns.run(lambda: None)
    assert len(turns._used) < 100


async def test_no_more_at_a_time_than_there_are_cores():
    turns = Turns(2)
    running, most = set(), []

    def work(number):
        running.add(number)
        most.append(len(running))
        running.discard(number)

    async with anyio.create_task_group() as tasks:
        for number in range(30):
            tasks.start_soon(turns.run, lambda number=number: work(number))
    assert len(most) == 30
    assert max(most) <= 2


async def test_who_is_cancelled_while_waiting_loses_the_turn_to_others():
    turns = Turns(1)
    done = []

    async def work(name):
        owner.set(name)
        await turns.run(lambda: done.append(name))

    async with anyio.create_task_group() as tasks:
        async with anyio.create_task_group() as others:
            for name in "abc":
                others.start_soon(work, name)
            others.cancel_scope.cancel()
        for name in "def":
            tasks.start_soon(work, name)
    assert set("def") <= set(done)
    await turns.run(lambda: done.append("last"))
    assert done[-1] == "last"
