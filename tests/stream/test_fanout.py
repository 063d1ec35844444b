"""Many problems at once: what comes, in which order, and how far it reads ahead."""

from __future__ import annotations

import threading
from functools import partial

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import FRUITLESS, SMALL, queens
from reference import covers
from standing import HANG_S, PATIENCE_S, settled, until
from strategies import examples, puzzles

from dcells_async import (
    MCC,
    XCC,
    XCCDC,
    DlxSyntaxError,
    DlxWarning,
    MultiplicityError,
    Outcome,
    Problem,
    SearchError,
    fan_out,
)
from dcells_async.stream.threads import n_cores

ONE, NONE, BAD = "a b\na b", "a b\na", "a b\na c"


async def answers_of(problems, *args, **options):
    with anyio.fail_after(HANG_S):
        async with fan_out(problems, *args, **options) as answers:
            return [answer async for answer in answers]


def numbers(answer):
    return [cover.numbers for cover in answer.covers]


def gated(gate, started=None):
    """Give a problem, line by line, that has to wait for its second line."""
    yield "a b"
    if started is not None:
        started.append(True)
    gate.wait(HANG_S)
    yield "a b"


class Counted:
    """Problems without end, which count how many were asked for."""

    def __init__(self, problem=SMALL, first=None):
        self.read = 0
        self.is_closed = False
        self._problem = problem
        self._first = first

    def __iter__(self):
        try:
            while True:
                self.read += 1
                is_special = self.read == 1 and self._first is not None
                yield self._first if is_special else self._problem
        finally:
            self.is_closed = True

    async def later(self):
        try:
            for problem in self:
                yield problem
        finally:
            await anyio.lowlevel.checkpoint()
            self.is_closed = True


async def later(problems):
    for problem in problems:
        await anyio.lowlevel.checkpoint()
        yield problem


KINDS = {"list": list, "iterator": iter, "generator": lambda ps: (p for p in ps)}
KINDS |= {"async": later}


# -- what comes --------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("concurrency", [None, 1, 5])
async def test_each_problem_has_its_answer_in_order(kind, concurrency):
    problems = [ONE, NONE, BAD, Problem.from_dlx(SMALL), queens(6).encode()] * 9
    answers = await answers_of(KINDS[kind](problems), concurrency=concurrency)
    assert [answer.index for answer in answers] == list(range(45))
    assert all(
        answer.source is problem
        for answer, problem in zip(answers, problems, strict=True)
    )
    kinds = [answer.outcome.value for answer in answers]
    assert kinds == ["limited", "exhausted", "failed", "limited", "limited"] * 9
    for answer in answers:
        if answer.outcome is Outcome.FAILED:
            assert isinstance(answer.error, DlxSyntaxError)
            assert (answer.problem, answer.cover, answer.covers) == (None, None, ())
            continue
        with XCC().solve(answer.source, limit=1) as found:
            assert numbers(answer) == [cover.numbers for cover in found]
        assert answer.error is None
        assert answer.problem == found.problem
        assert answer.stats.nodes == found.stats.nodes
        assert answer.cover == (answer.covers[0] if answer.covers else None)


@given(
    batch=st.lists(puzzles(), max_size=8),
    limit=st.sampled_from([1, 2, None]),
    buffer=st.integers(0, 5),
)
@examples(40)
async def test_random_problems_are_solved_as_one_by_one(batch, limit, buffer):
    problems = [puzzle.problem() for puzzle in batch]
    answers = await answers_of(problems, limit=limit, buffer=buffer)
    assert len(answers) == len(batch)
    for answer, problem in zip(answers, problems, strict=True):
        with XCC().solve(problem, limit=limit) as found:
            assert numbers(answer) == [cover.numbers for cover in found]
        assert answer.outcome is found.outcome
        assert (answer.stats.nodes, answer.stats.updates) == (
            found.stats.nodes,
            found.stats.updates,
        )


async def test_no_problems_no_answers():
    assert await answers_of([]) == []
    assert await answers_of(later([])) == []


async def test_searches_of_many_slices_go_on_where_they_were():
    answers = await answers_of([queens(8)] * 4, XCC(kernel="cells"), limit=None)
    for answer in answers:
        assert len(answer.covers) == 92
        assert (answer.stats.nodes, answer.stats.updates) == (947, 20078)


async def test_other_engines():
    twice = "2|a b\na\na b\nb"
    (many,) = await answers_of([twice], MCC(), limit=None)
    assert numbers(many) == [(1, 2)]
    (answer,) = await answers_of([queens(6)], XCCDC(), limit=None)
    assert (len(answer.covers), answer.stats.purges is None) == (4, False)
    (refused,) = await answers_of([twice])
    assert isinstance(refused.error, MultiplicityError)


