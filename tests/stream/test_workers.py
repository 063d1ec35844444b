"""Several workers for one search: all that is promised of one holds for them."""

from __future__ import annotations

import weakref
from itertools import pairwise

import anyio
import anyio.lowlevel
import pytest
from crews import as_sets
from problems import FRUITLESS, SMALL, dominoes, queens
from standing import HANG_S, gone, settled

from dcells_async import MCC, XCC, Outcome, Problem
from dcells_async.search import crew as crews
from dcells_async.stream import dance as dances

N_BUFFER = 5


@pytest.fixture(params=["greedy", "patient"])
def division(request, monkeypatch):
    """Divides parts whenever they can be, or as they usually are."""
    if request.param == "greedy":
        monkeypatch.setattr(crews, "_STEPS_AN_ENTRY", 0)


ENGINES = [
    XCC(workers=2),
    XCC(workers=3, kernel="bits"),
    XCC(workers=4, kernel="cells"),
    MCC(workers=2),
    XCC(workers=2, kernel="bits", ordered=True),
]
ONE = [XCC(), XCC(kernel="bits"), XCC(kernel="cells"), MCC(), XCC(kernel="bits")]
NAMES = ["auto", "bits", "cells", "mcc", "ordered"]

engines = pytest.mark.parametrize("engine", ENGINES, ids=NAMES)
pairs = pytest.mark.parametrize(
    ("engine", "one"), [*zip(ENGINES, ONE, strict=True)], ids=NAMES
)


async def all_of(engine, source, **options):
    async with engine.dance(source, **options) as result:
        found = [cover.numbers async for cover in result.solutions]
    return found, result


# -- the same covers -------------------------------------------------------------------


@pairs
@pytest.mark.parametrize("buffer", [0, 1024])
@pytest.mark.usefixtures("division")
async def test_covers_are_those_of_one_worker(engine, one, buffer):
    source = queens(8) if buffer else queens(6)
    found, result = await all_of(engine, source, buffer=buffer)
    expected, _ = await all_of(one, source)
    assert as_sets(found) == as_sets(expected)
    if engine.ordered:
        assert found == expected
    assert result.outcome is Outcome.EXHAUSTED
    assert result.optimal
    assert (result.stats.covers, result.stats.fraction) == (len(found), 1.0)
    assert result.stats.parts >= 1


@engines
@pytest.mark.usefixtures("division")
async def test_questions_have_the_answers_of_one_worker(engine):
    assert await engine.count(queens(7)) == 40
    assert not await engine.is_unique(queens(6))
    assert await engine.is_unique("a b\na b\na")
    assert (await engine.first(SMALL)) is not None
    assert (await engine.first("a b\na")) is None
    async with engine.counting(dominoes(6, 6), limit=100) as result:
        await result.wait()
    assert (result.outcome, result.stats.covers) == (Outcome.LIMITED, 100)


@pairs
@pytest.mark.parametrize("limit", [1, 77])
@pytest.mark.usefixtures("division")
async def test_limit_is_exact(engine, one, limit):
    found, result = await all_of(engine, queens(8), limit=limit)
    assert (len(found), result.outcome) == (limit, Outcome.LIMITED)
    assert result.stats.covers == limit
    if engine.ordered:
        assert found == (await all_of(one, queens(8), limit=limit))[0]


@pytest.mark.usefixtures("division")
async def test_given_options_hold_for_all_workers():
    problem = Problem.from_dlx(queens(7)).compile()
    for engine, one in zip(ENGINES, ONE, strict=True):
        found, _ = await all_of(engine, problem, given=[2], without=[12])
        expected, _ = await all_of(one, problem, given=[2], without=[12])
        assert as_sets(found) == as_sets(expected)
        assert len(found) > 1


async def test_counters_on_bits_are_those_of_one_worker(monkeypatch):
    monkeypatch.setattr(crews, "_STEPS_AN_ENTRY", 0)
    _, alone = await all_of(XCC(kernel="bits"), queens(8))
    _, result = await all_of(XCC(kernel="bits", workers=3), queens(8))
    assert result.stats.nodes == alone.stats.nodes
    assert result.stats.updates == alone.stats.updates
    assert result.stats.parts > 1
    assert alone.stats.parts is None


async def test_heartbeat_of_several_never_goes_back():
    async with XCC(workers=2).counting(FRUITLESS, pulse_interval=0.01) as result:
        pulses = []
        async for pulse in result.heartbeat:
            pulses.append(pulse)
            if len(pulses) == 8:
                break
    assert pulses[-1].nodes > 0
    for before, after in pairwise(pulses):
        assert before.nodes <= after.nodes
        assert before.fraction <= after.fraction <= 1


# -- least cost ------------------------------------------------------------------------

SQUARE = "\n".join(
    [
        " ".join([*(f"r{k}" for k in range(9)), *(f"c{k}" for k in range(9))]),
        *(
            f"r{r} c{c} |{(7 * r + 5 * c * c + r * c) % 23}"
            for r in range(9)
            for c in range(9)
        ),
    ]
)


@pytest.mark.parametrize("engine", [XCC(workers=2), MCC(workers=3)], ids=["xcc", "mcc"])
@pytest.mark.parametrize("best", [1, 4])
@pytest.mark.usefixtures("division")
async def test_cheapest_covers_are_found_together(engine, best):
    async def prices(engine):
        async with engine.minimize(SQUARE, best=best) as result:
            return [cover.price async for cover in result.solutions], result

    expected, _ = await prices(XCC())
    found, result = await prices(engine)
    assert sorted(found)[:best] == sorted(expected)[:best]
    assert result.optimal
    assert result.stats.best_price == min(found)
    if best == 1:
        assert result.stats.lower_bound == min(found)
        assert all(dear > cheap for dear, cheap in pairwise(found))


