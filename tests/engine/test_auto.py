"""The engine that lets the others race: the same covers, whoever wins."""

from __future__ import annotations

import itertools
import random
import warnings

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from problems import SMALL, dominoes, queens
from reference_mcc import random_problem
from strategies import examples, puzzles

from dcells_async import (
    MCC,
    XCC,
    XCCDC,
    Auto,
    CapacityError,
    MultiplicityError,
    Outcome,
    Problem,
)
from dcells_async.kernels.status import Status
from dcells_async.layout import Layout
from dcells_async.puzzles.polyominoes import pentominoes
from dcells_async.search.kernel import EVER
from dcells_async.search.race import Race
from dcells_async.search.racer import Entrant

RACERS = (
    ("XCC", "XCCDC", "ZDD", "MCC"),
    ("XCC", "ZDD", "MCC"),
    ("XCC", "XCCDC", "MCC"),
    ("XCCDC", "ZDD", "MCC"),
    ("ZDD",),
)


def sets(covers):
    return sorted(tuple(sorted(cover.numbers)) for cover in covers)


@pytest.fixture
def short(monkeypatch):
    """Give a function that makes turns so short that tiny problems are raced for."""

    def shorten(patience, turn, held):
        monkeypatch.setattr("dcells_async.auto._STEPS_AT_LEAST", patience)
        monkeypatch.setattr("dcells_async.auto._STEPS_PER_ENTRY", 0)
        monkeypatch.setattr("dcells_async.search.turns._SHORTEST", turn)
        monkeypatch.setattr("dcells_async.search.race._MOST_HELD", held)

    return shorten


knobs = st.tuples(
    st.sampled_from([1, 10, 50]),
    st.sampled_from([1, 20, 100]),
    st.sampled_from([0, 1, 3, 1000]),
)


def found(covers):
    return sorted(tuple(sorted(cover.numbers)) for cover in covers)


@given(puzzles(), st.sampled_from(RACERS), knobs)
@examples(150)
def test_covers_and_their_number_are_those_of_brute_force(short, puzzle, racers, knobs):
    short(*knobs)
    problem = puzzle.problem()
    expected = sorted(reference.covers(*puzzle))
    engine = Auto(racers=racers)
    covers = engine.solve(problem)
    assert found(covers) == expected
    assert covers.outcome is Outcome.EXHAUSTED
    assert covers.stats.covers == len(expected)
    assert engine.solve(problem).count() == len(expected)
    assert engine.solve(problem).is_unique() == (len(expected) == 1)


@pytest.mark.parametrize("racers", RACERS[:3])
def test_multiplicities_are_known(short, racers):
    rng = random.Random(7)
    for knobs in itertools.product([1, 20], [1, 50], [1, 1000]):
        short(*knobs)
        for _ in range(8):
            bounded = random_problem(rng)
            if {*bounded.bounds.values()} == {(1, 1)}:
                continue
            expected = sorted(tuple(sorted(cover)) for cover in bounded.covers())
            covers = Auto(racers=racers).solve(bounded.problem())
            assert found(covers) == expected
            assert covers.stats.engine in {"MCC", "ZDD"}
            number = Auto(racers=racers).solve(bounded.problem()).count()
            assert number == len(expected)


@pytest.mark.slow
def test_diagram_wins_with_multiplicities_too():
    items, *options = dominoes(8, 8).splitlines()
    problem = Problem.from_dlx("\n".join([f"0:2|z {items}", *options, "z", "z"]))
    covers = Auto().solve(problem)
    assert covers.count() == 4 * 12988816
    assert covers.stats.why.startswith("ZDD finished first; MCC was at ")


@given(puzzles(), st.sampled_from(RACERS), knobs, st.integers(1, 3))
@examples(80)
def test_limit_is_kept_and_nothing_comes_twice(short, puzzle, racers, knobs, limit):
    short(*knobs)
    expected = reference.covers(*puzzle)
    engine = Auto(racers=racers)
    covers = engine.solve(puzzle.problem(), limit=limit)
    got = found(covers)
    assert len({*got}) == len(got) == min(limit, len(expected))
    assert {*got} <= {*expected}
    assert engine.solve(puzzle.problem(), limit=limit).count() == len(got)
    # Some covers, and then the number of all.
    covers = engine.solve(puzzle.problem())
    assert len([*itertools.islice(covers, limit)]) == len(got)
    assert covers.count() == len(expected)


@given(puzzles(least_primary=1), knobs, st.randoms(use_true_random=False))
@examples(60)
def test_given_and_without_are_kept(short, puzzle, knobs, rng):
    short(*knobs)
    expected = reference.covers(*puzzle)
    chosen = rng.choice(expected) if expected else ()
    fixed = [number for number in chosen if rng.random() < 0.4]
    gone = [
        number
        for number in range(1, len(puzzle.options) + 1)
        if number not in chosen and rng.random() < 0.2
    ]
    left = [
        cover for cover in expected if {*fixed} <= {*cover} and not {*gone} & {*cover}
    ]
    problem = puzzle.problem()
    assert found(Auto().solve(problem, given=fixed, without=gone)) == sorted(left)
    problem.compile()
    assert found(Auto().solve(problem, given=fixed, without=gone)) == sorted(left)
    assert Auto().solve(problem, given=fixed).first() is not None or not expected


