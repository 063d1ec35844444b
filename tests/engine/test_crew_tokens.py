"""A search in parts that is cut, and goes on with other workers: nothing is lost."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise

import pytest
from crews import as_sets, in_pieces, opened, some_work
from hypothesis import given
from hypothesis import strategies as st
from problems import dominoes, queens
from strategies import examples, puzzles

from dcells_async import (
    MCC,
    XCC,
    Auto,
    CheckpointError,
    DcellsError,
    Outcome,
    Problem,
    SearchError,
)
from dcells_async import auto as autos
from dcells_async.kernels.arrays import pack, unpack
from dcells_async.pricing import priced
from dcells_async.search import crew as crews
from dcells_async.search import race as races
from dcells_async.search.session import Session
from dcells_async.search.stretch import Stretch
from dcells_async.search.team import Team
from dcells_async.search.token import Token

ENGINES = {
    "auto": XCC(),
    "bits": XCC(kernel="bits"),
    "cells": XCC(kernel="cells"),
    "mcc": MCC(),
    "weighted": XCC(choose="weighted"),
    "failures": XCC(choose="failures"),
    "shuffled": XCC(kernel="bits", seed=3, preprocess=True),
    "race": Auto(),
}
QUEENS = Problem.from_dlx(queens(6))
TILINGS = Problem.from_dlx(dominoes(4, 4))
RANDOM = random.Random(8)
BOARD = Problem.from_dlx(dominoes(4, 6))
COSTLY = priced(BOARD, price=[RANDOM.randint(1, 30) for _ in BOARD.options])


@pytest.fixture(autouse=True)
def greedy(monkeypatch):
    """Divide parts whenever they can be; let races begin soon, and end soon."""
    monkeypatch.setattr(crews, "_STEPS_AN_ENTRY", 0)
    monkeypatch.setattr(autos, "_STEPS_AT_LEAST", 20)
    monkeypatch.setattr(autos, "_STEPS_PER_ENTRY", 0)
    monkeypatch.setattr(races, "_MOST_HELD", 2)


def numbers(covers):
    return [cover.numbers for cover in covers]


def cut(engine, problem, draws, *, ordered=True, best=0, keep=True, limit=None, n=4):
    hold = draws.choice([0, 1, 7, 1024])

    def open_(token, workers):
        team = Team(workers, ordered or workers == 1, best)
        return opened(engine, problem, token, team=team, limit=limit, hold=hold)

    return in_pieces(open_, draws, draws.randint(1, n), keep)


engines = st.sampled_from([*ENGINES.values()])
seeds = st.integers(0, 2**32)


@examples(150)
@given(
    engine=engines, puzzle=puzzles(), seed=seeds, limit=st.sampled_from([None, 1, 5])
)
def test_any_ordered_search_in_pieces_is_that_of_one_worker(
    engine, puzzle, seed, limit
):
    problem = puzzle.problem()
    with engine.solve(problem, limit=limit) as whole:
        expected = numbers(whole)
    found, search = cut(engine, problem, random.Random(seed), limit=limit)
    assert numbers(found) == expected
    # Whether the last cover was the very last may be known at once, or not.
    is_limit = len(expected) == limit
    ends = {Outcome.LIMITED, Outcome.EXHAUSTED} if is_limit else {whole.outcome}
    assert search.outcome in ends
    assert search.stats(0.0).covers == len(expected)


@examples(150)
@given(engine=engines, puzzle=puzzles(), seed=seeds, keep=st.booleans())
def test_any_search_in_pieces_finds_each_cover_once(engine, puzzle, seed, keep):
    problem = puzzle.problem()
    expected = numbers(engine.solve(problem))
    draws = random.Random(seed)
    found, search = cut(engine, problem, draws, ordered=False, keep=keep)
    if keep:
        assert as_sets(numbers(found)) == as_sets(expected)
    assert search.outcome is Outcome.EXHAUSTED
    assert search.stats(0.0).covers == len(expected)


@pytest.mark.parametrize("name", [*ENGINES])
@pytest.mark.parametrize("problem", [QUEENS, TILINGS], ids=["queens", "dominoes"])
def test_parts_go_on_one_by_one(name, problem):
    engine = ENGINES[name]
    expected = as_sets(numbers(engine.solve(problem)))
    most = 0
    for seed in range(2):
        draws = random.Random(seed)
        search = opened(engine, problem, team=Team(3, ordered=False))
        found = []
        while search.outcome is Outcome.RUNNING:
            found += some_work(search, draws, 4)
            token = search.token(0.0)
            most = max(most, len(token.parts))
            rest = opened(engine, problem, token.to_bytes(), team=Team())
            more = some_work(rest, draws, 1 << 30)
            if not isinstance(rest, Session):
                more += rest.collect()
            assert as_sets(numbers(found + more)) == expected
            assert rest.stats(0.0).fraction == 1.0
    # A search that is so short stays on cells, and a race is none to be divided.
    assert most > 2 or name in {"auto", "race"}


def test_counters_of_bits_go_on():
    with ENGINES["bits"].solve(QUEENS) as covers:
        list(covers)
    for seed in range(10):
        _, search = cut(ENGINES["bits"], QUEENS, random.Random(seed), ordered=False)
        stats = search.stats(0.0)
        assert (stats.nodes, stats.updates) == (
            covers.stats.nodes,
            covers.stats.updates,
        )


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("limit", [1, 5, 20])
def test_what_a_limit_has_cut_off_comes_later(ordered, limit):
    engine = ENGINES["bits"]
    whole = numbers(engine.solve(TILINGS))
    for seed in range(5):
        draws = random.Random(seed)
        team = Team(3, ordered)
        search = opened(engine, TILINGS, team=team, limit=limit)
        found = some_work(search, draws, 1 << 30) + search.collect()
        assert (len(found), search.outcome) == (limit, Outcome.LIMITED)
        token = search.token(0.0)
        assert token.taken == limit
        search = opened(engine, TILINGS, token.to_bytes(), team=team, limit=limit)
        assert search.outcome is Outcome.LIMITED
        search = opened(engine, TILINGS, token.to_bytes(), team=team)
        found += some_work(search, draws, 1 << 30) + search.collect()
        assert as_sets(numbers(found)) == as_sets(whole)
        assert not ordered or numbers(found) == whole


@examples(120)
@given(
    puzzle=puzzles(),
    best=st.sampled_from([1, 1, 3]),
    engine=st.sampled_from([XCC(), MCC(), Auto()]),
    seed=seeds,
    ordered=st.booleans(),
)
def test_prices_go_on_falling(puzzle, best, engine, seed, ordered):
    draws = random.Random(seed)
    problem = puzzle.problem()
    problem = priced(problem, price=[draws.randint(0, 30) for _ in problem.options])
    every = sorted(cover.price for cover in MCC().solve(problem))
    found, search = cut(engine, problem, draws, ordered=ordered, best=best)
    prices = [cover.price for cover in found]
    assert sorted(prices)[:best] == every[:best]
    assert search.outcome is Outcome.EXHAUSTED
    if best == 1:
        assert all(dear > cheap for dear, cheap in pairwise(prices))
    if every:
        stats = search.stats(0.0)
        assert stats.best_price == stats.lower_bound == every[0]


@pytest.mark.parametrize("engine", [XCC(), MCC()], ids=["xcc", "mcc"])
def test_pieces_of_a_dive_and_a_climb_are_in_the_token(engine):
    sorts = set()
    least = min(cover.price for cover in engine.solve(COSTLY))
    for seed in range(12):
        draws = random.Random(seed)
        search = opened(engine, COSTLY, team=Team(3, ordered=False, best=1))
        found = []
        while search.outcome is Outcome.RUNNING:
            found += some_work(search, draws, 2)
            if search.outcome is not Outcome.RUNNING:
                break
            token = search.token(0.0)
            sorts |= {part.sort for part in token.parts}
            team = Team(draws.randint(1, 3), ordered=False, best=1)
            search = opened(engine, COSTLY, token.to_bytes(), team=team)
        if not isinstance(search, Session):
            found += search.collect()
        prices = [cover.price for cover in found]
        assert all(dear > cheap for dear, cheap in pairwise(prices))
        assert prices[-1] == least == search.stats(0.0).lower_bound
    assert sorts == {"", "dive", "climb"}


# -- what is refused -----------------------------------------------------------------


def parts_of(engine, problem, seed=3, best=0):
    search = opened(engine, problem, team=Team(3, ordered=True, best=best))
    while len(search.token(0.0).parts) < 3:
        some_work(search, random.Random(seed), 1)
    return search.token(0.0)


def refused(engine, problem, token, match):
    with pytest.raises(CheckpointError, match=match):
        opened(engine, problem, token.to_bytes(), team=Team(2))


def test_parts_that_make_no_sense_are_refused():
    bits = ENGINES["bits"]
    token = parts_of(bits, QUEENS)
    first, *others = token.parts
    odd = first._replace(sort="climb")
    refused(bits, QUEENS, replace(token, parts=[odd, *others]), "'climb'")
    none = replace(token.stats, nodes=0)
    refused(bits, QUEENS, replace(token, stats=none), "have done more")
    none = replace(token.stats, covers=0)
    many = replace(token, stats=none, pending=[], parts=[first, first, first] * 9)
    refused(bits, QUEENS, many, "have (done|found) more")
    refused(bits, QUEENS, replace(token, prices=[1, 2]), "more prices")
    bare = first._replace(held=[[0], [len(QUEENS.options)]])
    refused(bits, QUEENS, replace(token, parts=[bare, *others]), "other options")
    far = first._replace(end=2.0)
    refused(bits, QUEENS, replace(token, parts=[far, *others]), "out of the tree")


def test_forged_parts_crash_nothing():
    rng = random.Random(4)
    n_refused = 0
    for name in ("bits", "cells", "mcc", "auto", "race"):
        engine = ENGINES[name]
        search = opened(engine, TILINGS, team=Team(3, ordered=False))
        some_work(search, rng, 8)
        token = search.token(0.0)
        for _ in range(60):
            parts = [*token.parts]
            at = rng.randrange(len(parts))
            state = bytearray(parts[at].state)
            for _ in range(rng.randint(1, 3)):
                if state:
                    state[rng.randrange(len(state))] ^= 1 << rng.randrange(8)
            parts[at] = parts[at]._replace(state=bytes(state))
            rng.shuffle(parts)
            try:
                search = opened(
                    engine,
                    TILINGS,
                    replace(token, parts=parts).to_bytes(),
                    team=Team(2, ordered=False),
                )
                some_work(search, rng, 50)
            except DcellsError:
                n_refused += 1
    assert n_refused > 50


def test_token_of_other_parts_is_no_token_at_all():
    token = Token.of_bytes(parts_of(ENGINES["bits"], QUEENS).to_bytes())
    data = token.to_bytes()
    head, *blocks = unpack(data[12:-32])
    assert json.loads(head)["stats"]["parts"] == len(token.parts)
    blocks[-1] = Stretch(b"").to_bytes()[:-3]
    forged = data[:12] + pack([head, *blocks])
    with pytest.raises(CheckpointError, match="taken apart"):
        Token.of_bytes(forged + sha256(forged).digest())


def test_crew_that_was_stopped_within_a_slice_has_no_token():
    search = opened(ENGINES["bits"], QUEENS, team=Team(2))
    some_work(search, random.Random(1), 2)
    search._parts[0].session.stop()
    search.advance(1000, 1000)
    assert search.outcome is Outcome.CANCELLED
    with pytest.raises(SearchError, match="stopped"):
        search.token(0.0)


def test_nobody_makes_a_token_from_within_a_slice(monkeypatch):
    search = opened(ENGINES["bits"], QUEENS, team=Team(2))
    advance = Session.advance

    def curious(self, *arguments):
        with pytest.raises(SearchError, match="within a slice"):
            search.token(0.0)
        return advance(self, *arguments)

    monkeypatch.setattr(Session, "advance", curious)
    assert search.advance(100, 1)[0] > 0
    assert search.token(0.0).parts


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(
    "text", ["a b | p q\nb\na b\na b q p", "a b\na", dominoes(4, 4)], ids=len
)
@pytest.mark.parametrize("racers", [("ZDD",), ("XCC", "ZDD"), ("XCCDC", "ZDD")])
def test_race_with_a_diagram_goes_on_at_any_moment(racers, text, keep):
    engine, problem = Auto(racers=racers), Problem.from_dlx(text)
    whole = opened(engine, problem, team=Team())
    while whole.outcome is Outcome.RUNNING:
        whole.advance(1 << 20, 1 << 60, keep)
    found, token = [], None
    for n in range(1 << 20):
        search = opened(engine, problem, token, team=Team())
        # What is numbered after a diagram's search is numbered anew: give it time.
        found += search.advance(50 if n % 4 else 5000, 1 + n % 3, keep)
        if search.outcome is not Outcome.RUNNING:
            break
        token = search.token(0.0).to_bytes()
    stats, expected = search.stats(0.0), whole.stats(0.0)
    assert stats.covers == expected.covers == MCC().solve(problem).count()
    assert not keep or len({*found}) == len(found) == stats.covers
    assert (stats.nodes, stats.updates) == (expected.nodes, expected.updates)
    assert (stats.engine, stats.why) == (expected.engine, expected.why)
