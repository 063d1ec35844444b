"""Lines in, answers out: what waits for what, and what a cancelled wait loses."""

from __future__ import annotations

import asyncio
import gc
import threading
from contextlib import aclosing
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from standing import HANG_S, until

from dcells_async import SearchError
from dcells_async.stream.lines import batches, singly
from dcells_async.stream.rounds import Rounds
from dcells_async.stream.threads import n_cores


class Echo:
    """A block that says what it was given, after so many steps a line."""

    def __init__(self, texts, first, steps=0):
        self.answers = []
        self._texts = texts
        self._first = first
        self._left = steps * len(texts)

    def advance(self, budget):
        self._left -= budget
        if self._left > 0:
            return False
        self.answers = [*enumerate(self._texts, self._first)]
        return True


def echoes(lines, most=64):
    return singly(batches(lines, Echo, most))


async def all_of(answers):
    with anyio.fail_after(HANG_S):
        return [answer async for answer in answers]


async def later(lines):
    for line in lines:
        await anyio.lowlevel.checkpoint()
        yield line


def texts_of(count):
    return [str(k) for k in range(1, count + 1)]


def told(count):
    return [(k, str(k)) for k in range(1, count + 1)]


@pytest.mark.parametrize("count", [0, 1, 2, 1000])
@pytest.mark.parametrize("most", [1, 7, 64])
@pytest.mark.parametrize("kind", [list, iter, later])
async def test_each_line_is_answered_in_order(kind, count, most):
    assert await all_of(echoes(kind(texts_of(count)), most)) == told(count)


# -- input that waits --------------------------------------------------------------


async def test_what_came_before_the_input_blocks_is_answered_meanwhile():
    gate = threading.Event()

    def blocking():
        yield from texts_of(100)
        gate.wait(HANG_S)
        yield "101"

    answers = echoes(blocking())
    with anyio.fail_after(HANG_S):
        assert [await anext(answers) for _ in range(100)] == told(100)
        gate.set()
        assert [answer async for answer in answers] == [(101, "101")]


async def test_input_that_waits_for_the_answers():
    answered = threading.Semaphore(0)

    def asking():
        for text in texts_of(20):
            yield text
            assert answered.acquire(timeout=HANG_S)

    count = 0
    with anyio.fail_after(HANG_S):
        async for _ in echoes(asking()):
            count += 1
            answered.release()
    assert count == 20


async def test_asynchronous_input_that_waits_for_the_answers_line_by_line():
    answered = anyio.Semaphore(0)

    async def asking():
        for text in texts_of(20):
            yield text
            await answered.acquire()

    count = 0
    with anyio.fail_after(HANG_S):
        async for _ in echoes(asking(), most=1):
            count += 1
            answered.release()
    assert count == 20


async def test_input_may_wait_for_the_event_loop():
    gate = threading.Event()

    def blocking():
        assert gate.wait(HANG_S)
        yield "1"

    async def open_gate():
        gate.set()

    with anyio.fail_after(HANG_S):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(open_gate)
            assert await anext(echoes(blocking())) == (1, "1")


async def test_input_is_read_though_others_hold_all_default_threads():
    limiter = anyio.to_thread.current_default_thread_limiter()
    gate = threading.Event()
    async with anyio.create_task_group() as tasks:
        for _ in range(int(limiter.total_tokens)):
            tasks.start_soon(anyio.to_thread.run_sync, gate.wait)
        await anyio.lowlevel.checkpoint()
        try:
            assert await all_of(echoes(iter(texts_of(50)))) == told(50)
        finally:
            gate.set()


@pytest.mark.parametrize("most", [1, 50])
@pytest.mark.parametrize("error", [ValueError("mine"), SystemExit(3)])
@pytest.mark.parametrize("kind", [iter, later])
async def test_error_of_the_input_comes_behind_the_answers(kind, error, most):
    def raising():
        yield from texts_of(10)
        raise error

    taken = []
    with anyio.fail_after(HANG_S), pytest.raises(type(error)) as caught:
        async for answer in echoes(kind(raising()), most):
            taken.append(answer)  # noqa: PERF401
    assert caught.value is error
    assert taken == told(10)


@pytest.mark.parametrize("kind", [iter, later])
async def test_what_is_no_line_is_told_behind_the_answers(kind):
    taken = []
    with anyio.fail_after(HANG_S), pytest.raises(TypeError, match="not int"):
        async for answer in echoes(kind([*texts_of(10), 7, "8"])):
            taken.append(answer)  # noqa: PERF401
    assert taken == told(10)


# -- cancelling --------------------------------------------------------------------


async def test_cancelled_waits_lose_no_answer():
    def slow():
        for text in texts_of(200):
            if int(text) % 40 == 0:
                threading.Event().wait(0.004)
            yield text

    taken = []
    answers = echoes(slow(), most=16)
    with anyio.fail_after(HANG_S):
        while len(taken) < 200:
            with anyio.move_on_after(0.0004):
                taken.append(await anext(answers))
        with pytest.raises(StopAsyncIteration):
            await anext(answers)
    assert taken == told(200)


async def test_while_the_input_blocks_the_thread_is_left_alone():
    gate = threading.Event()

    def blocking():
        yield "1"
        gate.wait(HANG_S)
        yield "2"

    answers = echoes(blocking())
    try:
        with anyio.fail_after(HANG_S):
            assert await anext(answers) == (1, "1")
            for _ in range(3):
                with anyio.move_on_after(0.01) as scope:
                    await anext(answers)
                assert scope.cancelled_caught
            gate.set()
            assert await anext(answers) == (2, "2")
    finally:
        gate.set()