def raced(engine, problem, budgets, wants, keep=True):
    """Run a kernel in slices; all that is to be seen of it."""
    kernel = engine._kernel(Layout.of(problem))
    assert kernel.prepare()
    covers, status = [], Status.PAUSED
    while status != Status.DONE:
        status = kernel.advance(budgets(), wants(), keep)
        options, ends = kernel.take()
        covers += [tuple(options[a:b]) for a, b in itertools.pairwise([0, *ends])]
    seen = (kernel.nodes, kernel.updates, kernel.steps, kernel.covers, kernel.why)
    return covers, *seen


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("text", [queens(5), dominoes(4, 4)])
def test_everything_is_the_same_however_it_is_sliced(short, text, keep):
    rng = random.Random(9)
    problem = Problem.from_dlx(text)
    for knobs in [(300, 20, 1000), (300, 300, 3), (2000, 700, 1000)]:
        short(*knobs)
        whole = raced(Auto(), problem, lambda: EVER, lambda: EVER, keep)
        for _ in range(4):
            assert whole == raced(
                Auto(),
                problem,
                lambda: rng.choice([1, 30, 700]),
                lambda: rng.choice([1, 2, EVER]) if keep else EVER,
                keep,
            )


@pytest.mark.parametrize("patience", [10, 300])
def test_search_goes_on_in_a_fresh_race_as_if_nothing_was(short, patience):
    short(patience, 200, 1000)
    problem = Problem.from_dlx(queens(6))
    engine = Auto(racers=("XCC", "XCCDC"))
    whole = raced(engine, problem, lambda: EVER, lambda: EVER)
    assert "XCCDC" in whole[-1]
    layout = Layout.of(problem)
    kernel = engine._kernel(layout)
    kernel.prepare()
    covers, status = [], Status.PAUSED
    while status != Status.DONE:
        state = kernel.save()
        kernel = engine._kernel(layout)
        kernel.prepare()
        kernel.load(state)
        assert kernel.save() == state
        status = kernel.advance(150, 1)
        covers.append(tuple(kernel.take()[0]))
    assert [cover for cover in covers if cover] == whole[0]
    assert (kernel.nodes, kernel.updates) == whole[1:3]
    assert (kernel.covers, kernel.why) == whole[4:]


def test_state_that_is_none_of_such_a_race_is_refused():
    layout = Layout.of(Problem.from_dlx(SMALL))
    kernel = Auto()._kernel(layout)
    kernel.prepare()
    state = kernel.save()
    other = Auto(racers=("XCC",))._kernel(layout)
    other.prepare()
    for bad in (b"", state[:-1], state + b"x", other.save()):
        with pytest.raises(ValueError, match="state"):
            kernel.load(bad)


COUNTS = {
    "pentominoes 8x8": (lambda: pentominoes(8, 8, SQUARE), 520, "XCC"),
    "dominoes 12x12": (
        lambda: Problem.from_dlx(dominoes(12, 12)),
        53060477521960000,
        "ZDD",
    ),
    "cut 10x10": (lambda: Problem.from_dlx(dominoes(10, 10, cut=True)), 0, "ZDD"),
}

SQUARE = [(3, 3), (3, 4), (4, 3), (4, 4)]


def in_steps(engine, problem, keep=False):
    """Search to the end; what it has taken in steps, and the kernel."""
    kernel = engine._kernel(Layout.of(problem))
    kernel.prepare()
    assert kernel.advance(EVER, EVER, keep) == Status.DONE
    return kernel.updates + kernel.steps, kernel


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTS)
def test_race_takes_at_most_three_times_as_long_as_the_best(name):
    make, number, best = COUNTS[name]
    problem = make()
    alone, _ = in_steps(Auto(racers=(best,)), problem)
    raced, kernel = in_steps(Auto(), problem)
    assert (kernel.covers, kernel.engine) == (number, best)
    assert raced < 3 * alone
    if not number:
        kept, kernel = in_steps(Auto(), problem, keep=True)
        assert (kept, kernel.covers) == (raced, 0)


@pytest.mark.slow
def test_filomino_is_won_by_consistency(data):
    problem = Problem.from_dlx(data("filomino-15x15.dlx"))
    covers = Auto().solve(problem)
    assert len(found(covers)) == 1
    assert covers.stats.engine == "XCCDC"
    raced, _ = in_steps(Auto(), problem)
    alone, _ = in_steps(Auto(racers=("XCCDC",)), problem)
    assert raced < 3 * alone


def test_one_whose_tables_do_not_fit_drops_out(short):
    short(10, 20, 1000)
    problem = Problem.from_dlx(dominoes(6, 6))
    covers = Auto(memory_limit=0).solve(problem)
    assert covers.count() == 6728
    assert covers.stats.engine == "XCC"
    assert "ZDD needed too much memory" in covers.stats.why
    with pytest.raises(CapacityError, match="ZDD needs more memory"):
        Auto(racers=("ZDD",), memory_limit=0).solve(problem).count()
    with pytest.raises(CapacityError, match="XCCDC needs about"):
        Auto(racers=("XCCDC",), memory_limit=0).solve(problem).count()


