"""Weights of covers in diagrams: the best ones, and all of them."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from diagrams import diagram_of, tilings
from hypothesis import given
from hypothesis import strategies as st
from reference import covers as reference_covers
from strategies import examples, puzzles

from dcells_async import XCC, CapacityError, Diagram, PriceError, Problem
from dcells_async.diagram import weighed

PRICED = Problem.from_dlx("a b\na b |5\na |2\nb |2")
MOST = (1 << 63) - 1


def pair(problem=PRICED):
    return diagram_of(problem, [(1,), (2, 3)])


def square(n):
    cells = [(r, c) for r in range(n) for c in range(n)]
    options, columns, root = tilings(cells)
    return Diagram(Problem.from_options(options, primary=cells), *columns, root=root)


@given(puzzle=puzzles(), data=st.data())
@examples(250)
def test_weights_are_what_brute_force_finds(puzzle, data):
    covers = reference_covers(*puzzle)
    diagram = diagram_of(puzzle.problem(), covers)
    spread = data.draw(st.sampled_from([0, 3, 10**15]))
    weights = [
        data.draw(st.integers(-spread, spread)) for _ in range(len(puzzle.options))
    ]
    weight = {cover: sum(weights[number - 1] for number in cover) for cover in covers}
    falling = sorted(weight.values(), reverse=True)
    histogram = diagram.weight_histogram(weights)
    assert histogram == Counter(falling)
    assert list(histogram) == sorted(histogram)
    k = data.draw(st.integers(0, len(covers) + 1))
    for found, expected in (
        (diagram.heaviest(k, weights), falling[:k]),
        (diagram.lightest(k, weights), falling[::-1][:k]),
    ):
        assert [cover.price for cover in found] == expected
        assert [weight[cover.numbers] for cover in found] == expected
        assert len({cover.numbers for cover in found}) == len(found)
    if covers:
        heaviest, lightest = diagram.max_weight(weights), diagram.min_weight(weights)
        assert heaviest.price == weight[heaviest.numbers] == falling[0]
        assert lightest.price == weight[lightest.numbers] == falling[-1]


@pytest.mark.parametrize(
    "weights",
    [
        None,
        [5, 2, 2],
        {1: 5, 2: 2, 3: 2},
        lambda option: 5 if len(option) == 2 else 2,
        (weight for weight in [5, 2, 2]),
    ],
)
def test_weights_come_in_the_ways_of_prices(weights):
    assert pair().max_weight(weights).price == 5


def test_weights_of_the_problem_are_not_touched():
    diagram = pair()
    assert diagram.max_weight([0, 1, 1]).numbers == (2, 3)
    assert diagram.max_weight().numbers == (1,)
    assert diagram.max_weight([0, 1, 1]) != diagram.unrank(0)
    assert diagram.max_weight([0, 1, 1]) in diagram


def test_equally_good_covers_prefer_the_earliest_options():
    assert pair().max_weight([4, 2, 2]).numbers == (1,)
    assert pair().min_weight([4, 2, 2]).numbers == (1,)


def test_dense_and_sparse_histograms_agree(monkeypatch):
    diagram = square(6)
    draws = random.Random(4)
    weights = [6 * draws.randint(-9, 9) for _ in diagram.problem.options]
    dense = diagram.weight_histogram(weights)
    monkeypatch.setattr(weighed, "_BROADEST", 0)
    assert diagram.weight_histogram(weights) == dense
    assert sum(dense.values()) == 6728
    assert dense[max(dense)] >= 1
    assert max(dense) == diagram.max_weight(weights).price


def test_histogram_of_huge_weights_and_few_covers():
    diagram = pair(Problem.from_dlx("a b\na b\na\nb"))
    weights = [MOST, -MOST, 0]
    assert diagram.weight_histogram(weights) == {-MOST: 1, MOST: 1}


def test_histogram_with_too_many_weights_is_refused(monkeypatch):
    monkeypatch.setattr(weighed, "_BROADEST", 0)
    monkeypatch.setattr(weighed, "_MOST_WEIGHTS", 100)
    diagram = square(6)
    weights = [3**k % 1_000_003 for k in range(len(diagram.problem.options))]
    with pytest.raises(CapacityError, match="more than 100 different weights; round"):
        diagram.weight_histogram(weights)


def test_heaviest_tiling_is_what_a_least_cost_search_finds():
    diagram = square(6)
    draws = random.Random(8)
    weights = [draws.randint(-20, 20) for _ in diagram.problem.options]
    with XCC().cheapest(diagram.problem, weights, best=10) as covers:
        prices = sorted(cover.price for cover in covers)[:10]
    assert [cover.price for cover in diagram.lightest(10, weights)] == prices


def test_best_of_all_are_all_in_order():
    diagram = square(4)
    weights = list(range(len(diagram.problem.options)))
    found = diagram.heaviest(10**9, weights)
    assert len({cover.numbers for cover in found}) == 36
    assert found[0].price == diagram.max_weight(weights).price


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ([1, 2], "2 prices for 3 options"),
        ([1, 2, 0.5], "not integral"),
        ([1, 2, 1 << 63], "exceeds 64 bits"),
        ({4: 1}, "option 4"),
        ([1, 1, None], "is no number"),
    ],
)
def test_weights_that_are_none_are_refused(weights, reason):
    for ask in (
        pair().max_weight,
        pair().min_weight,
        pair().weight_histogram,
        lambda weights: pair().heaviest(1, weights),
        lambda weights: pair().lightest(1, weights),
    ):
        with pytest.raises(PriceError, match=reason):
            ask(weights)


@pytest.mark.parametrize("weights", [[0, MOST, 1], [0, 1, MOST], [0, -MOST, -2]])
def test_sums_beyond_64_bits_are_refused_and_not_wrapped(weights):
    for ask in (pair().max_weight, pair().min_weight, pair().weight_histogram):
        with pytest.raises(PriceError, match="more than 64 bits"):
            ask(weights)


def test_sums_of_just_64_bits_are_right():
    assert pair().max_weight([0, MOST - 1, 1]).price == MOST
    assert pair().min_weight([0, -MOST, -1]).price == -MOST - 1


def test_empty_family_has_no_best_cover():
    empty = diagram_of(PRICED, [])
    assert empty.heaviest(3) == empty.lightest(3) == []
    assert empty.weight_histogram() == {}
    with pytest.raises(IndexError, match="no heaviest"):
        empty.max_weight()
    with pytest.raises(IndexError, match="no lightest"):
        empty.min_weight()


def test_number_of_best_covers_is_checked():
    with pytest.raises(ValueError, match="k must be at least 0"):
        pair().heaviest(-1)