@given(batch=st.lists(puzzles(), max_size=4))
@examples(25)
async def test_cheapest_covers_are_those_of_brute_force(batch):
    def price(option):
        return option.number % 4

    problems = [puzzle.problem() for puzzle in batch]
    least = [
        min((sum(k % 4 for k in cover) for cover in covers(*puzzle)), default=None)
        for puzzle in batch
    ]
    solve = partial(XCC().cheapest, price=price)
    answers = await answers_of(problems, solve, limit=None)
    assert [a.covers[-1].price if a.covers else None for a in answers] == least
    assert {answer.outcome for answer in answers} <= {Outcome.EXHAUSTED}


async def test_as_completed_does_not_wait_for_the_slow():
    gate = threading.Event()
    problems = [gated(gate), ONE, NONE]
    with anyio.fail_after(HANG_S):
        async with fan_out(problems, concurrency=2, ordered=False) as answers:
            first = [(await answers.receive()).index for _ in range(2)]
            gate.set()
            assert sorted(first) == [1, 2]
            assert (await answers.receive()).index == 0
            with pytest.raises(anyio.EndOfStream):
                await answers.receive()


async def test_files_are_read_by_path(tmp_path):
    path = tmp_path / "queens.dlx"
    path.write_text(queens(6))
    found, missing = await answers_of([path, tmp_path / "none"], limit=None)
    assert len(found.covers) == 4
    assert isinstance(missing.error, FileNotFoundError)


async def test_several_receivers_share_the_answers():
    taken = []

    async def take(answers):
        async for answer in answers:
            taken.append(answer.index)
            await anyio.lowlevel.checkpoint()

    with anyio.fail_after(HANG_S):
        async with (
            fan_out([SMALL] * 50, buffer=3) as answers,
            anyio.create_task_group() as tasks,
        ):
            for _ in range(4):
                tasks.start_soon(take, answers)
    assert sorted(taken) == list(range(50))


async def test_cancelled_receivers_lose_no_answer():
    taken = []
    async with fan_out([SMALL] * 100, buffer=2) as answers:
        while len(taken) < 100:
            with anyio.move_on_after(0.0003):
                taken.append((await answers.receive()).index)
    assert taken == list(range(100))