async def test_error_of_a_bound_ends_all_workers():
    def bound(frame):
        raise LookupError("no bound")

    with anyio.fail_after(HANG_S), pytest.raises(LookupError, match="no bound"):
        async with XCC(workers=2).minimize(SQUARE, bound=bound) as result:
            async for _ in result.solutions:
                pass
    assert result.outcome is Outcome.FAILED


# -- the channel -----------------------------------------------------------------------


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("buffer", [1, N_BUFFER])
@pytest.mark.usefixtures("division")
async def test_all_workers_rest_while_the_consumer_sleeps(buffer, ordered):
    engine = XCC(workers=2, kernel="bits", ordered=ordered)
    limiter = anyio.to_thread.current_default_thread_limiter()
    held = buffer + 2 if ordered else 0
    taken = 0
    async with engine.dance(queens(8), buffer=buffer) as result:
        async for _ in result.solutions:
            taken += 1
            assert result.stats.covers <= taken + buffer + held
            if taken in (1, 30):
                await settled(lambda: result.stats.nodes)
                assert limiter.borrowed_tokens == 0
                assert result.stats.covers <= taken + buffer + held
    assert taken == 92


async def test_rendezvous_searches_only_while_somebody_waits():
    async with XCC(workers=2).dance(queens(8), buffer=0) as result:
        assert await settled(lambda: result.stats.nodes) == 0
        await result.solutions.receive()
        assert await settled(lambda: result.stats.covers) == 1


@pytest.mark.usefixtures("division")
async def test_many_consumers_share_the_covers_of_many_workers():
    taken = []

    async def consume(result):
        async for cover in result.solutions:
            taken.append(cover.numbers)
            if len(taken) % 50 == 0:
                await anyio.lowlevel.checkpoint()

    async with XCC(workers=3).dance(queens(9), buffer=4) as result:
        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(consume, result)
    assert len(taken) == len(set(taken)) == 352


# -- endings ---------------------------------------------------------------------------


@engines
@pytest.mark.parametrize("source", [FRUITLESS, queens(12)], ids=["fruitless", "full"])
async def test_cancelled_scope_ends_all_workers(engine, source):
    with anyio.fail_after(HANG_S), anyio.CancelScope() as scope:
        async with engine.dance(source, buffer=10) as result:
            scope.deadline = anyio.current_time() + 0.04
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert result.outcome is Outcome.CANCELLED


async def test_break_and_exception_end_all_workers():
    with anyio.fail_after(HANG_S):
        async with XCC(workers=2).dance(queens(12)) as result:
            async for _ in result.solutions:
                break
    assert result.outcome is Outcome.CANCELLED
    with anyio.fail_after(HANG_S), pytest.raises(ZeroDivisionError):
        async with XCC(workers=2).dance(FRUITLESS) as result:
            _ = 1 / 0
    assert result.outcome is Outcome.CANCELLED


@pytest.mark.parametrize("ordered", [False, True])
async def test_time_runs_out_for_all_workers(ordered):
    engine = XCC(workers=2, ordered=ordered)
    with anyio.fail_after(HANG_S):
        async with engine.dance(FRUITLESS, timeout=0.05) as result:
            found = [cover async for cover in result.solutions]
    assert (found, result.outcome) == ([], Outcome.TIMED_OUT)


async def test_cancel_at_many_moments(monkeypatch):
    monkeypatch.setattr(crews, "_STEPS_AN_ENTRY", 0)
    with anyio.fail_after(3 * HANG_S):
        for moment in range(60):
            with anyio.move_on_after(moment * 0.0002):
                engine = ENGINES[moment % len(ENGINES)]
                async with engine.dance(queens(8), buffer=moment % 3) as result:
                    async for _ in result.solutions:
                        pass
            if moment % 20 == 0:
                assert await engine.count(SMALL) == 2


async def test_nothing_is_kept_when_it_is_over(monkeypatch):
    made = []
    team = dances.Shifts

    def noted(crew, *rest):
        made.append(weakref.ref(crew._parts[0].session))
        return team(crew, *rest)

    monkeypatch.setattr(dances, "Shifts", noted)
    async with XCC(workers=2).dance(queens(7)) as result:
        async for _ in result.solutions:
            pass
    assert result.stats.covers == 40
    assert len(made) == 1
    await gone(*made)


# -- who may ask for how many ----------------------------------------------------------


@pytest.mark.parametrize("engine", [XCC, MCC])
def test_number_of_workers_is_checked(engine):
    with pytest.raises(ValueError, match="workers must be at least 1, not 0"):
        engine(workers=0)
    with pytest.raises(ValueError, match="workers must be at most 10,000, not 10,001"):
        engine(workers=10_001)
    with pytest.raises(TypeError, match="workers must be an integer"):
        engine(workers="two")


async def test_no_number_of_workers_means_all_cores(monkeypatch):
    monkeypatch.setattr("dcells_async.minimizer.n_cores", lambda: 3)
    async with XCC(workers=None).counting(queens(6)) as result:
        await result.wait()
    assert (result.stats.covers, result.stats.parts) == (4, 1)
    monkeypatch.setattr("dcells_async.minimizer.n_cores", lambda: 1)
    async with XCC(workers=None).counting(queens(6)) as result:
        await result.wait()
    assert result.stats.parts is None
