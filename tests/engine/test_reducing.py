"""Preprocessing: what goes is in no cover, and what stays starves nobody."""

from __future__ import annotations

import random

import pytest
import reference
import reference_mcc
from hypothesis import given
from hypothesis import strategies as st
from problems import dominoes, queens, sudoku
from searching import EVER
from strategies import examples, puzzles

from dcells_async import MCC, XCC, XCCDC, Outcome, Problem, reduced
from dcells_async import reducing as reducing_room
from dcells_async.kernels import probing as installed
from dcells_async.kernels.status import Status
from dcells_async.layout import Layout, multiplicities

ENGINES = [
    XCC(preprocess=True),
    XCC(preprocess=True, kernel="bits"),
    XCC(preprocess=True, choose="failures"),
    XCCDC(preprocess=True),
    MCC(preprocess=True),
]

ESCARGOT = (
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
)


def sets(covers):
    return sorted(tuple(sorted(cover)) for cover in covers)


def found(engine, problem, **start):
    return [cover.numbers for cover in engine.solve(problem, **start)]


def kernels_of(module, problem):
    """Both ways to preprocess a problem, or one if there are multiplicities."""
    layout = Layout.of(problem)
    tables = (
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
    )
    bounds = multiplicities(layout)
    kernels = [module.Probing(*tables, *bounds)]
    if set(bounds[0]) | set(bounds[1]) <= {1}:
        kernels.append(module.FirstPass(*tables))
    return kernels


def live(kernel, problem, budget=EVER):
    """Give the numbers of the options left, as the problem has them."""
    assert kernel.prepare()
    while kernel.advance(budget, 1, False) != Status.DONE:
        assert kernel.sanity() == ""
    kept = Layout.of(problem).kept
    return [(o if kept is None else kept[o]) + 1 for o in kernel.live_options()]


def consistent(bounds, secondary, options):
    """Give, by trying everything, the options that starve nobody, in the end.

    An option is a list of pairs of an item and a color or None; ``bounds`` has the
    primary items. None if it turns out that there is no cover.
    """
    left = {
        number: dict(option)
        for number, option in enumerate(options, 1)
        if any(item in bounds for item, _ in option)
    }

    def fits(one, other):
        """Tell whether two options can be in one cover, both seen alone."""
        return all(
            bounds[item][1] > 1
            if item in bounds
            else color is not None and color == other[item]
            for item, color in one.items()
            if item in other
        )

    def starves(number):
        mine = left[number]
        others = [o for n, o in left.items() if n != number and fits(mine, o)]
        return any(
            sum(item in o for o in others) < low - (item in mine)
            for item, (low, _) in bounds.items()
        )

    while True:
        if any(
            sum(item in option for option in left.values()) < low
            for item, (low, _) in bounds.items()
        ):
            return None
        # One after the other: which comes first makes no difference in the end.
        for number in left:
            if starves(number):
                del left[number]
                break
        else:
            return list(left)


def as_pairs(puzzle):
    return [[*map(reference.parts, option)] for option in puzzle.options]


def test_to_try_an_option_takes_looks_at_its_neighbors_only():
    n = 2_000
    chain = Problem.from_options(
        [[i, i + 1] for i in range(0, n, 2)] + [[i] for i in range(n)],
        multiplicity={0: (0, n)},
    )
    probing = kernels_of(installed, chain)[0]
    live(probing, chain)
    assert n < probing.steps < 20 * n


# -- what goes -------------------------------------------------------------------------


@given(puzzle=puzzles(), budget=st.sampled_from([1, EVER]))
@examples(300)
def test_options_left_are_those_that_starve_nobody(puzzle, budget):
    problem = puzzle.problem()
    bounds = dict.fromkeys(puzzle.primary, (1, 1))
    wanted = consistent(bounds, puzzle.secondary, as_pairs(puzzle))
    for kernel in kernels_of(installed, problem):
        assert live(kernel, problem, budget) == (wanted or [])


