"""Searches that start with options chosen or struck out, compiled or not."""

from __future__ import annotations

import pickle
import time
import warnings

import pytest
import reference
import reference_mcc
from hypothesis import given
from hypothesis import strategies as st
from problems import queens
from strategies import examples, puzzles

from dcells_async import (
    MCC,
    XCC,
    XCCDC,
    DlxWarning,
    GivenError,
    MultiplicityError,
    Outcome,
    Problem,
)
from dcells_async.kernels.bits import BitsKernel
from dcells_async.layout import Layout
from dcells_async.start import Start, checked_start

ENGINES = [
    XCC(),
    XCC(kernel="cells"),
    XCC(kernel="bits"),
    XCCDC(),
    MCC(),
]

PLAIN = "a b c | x\na b\nc\na c x:1\nb x:1\nb x:2\nb x"


def sets(covers):
    return sorted(tuple(sorted(cover)) for cover in covers)


def found(engine, problem, **start):
    with engine.solve(problem, **start) as covers:
        return [cover.numbers for cover in covers]


# -- the covers ------------------------------------------------------------------------


def wanted(covers, chosen, without):
    return sorted(
        cover
        for cover in covers
        if set(chosen) <= set(cover) and not set(without) & set(cover)
    )


@pytest.mark.parametrize("engine", ENGINES, ids=repr)
@pytest.mark.parametrize("is_compiled", [False, True])
@given(puzzle=puzzles(least_primary=1), data=st.data())
@examples(60)
def test_covers_are_those_with_and_without(engine, is_compiled, puzzle, data):
    problem = puzzle.problem()
    if is_compiled:
        assert problem.compile() is problem
    everything = reference.covers(*puzzle)
    numbers = st.sampled_from(range(1, len(puzzle.options) + 1))
    some = st.lists(numbers, max_size=3, unique=True) if puzzle.options else st.just([])
    without = data.draw(some)
    chosen = []
    if everything:
        cover = data.draw(st.sampled_from(everything))
        chosen = data.draw(st.permutations(cover))[: data.draw(st.integers(0, 3))]
    without = [number for number in without if number not in chosen]
    covers = found(engine, problem, given=chosen, without=without)
    assert all(cover[: len(chosen)] == tuple(chosen) for cover in covers)
    assert sets(covers) == wanted(everything, chosen, without)


@pytest.mark.parametrize("is_compiled", [False, True])
@given(rng=st.randoms(use_true_random=False))
@examples(60)
def test_multiplicities_count_what_is_given(is_compiled, rng):
    bounded = reference_mcc.random_problem(rng)
    problem = bounded.problem()
    if is_compiled:
        problem.compile()
    everything = sets(bounded.covers())
    chosen = list(rng.choice(everything))[:2] if everything else []
    others = [n for n in range(1, len(bounded.options) + 1) if n not in chosen]
    without = [number for number in others if rng.random() < 0.2]
    covers = found(MCC(), problem, given=chosen, without=without)
    assert sets(covers) == wanted(everything, chosen, without)


def test_given_options_come_first_in_the_order_given():
    for problem in (Problem.from_dlx(PLAIN), Problem.from_dlx(PLAIN).compile()):
        assert found(XCC(), problem, given=[4, 3]) == [(4, 3)]
        assert found(XCC(), problem, given=(2,)) == [(2, 1)]
        assert found(XCC(), problem, without=range(1, 3)) == [(3, 4)]
        assert found(XCC(), problem, given=[4], without=[3]) == []


async def test_every_method_takes_a_start():
    problem = Problem.from_dlx(queens(6))
    for source in (queens(6), problem, Problem.from_dlx(queens(6)).compile()):
        engine = XCC()
        assert await engine.count(source) == 4
        assert await engine.count(source, given=[2]) == 1
        assert await engine.is_unique(source, given=[2])
        assert not await engine.is_unique(source, without=[1])
        assert await engine.first(source, given=[1]) is None
        cover = await engine.first(source, given=iter([2]))
        assert cover.numbers[0] == 2
        async with engine.dance(source, given=[2], without=[1, 3]) as result:
            assert [c async for c in result.solutions] == [cover]
        assert result.outcome is Outcome.EXHAUSTED
        assert result.stats.depth == 0