# -- how far it reads ahead ----------------------------------------------------------


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("buffer", [1, 20])
@pytest.mark.parametrize("is_async", [False, True])
async def test_input_is_read_no_further_than_the_buffer(ordered, buffer, is_async):
    problems = Counted()
    source = problems.later() if is_async else problems
    with anyio.fail_after(HANG_S):
        async with fan_out(source, ordered=ordered, buffer=buffer) as answers:
            await until(lambda: problems.read >= buffer)
            assert await settled(lambda: problems.read) == buffer
            for taken in range(1, 60):
                await answers.receive()
                # One more if the consumer had to wait.
                assert problems.read <= taken + buffer + 1
            await until(lambda: problems.read > taken + buffer // 2 - 1)
            assert await settled(lambda: problems.read) <= taken + buffer + 1


@pytest.mark.parametrize("is_async", [False, True])
async def test_without_buffer_a_problem_is_read_when_somebody_waits(is_async):
    problems = Counted()
    source = problems.later() if is_async else problems
    with anyio.fail_after(HANG_S):
        async with fan_out(source, buffer=0) as answers:
            for taken in range(3):
                await until(lambda: problems.read >= taken)  # noqa: B023
                assert await settled(lambda: problems.read) == taken
                assert (await answers.receive()).index == taken


@pytest.mark.parametrize("is_async", [False, True])
async def test_behind_a_slow_problem_the_input_rests(is_async):
    gate = threading.Event()
    problems = Counted(first=gated(gate))
    source = problems.later() if is_async else problems
    taken = []

    async def take(answers):
        async for answer in answers:
            taken.append(answer.index)
            if len(taken) == 20:
                return

    with anyio.fail_after(HANG_S):
        async with (
            fan_out(source, concurrency=3, buffer=6) as answers,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(take, answers)
            # Six, and one for the consumer who waits.
            await until(lambda: problems.read >= 6)
            assert await settled(lambda: problems.read) in (6, 7)
            assert taken == []
            gate.set()
    assert taken == list(range(20))


async def test_as_completed_the_slow_one_takes_one_place_only():
    gate = threading.Event()
    problems = Counted(first=gated(gate))
    with anyio.fail_after(HANG_S):
        async with fan_out(problems, concurrency=2, ordered=False, buffer=3) as answers:
            for _ in range(50):
                assert (await answers.receive()).index > 0
            gate.set()
            while (await answers.receive()).index > 0:
                pass


async def test_no_more_are_searched_at_a_time_than_was_said():
    gate = threading.Event()
    started = []
    problems = [gated(gate, started) for _ in range(10)]
    with anyio.fail_after(HANG_S):
        async with fan_out(problems, concurrency=3) as answers:
            await until(lambda: len(started) >= 3)
            assert await settled(lambda: len(started)) == 3
            gate.set()
            assert len([answer async for answer in answers]) == 10


# -- input that is not well-behaved ----------------------------------------------------


async def test_what_came_before_the_input_blocks_is_answered_meanwhile():
    gate = threading.Event()

    def blocking():
        yield ONE
        yield NONE
        gate.wait(HANG_S)
        yield SMALL

    with anyio.fail_after(HANG_S):
        async with fan_out(blocking()) as answers:
            assert [(await answers.receive()).index for _ in range(2)] == [0, 1]
            gate.set()
            assert [answer.index async for answer in answers] == [2]


async def test_input_that_waits_for_the_answers():
    has_answer = threading.Semaphore(0)

    def asking():
        for _ in range(10):
            yield SMALL
            assert has_answer.acquire(timeout=HANG_S)

    with anyio.fail_after(HANG_S):
        async with fan_out(asking()) as answers:
            count = 0
            async for _ in answers:
                count += 1
                has_answer.release()
    assert count == 10


@pytest.mark.parametrize("error", [ValueError("mine"), SystemExit(3)])
@pytest.mark.parametrize("is_async", [False, True])
async def test_error_of_the_input_comes_behind_the_answers(error, is_async):
    def raising():
        yield from [ONE] * 5
        raise error

    async def raising_later():
        for problem in [ONE] * 5:
            yield problem
        raise error

    count = 0
    with anyio.fail_after(HANG_S), pytest.raises(type(error)) as caught:
        async with fan_out(raising_later() if is_async else raising()) as answers:
            async for _ in answers:
                count += 1
    assert caught.value is error
    assert count == 5


async def test_iterable_that_cannot_even_begin():
    class Broken:
        def __iter__(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await answers_of(Broken())


async def test_input_that_says_it_was_cancelled_is_a_failure(anyio_backend):
    cancelled = anyio.get_cancelled_exc_class()
    if anyio_backend == "trio":
        pytest.skip("trio lets nobody make such an exception")

    def raising():
        yield ONE
        raise cancelled

    async def raising_later():
        yield ONE
        raise cancelled

    for problems in (raising(), raising_later(), [raising()]):
        count = 0
        with anyio.fail_after(HANG_S):
            async with fan_out(problems, errors="raise") as answers:
                with pytest.raises(SearchError, match="cancelled"):
                    async for _ in answers:
                        count += 1
        assert count == (0 if isinstance(problems, list) else 1)


@pytest.mark.parametrize("is_async", [False, True])
async def test_generator_is_closed_when_the_block_is_left(is_async):
    problems = Counted()
    source = problems.later() if is_async else iter(problems)
    with anyio.fail_after(HANG_S):
        async with fan_out(source) as answers:
            async for _ in answers:
                break
        # A thread that is still inside does so on leaving.
        await until(lambda: problems.is_closed)


@pytest.mark.parametrize("is_async", [False, True])
async def test_error_in_closing_the_generator_is_told(is_async):
    def stubborn():
        try:
            while True:
                yield ONE
        finally:
            raise ZeroDivisionError

    async def stubborn_later():
        try:
            while True:
                yield ONE
        finally:
            raise ZeroDivisionError

    # While a thread is inside the generator it is left alone, and then nobody hears.
    is_told = False
    with anyio.fail_after(HANG_S):
        while not is_told:
            endless = stubborn_later() if is_async else stubborn()
            try:
                async with fan_out(endless) as answers:
                    await answers.receive()
                    await anyio.sleep(0.02)
            except ZeroDivisionError:
                is_told = True


async def test_generator_with_scopes_of_its_own_is_left_in_order():
    async def scoped():
        nonlocal is_in_order
        with anyio.move_on_after(100):
            try:
                while True:
                    yield SMALL
            finally:
                await anyio.sleep(0.01)
                is_in_order = True

    is_in_order = False
    with anyio.fail_after(HANG_S):
        async with fan_out(scoped(), buffer=4) as answers:
            await answers.receive()
    assert is_in_order


# -- faults and times ------------------------------------------------------------------


async def test_faults_of_all_kinds_are_answers():
    def raising():
        yield "a b"
        raise ZeroDivisionError

    problems = [None, 7, raising(), BAD, [["a"]], ONE]
    answers = await answers_of(problems)
    kinds = [type(answer.error) for answer in answers]
    assert kinds == [TypeError, TypeError, ZeroDivisionError, DlxSyntaxError,
                     TypeError, type(None)]  # fmt: skip
    assert {answer.outcome for answer in answers[:-1]} == {Outcome.FAILED}


async def test_warning_made_an_error_is_that_of_its_problem():
    dropped = "a | x\na\nx"
    with pytest.warns(DlxWarning, match="left out"):
        (answer,) = await answers_of([dropped])
    assert numbers(answer) == [(1,)]
    answer, other = await answers_of([dropped, ONE])
    assert isinstance(answer.error, DlxWarning)
    assert other.error is None


@pytest.mark.parametrize("ordered", [True, False])
async def test_first_fault_can_be_the_end(ordered):
    problems = Counted()
    source = (BAD if i == 10 else p for i, p in enumerate(problems))
    taken = []
    with anyio.fail_after(HANG_S), pytest.raises(DlxSyntaxError):
        async with fan_out(source, errors="raise", ordered=ordered) as answers:
            async for answer in answers:
                taken.append(answer.index)  # noqa: PERF401
    assert len(taken) == len(set(taken))
    if ordered:
        assert taken == list(range(10))


@pytest.mark.parametrize("ordered", [True, False])
async def test_base_exception_of_a_source_ends_all(ordered):
    def raising():
        yield "a b"
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        await answers_of([ONE, raising(), ONE], ordered=ordered)


async def test_timeout_is_each_problems_own():
    problems = [ONE, FRUITLESS, NONE, FRUITLESS, queens(12)]
    expected = [Outcome.EXHAUSTED, Outcome.TIMED_OUT] * 2
    for timeout in PATIENCE_S:
        answers = await answers_of(problems, limit=None, timeout=timeout)
        outcomes = [answer.outcome for answer in answers]
        if outcomes[:4] == expected and answers[1].stats.nodes:
            break
    assert outcomes[:4] == expected
    assert answers[1].stats.nodes > 0
    if outcomes[4] is Outcome.TIMED_OUT:
        assert len(answers[4].covers) == answers[4].stats.covers


async def test_timeout_of_a_source_that_blocks():
    gate = threading.Event()
    try:
        for timeout in PATIENCE_S:
            first, second = await answers_of([gated(gate), ONE], timeout=timeout)
            assert first.outcome is Outcome.TIMED_OUT
            assert (first.problem, first.covers) == (None, ())
            if second.outcome is Outcome.LIMITED:
                break
        assert second.outcome is Outcome.LIMITED
    finally:
        gate.set()


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"concurrency": 0}, ValueError),
        ({"concurrency": 1.5}, TypeError),
        ({"concurrency": 10**30}, ValueError),
        ({"buffer": -1}, ValueError),
        ({"limit": 0}, ValueError),
        ({"timeout": -1}, ValueError),
        ({"timeout": "soon"}, TypeError),
        ({"errors": "ignore"}, ValueError),
        ({"engine": 7}, TypeError),
        ({"engine": XCC}, TypeError),
    ],
)
def test_parameters_out_of_range_are_refused_by_name(options, kind):
    with pytest.raises(kind, match=next(iter(options))):
        fan_out([ONE], **options)