@given(rng=st.randoms(use_true_random=False), budget=st.sampled_from([1, EVER]))
@examples(200)
def test_multiplicities_are_taken_into_account(rng, budget):
    bounded = reference_mcc.random_problem(rng)
    problem = bounded.problem()
    wanted = consistent(bounded.bounds, bounded.secondary, bounded.options)
    assert live(kernels_of(installed, problem)[0], problem, budget) == (wanted or [])


def test_interpreted_kernels_do_the_same(variant):
    rng = random.Random(3)
    problems = [Problem.from_dlx(queens(4)), Problem.from_dlx(dominoes(3, 4))]
    problems += [reference_mcc.random_problem(rng).problem() for _ in range(20)]
    for problem in problems:
        pairs = [
            kernels_of(module, problem) for module in (variant("probing"), installed)
        ]
        for kernel, other in zip(*pairs, strict=True):
            assert live(kernel, problem) == live(other, problem)
            assert (kernel.updates, kernel.steps) == (other.updates, other.steps)


def test_sudoku_loses_what_its_clues_forbid():
    problem = Problem.from_dlx(sudoku(ESCARGOT))
    assert len(problem.options) == 545
    for kernel in kernels_of(installed, problem):
        assert len(live(kernel, problem)) == 240


def test_stopped_kernel_stops():
    problem = Problem.from_dlx(queens(8))
    for kernel in kernels_of(installed, problem):
        assert kernel.prepare()
        kernel.advance(50, 1, False)
        kernel.stop()
        assert kernel.advance(EVER, 1, False) == Status.STOPPED


# -- the covers ------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
@given(puzzle=puzzles(least_primary=1), data=st.data())
@examples(60)
def test_covers_are_the_same(engine, puzzle, data):
    problem = puzzle.problem()
    if data.draw(st.booleans()):
        problem.compile()
    everything = sorted(reference.covers(*puzzle))
    assert sets(found(engine, problem)) == everything
    assert engine.solve(problem).count() == len(everything)
    chosen, without = [], []
    if everything:
        chosen = list(data.draw(st.sampled_from(everything)))[:1]
        without = [n for n in range(1, 4) if n <= len(puzzle.options)]
        without = [n for n in without if n not in chosen]
    wanted = [c for c in everything if {*chosen} <= {*c} and not {*without} & {*c}]
    assert sets(found(engine, problem, given=chosen, without=without)) == wanted


@given(rng=st.randoms(use_true_random=False))
@examples(150)
def test_covers_with_multiplicities_are_the_same(rng):
    bounded = reference_mcc.random_problem(rng)
    problem, wanted = bounded.problem(), sets(bounded.covers())
    assert sets(found(MCC(preprocess=True), problem)) == wanted
    assert MCC().solve(reduced(problem)).count() == len(wanted)
    prices = [rng.randint(0, 9) for _ in problem.options]
    best = [
        [c.price for c in MCC(preprocess=which).cheapest(problem, prices)][-1:]
        for which in (False, True)
    ]
    assert best[0] == best[1]
    costs = [sum(prices[n - 1] for n in cover) for cover in wanted]
    assert best[0] == ([min(costs)] if costs else [])


@given(puzzle=puzzles(least_primary=1))
@examples(150)
def test_reduced_problem_has_as_many_covers_of_the_same_names(puzzle):
    problem = puzzle.problem()
    smaller = reduced(problem)
    kept = live(kernels_of(installed, problem)[0], problem)
    wanted = sorted(reference.covers(*puzzle))
    covers = found(XCC(), smaller)
    assert sets([kept[n - 1] for n in cover] for cover in covers) == wanted
    assert reduced(smaller) == smaller
    if len(smaller.options):
        # As text it is read to be the same; a problem without options loses colors.
        assert Problem.from_dlx(smaller.to_dlx()) == smaller


# -- items -----------------------------------------------------------------------------


def names(problem):
    return [item.label for item in problem.items]


