"""Searches that learn what to branch on: the same covers, and known trees."""

from __future__ import annotations

import random

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from problems import dominoes, queens, sudoku
from searching import DONE, EVER, PAUSED, finish, prepared
from strategies import examples, puzzles

from dcells_async import COMPILED, XCC, XCCDC, Problem
from dcells_async.kernels import learning as installed
from dcells_async.kernels.learning import LearningXcc
from dcells_async.kernels.xcc import XccKernel
from dcells_async.layout import Layout
from dcells_async.puzzles.langford import langford
from dcells_async.puzzles.queens import queens as tidy_queens

RULES = ["weighted", "failures"]
NAMES = ["LearningXcc", "LearningXccdc"]

ESCARGOT = (
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
)
INKALA = (
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)

each_kernel = pytest.mark.parametrize("name", NAMES)
each_rule = pytest.mark.parametrize("by_failures", [False, True], ids=RULES)


def needs_speed(test):
    return pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")(test)


def sets(covers):
    return sorted(tuple(sorted(cover)) for cover in covers)


def random_problem(rng):
    """Draw a problem with more options than the brute force could stand."""
    primary, colors = range(rng.randint(2, 7)), ["A", "B"]
    options = []
    for _ in range(rng.randint(5, 30)):
        option = rng.sample(primary, rng.randint(1, min(3, len(primary))))
        if rng.random() < 0.3:
            option.append(("x", rng.choice(colors)))
        options.append(option)
    return Problem.from_options(options, primary, ["x"])


# -- the covers ------------------------------------------------------------------------


@each_rule
@each_kernel
@given(puzzle=puzzles())
@examples(150)
def test_covers_are_those_of_the_definition(name, by_failures, puzzle):
    problem = puzzle.problem()
    kernel = prepared(getattr(installed, name), problem, by_failures)
    assert sets(finish(kernel, problem)[0]) == sorted(reference.covers(*puzzle))
    counting = prepared(getattr(installed, name), problem, by_failures)
    assert counting.advance(EVER, EVER, False) == DONE
    assert counting.covers == kernel.covers


@each_rule
@each_kernel
def test_covers_are_those_of_the_plain_search(name, by_failures):
    rng = random.Random(20)
    for _ in range(60 if COMPILED else 15):
        problem = random_problem(rng)
        plain = finish(prepared(XccKernel, problem), problem)[0]
        kernel = prepared(getattr(installed, name), problem, by_failures)
        assert sets(finish(kernel, problem)[0]) == sets(plain)


@each_rule
@each_kernel
def test_interpreted_search_does_the_same(variant, name, by_failures):
    rng = random.Random(21)
    problems = [Problem.from_dlx(dominoes(4, 5)), Problem.from_dlx(queens(5))]
    problems += [random_problem(rng) for _ in range(8)]
    for problem in problems:
        kernel = prepared(getattr(variant("learning"), name), problem, by_failures)
        other = prepared(getattr(installed, name), problem, by_failures)
        assert finish(kernel, problem) == finish(other, problem)
        # The past of each item stands in the cells, so it is the same, too.
        assert kernel.save() == other.save()


@each_rule
def test_item_that_has_starved_unnoticed_is_a_dead_end(
    interpreted, monkeypatch, by_failures
):
    module, rng = interpreted("learning"), random.Random(22)
    best_item, starved = module.best_item, []

    def watched(sets):
        item = best_item(sets)
        if item < 0:
            starved.append(-item)
            assert sets.cells[-item - 1] == 0
        return item

    monkeypatch.setattr(module, "best_item", watched)
    for _ in range(40):
        problem = random_problem(rng)
        plain = finish(prepared(XccKernel, problem), problem)[0]
        kernel = prepared(module.LearningXcc, problem, by_failures)
        assert sets(finish(kernel, problem)[0]) == sets(plain)
    assert starved


@each_rule
@each_kernel
def test_numbers_that_grow_large_are_halved(
    interpreted, monkeypatch, name, by_failures
):
    module = interpreted("learning")
    monkeypatch.setattr(module, "MOST", 6)
    halvings = []
    halve = module.halve
    monkeypatch.setattr(module, "halve", lambda sets: halvings.append(halve(sets)))
    problem = Problem.from_dlx(dominoes(6, 6, cut=True))
    kernel = prepared(getattr(module, name), problem, by_failures)
    assert finish(kernel, problem)[0] == []
    assert halvings
    numbers = [kernel.cells[x - 3] for x in kernel.items[: kernel.n_items]]
    assert 1 <= min(numbers) <= max(numbers) < 6
    problem = Problem.from_dlx(queens(5))
    kernel = prepared(getattr(module, name), problem, by_failures)
    assert len(finish(kernel, problem)[0]) == 10


# -- the size of the tree --------------------------------------------------------------


