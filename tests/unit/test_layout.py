"""The flat arrays that kernels get, and the way back to covers."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest
import reference
from hypothesis import given
from strategies import examples, puzzles

from dcells_async import DlxWarning, Problem
from dcells_async.layout import Layout


def test_arrays_are_the_options_end_to_end():
    layout = Layout.of(Problem.from_dlx("p q | x y\nq x:A p\ny:B p\nq y:A"))
    assert (layout.n_items, layout.n_primary, layout.n_options) == (4, 2, 3)
    assert list(layout.option_start) == [0, 3, 5, 7]
    assert list(layout.option_item) == [1, 2, 0, 3, 0, 1, 3]
    assert list(layout.option_color) == [0, 1, 0, 2, 0, 0, 1]
    assert layout.kept is None
    assert {table.typecode for table in (layout.option_start, layout.option_item)} == {
        "i"
    }


def test_problem_without_colors_has_no_table_of_them():
    layout = Layout.of(Problem.from_dlx("p q | x\np x\nq"))
    assert len(layout.option_color) == 0


@pytest.mark.parametrize("color", ["", ":A"])
def test_options_without_primary_items_take_no_part(color):
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx(f"p q | x y\nx\np x{color}\ny x\nq\nx\n")
    layout = Layout.of(problem)
    assert layout.n_options == 2
    assert list(layout.option_start) == [0, 2, 3]
    assert list(layout.option_item) == [0, 2, 1]
    assert list(layout.option_color) == ([0, 1, 0] if color else [])
    assert list(layout.kept) == [1, 3]


def test_problem_of_nothing_but_such_options_has_an_empty_layout():
    with pytest.warns(DlxWarning):
        layout = Layout.of(Problem.from_options([["x"], []], secondary=["x"]))
    assert (layout.n_items, layout.n_primary, layout.n_options) == (1, 0, 0)
    assert list(layout.option_start) == [0]


@given(puzzles())
@examples(500)
def test_any_options_are_laid_out_as_they_are_but_for_the_dropped(puzzle):
    problem = puzzle.problem()
    layout = Layout.of(problem)
    kept = range(layout.n_options) if layout.kept is None else layout.kept
    names = puzzle.primary + puzzle.secondary
    laid = []
    for start, end in pairwise(layout.option_start):
        colors = layout.option_color[start:end] or [0] * (end - start)
        laid.append(
            [
                (names[item], problem.colors[color - 1]) if color else names[item]
                for item, color in zip(
                    layout.option_item[start:end], colors, strict=True
                )
            ]
        )
    assert laid == [puzzle.options[at] for at in kept]
    assert list(kept) == [
        at
        for at, option in enumerate(puzzle.options)
        if reference.can_be_chosen(puzzle.primary, option)
    ]


def test_layout_leaves_the_problem_as_it_is():
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx("p | x\nx:A\np x:A\n")
    Layout.of(problem)
    assert list(problem.option_start) == [0, 1, 3]
    assert list(problem.entry_item) == [1, 0, 1]
    assert list(problem.entry_color) == [1, 0, 1]


def test_found_numbers_become_covers_with_numbers_as_written():
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx("p q | x\nx\np x\nx\nq\np q\n")
    found, ends = array("i", [1, 0, 2]), array("i", [2, 3])
    covers = Layout.of(problem).covers(found, ends)
    assert [cover.numbers for cover in covers] == [(4, 2), (5,)]
    assert Layout.of(problem).covers(array("i"), array("i")) == []


def test_empty_cover_is_a_cover():
    (cover,) = Layout.of(Problem.from_options([])).covers(array("i"), array("i", [0]))
    assert cover.numbers == ()
    assert len(cover) == 0