def test_engine_that_is_the_only_one_says_what_is_wrong():
    with pytest.raises(MultiplicityError, match="XCCDC covers every item once"):
        Auto(racers=("XCCDC",)).solve("2|a\na\na").count()
    assert Auto(racers=("MCC",)).solve(SMALL).count() == 2
    for bad in ((), ("xcc",), ("XCC", "SAT")):
        with pytest.raises(ValueError, match="racers are some of"):
            Auto(racers=bad)
    with pytest.raises(ValueError, match="memory_limit"):
        Auto(memory_limit=-1)


def test_small_problem_costs_no_more_than_without_a_race():
    problem = Problem.from_dlx(queens(6))
    assert in_steps(Auto(), problem)[0] == in_steps(XCC(), problem)[0]


def test_covers_come_in_the_order_of_the_first_to_find_one():
    problem = Problem.from_dlx(queens(7))
    assert [*Auto().solve(problem)] == [*XCC().solve(problem)]
    only = Auto(racers=("XCCDC",))
    assert [*only.solve(problem)] == [*XCCDC().solve(problem)]


@pytest.mark.slow
def test_covers_taken_out_of_a_diagram_are_as_many_as_wanted_at_a_time():
    problem = Problem.from_dlx(dominoes(6, 6))
    covers = Auto(racers=("ZDD",)).solve(problem, limit=5000)
    assert len({*found(covers)}) == 5000
    assert covers.outcome is Outcome.LIMITED
    assert {*found(Auto(racers=("ZDD",)).solve(problem))} == {
        *found(XCC().solve(problem))
    }


def test_entrants_are_made_only_when_their_turn_comes():
    layout = Layout.of(Problem.from_dlx(queens(6)))

    def never():
        raise AssertionError

    first = Entrant("XCC", lambda: XCC()._kernel(layout), 1)
    made = Race([first, Entrant("b", never, 1)], 1 << 40)
    made.prepare()
    assert made.advance(EVER, EVER, False) == Status.DONE


@pytest.mark.parametrize(
    "text", ["a b\na b |5\na |1\nb |3\na b |9", "2|a\na |4\na |2\na |1"]
)
def test_cheapest_covers_are_found_by_whoever_knows_the_multiplicities(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        costs = [cover.price for cover in Auto().cheapest(text)]
    assert costs[-1] == (3 if text.startswith("2") else 4)
    best = [cover.price for cover in Auto().cheapest(text, best=2)]
    assert sorted(best)[:2] == ([3, 5] if text.startswith("2") else [4, 5])


@pytest.mark.parametrize(
    "knobs", [{"seed": 1}, {"preprocess": True}, {"seed": 2, "preprocess": True}]
)
def test_compiled_problems_begin_where_they_are_told_to(knobs):
    for text, chosen, struck in (
        ("a b\na\nb\na b\na\nb\n", [1], []),
        ("a b c\na b c\na\nb\nc\na b\nb c\n", [], [1]),
        ("a b c d\na b\nc d\nb c\na d c\n", [3], []),
    ):
        problem = Problem.from_dlx(text)
        expected = sets(XCC().solve(problem, given=chosen, without=struck))
        problem.compile()
        found = Auto(**knobs).solve(problem, given=chosen, without=struck)
        assert sets(found) == expected


AROUND_A_SIGN = [2**59, 2**60 - 1, 2**60, 2**60 + 1, 2**61]


@pytest.mark.parametrize("racers", [("XCC", "ZDD"), ("ZDD",)])
@pytest.mark.parametrize("limit", [*AROUND_A_SIGN, 2**64, 2**90, 10**200])
def test_limits_hold_where_covers_are_astronomically_many(racers, limit):
    problem = Problem.from_options([[n] for n in range(90) for _ in range(2)])
    engine = Auto(racers=racers)
    covers = engine.solve(problem, limit=limit)
    assert covers.count() == covers.stats.covers == min(limit, 2**90)
    if limit != 2**90:
        is_all = limit > 2**90
        assert covers.outcome is (Outcome.EXHAUSTED if is_all else Outcome.LIMITED)
    # From there on they are counted, or given out.
    token = covers.checkpoint()
    further = 2 * limit + 2**60
    assert engine.solve(problem, limit=further, resume=token).count() == min(
        further, 2**90
    )
    assert engine.solve(problem, resume=token).count() == 2**90
    rest = engine.solve(problem, resume=token)
    some = list(itertools.islice(rest, 3))
    assert len(sets(some)) == (0 if limit >= 2**90 else 3)
    assert engine.solve(problem, resume=rest.checkpoint()).count() == 2**90


def test_limits_beyond_all_words_change_nothing_elsewhere():
    for engine in (XCC(), XCC(kernel="cells"), XCC(workers=2), MCC(), XCCDC()):
        covers = engine.solve(queens(6), limit=10**30)
        assert (covers.count(), covers.outcome) == (4, Outcome.EXHAUSTED)
