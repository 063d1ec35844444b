"""The dance to be watched: the textbook's steps, restoration, and a second oracle."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from problems import queens
from reference import covers, parts
from strategies import examples, puzzles

from dcells_async import (
    XCC,
    Action,
    DlxSyntaxError,
    MultiplicityError,
    Problem,
    trace,
)
from dcells_async.tracing.cells import Cells
from dcells_async.tracing.links import Links

TEXTBOOK = "A B C D E F G\nC E F\nA D G\nB C F\nA D\nB G\nD E G"
WAYS = ["links", "cells"]


def told(way, text=TEXTBOOK):
    return [f"{step.depth} {step}" for step in trace(text, way)]


def solutions(problem, way):
    return sorted(
        tuple(sorted(step.chosen))
        for step in trace(problem, way)
        if step.action is Action.SOLUTION
    )


def test_textbook_by_links_is_step_by_step_as_told():
    assert told("links") == [
        "0 choose A: 2 options, no item has fewer",
        "1 try option 2: A D G",
        "1 cover A",
        "1 hide option 4: A D",
        "1 cover D",
        "1 hide option 6: D E G",
        "1 cover G",
        "1 hide option 5: B G",
        "1 choose B: 1 option, no item has fewer",
        "2 try option 3: B C F",
        "2 cover B",
        "2 cover C",
        "2 hide option 1: C E F",
        "2 cover F",
        "2 choose E: 0 options, no item has fewer",
        "2 dead end: no option is left for E",
        "2 uncover F",
        "2 unhide option 1: C E F",
        "2 uncover C",
        "2 uncover B",
        "1 unhide option 5: B G",
        "1 uncover G",
        "1 unhide option 6: D E G",
        "1 uncover D",
        "1 unhide option 4: A D",
        "1 uncover A",
        "1 try option 4: A D",
        "1 cover A",
        "1 hide option 2: A D G",
        "1 cover D",
        "1 hide option 6: D E G",
        "1 choose E: 1 option, no item has fewer",
        "2 try option 1: C E F",
        "2 cover E",
        "2 cover F",
        "2 hide option 3: B C F",
        "2 cover C",
        "2 choose B: 1 option, no item has fewer",
        "3 try option 5: B G",
        "3 cover B",
        "3 cover G",
        "3 solution: 4 1 5",
        "3 uncover G",
        "3 uncover B",
        "2 uncover C",
        "2 unhide option 3: B C F",
        "2 uncover F",
        "2 uncover E",
        "1 unhide option 6: D E G",
        "1 uncover D",
        "1 unhide option 2: A D G",
        "1 uncover A",
    ]


def test_textbook_by_links_undoes_items_in_reverse_order():
    undone = [step[2:] for step in told("links") if " uncover " in step]
    assert undone[:6] == [f"uncover {name}" for name in "FCBGDA"]


def test_textbook_by_cells_hides_options_and_restores_sizes():
    steps = told("cells")
    assert steps[:10] == [
        "0 choose A: 2 options, no item has fewer",
        "1 try option 2: A D G",
        "1 cover A",
        "1 hide option 4: A D",
        "1 cover D",
        "1 hide option 6: D E G",
        "1 cover G",
        "1 hide option 5: B G",
        "1 choose B: 1 option, no item has fewer",
        "2 try option 3: B C F",
    ]
    assert steps.count("1 restore all sizes as before option 2") == 1
    assert [step for step in steps if "solution" in step] == ["3 solution: 4 1 5"]
    assert sum("dead end" in step for step in steps) == 1


@pytest.mark.parametrize("way", WAYS)
def test_textbook_matrix_after_the_first_option(way):
    steps = iter(trace(TEXTBOOK, way))
    step = next(step for step in steps if step.depth == 1 and step.action.name == "TRY")
    for step in steps:
        if step.action is Action.CHOOSE:
            break
    names = [step.problem.items[item].label for item in sorted(step.live_items)]
    assert names == ["B", "C", "E", "F"]
    assert step.live_options == {1, 3}
    assert (step.item, step.size, step.chosen) == (1, 1, (2,))


def compatible(puzzle, chosen, option):
    """Tell by definition whether an option goes with those chosen."""
    entries = dict(map(parts, puzzle.options[option - 1]))
    if not any(item in puzzle.primary for item in entries):
        return False
    for number in chosen:
        for item, color in map(parts, puzzle.options[number - 1]):
            if item in entries and (color is None or entries[item] != color):
                return False
    return option not in chosen


@pytest.mark.parametrize("way", WAYS)
@given(puzzle=puzzles())
@examples(120)
def test_matrix_and_choice_are_those_of_the_definition(way, puzzle):
    problem = puzzle.problem()
    for step in trace(problem, way):
        if step.action is not Action.CHOOSE:
            continue
        live = {
            number
            for number in range(1, len(puzzle.options) + 1)
            if compatible(puzzle, step.chosen, number)
        }
        assert step.live_options == live
        taken = {
            item
            for number in step.chosen
            for item, _ in map(parts, puzzle.options[number - 1])
        }
        labels = [item.label for item in problem.items]
        assert {labels[item] for item in step.live_items} == set(labels) - taken
        sizes = [
            sum(item in dict(map(parts, puzzle.options[number - 1])) for number in live)
            for item in puzzle.primary
            if item not in taken
        ]
        left = [item for item in puzzle.primary if item not in taken]
        assert step.size == min(sizes)
        assert labels[step.item] == left[sizes.index(min(sizes))]


class Restored(Links):
    """Links that compare all of them before each thing done and after it is undone."""

    def __init__(self, problem):
        super().__init__(problem)
        self.before = []

    def cover(self, item):
        self.before.append(self.state())
        yield from super().cover(item)

    def uncover(self, item):
        yield from super().uncover(item)
        assert self.state() == self.before.pop()

    def purify(self, node):
        self.before.append(self.state())
        yield from super().purify(node)

    def unpurify(self, node):
        yield from super().unpurify(node)
        assert self.state() == self.before.pop()

    def _hide(self, node):
        self.before.append(self.state())
        yield from super()._hide(node)

    def _unhide(self, node):
        yield from super()._unhide(node)
        assert self.state() == self.before.pop()


@given(puzzle=puzzles())
@examples(120)
def test_links_are_restored_bit_for_bit_by_each_step_back(puzzle):
    dance = Restored(puzzle.problem())
    first = dance.state()
    done = []
    for step in dance.steps():
        what = (step.item, step.option)
        if step.action.value.startswith("un"):
            assert done.pop() == (step.action.value[2:], *what)
        elif step.action in (Action.COVER, Action.PURIFY, Action.HIDE):
            done.append((step.action.value, *what))
    assert done == []
    assert dance.before == []
    assert dance.state() == first


@pytest.mark.parametrize("way", [Links, Cells])
@given(puzzle=puzzles())
@examples(120)
def test_each_option_is_tried_from_the_same_state(way, puzzle):
    dance = way(puzzle.problem())
    first = dance.state()
    chosen_from = {}
    for step in dance.steps():
        if step.action is Action.CHOOSE:
            chosen_from[step.depth] = dance.state()
        if step.action is Action.TRY:
            assert dance.state() == chosen_from[step.depth - 1]
    assert dance.state() == first


@given(puzzle=puzzles())
@examples(200)
def test_three_searches_and_brute_force_agree(puzzle):
    problem = puzzle.problem()
    expected = sorted(covers(*puzzle))
    assert solutions(problem, "links") == expected
    assert solutions(problem, "cells") == expected
    with XCC().solve(problem) as found:
        assert sorted(tuple(sorted(cover.numbers)) for cover in found) == expected


def test_covers_beyond_brute_force_are_those_of_the_kernel():
    problem = Problem.from_dlx(queens(6))
    with XCC().solve(problem) as found:
        expected = sorted(tuple(sorted(cover.numbers)) for cover in found)
    for way in WAYS:
        assert solutions(problem, way) == expected


def test_depth_is_not_that_of_pythons_stack():
    deep = sys.getrecursionlimit() + 10
    problem = Problem.from_options([[i] for i in range(deep)])
    assert deep in (
        step.depth for step in trace(problem) if step.action is Action.SOLUTION
    )


@pytest.mark.parametrize("way", WAYS)
def test_no_item_is_a_solution_without_options(way):
    (step,) = trace(Problem.from_options([], [], ["x"]), way)
    assert (str(step), step.depth) == ("solution: no option", 0)


@pytest.mark.parametrize("way", WAYS)
def test_trace_can_be_iterated_again(way):
    watched = trace(TEXTBOOK, way)
    assert [str(step) for step in watched] == [str(step) for step in watched]


def test_what_cannot_be_watched_is_refused():
    with pytest.raises(ValueError, match="'links' and 'cells'"):
        trace(TEXTBOOK, "knots")
    with pytest.raises(ValueError, match="buffer"):
        trace(TEXTBOOK, buffer=-1)
    with pytest.raises(DlxSyntaxError):
        list(trace("a\nb"))
    with pytest.raises(MultiplicityError, match="item 'a' has multiplicity 1:2"):
        list(trace("1:2|a\na\na"))