def test_items_that_make_no_difference_go():
    text = """a b c d | x y z w
a b x:1 y:1 w
c d x:1 y:2
a b y:2 z
c d y:1
"""
    smaller = reduced(Problem.from_dlx(text))
    # b goes with a, d with c; x has one color, z and w one option each.
    assert names(smaller) == ["a", "c", "y"]
    assert smaller.to_dlx() == "a c | y\na y:1\nc y:2\na y:2\nc y:1\n"
    stats = _stats(XCC(preprocess=True), text)
    assert (stats.removed_options, stats.removed_items) == (0, 5)
    assert (stats.options, stats.items, stats.covers) == (4, 3, 2)
    assert _stats(XCC(), text).removed_options is None


def test_items_stay_that_differ_in_their_bounds_or_options():
    text = "a b c 2|d 0:1|e | x\na b d e\nc d x\na b d e x\nc d\n"
    smaller = reduced(Problem.from_dlx(text))
    assert names(smaller) == ["a", "c", "d", "e", "x"]
    assert [item.low for item in smaller.items if item.primary] == [1, 1, 2, 0]
    # An item without a color is not shared.
    assert names(reduced(Problem.from_dlx("a b | x\na x\nb x\na\nb"))) == [*"abx"]


def test_problem_without_covers_keeps_its_items_and_no_option():
    text = "a b c | x\na b\nb c x\na c\n"
    smaller = reduced(Problem.from_dlx(text))
    assert names(smaller) == [*"abcx"]
    assert len(smaller.options) == 0
    for engine in ENGINES:
        stats = _stats(engine, text)
        assert (stats.covers, stats.nodes, stats.removed_options) == (0, 0, 3)


def test_prices_and_lines_stay_with_their_options():
    text = "a b c\na b |5\n| a remark\nb c |3\nc |7\na |1\nb |2\n"
    smaller = reduced(Problem.from_dlx(text))
    assert list(smaller.option_prices) == [5, 3, 7, 1, 2]
    text = "a b c\na b |5\n| a remark\na c |9\nc |7\n"
    smaller = reduced(Problem.from_dlx(text))
    assert (list(smaller.option_prices), list(smaller.option_lines)) == ([5, 7], [2, 5])


def test_degenerate_problems_are_reduced():
    empty = Problem.from_options([])
    assert reduced(empty) == empty
    assert reduced(Problem.from_options([["a"]])).to_dlx() == "a\na\n"
    for engine in ENGINES:
        assert engine.solve(empty).count() == 1


# -- the engines -----------------------------------------------------------------------


def _stats(engine, source):
    search = engine.solve(source)
    search.count()
    return search.stats


def test_debug_tells_what_has_gone(capsys):
    XCC(preprocess=True, debug=True).solve("a b c\na b\na c\nc\n").count()
    told = capsys.readouterr().err
    assert "Preprocessing removed 1 options and 1 items." in told
    assert "(2 options, 2+0 items" in told


def test_least_cost_frames_still_number_all_items():
    text = "a b c d\na b |3\nc d |4\na c |1\nb |2\nd |2\nb d |9\nc |1\n"
    seen = []

    def bound(frame):
        seen.extend(frame.label(item) for item, _ in frame.live())
        return 0

    for engine in (XCC, MCC):
        plain = [c.price for c in engine().cheapest(text, best=9)]
        covers = engine(preprocess=True).cheapest(text, best=9, bound=bound)
        assert sorted(c.price for c in covers) == sorted(plain)
    assert set(seen) <= set("abcd")


async def test_preprocessing_is_cancelled_and_runs_out_of_time():
    engine = XCC(preprocess=True)
    async with engine.dance(queens(6)) as result:
        assert len([cover async for cover in result.solutions]) == 4
    async with engine.dance(dominoes(20, 20), timeout=0) as result:
        await result.wait()
    assert result.outcome is Outcome.TIMED_OUT


def test_preprocessing_rests_often(monkeypatch):
    monkeypatch.setattr(reducing_room, "_BUDGET", 100)
    for text in (queens(8), "2|a " + queens(8) + "\na\na\na"):
        steps = reducing_room.reducing(Layout.of(Problem.from_dlx(text)))
        assert sum(1 for _ in steps) > 8
