"""A race behind a stream: the questions asked at once, and the end of it."""

from __future__ import annotations

import threading
import weakref
from functools import partial

import anyio
import pytest
from problems import FRUITLESS, SMALL, dominoes, queens
from standing import HANG_S, gone

import dcells_async
from dcells_async import MCC, XCC, XCCDC, Auto, Outcome, Problem
from dcells_async.engine import Engine
from dcells_async.search.race import Race
from dcells_async.search.racer import Entrant

NONE = dominoes(8, 8, cut=True)
"""No cover; a race takes a tenth of the time that XCC does to say so."""

ENGINES = ["auto", "xcc", "mcc", "xccdc", "zdd", XCC(kernel="bits"), Auto(), MCC()]


@pytest.mark.parametrize("engine", ENGINES, ids=str)
async def test_all_questions_can_be_asked_without_an_engine(engine):
    ask = dcells_async
    assert await ask.count(SMALL, engine=engine) == 2
    assert await ask.count(SMALL, engine=engine, given=[1], without=[3]) == 1
    assert await ask.is_unique(SMALL, engine=engine, without=[1]) is True
    assert await ask.is_unique(SMALL, engine=engine) is False
    assert (await ask.first(SMALL, engine=engine, without=[1])).numbers in {
        (3, 4),
        (4, 3),
    }
    assert await ask.first(SMALL, engine=engine, without=[1, 4]) is None
    assert ask.solve(SMALL, engine=engine, limit=1).count() == 1
    async with ask.dance(SMALL, engine=engine, buffer=0, given=[4]) as result:
        assert [{*cover.numbers} async for cover in result.solutions] == [{3, 4}]
    async with ask.counting(SMALL, engine=engine, limit=1) as result:
        await result.wait()
    assert (result.stats.covers, result.outcome) == (1, Outcome.LIMITED)


@pytest.mark.parametrize("engine", ["auto", "xcc", "mcc", MCC()], ids=str)
async def test_cheapest_covers_can_be_asked_for_without_an_engine(engine):
    text = "a b c\na b |5\nc |1\na c |2\nb |3"
    async with dcells_async.minimize(text, engine=engine) as result:
        prices = [cover.price async for cover in result.solutions]
    assert prices[-1] == 5
    assert result.optimal


@pytest.mark.parametrize("engine", ["zdd", "xccdc", XCCDC()], ids=str)
def test_engine_that_knows_no_prices_is_refused(engine):
    with pytest.raises(ValueError, match="knows no prices"):
        dcells_async.minimize(SMALL, engine=engine)


def test_engine_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="engine is one of 'auto', 'xcc'"):
        dcells_async.solve(SMALL, engine="sat")


async def test_race_is_told_of_in_the_statistics_and_others_say_nothing():
    async with Auto().counting(NONE, pulse_interval=0.001) as result:
        pulses = [pulse async for pulse in result.heartbeat]
    assert result.outcome is Outcome.EXHAUSTED
    assert result.stats.engine == "ZDD"
    assert result.stats.why.startswith("ZDD finished first; XCC was at ")
    fractions = [pulse.fraction for pulse in pulses]
    assert fractions == sorted(fractions)
    async with XCC().counting(SMALL) as result:
        await result.wait()
    assert (result.stats.engine, result.stats.why) == (None, None)


@pytest.mark.slow
async def test_no_cover_is_proved_by_whoever_can():
    assert await dcells_async.first(NONE) is None
    assert await dcells_async.is_unique(NONE) is False
    async with dcells_async.dance(NONE) as result:
        assert [cover async for cover in result.solutions] == []
    assert result.outcome is Outcome.EXHAUSTED


async def test_more_covers_than_a_word_can_count():
    ways = [[n] for n in range(50) for _ in range(3)]
    assert await dcells_async.count(Problem.from_options(ways)) == 3**50


@pytest.mark.parametrize("method", ["count", "first", "is_unique"])
async def test_race_can_be_cancelled(method):
    with anyio.fail_after(HANG_S), anyio.move_on_after(0.02) as scope:
        while True:
            await getattr(dcells_async, method)(FRUITLESS)
    assert scope.cancelled_caught


async def test_race_is_cancelled_at_many_moments_and_is_gone():
    with anyio.fail_after(3 * HANG_S):
        for moment in range(30):
            async with Auto().counting(queens(14)) as result:
                session = weakref.ref(result._session)
                with anyio.move_on_after(moment * 0.0005):
                    await result.wait()
            assert result.outcome is Outcome.CANCELLED
    await gone(session)


class Slow:
    """A kernel that takes for ever to get ready, until it is stopped."""

    def __init__(self, entered):
        self._entered = entered
        self._stopped = threading.Event()
        self.nodes = self.updates = self.steps = self.covers = self.depth = 0

    def prepare(self):
        self._entered.set()
        assert self._stopped.wait(HANG_S)
        return False

    def fraction(self):
        return 0.0

    def stop(self):
        self._stopped.set()


class Awaiting(Engine):
    """A race in which the second one is slow to get ready."""

    def _kernel(self, layout):
        first = Entrant("XCC", partial(XCC()._kernel, layout), 1)
        return Race([first, Entrant("slow", self._slow, 1)], 1000)

    def _slow(self):
        kernel = Slow(self.entered)
        object.__setattr__(self, "kernel", weakref.ref(kernel))
        return kernel


async def test_racer_that_is_getting_ready_is_stopped_as_well():
    engine = Awaiting()
    object.__setattr__(engine, "entered", threading.Event())
    with anyio.fail_after(HANG_S):
        async with engine.counting(FRUITLESS) as result:
            while not engine.entered.is_set():
                await anyio.sleep(0.001)
    assert result.outcome is Outcome.CANCELLED
    await gone(engine.kernel)