# -- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize("engine", [XCC(), MCC()], ids=repr)
@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"given": [1, 3]}, "options 1 and 3 are given and clash: both cover item 'a'"),
        ({"given": [2, 1, 4]}, "options 1 and 4 .* both cover item 'b'"),
        ({"given": [3, 5]}, "options 3 and 5 .* item 'x' cannot be both '1' and '2'"),
        ({"given": [3, 6]}, "options 3 and 6 .* both cover item 'x'"),
        ({"given": [0]}, "no option 0; they are numbered from 1 to 6"),
        ({"given": [-1]}, "given: there is no option -1"),
        ({"without": [2, 7]}, "without: there is no option 7"),
        ({"given": [2, 2]}, "option 2 is given twice"),
        ({"given": [2], "without": [1, 2]}, "option 2 is both given and not to be"),
    ],
)
def test_impossible_start_is_refused(engine, is_compiled, start, message):
    problem = Problem.from_dlx(PLAIN)
    if is_compiled:
        problem.compile()
    with pytest.raises(GivenError, match=message):
        engine.solve(problem, **start).first()


def test_refusing_one_of_many_takes_no_time_per_pair():
    n = 60_000
    problem = Problem.from_options([["a"]] * (2 * n))
    given, without = [*range(1, n + 1), 1], range(n + 1, 2 * n + 1)
    began = time.process_time()
    with pytest.raises(GivenError, match="option 1 is given twice"):
        checked_start(problem, given, without)
    # A look at each pair would take a minute; this takes a hundredth of a second.
    assert time.process_time() - began < 10


async def test_impossible_start_is_refused_on_entering_the_block():
    with pytest.raises(GivenError, match="clash"):
        async with XCC().dance(PLAIN, given=[1, 3]):
            pass


def test_clash_by_multiplicity_names_the_bound():
    with pytest.raises(GivenError, match=r"options 2 and 3 .* at most 2 times"):
        MCC().solve("2|a b\na b\na\na\nb", given=[1, 2, 3]).first()


def test_option_without_primary_item_cannot_be_given_but_left_out():
    for is_compiled in (False, True):
        with pytest.warns(DlxWarning):
            problem = Problem.from_dlx("a | x\nx\na\nx\na x\nx")
        if is_compiled:
            problem.compile()
        with pytest.raises(GivenError, match="option 3 has no primary item"):
            XCC().solve(problem, given=[3]).first()
        assert found(XCC(), problem, without=[1, 4, 5]) == [(2,)]
        assert found(XCC(), problem, given=[4], without=[3]) == [(4,)]


def test_option_number_must_be_an_integer():
    with pytest.raises(TypeError, match="given takes option numbers, not 'a'"):
        XCC().solve(PLAIN, given="a").first()


@pytest.mark.parametrize("name", ["given", "without"])
@pytest.mark.parametrize("value", [1, None])
def test_option_numbers_must_be_iterable(name, value):
    wanted = f"{name} must be an iterable of option numbers, not {value}"
    with pytest.raises(TypeError, match=wanted):
        XCC().solve(PLAIN, **{name: value})


# -- compiling -------------------------------------------------------------------------


def test_compiled_problem_is_searched_with_the_table_it_has():
    problem = Problem.from_dlx(queens(6)).compile()
    table = problem.compiled.clashes
    assert problem.compile().compiled.clashes is table
    layout = Layout.of(problem)
    assert layout.clashes is table
    assert isinstance(XCC(kernel="bits")._kernel(layout), BitsKernel)
    begun = layout.starting(Start((1,), ()))
    assert isinstance(XCC()._kernel(begun), BitsKernel)
    assert XCC().solve(problem).count() == 4
    assert XCC(kernel="cells").solve(problem, given=[2]).count() == 1
    priced = problem.with_prices(problem.tables.option_price)
    assert priced.compiled.clashes is table


def test_problem_with_multiplicities_needs_no_table():
    problem = Problem.from_dlx("2|a b\na\na\nb").compile()
    assert problem.compiled.clashes is None
    assert MCC().solve(problem, given=[1]).count() == 1
    with pytest.raises(MultiplicityError):
        XCC().solve(problem, given=[1]).first()


def test_compiled_problem_is_still_a_value():
    problem = Problem.from_dlx(queens(4))
    again = pickle.loads(pickle.dumps(problem.compile()))
    assert again == problem
    assert again.compiled is None
    assert XCC().solve(again).count() == 2


def test_problems_without_options_can_be_compiled():
    assert found(XCC(), Problem.from_options([]).compile()) == [()]
    assert found(XCC(), Problem.from_dlx("a\n").compile()) == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DlxWarning)
        problem = Problem.from_options([["x"]], [], ["x"]).compile()
    assert found(XCC(), problem) == [()]