@pytest.mark.parametrize("problems", [ONE, ONE.encode(), Problem.from_dlx(ONE), 7])
def test_one_problem_is_not_many(problems):
    with pytest.raises(TypeError, match="iterable of problems"):
        fan_out(problems)


@pytest.mark.parametrize("engine", [lambda *_, **__: 7, lambda *_, **__: None])
async def test_engine_that_gives_no_covers_is_told(engine):
    answers = await answers_of([ONE] * 3, engine)
    assert [answer.outcome for answer in answers] == [Outcome.FAILED] * 3
    assert "an engine must give Covers" in str(answers[0].error)
    with pytest.raises(TypeError, match="an engine must give Covers"):
        await answers_of([ONE], engine, errors="raise")


async def test_tasks_are_no_more_than_there_is_work_for():
    gate, started = threading.Event(), []
    n_before = len(anyio.get_running_tasks())
    blocked = [gated(gate, started) for _ in range(n_cores() + 2)]
    with anyio.fail_after(HANG_S):
        async with fan_out(blocked, concurrency=1000) as answers:
            while len(started) < len(blocked):
                await anyio.sleep(0.001)
            n_tasks = len(anyio.get_running_tasks()) - n_before
            gate.set()
            assert len([answer async for answer in answers]) == len(blocked)
    assert n_tasks < len(blocked) + 10


async def test_opened_only_once():
    fan = fan_out([ONE])
    async with fan:
        pass
    with pytest.raises(RuntimeError, match="only once"):
        async with fan:
            pass