@needs_speed
@pytest.mark.parametrize(
    ("problem", "nodes"),
    [
        # Knuth's SSXCC-WTD0, SSXCC-FRB0 and XCCDC-FRB; None where a quotient that
        # they round decides a tie in another way.
        (Problem.from_dlx(sudoku(ESCARGOT)), (1_139, 1_114, 337)),
        (Problem.from_dlx(sudoku(INKALA)), (1_845, None, 376)),
        (langford(10), (39_241, 41_959, 20_035)),
        (Problem.from_dlx(dominoes(8, 8, cut=True)), (141_331, 526_060, 46_678)),
        (tidy_queens(12, "organ-pipe"), (None, 199_521, None)),
    ],
    ids=["Escargot", "Inkala", "Langford 10", "mutilated board", "queens 12"],
)
def test_known_problem_takes_as_many_nodes(problem, nodes):
    searches = [("LearningXcc", False), ("LearningXcc", True), ("LearningXccdc", True)]
    for (name, by_failures), known in zip(searches, nodes, strict=True):
        if known is not None:
            kernel = prepared(getattr(installed, name), problem, by_failures)
            assert kernel.advance(EVER, EVER, False) == DONE
            assert kernel.nodes == known


# -- slices and states -----------------------------------------------------------------


@each_rule
@each_kernel
@given(
    puzzle=puzzles(least_primary=2),
    budget=st.sampled_from([1, 7, 40]),
    want=st.sampled_from([1, EVER]),
)
@examples(80)
def test_slices_and_fresh_kernels_change_nothing(
    name, by_failures, puzzle, budget, want
):
    make, problem = getattr(installed, name), puzzle.problem()
    whole = finish(prepared(make, problem, by_failures), problem)
    sliced = prepared(make, problem, by_failures)
    assert finish(sliced, problem, budget, want) == whole
    _check_relay(make, problem, by_failures, budget, whole)


@each_rule
@each_kernel
def test_what_was_learned_is_saved(name, by_failures):
    problem = Problem.from_dlx(dominoes(5, 6, cut=True))
    make = getattr(installed, name)
    whole = finish(prepared(make, problem, by_failures), problem)
    _check_relay(make, problem, by_failures, 500 if COMPILED else 20_000, whole)


@pytest.mark.parametrize(
    ("seed", "by_failures"), [(27, False), (61, True), (596, True)]
)
def test_search_that_has_starved_an_item_unseen_is_taken_up(seed, by_failures):
    # Rare: only where the item branched on is larger than another that it starves.
    problem = random_problem(random.Random(seed))
    whole = finish(prepared(LearningXcc, problem, by_failures), problem)
    _check_relay(LearningXcc, problem, by_failures, 1, whole)


def _check_relay(make, problem, by_failures, budget, whole):
    """Search on in a fresh kernel after every slice."""
    kernel, status, found = prepared(make, problem, by_failures), PAUSED, []
    layout = Layout.of(problem)
    while status != DONE:
        state = kernel.save()
        kernel = prepared(make, problem, by_failures)
        kernel.load(state)
        assert kernel.save() == state
        status = kernel.advance(budget, EVER)
        found += [cover.numbers for cover in layout.covers(*kernel.take())]
    assert (found, kernel.nodes, kernel.updates) == whole


def test_state_of_another_rule_is_refused():
    problem = Problem.from_dlx(queens(5))
    kernels = [prepared(LearningXcc, problem, rule) for rule in (False, True)]
    kernels.append(prepared(XccKernel, problem))
    for kernel in kernels:
        for other in kernels:
            if other is not kernel:
                with pytest.raises(ValueError, match="another problem"):
                    kernel.load(other.save())


# -- the engines -----------------------------------------------------------------------


@pytest.mark.parametrize("choose", RULES)
def test_engines_take_the_choice(choose):
    problem = Problem.from_dlx(dominoes(4, 4)).compile()
    for engine in (XCC(choose=choose), XCCDC(choose=choose)):
        kernel = engine._kernel(Layout.of(problem))
        assert type(kernel).__name__.startswith("Learning")
        assert engine.solve(problem).count() == 36
        assert (
            engine.solve(problem, given=[1]).count()
            == XCC().solve(problem, given=[1]).count()
        )
    trees = [XCC(choose=rule).solve(dominoes(6, 6, cut=True)) for rule in RULES]
    assert [tree.count() for tree in trees] == [0, 0]
    assert trees[0].stats.nodes != trees[1].stats.nodes


async def test_choice_works_in_streams_too():
    text = dominoes(4, 4)
    for choose in RULES:
        assert await XCC(choose=choose).count(text) == 36
        async with XCCDC(choose=choose).dance(text, limit=3) as result:
            assert len([cover async for cover in result.solutions]) == 3


def test_wrong_choice_is_refused():
    for engine in (XCC, XCCDC):
        with pytest.raises(ValueError, match="choose must be one of 'mrv', 'weighted'"):
            engine(choose="wdeg")
    with pytest.raises(ValueError, match="with kernel='bits' it can only be 'mrv'"):
        XCC(kernel="bits", choose="weighted")
    assert XCC(kernel="bits", choose="mrv").solve("a\na").count() == 1
    with pytest.raises(ValueError, match="choose='failures' is for searching all"):
        XCC(choose="failures").minimize("a\na")
    with pytest.raises(ValueError, match="choose='weighted' is for searching all"):
        XCC(choose="weighted").cheapest("a\na", best=2)
