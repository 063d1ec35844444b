"""A search in parts: together they are the whole, and nothing is in two of them."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from crews import as_sets, crew_of, numbers, work
from hypothesis import given
from hypothesis import strategies as st
from problems import SMALL, dominoes, queens
from searching import DONE, EVER, kernel_of
from strategies import examples, puzzles

from dcells_async import MCC, XCC, CapacityError, Outcome, Problem
from dcells_async.pricing import priced
from dcells_async.search.session import Session

ENGINES = {
    "bits": XCC(kernel="bits"),
    "cells": XCC(kernel="cells"),
    "auto": XCC(),
    "mcc": MCC(),
}
KERNELS = {name: engine._kernel for name, engine in ENGINES.items()}

QUEENS = Problem.from_dlx(queens(6))
TILINGS = Problem.from_dlx(dominoes(4, 4))


def alone(name, problem):
    with ENGINES[name].solve(problem) as covers:
        return [cover.numbers for cover in covers], covers.stats


engines = st.sampled_from([*KERNELS])
seeds = st.integers(0, 2**32)
teams = st.integers(2, 4)


@examples(150)
@given(name=engines, puzzle=puzzles(), workers=teams, seed=seeds)
def test_any_search_in_parts_finds_what_one_worker_finds(name, puzzle, workers, seed):
    problem = puzzle.problem()
    found, stats = alone(name, problem)
    crew = crew_of(KERNELS[name], problem, workers)
    assert as_sets(numbers(work(crew, random.Random(seed)))) == as_sets(found)
    total = crew.stats(0.0)
    assert (crew.outcome, total.fraction) == (Outcome.EXHAUSTED, 1.0)
    assert (total.covers, total.options) == (len(found), stats.options)
    if name == "bits":
        # What is done at a node depends on nothing else; so nothing is done twice.
        assert (total.nodes, total.updates) == (stats.nodes, stats.updates)


@examples(100)
@given(name=engines, puzzle=puzzles(), workers=teams, seed=seeds, data=st.data())
def test_any_ordered_search_is_that_of_one_worker(name, puzzle, workers, seed, data):
    problem = puzzle.problem()
    found, _ = alone(name, problem)
    hold = data.draw(st.sampled_from([0, 1, 7, 1024]))
    crew = crew_of(KERNELS[name], problem, workers, ordered=True, hold=hold)
    assert numbers(work(crew, random.Random(seed))) == found
    if found:
        limit = data.draw(st.integers(1, len(found)))
        crew = crew_of(KERNELS[name], problem, workers, ordered=True, limit=limit)
        assert numbers(work(crew, random.Random(seed))) == found[:limit]


@pytest.mark.parametrize("name", ["bits", "cells", "mcc"])
@pytest.mark.parametrize("problem", [QUEENS, TILINGS], ids=["queens", "dominoes"])
def test_trees_are_divided_and_come_to_the_same(name, problem):
    found, stats = alone(name, problem)
    for workers in (2, 3, 5):
        crew = crew_of(KERNELS[name], problem, workers)
        parts = numbers(work(crew, random.Random(workers)))
        assert as_sets(parts) == as_sets(found)
        assert crew.stats(0.0).parts > workers
        crew = crew_of(KERNELS[name], problem, workers)
        assert numbers(work(crew, random.Random(workers), keep=False)) == []
        total = crew.stats(0.0)
        assert total.covers == len(found)
        # Sets are permuted otherwise in a part, which decides between equal items.
        assert abs(total.nodes - stats.nodes) <= (name != "bits") * stats.nodes / 10


def test_order_is_kept_by_bits_in_many_parts():
    found, _ = alone("bits", QUEENS)
    for seed in range(8):
        crew = crew_of(KERNELS["bits"], QUEENS, 3, ordered=True, hold=2)
        assert numbers(work(crew, random.Random(seed))) == found
        assert crew.stats(0.0).parts > 5


@pytest.mark.parametrize("name", ["cells", "mcc"])
def test_search_whose_order_would_change_is_not_divided(name):
    found, _ = alone(name, QUEENS)
    crew = crew_of(KERNELS[name], QUEENS, 3, ordered=True)
    assert numbers(work(crew, random.Random(1))) == found
    assert crew.stats(0.0).parts == 1


@pytest.mark.parametrize("hold", [1, 3, 10])
def test_parts_that_are_ahead_hold_back_no_more_than_they_may(hold):
    problem = Problem.from_dlx(dominoes(4, 5))
    crew = crew_of(KERNELS["bits"], problem, 3, ordered=True, hold=hold)
    draws = random.Random(hold)
    held = [sum(len(part.held) for part in crew._parts) for _ in work(crew, draws)]
    assert max(held) <= hold + 3
    assert max(held) >= hold / 2


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 36, 37])
def test_limit_is_exact(ordered, limit):
    for seed in range(5):
        crew = crew_of(KERNELS["bits"], TILINGS, 3, ordered=ordered, limit=limit)
        assert len(numbers(work(crew, random.Random(seed)))) == min(limit, 36)
        assert crew.stats(0.0).covers == min(limit, 36)
        whole = limit > 36
        assert crew.outcome is (Outcome.EXHAUSTED if whole else Outcome.LIMITED)
        crew = crew_of(KERNELS["bits"], TILINGS, 3, ordered=ordered, limit=limit)
        assert numbers(work(crew, random.Random(seed), keep=False)) == []
        assert crew.stats(0.0).covers == min(limit, 36)


@pytest.mark.parametrize("name", [*KERNELS])
def test_fraction_only_grows_and_counts_every_part(name):
    crew = crew_of(KERNELS[name], TILINGS, 3)
    done = [crew.stats(0.0).fraction for _ in work(crew, random.Random(3))]
    assert all(before <= after for before, after in pairwise(done))
    assert done[-1] == 1.0
    assert any(0.2 < part < 0.8 for part in done)


def test_part_that_has_just_ended_is_kept_until_its_worker_is_back():
    found, _ = alone("bits", TILINGS)
    crew = crew_of(KERNELS["bits"], TILINGS, 2, ordered=True)
    while len(crew._parts) < 2:
        crew.advance(20, 1)
    later = crew._parts[1:]
    ends = []
    for part in later:
        # Its worker is in the midst of a slice, which happens to be the last one.
        part.is_running = True
        ends.append(part.session.advance(EVER, EVER))
        assert part.is_done
    crew._copy_steps = EVER
    crew.advance(EVER, EVER)
    assert crew.outcome is Outcome.RUNNING
    for part, covers in zip(later, ends, strict=True):
        part.is_running = False
        crew._put_back(part, covers, [])
    assert [cover.numbers for cover in crew.collect()] == found
    assert crew.outcome is Outcome.EXHAUSTED


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("limit", [None, 20, 300])
@pytest.mark.parametrize("name", ["bits", "cells", "mcc"])
def test_each_cover_counts_once_whoever_keeps_some(monkeypatch, name, limit, ordered):
    whole, _ = alone(name, TILINGS)
    advance = Session.advance
    for seed in range(10):
        draws = random.Random(seed)
        crew = crew_of(KERNELS[name], TILINGS, 4, ordered=ordered, limit=limit)
        given, under_way = [], []

        def slices(depth, crew=crew, draws=draws, given=given):
            size = draws.choice([1, 20, 100]), draws.choice([1, 2, 1000])
            crew.advance(*size, keep=draws.random() < 0.5)
            if depth == 0 and draws.random() < 0.5:
                given += crew.collect()

        def interrupted(session, *size, draws=draws, slices=slices, others=under_way):
            # While a slice is on its way, others begin slices and end them.
            others.append(session)
            if len(others) < 4 and draws.random() < 0.5:
                slices(len(others))
            covers = advance(session, *size)
            if len(others) < 4 and draws.random() < 0.5:
                slices(len(others))
            others.pop()
            return covers

        monkeypatch.setattr(Session, "advance", interrupted)
        while crew.outcome is Outcome.RUNNING:
            slices(0)
        monkeypatch.setattr(Session, "advance", advance)
        given = as_sets(numbers([given, crew.collect()]))
        assert len(set(given)) == len(given)
        assert set(given) <= set(as_sets(whole))
        assert crew.stats(0.0).covers == min(len(whole), limit or len(whole))
        if limit == 20:
            assert crew.outcome is Outcome.LIMITED


def test_part_pays_for_copies_with_work():
    crew = crew_of(KERNELS["bits"], QUEENS, 4, copy_steps=1 << 40)
    assert len(numbers(work(crew, random.Random(1)))) == 4
    assert crew.stats(0.0).parts == 1


def test_who_comes_too_many_finds_nothing_to_do():
    crew = crew_of(KERNELS["bits"], QUEENS, 2, copy_steps=1 << 40)
    assert crew.n_waiting() == 1
    crew._parts[0].is_running = True
    assert crew.n_waiting() == 0
    assert crew.advance(100, 1) == (0, 0)
    assert crew.outcome is Outcome.RUNNING


def test_stopped_crew_stays_so():
    crew = crew_of(KERNELS["bits"], QUEENS, 2)
    crew.advance(50, 1)
    crew.stop()
    assert crew.outcome is Outcome.CANCELLED
    assert crew.advance(1000, 10) == (0, 0)
    assert crew.n_waiting() == 0


def test_failure_of_a_part_reaches_the_worker():
    crew = crew_of(KERNELS["bits"], QUEENS, 2)

    def fail(budget, want, keep):
        raise OverflowError("too much")

    session = crew._parts[0].session
    session._kernel = type("Faulty", (), {"advance": staticmethod(fail), "covers": 0})()
    with pytest.raises(CapacityError, match="too much"):
        crew.advance(100, 1)


@pytest.mark.parametrize("module", ["xcc", "bits"])
def test_what_a_kernel_gives_away_comes_behind_what_it_keeps(variant, module):
    problem = Problem.from_dlx(queens(5))
    kernel = kernel_of(variant(module), problem)
    while kernel.fraction() < 0.1:
        kernel.advance(10, EVER)
        kernel.take()
    here = kernel.fraction()
    other = kernel.split()
    assert 0 < here <= kernel.fraction() + 1e-9 < other.fraction() < 1
    assert (other.nodes, other.updates, other.covers) == (0, 0, 0)
    assert kernel.sanity() == other.sanity() == ""
    counted = kernel.covers
    assert kernel.advance(EVER, EVER, False) == other.advance(EVER, EVER, False) == DONE
    assert kernel.covers - counted + other.covers == 10 - counted


@pytest.mark.parametrize("name", [*KERNELS])
def test_kernel_that_is_done_has_nothing_to_give(name):
    crew = crew_of(KERNELS[name], Problem.from_dlx(SMALL), 2, copy_steps=1 << 40)
    crew.advance(1 << 40, 1 << 40)
    assert crew.outcome is Outcome.EXHAUSTED
    kernel = KERNELS[name](crew.layout)
    kernel.prepare()
    kernel.advance(1 << 40, 1 << 40)
    assert kernel.split() is None


@pytest.mark.slow
def test_parts_of_a_relay_hand_over_to_one_table():
    problem = Problem.from_dlx(queens(9))
    crew = crew_of(KERNELS["auto"], problem, 3)
    assert len(numbers(work(crew, random.Random(5)))) == 352
    assert crew.stats(0.0).parts > 3
    # On bits a relay gives away parts on bits, and its table with them.
    relay = KERNELS["auto"](crew.layout)
    relay.prepare()
    while not relay.keeps_order:
        relay.advance(10_000, 1 << 40, False)
    given = relay.split()
    assert given.keeps_order
    given.stop()
    assert given.advance(10_000, 1).name == "STOPPED"


# -- least cost ------------------------------------------------------------------------


@examples(120)
@given(data=st.data(), puzzle=puzzles(), best=st.integers(1, 4), seed=seeds)
def test_cheapest_covers_are_found_by_any_crew(data, puzzle, best, seed):
    prices = data.draw(
        st.lists(
            st.integers(0, 30),
            min_size=len(puzzle.options),
            max_size=len(puzzle.options),
        )
    )
    engine = data.draw(st.sampled_from([XCC(), MCC()]))
    problem = priced(puzzle.problem(), price=prices)
    with engine.solve(problem) as covers:
        every = sorted(cover.price for cover in covers)
    make = engine._least_cost_kernel(best, None, "auto")
    crew = crew_of(make, problem, 3, best=best)
    found, bounds = [], []
    layout = crew.layout
    for covers in work_on_prices(crew, random.Random(seed)):
        found += [cover.price for cover in covers]
        bounds.append(crew.stats(0.0).lower_bound)
    assert layout.problem is problem
    assert sorted(found)[:best] == every[:best]
    assert crew.outcome is Outcome.EXHAUSTED
    assert crew.stats(0.0).covers == len(found)
    if best == 1:
        assert all(dear > cheap for dear, cheap in pairwise(found))
    if every:
        assert all(bound is None or bound <= every[0] for bound in bounds)
        total = crew.stats(0.0)
        assert total.best_price == total.lower_bound == every[0]


def work_on_prices(crew, draws):
    """Work without a look at the sets: a climb has none of its own."""
    while crew.outcome is Outcome.RUNNING:
        others = [part for part in crew._parts if draws.random() < 0.5]
        for part in others:
            part.is_running = True
        crew.advance(draws.choice([1, 5, 30, 200]), draws.choice([1, 2, 1000]))
        for part in others:
            part.is_running = False
        yield crew.collect()


def test_bounds_on_multiplicities_are_kept_in_parts():
    text = "2|a 1:3|b c | x\n" + "\n".join(
        f"{option}"
        for option in ("a b", "a x:R", "b c", "c x:B", "a c", "b x:R", "b x:B", "a b c")
    )
    problem = Problem.from_dlx(text)
    found, _ = alone("mcc", problem)
    assert len(found) > 10
    parts = []
    for seed in range(20):
        crew = crew_of(KERNELS["mcc"], problem, 3)
        assert as_sets(numbers(work(crew, random.Random(seed)))) == as_sets(found)
        parts.append(crew.stats(0.0).parts)
    assert max(parts) > 5