async def test_cancelled_asynchronous_input_is_not_taken_for_its_end():
    async def stalling():
        yield "1"
        scope.cancel()
        await anyio.sleep_forever()

    answers = echoes(stalling())
    with anyio.fail_after(HANG_S), anyio.CancelScope() as scope:
        await anext(answers)
    assert scope.cancelled_caught
    with anyio.fail_after(HANG_S):
        assert await anext(answers) == (1, "1")
        for _ in range(2):
            with pytest.raises(anyio.ClosedResourceError):
                await anext(answers)


# -- jobs --------------------------------------------------------------------------


class Work:
    """A job of some steps, which notes how many are worked on at a time."""

    running = most_running = 0
    lock = threading.Lock()

    def __init__(self, steps):
        self.left = steps

    def advance(self, budget):
        with self.lock:
            Work.running += 1
            Work.most_running = max(Work.most_running, Work.running)
        threading.Event().wait(0.0005)
        with self.lock:
            Work.running -= 1
        self.left -= budget
        return self.left <= 0


async def taken_from(rounds):
    jobs = []
    with anyio.fail_after(HANG_S):
        while more := await rounds.next():
            jobs += more
    return jobs


async def test_jobs_long_and_short_come_in_order_and_no_more_at_a_time_than_cores():
    jobs = [Work(40 if k % 7 == 0 else 1) for k in range(100)]
    source = iter(jobs)

    async def read():
        return next(source, None)

    Work.most_running = 0
    taken = await taken_from(Rounds(read))
    assert all(a is b for a, b in zip(taken, jobs, strict=True))
    assert all(job.left <= 0 for job in jobs)
    assert Work.running == 0
    assert 0 < Work.most_running <= n_cores()


async def test_no_more_jobs_are_held_than_was_said():
    read_count = 0

    async def read():
        nonlocal read_count
        read_count += 1
        return Work(read_count % 5) if read_count <= 60 else None

    rounds = Rounds(read, most=6)
    taken = 0
    with anyio.fail_after(HANG_S):
        while jobs := await rounds.next():
            taken += len(jobs)
            assert len(jobs) <= 6
            assert read_count - taken <= 6
    assert taken == 60


async def test_what_a_job_raises_comes_out_as_it_is():
    error = ZeroDivisionError()

    class Broken:
        def advance(self, budget):
            raise error

    jobs = iter([Work(1), Work(1), Broken(), Work(1)])

    async def read():
        return next(jobs, None)

    with pytest.raises(ZeroDivisionError) as caught:
        await taken_from(Rounds(read))
    assert caught.value is error


async def test_several_may_ask_at_a_time():
    answers = batches(texts_of(500), Echo, 4)
    taken = []

    async def take():
        async for batch in answers:
            taken.extend(batch)
            await anyio.lowlevel.checkpoint()

    with anyio.fail_after(HANG_S):
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(take)
    assert sorted(taken) == told(500)


# -- leaving early -----------------------------------------------------------------


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Give a path with lines, and the files that are opened there."""
    path = tmp_path / "lines"
    path.write_text("\n".join(texts_of(1 << 17)))
    files, plain = [], Path.open

    def open_(path, *args):
        files.append(plain(path, *args))
        return files[-1]

    monkeypatch.setattr(Path, "open", open_)
    return path, files


async def test_break_closes_the_file(opened):
    path, files = opened
    gc.disable()
    try:
        async for _ in echoes(path):
            break
        await until(lambda: [file.closed for file in files] == [True])
    finally:
        gc.enable()


async def test_closing_closes_the_file_and_ends_the_answers(opened):
    path, files = opened
    async with aclosing(echoes(path)) as answers:
        async for _ in answers:
            break
        assert not files[0].closed
    # A thread that is still inside does so on leaving.
    await until(lambda: files[0].closed)
    assert [answer async for answer in answers] == []


@pytest.mark.parametrize("is_async", [False, True])
async def test_closing_closes_a_generator(is_async):
    ends = []

    def endless():
        try:
            while True:
                yield "1"
        finally:
            ends.append(1)

    async def endless_later():
        try:
            while True:
                yield "1"
        finally:
            ends.append(1)

    async with aclosing(echoes(endless_later() if is_async else endless())) as answers:
        await anext(answers)
        assert not ends
    await until(lambda: ends == [1])
    await answers.aclose()


async def test_closing_does_not_wait_for_input_that_blocks():
    gate, closed = threading.Event(), threading.Event()

    def blocking():
        try:
            yield "1"
            gate.wait(HANG_S)
            yield "2"
        finally:
            closed.set()

    answers = echoes(blocking(), most=1)
    with anyio.fail_after(HANG_S):
        assert await anext(answers) == (1, "1")
        with anyio.move_on_after(0.05):
            await anext(answers)
        await answers.aclose()
        assert not closed.is_set()
        gate.set()
        assert await anyio.to_thread.run_sync(closed.wait, HANG_S)
        assert [answer async for answer in answers] == []


@pytest.mark.parametrize("most", [1, 64])
@pytest.mark.parametrize("kind", [iter, later])
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_input_that_says_it_was_cancelled_is_a_failure(kind, most):
    def lines():
        yield from texts_of(5)
        raise asyncio.CancelledError

    answers = echoes(kind(lines()), most)
    with anyio.fail_after(HANG_S):
        assert [await anext(answers) for _ in range(5)] == told(5)
        with pytest.raises(SearchError, match="the input was cancelled"):
            await anext(answers)
