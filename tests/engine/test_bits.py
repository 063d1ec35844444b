"""XCC on bits: the same covers as on cells, sliced, saved and handed over anyhow."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from problems import FRUITLESS, dominoes, queens
from searching import DONE, EVER, PAUSED, STOPPED, count, kernel_of, run, slices
from strategies import examples, puzzles

from dcells_async import COMPILED, XCC, CapacityError, Problem, engines, verify
from dcells_async.kernels import bits as installed
from dcells_async.kernels import xcc as cells
from dcells_async.layout import Layout

QUEENS = Problem.from_dlx(queens(9))
"""More than 64 options, so that a row has several words."""

MANY_ITEMS = Problem.from_dlx(dominoes(2, 40))
"""More than 64 primary items too."""

ROUNDING = 1e-12


def sets(covers):
    return sorted(tuple(sorted(cover)) for cover in covers)


def ran(kernel, problem, budget=EVER, want=EVER):
    covers = [
        cover for found in slices(kernel, problem, budget, want) for cover in found
    ]
    assert kernel.sanity() == ""
    assert len(covers) == kernel.covers
    return covers, kernel.nodes, kernel.updates, kernel.steps


# -- the covers ------------------------------------------------------------------------


def agree(module, puzzle):
    problem = puzzle.problem()
    found = run(module, problem).covers
    assert all(verify(problem, cover) == [] for cover in found)
    assert sets(found) == sorted(reference.covers(*puzzle))
    assert count(module, problem) == len(found)


@given(puzzles())
@examples(1000)
def test_covers_are_those_of_the_definition(puzzle):
    agree(installed, puzzle)


@given(puzzle=puzzles(least_primary=2))
@examples(150)
def test_covers_are_those_of_the_definition_in_every_variant(variant, puzzle):
    agree(variant("bits"), puzzle)


@pytest.mark.parametrize("text", [queens(7), dominoes(4, 6), dominoes(2, 40)])
def test_many_words_have_the_covers_of_the_cells(text):
    problem = Problem.from_dlx(text)
    kernel = kernel_of(installed, problem)
    want = 2000 if COMPILED else 50
    kernel.advance(EVER, want)
    options, ends = kernel.take()
    found = {tuple(sorted(options[begin:end])) for begin, end in pairwise([0, *ends])}
    assert len(found) == len(ends) == min(want, kernel.covers)
    assert all(verify(problem, [o + 1 for o in cover]) == [] for cover in found)
    if kernel.advance(EVER, 1) == DONE:
        assert sets([o + 1 for o in cover] for cover in found) == sets(
            run(cells, problem).covers
        )


@pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")
@pytest.mark.parametrize(
    ("name", "covers", "nodes", "updates"),
    [
        ("filomino-15x15", 1, 135_109, 808_626),
        ("pentominoes-8x8", 520, 93_852, 289_326),
    ],
)
def test_known_problem_takes_as_many_nodes_and_options_tried(
    data, name, covers, nodes, updates
):
    problem = Problem.from_dlx(data(f"{name}.dlx"))
    found = run(installed, problem)
    assert found[1:] == (nodes, updates)
    assert len(set(sets(found.covers))) == covers
    assert all(verify(problem, cover) == [] for cover in found.covers[::60])


@pytest.mark.parametrize(
    ("text", "covers"),
    [
        ("a\na\na\na", [(1,), (2,), (3,)]),
        ("a b c\na b\na b", []),
        ("a | x y\na y", [(1,)]),
        ("p q | x\np x:A\nq x:A", [(1, 2)]),
        ("p q | x\np x\nq x:A", []),
        ("p q | x\np x\nq x", []),
    ],
)
def test_degenerate_problems_are_right(variant, text, covers):
    problem = Problem.from_dlx(text)
    assert sets(run(variant("bits"), problem).covers) == covers


def test_nothing_to_be_covered_has_the_empty_cover(variant):
    assert run(variant("bits"), Problem.from_options([])) == ([()], 1, 0)


def test_item_in_no_option_ends_the_search_before_it_begins(variant):
    kernel = kernel_of(variant("bits"), Problem.from_dlx("a b c\na b\na b\n"))
    assert kernel.fraction() == 1.0
    assert kernel.advance(EVER, 1) == DONE
    assert (kernel.nodes, kernel.updates, kernel.covers) == (0, 0, 0)


def test_numbers_out_of_range_are_refused(variant):
    make = variant("bits").BitsKernel
    bad = make(1, 1, array("i", [0, 1]), array("i", [1]), array("i"))
    with pytest.raises(ValueError, match="do not exist"):
        bad.prepare()


@pytest.mark.parametrize("bits", [0, 1, 5, 0xFF, 1 << 63, (1 << 64) - 1, 0x8421 << 40])
def test_bits_of_a_word_are_counted(variant, bits):
    assert variant("bitwise").ones(bits) == len(f"{bits:b}".replace("0", ""))


# -- slices ----------------------------------------------------------------------------


@given(
    puzzle=puzzles(),
    budget=st.sampled_from([1, 2, 10, EVER]),
    want=st.sampled_from([1, 2, 7, EVER]),
)
@examples(300)
def test_any_slices_give_the_same(puzzle, budget, want):
    problem = puzzle.problem()
    whole = ran(kernel_of(installed, problem), problem)
    assert ran(kernel_of(installed, problem), problem, budget, want) == whole


@pytest.mark.parametrize("problem", [Problem.from_dlx(queens(6)), QUEENS])
def test_every_variant_searches_alike_slice_by_slice(variant, problem):
    told = []
    for module in (variant("bits"), installed):
        kernel = kernel_of(module, problem)
        told.append([])
        while kernel.advance(30_000, 5) != DONE:
            assert kernel.sanity() == ""
            counters = (kernel.nodes, kernel.updates, kernel.steps, kernel.depth)
            told[-1].append((counters, kernel.fraction(), kernel.save()))
    assert told[0] == told[1]


@pytest.mark.parametrize("text", [queens(7), dominoes(4, 5), dominoes(5, 5)])
def test_smallest_slices_keep_invariants_and_progress(text):
    problem = Problem.from_dlx(text)
    whole = ran(kernel_of(installed, problem), problem)
    kernel = kernel_of(installed, problem)
    fraction, found = 0.0, []
    for number, covers in enumerate(slices(kernel, problem, 1, 1)):
        found += covers
        assert fraction - ROUNDING <= kernel.fraction() <= 1.0
        fraction = kernel.fraction()
        if number % 40 == 0:
            assert kernel.sanity() == ""
    assert fraction == 1.0
    assert (found, kernel.nodes, kernel.updates, kernel.steps) == whole


def test_slice_hardly_exceeds_its_budget():
    kernel = kernel_of(installed, QUEENS)
    status = PAUSED
    while status == PAUSED:
        before = kernel.updates + kernel.steps
        status = kernel.advance(100, EVER)
        assert kernel.updates + kernel.steps - before < 400
        kernel.take()
    assert status == DONE


def test_stopped_search_is_stopped(variant):
    kernel = kernel_of(variant("bits"), Problem.from_dlx(FRUITLESS))
    assert kernel.advance(100, EVER) == PAUSED
    kernel.stop()
    assert kernel.advance(EVER, EVER) == STOPPED


# -- saving ----------------------------------------------------------------------------


@given(
    puzzle=puzzles(),
    budget=st.sampled_from([1, 5, 20, EVER]),
    want=st.sampled_from([1, 2, EVER]),
)
@examples(150)
def test_any_search_goes_on_in_a_fresh_kernel(puzzle, budget, want):
    problem = puzzle.problem()
    layout = Layout.of(problem)
    kernel, found, status = kernel_of(installed, problem), [], PAUSED
    while status != DONE:
        state = kernel.save()
        kernel = kernel_of(installed, problem)
        kernel.load(state)
        assert kernel.save() == state
        status = kernel.advance(budget, want)
        found += [cover.numbers for cover in layout.covers(*kernel.take())]
    whole = ran(kernel_of(installed, problem), problem)
    assert (found, kernel.nodes, kernel.updates, kernel.steps) == whole


def test_rows_that_have_grown_are_saved_with_the_rest():
    kernel = kernel_of(installed, MANY_ITEMS)
    small = len(kernel.save())
    kernel.advance(EVER, 5)
    state = kernel.save()
    assert len(state) > small + 500
    again = kernel_of(installed, MANY_ITEMS)
    again.load(state)
    kernel.take()
    for _ in range(20):
        assert kernel.advance(1000, 3) == again.advance(1000, 3)
        assert [*map(list, kernel.take())] == [*map(list, again.take())]
    assert again.sanity() == ""


@pytest.mark.parametrize("other", [queens(5), queens(8), dominoes(4, 4), "a\na"])
def test_state_of_another_problem_is_refused(variant, other):
    state = kernel_of(variant("bits"), Problem.from_dlx(queens(6))).save()
    kernel = kernel_of(variant("bits"), Problem.from_dlx(other))
    with pytest.raises(ValueError, match="another problem"):
        kernel.load(state)


def test_damaged_state_is_refused(variant):
    kernel = kernel_of(variant("bits"), QUEENS)
    kernel.advance(5000, EVER)
    state = kernel.save()
    for bad in (b"", state[:-1], state[:50], state + b"\0", b"\xff" * len(state)):
        fresh = kernel_of(variant("bits"), QUEENS)
        with pytest.raises(ValueError, match=r"state|length|unpack"):
            fresh.load(bad)


# -- choosing the kernel ---------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["auto", "cells", "bits"])
def test_engine_finds_the_same_with_every_kernel(kernel):
    engine = XCC(kernel=kernel)
    with engine.solve(queens(8)) as covers:
        found = [cover.numbers for cover in covers]
    assert sets(found) == sets(run(cells, Problem.from_dlx(queens(8))).covers)
    assert engine.solve(queens(8)).count() == 92
    assert len([*engine.solve(queens(8), limit=5)]) == 5
    assert not engine.solve(queens(8)).is_unique()
    assert engine.solve("a b\na\nb\nb").first() is not None
    assert covers.stats.fraction == 1.0


@pytest.mark.parametrize("kernel", ["auto", "cells", "bits"])
async def test_stream_finds_the_same_with_every_kernel(kernel):
    engine = XCC(kernel=kernel)
    async with engine.dance(queens(8)) as result:
        found = [cover.numbers async for cover in result.solutions]
    assert len(set(sets(found))) == result.stats.covers == 92
    assert await engine.count(queens(8)) == 92
    assert await engine.is_unique("a b\na\nb") is True
    assert await engine.first("a b\na") is None


def test_short_search_stays_on_cells_and_a_long_one_does_not():
    with XCC().solve(queens(6)) as covers:
        assert covers.count() == 4
    assert covers.stats.updates == 1726
    with XCC().solve(QUEENS) as covers:
        assert covers.count() == 352
    assert covers.stats.updates < 77_404


def test_table_that_would_be_too_large_is_done_without(monkeypatch):
    problem = Problem.from_dlx(queens(6))
    monkeypatch.setattr(engines, "LARGEST_TABLE", 100)
    with XCC().solve(QUEENS) as covers:
        assert covers.count() == 352
    assert covers.stats.updates == 77_404
    monkeypatch.setattr(engines, "default_memory_limit", lambda: 100)
    with pytest.raises(CapacityError, match="36 options and 12 primary items"):
        XCC(kernel="bits").solve(problem).first()


def test_unknown_kernel_is_refused():
    with pytest.raises(ValueError, match="'auto', 'cells', 'bits', not 'words'"):
        XCC(kernel="words")
