"""A search may rest anywhere: how it is sliced changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import dominoes, queens
from searching import DONE, EVER, FULL, PAUSED, kernel_of, run, slices
from strategies import examples, puzzles

from dcells_async import COMPILED, Problem
from dcells_async.kernels import xcc as installed

ROUNDING = 1e-12
"""By how much a fraction may fall short; sessions smooth that out."""


@given(
    puzzle=puzzles(),
    budget=st.sampled_from([1, 2, 3, 10, 100, EVER]),
    want=st.sampled_from([1, 2, 7, EVER]),
)
@examples(1000)
def test_any_slices_give_the_same_covers_in_the_same_order(puzzle, budget, want):
    problem = puzzle.problem()
    assert run(installed, problem, budget, want) == run(installed, problem)


@pytest.mark.parametrize("budget", [1, 2, 3, 17, 1000])
@pytest.mark.parametrize("want", [1, 3, EVER])
def test_slices_give_the_same_in_every_variant(variant, budget, want):
    problem = Problem.from_dlx(queens(6))
    whole = run(variant("xcc"), problem)
    assert whole[1:] == (71, 1726)
    assert run(variant("xcc"), problem, budget, want) == whole


@pytest.mark.parametrize(
    "text", [queens(7), queens(8), dominoes(4, 6), dominoes(6, 6, cut=True)]
)
def test_smallest_slices_keep_order_counters_and_invariants(text):
    problem = Problem.from_dlx(text)
    whole = run(installed, problem)
    kernel = kernel_of(installed, problem)
    found = []
    fraction = 0.0
    for number, covers in enumerate(slices(kernel, problem, 1, 1)):
        assert len(covers) <= 1
        found += covers
        assert fraction - ROUNDING <= kernel.fraction() <= 1.0
        fraction = kernel.fraction()
        if number % (50 if COMPILED else 1000) == 0:
            assert kernel.sanity() == ""
    assert fraction == 1.0
    assert found == whole.covers
    assert (kernel.nodes, kernel.updates) == whole[1:]


@given(puzzle=puzzles())
@examples(400)
def test_invariants_hold_between_all_slices(puzzle):
    problem = puzzle.problem()
    kernel = kernel_of(installed, problem)
    fraction = 0.0
    for _ in slices(kernel, problem, 1, 1):
        assert kernel.sanity() == ""
        assert fraction - ROUNDING <= kernel.fraction() <= 1.0
        fraction = kernel.fraction()
        assert -1 <= kernel.depth <= len(problem.items)


@pytest.mark.parametrize("budget", [10, 100, 1000])
def test_slice_hardly_exceeds_its_budget(budget):
    problem = Problem.from_dlx(queens(8))
    kernel = kernel_of(installed, problem)
    status = PAUSED
    while status == PAUSED:
        before = kernel.updates + kernel.steps
        status = kernel.advance(budget, EVER)
        # One commit, with the look around before it, may be under way at the end.
        assert kernel.updates + kernel.steps - before < budget + 1000
        kernel.take()
    assert status == DONE


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(1, 4)), max_size=30))
@examples(100)
def test_slices_of_changing_size_give_the_same(sizes):
    problem = Problem.from_dlx(queens(6))
    whole = run(installed, problem)
    kernel = kernel_of(installed, problem)
    found = []
    for budget, want in [*sizes, (EVER, EVER)]:
        before = kernel.covers
        status = kernel.advance(budget, want)
        assert status in (PAUSED, FULL, DONE)
        assert kernel.covers - before <= want
        options, ends = kernel.take()
        begin = 0
        for end in ends:
            found.append(tuple(number + 1 for number in options[begin:end]))
            begin = end
    assert found == whole.covers
    assert (kernel.nodes, kernel.updates) == whole[1:]


def test_counting_and_keeping_may_take_turns():
    problem = Problem.from_dlx(queens(8))
    kernel = kernel_of(installed, problem)
    kept = 0
    turn = 0
    while kernel.advance(500, EVER, turn % 2 == 0) != DONE:
        kept += len(kernel.take()[1])
        turn += 1
    assert (kernel.covers, kernel.nodes, kernel.updates) == (92, 947, 20078)
    assert 0 < kept < 92
