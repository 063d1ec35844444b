"""The synchronous twin with several workers: the same covers, and no thread is left."""

from __future__ import annotations

import threading
from itertools import islice

import pytest
from crews import as_sets
from problems import FRUITLESS, SMALL, queens
from standing import HANG_S, PATIENCE_S

from dcells_async import COMPILED, MCC, XCC, Outcome, SearchError
from dcells_async.search import crew as crews
from dcells_async.search.crew import Crew
from dcells_async.together import Together

ENGINES = [
    XCC(workers=2),
    XCC(workers=3, kernel="bits"),
    XCC(workers=3, kernel="cells"),
    MCC(workers=2),
    XCC(workers=2, kernel="bits", ordered=True),
]
NAMES = ["auto", "bits", "cells", "mcc", "ordered"]

engines = pytest.mark.parametrize("engine", ENGINES, ids=NAMES)


@pytest.fixture(autouse=True)
def no_thread_is_left():
    before = threading.active_count()
    yield
    assert threading.active_count() <= before


@pytest.fixture(params=["greedy", "patient"])
def division(request, monkeypatch):
    if request.param == "greedy":
        monkeypatch.setattr(crews, "_STEPS_AN_ENTRY", 0)


def numbers(covers):
    return [cover.numbers for cover in covers]


@engines
@pytest.mark.usefixtures("division")
def test_covers_and_answers_are_those_of_one_worker(engine):
    one = type(engine)(kernel=engine.kernel) if isinstance(engine, XCC) else MCC()
    with engine.solve(queens(8)) as covers:
        found = numbers(covers)
    expected = numbers(one.solve(queens(8)))
    assert as_sets(found) == as_sets(expected)
    if engine.ordered:
        assert found == expected
    assert covers.outcome is Outcome.EXHAUSTED
    assert covers.stats.covers == 92
    assert engine.solve(queens(7)).count() == 40
    assert not engine.solve(queens(6)).is_unique()
    assert engine.solve("a b\na b\na").is_unique()
    assert engine.solve("a b\na").first() is None
    with engine.solve(queens(8), limit=30) as covers:
        assert len(numbers(covers)) == 30
    assert covers.outcome is Outcome.LIMITED


@engines
@pytest.mark.usefixtures("division")
def test_all_end_with_the_block(engine):
    with engine.solve(queens(13)) as covers:
        assert len(list(islice(covers, 20))) == 20
    assert covers.outcome is Outcome.CANCELLED
    assert next(covers, None) is None
    with pytest.raises(ZeroDivisionError), engine.solve(queens(13)) as covers:
        for _ in covers:
            _ = 1 / 0
    with pytest.raises(SearchError, match="closed"):
        covers.count()


def test_others_rest_while_the_caller_does_something_else():
    size, total = (12, 14_200) if COMPILED else (9, 352)
    with XCC(workers=3, kernel="bits").solve(queens(size)) as covers:
        list(islice(covers, 100))
        for thread in covers._together._threads:
            thread.join(HANG_S)
            assert not thread.is_alive()
        nodes = covers.stats.nodes
        assert covers.stats.nodes == nodes
        assert 100 + sum(1 for _ in covers) == total


def test_search_that_is_let_go_leaves_no_thread():
    covers = XCC(workers=2, kernel="bits").solve(queens(13))
    list(islice(covers, 300))
    threads = list(covers._together._threads)
    del covers
    for thread in threads:
        thread.join(HANG_S)
        assert not thread.is_alive()


def test_time_runs_out_for_all():
    for timeout in PATIENCE_S:
        with XCC(workers=2).solve(FRUITLESS, timeout=timeout) as covers:
            assert covers.count() == 0
        if covers.stats.nodes:
            break
    assert covers.outcome is Outcome.TIMED_OUT
    assert covers.stats.parts >= 1


def test_ctrl_c_ends_all(monkeypatch):
    slices = []
    slice_ = Together._slice

    def interrupted(self, pace):
        if threading.current_thread() is threading.main_thread():
            slices.append(pace)
            if len(slices) == 12:
                raise KeyboardInterrupt
        return slice_(self, pace)

    monkeypatch.setattr(Together, "_slice", interrupted)
    covers = XCC(workers=2, kernel="bits").solve(FRUITLESS)
    with pytest.raises(KeyboardInterrupt):
        covers.count()
    assert covers.outcome is Outcome.CANCELLED


def test_handler_of_ctrl_c_may_close_the_search_at_any_point(monkeypatch):
    covers = XCC(workers=2, kernel="bits").solve(queens(9))
    put_back, calls = Crew._put_back, []

    def closing(self, *arguments):
        # As a handler does that comes while the crew's lock is held.
        calls.append(arguments)
        if len(calls) == 3 and threading.current_thread() is threading.main_thread():
            covers.close()
        return put_back(self, *arguments)

    monkeypatch.setattr(Crew, "_put_back", closing)
    with covers:
        list(covers)
    assert covers.outcome is Outcome.CANCELLED


def test_failure_in_another_thread_reaches_the_caller(monkeypatch):
    monkeypatch.setattr(crews, "_STEPS_AN_ENTRY", 0)
    advance = Crew.advance

    def failing(self, *arguments):
        if threading.current_thread() is not threading.main_thread():
            raise MemoryError("no more")
        return advance(self, *arguments)

    monkeypatch.setattr(Crew, "advance", failing)
    with XCC(workers=2, kernel="bits").solve(FRUITLESS) as covers:
        with pytest.raises(MemoryError, match="no more"):
            covers.count()
        assert covers.outcome is Outcome.FAILED


def test_cheapest_covers_are_found_together():
    text = "a b c\na b |5\nc |1\na c |2\nb |3"
    with XCC(workers=2).cheapest(text) as covers:
        assert [cover.price for cover in covers][-1] == 5
        assert covers.optimal


def test_small_searches_call_nobody(monkeypatch):
    monkeypatch.setattr(Together, "_work", None)
    assert numbers(XCC(workers=4).solve(SMALL)) == [(1, 2), (3, 4)]
