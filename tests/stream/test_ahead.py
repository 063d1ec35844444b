"""Reading ahead in a thread: no more than is asked for, and nothing after closing."""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque

import anyio
from standing import HANG_S, until

from dcells_async.stream import ahead as aheads
from dcells_async.stream.ahead import Ahead


async def test_threads_that_begin_late_read_no_more_than_was_asked_for(monkeypatch):
    read = []
    late = itertools.count()
    run_sync = aheads.to_thread.run_sync

    def endless():
        while True:
            read.append(len(read))
            yield read[-1]

    async def run_late(call, **options):
        def lately():
            time.sleep(0.005 * (next(late) % 4))
            call()

        await run_sync(lately, **options)

    monkeypatch.setattr(aheads.to_thread, "run_sync", run_late)
    ahead = Ahead(endless)
    taken = []
    with anyio.fail_after(HANG_S):
        while len(taken) < 200:
            taken += await ahead.take(4)
            # As many may wait, and one be on its way to them.
            assert len(read) <= len(taken) + 5
    assert taken == read[: len(taken)]


class Held(deque):
    """Holds a thread up behind what it appends."""

    def __init__(self):
        super().__init__()
        self.told, self.gate = threading.Event(), threading.Event()

    def append(self, thing):
        super().append(thing)
        self.told.set()
        assert self.gate.wait(HANG_S)


async def test_who_closes_while_a_thread_reads_gets_and_reads_no_more(monkeypatch):
    monkeypatch.setattr(aheads, "_PATIENCE_S", HANG_S)
    read = []

    def reading():
        read.append(1)
        return 1

    ahead = Ahead(lambda: iter(reading, None))
    ahead._ready = held = Held()
    with anyio.fail_after(HANG_S):
        while not held.told.is_set():
            with anyio.move_on_after(0.05):
                await ahead.take(1)
        await ahead.aclose()
        held.gate.set()
        await until(lambda: not ahead._inside.locked())
        assert await ahead.take(1) == []
        assert len(read) == 1


async def test_what_fails_after_closing_is_told_to_nobody():
    inside, gate = threading.Event(), threading.Event()

    def failing():
        inside.set()
        assert gate.wait(HANG_S)
        raise OSError("gone")
        yield

    ahead = Ahead(failing)
    with anyio.fail_after(HANG_S):
        while not inside.is_set():
            with anyio.move_on_after(0.05):
                await ahead.take(1)
        await ahead.aclose()
        gate.set()
        await until(lambda: not ahead._inside.locked())
        assert await ahead.take(1) == []
