"""Searches in another order: the same covers, and other ones first."""

from __future__ import annotations

import pytest
import reference
import reference_mcc
from hypothesis import given
from hypothesis import strategies as st
from problems import dominoes, queens
from strategies import examples, puzzles

from dcells_async import MCC, XCC, XCCDC, Problem
from dcells_async.layout import Layout
from dcells_async.shuffling import shuffled

KNOBS = [
    (XCC, {}),
    (XCC, {"kernel": "cells"}),
    (XCC, {"kernel": "bits"}),
    (XCC, {"choose": "weighted"}),
    (XCC, {"preprocess": True}),
    (XCCDC, {}),
    (MCC, {}),
]

each_engine = pytest.mark.parametrize(("engine", "knobs"), KNOBS)


def sets(covers):
    return sorted(tuple(sorted(cover)) for cover in covers)


def found(engine, problem, **start):
    return [cover.numbers for cover in engine.solve(problem, **start)]


def order(n_options, seed):
    """Give the order in which options come to stand."""
    problem = Problem.from_options([["a"]] * n_options, "a")
    steps = shuffled(Layout.of(problem), seed)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return list(end.value.kept)


@each_engine
@given(puzzle=puzzles(least_primary=1), seed=st.integers(0, 1 << 70))
@examples(50)
def test_covers_are_the_same(engine, knobs, puzzle, seed):
    problem = puzzle.problem()
    if seed % 2:
        problem.compile()
    everything = sorted(reference.covers(*puzzle))
    assert sets(found(engine(seed=seed, **knobs), problem)) == everything
    if everything:
        chosen = everything[seed % len(everything)][:1]
        without = [n for n in (1, 2) if n <= len(puzzle.options) and n not in chosen]
        wanted = [c for c in everything if {*chosen} <= {*c} and not {*without} & {*c}]
        covers = found(
            engine(seed=seed, **knobs), problem, given=chosen, without=without
        )
        assert sets(covers) == wanted
        assert all(cover[: len(chosen)] == chosen for cover in covers)


@given(rng=st.randoms(use_true_random=False), seed=st.integers(0, 9))
@examples(100)
def test_multiplicities_stay_with_their_items(rng, seed):
    bounded = reference_mcc.random_problem(rng)
    assert sets(found(MCC(seed=seed), bounded.problem())) == sets(bounded.covers())


def test_order_for_a_seed_is_known():
    # By hand: Fisher and Yates from the back, with the numbers of Random(1).random().
    assert order(6, 1) == [1, 2, 5, 3, 4, 0]
    assert order(6, 1) == order(6, 1) != order(6, 2)
    assert order(0, 5) == []
    assert sorted(order(5_000, 7)) == list(range(5_000))


def test_all_orders_come_up_about_as_often():
    times = {}
    for seed in range(600):
        options = tuple(order(3, seed))
        times[options] = times.get(options, 0) + 1
    assert len(times) == 6
    assert all(60 < count < 140 for count in times.values())


@each_engine
def test_seeds_give_different_covers_first(engine, knobs):
    problem = Problem.from_dlx(dominoes(6, 6))
    firsts = {
        tuple(sorted(engine(seed=seed, **knobs).solve(problem).first().numbers))
        for seed in range(12)
    }
    assert len(firsts) > 6
    again = [engine(seed=3, **knobs).solve(problem).first().numbers for _ in range(2)]
    assert again[0] == again[1]


async def test_first_takes_the_seed_of_its_engine():
    covers = [await XCC(seed=seed).first(queens(8)) for seed in (1, 2, 3, 1)]
    assert covers[0].numbers == covers[3].numbers
    assert len({cover.numbers for cover in covers}) == 3


def test_covers_are_told_with_the_names_of_the_problem():
    problem = Problem.from_dlx("a b | x\na x:1\nb x:1\nb x:2\n")
    (cover,) = XCC(seed=4).solve(problem)
    assert sorted(cover) == [("a", "x:1"), ("b", "x:1")]


def test_wrong_seeds_are_refused():
    with pytest.raises(TypeError, match=r"seed must be an integer, not 1\.5"):
        XCC(seed=1.5)
    with pytest.raises(ValueError, match="seed must be at least 0, not -1"):
        MCC(seed=-1)


@pytest.mark.parametrize("engine", [XCC, MCC])
def test_least_cost_search_finds_the_same_prices(engine):
    text = "a b c\na b |5\nc |1\na c |2\nb |3\na |2\nb c |4\n"
    known = [c.price for c in engine().cheapest(text, best=9)]
    assert sorted(known) == [5, 6, 6, 6]
    for seed in range(6):
        covers = list(engine(seed=seed).cheapest(text, best=9))
        assert sorted(cover.price for cover in covers) == sorted(known)
        for cover in covers:
            assert cover.price == sum([5, 1, 2, 3, 2, 4][n - 1] for n in cover.numbers)
