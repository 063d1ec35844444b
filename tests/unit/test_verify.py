"""Checking covers without an engine."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
import reference
from hypothesis import given
from strategies import examples, puzzles

from dcells_async import DlxWarning, Problem, verify

COLORED = Problem.from_dlx("p q | x\np x\nq x\np x:A\nq x:A\nq x:B\np\nq\n")


@pytest.mark.parametrize("numbers", [(3, 4), (4, 3), (1, 7), (2, 6), (5, 6), (6, 7)])
def test_cover_has_no_faults(numbers):
    assert verify(COLORED, numbers) == []
    assert verify(COLORED, iter(numbers)) == []


@pytest.mark.parametrize(
    ("numbers", "faults"),
    [
        ((), 2),
        ((3,), 1),
        ((1, 2), 1),
        ((1, 4), 1),
        ((3, 5), 1),
        ((1, 3), 3),
        ((6, 7, 7), 2),
        ((6, 7, 6, 7), 4),
    ],
)
def test_what_is_no_cover_has_its_faults_listed(numbers, faults):
    assert len(verify(COLORED, numbers)) == faults


def test_faults_name_the_item():
    assert "'q'" in verify(COLORED, [1])[0]
    assert "'x'" in verify(COLORED, [1, 2])[0]


@pytest.mark.parametrize("number", [0, -1, 8, 10**9])
def test_option_that_does_not_exist_is_a_fault(number):
    assert verify(COLORED, [6, number]) == [f"option {number} does not exist"]


def test_option_without_a_primary_item_is_no_part_of_a_cover():
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx("p | x\np\nx\n")
    assert verify(problem, [1]) == []
    assert len(verify(problem, [1, 2])) == 1


def test_bounds_of_items_are_heeded():
    problem = Problem.from_dlx("2|a 0:1|b\na\na\na b\nb\n")
    assert verify(problem, [1, 2]) == []
    assert verify(problem, [1, 2, 4]) == []
    assert len(verify(problem, [1])) == 1
    assert len(verify(problem, [1, 2, 3])) == 1
    assert len(verify(problem, [1, 3, 4])) == 1


def test_empty_choice_covers_the_empty_problem():
    assert verify(Problem.from_options([]), []) == []


@given(puzzles())
@examples(300)
def test_choice_is_faultless_just_when_the_definition_says_so(puzzle):
    puzzle = puzzle._replace(options=puzzle.options[:7])
    problem = puzzle.problem()
    numbers = range(1, len(puzzle.options) + 1)
    subsets = chain.from_iterable(combinations(numbers, k) for k in range(5))
    right = {
        subset
        for subset in subsets
        if reference.is_cover(
            puzzle.primary,
            puzzle.secondary,
            [puzzle.options[number - 1] for number in subset],
        )
        and not set(subset) & set(problem.dropped)
    }
    subsets = chain.from_iterable(combinations(numbers, k) for k in range(5))
    assert {subset for subset in subsets if not verify(problem, subset)} == right
