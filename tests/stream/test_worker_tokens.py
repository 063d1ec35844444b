"""Tokens of several workers at real work: asynchronous, and by the twin."""

from __future__ import annotations

import itertools
import random
import threading
from contextlib import suppress
from dataclasses import replace

import anyio
import pytest
from crews import as_sets
from problems import FRUITLESS, dominoes, queens

from dcells_async import MCC, XCC, Auto, Outcome, SearchError
from dcells_async.search import crew as crews
from dcells_async.search.session import Session
from dcells_async.search.token import Token

ENGINES = {
    "auto": XCC(),
    "bits": XCC(kernel="bits"),
    "cells": XCC(kernel="cells"),
    "mcc": MCC(),
    "weighted": XCC(choose="weighted"),
    "race": Auto(),
}

each_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)

TILING = dominoes(4, 6)


@pytest.fixture(autouse=True)
def greedy(monkeypatch):
    monkeypatch.setattr(crews, "_STEPS_AN_ENTRY", 0)


def numbers(covers):
    return [cover.numbers for cover in covers]


async def some(draws, engine, token, most):
    """Take some covers, and make tokens meanwhile; give them, and the last token."""
    found = []
    buffer = draws.choice([0, 1, 5, 1024])
    async with engine.dance(TILING, buffer=buffer, resume=token) as result:
        while len(found) < most:
            await anyio.sleep(draws.choice([0, 0, 0.001]))
            result.checkpoint()
            try:
                found.append(await result.solutions.receive())
            except anyio.EndOfStream:
                break
        token = result.checkpoint()
        assert result.taken == Token.of_bytes(token).taken
    return found, token


def some_of_twin(draws, engine, token, most):
    with engine.solve(TILING, resume=token) as covers:
        if draws.random() < 0.5:
            found = list(itertools.islice(covers, most))
        else:
            found = covers.step() + covers.step()
        assert Token.of_bytes(covers.checkpoint()).taken == covers.taken
        return found, covers.checkpoint()


@each_engine
@pytest.mark.parametrize("ordered", [False, True])
def test_search_goes_on_with_any_number_of_workers_anywhere(engine, ordered):
    whole = numbers(engine.solve(TILING))
    draws = random.Random(2)
    found, token = [], None
    for way in ("asyncio", "trio", "twin", "trio", "twin"):
        several = replace(engine, workers=draws.randint(1, 4), ordered=ordered)
        most = draws.randrange(60)
        if way == "twin":
            more, token = some_of_twin(draws, several, token, most)
        else:
            more, token = anyio.run(some, draws, several, token, most, backend=way)
        found += more
    found += engine.solve(TILING, resume=token)
    assert as_sets(numbers(found)) == as_sets(whole)
    assert not ordered or numbers(found) == whole


async def test_counting_goes_on_with_others():
    token, covers = None, 0
    for workers in itertools.cycle([3, 1, 2]):
        engine = XCC(kernel="bits", workers=workers)
        async with engine.counting(dominoes(6, 6), resume=token) as result:
            await anyio.sleep(0.003)
            token = result.checkpoint()
            assert result.stats.covers >= covers
            covers = Token.of_bytes(token).taken
            if result.is_over:
                break
    assert result.stats.covers == 6728


async def test_limit_and_time_leave_a_token():
    engine = XCC(kernel="bits", workers=3)
    whole = as_sets(numbers(XCC().solve(queens(8))))
    async with engine.dance(queens(8), limit=20) as result:
        await result.wait()
        first = [await result.solutions.receive() for _ in range(8)]
        token = result.checkpoint()
    assert result.outcome is Outcome.LIMITED
    async with engine.dance(queens(8), limit=50, resume=token) as result:
        rest = [cover async for cover in result.solutions]
        token = result.checkpoint()
    assert (len(first) + len(rest), result.outcome) == (50, Outcome.LIMITED)
    last = list(XCC(kernel="bits").solve(queens(8), resume=token))
    assert as_sets(numbers([*first, *rest, *last])) == whole
    nodes, token = 0, None
    for workers in (2, 1, 3):
        engine = XCC(workers=workers)
        async with engine.counting(FRUITLESS, timeout=0.1, resume=token) as result:
            await result.wait()
            token = result.checkpoint()
        assert result.outcome is Outcome.TIMED_OUT
        assert result.stats.nodes >= nodes
        nodes = result.stats.nodes
        with XCC(workers=workers).solve(FRUITLESS, timeout=0.1, resume=token) as twin:
            assert twin.count() == 0
            token = twin.checkpoint()
        assert twin.stats.nodes >= nodes
        nodes = twin.stats.nodes
    assert nodes > 0


async def test_failed_search_of_several_has_no_token(monkeypatch):
    monkeypatch.setattr(Session, "advance", _no_more)
    engine = XCC(kernel="bits", workers=3)

    async def leave():
        async with engine.dance(queens(8)) as result:
            await result.wait()
            with pytest.raises(SearchError, match="failed"):
                result.checkpoint()

    with pytest.raises(MemoryError, match="no more"):
        await leave()
    covers = engine.solve(queens(8))
    with pytest.raises(MemoryError, match="no more"):
        next(covers)
    with pytest.raises(SearchError, match="failed"):
        covers.checkpoint()


def _no_more(*_):
    raise MemoryError("no more")


def test_handler_within_a_slice_is_refused_and_does_not_wait(monkeypatch):
    covers = XCC(kernel="bits", workers=2).solve(queens(8))
    advance = Session.advance
    refused = []

    def struck(self, *arguments):
        if threading.current_thread() is threading.main_thread():
            # As a handler of a signal does that comes in the midst of a slice.
            with pytest.raises(SearchError, match="within a slice"):
                covers.checkpoint()
            refused.append(arguments)
        return advance(self, *arguments)

    monkeypatch.setattr(Session, "advance", struck)
    with covers:
        found = list(itertools.islice(covers, 40))
        token = covers.checkpoint()
    assert refused
    monkeypatch.undo()
    found += XCC(kernel="bits").solve(queens(8), resume=token)
    assert len({*found}) == len(found) == 92


@pytest.mark.parametrize("best", [1, 3])
async def test_prices_go_on_falling_whoever_looks_for_them(best):
    draws = random.Random(5)
    prices = [draws.randint(1, 40) for _ in range(38)]
    every = sorted(XCC().cheapest(TILING, prices, best=best), key=lambda c: c.price)
    found, token = [], None
    for workers in (3, 1, 2, 4):
        search = XCC(workers=workers).minimize(
            TILING, prices, best=best, buffer=0, resume=token
        )
        async with search as result:
            with suppress(anyio.EndOfStream):
                found.append((await result.solutions.receive()).price)
            token = result.checkpoint()
    with XCC(workers=2).cheapest(TILING, prices, best=best, resume=token) as covers:
        found += [cover.price for cover in covers]
    assert covers.optimal
    assert sorted(found)[:best] == [cover.price for cover in every][:best]
    assert best > 1 or found == sorted({*found}, reverse=True)


def test_stats_of_several_tell_who_and_what():
    with Auto(workers=2, preprocess=True).solve(queens(6)) as covers:
        list(covers)
        token = covers.checkpoint()
    assert (covers.stats.engine, covers.stats.removed_items) == ("XCC", 4)
    with Auto(preprocess=True).solve(queens(6), resume=token) as covers:
        assert list(covers) == []
    assert covers.stats.engine == "XCC"
    assert "finished first" in covers.stats.why
