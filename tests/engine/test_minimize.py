"""The cheapest covers, against all covers; and what is promised about them."""

from __future__ import annotations

import random
import time
import warnings

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import queens
from standing import HANG_S, PATIENCE_S
from strategies import examples, puzzles

from dcells_async import (
    MCC,
    XCC,
    DlxWarning,
    FrameError,
    Outcome,
    PriceError,
    Problem,
    pricing,
    verify,
)
from dcells_async.kernels.status import Status
from dcells_async.layout import Layout
from dcells_async.pricing import priced, taxes_for
from dcells_async.search.opening import Opening

STALE = "a b c d | x\na x:B\nb c\nc\nc d x:B\na b d\nd\nb c d x:A\na"
"""Forced items left behind by a given-up node made the reference report 4 here."""


def cheapest(engine, source, price=None, **options):
    with engine.cheapest(source, price, **options) as covers:
        return [(cover.price, cover.numbers) for cover in covers], covers


def all_prices(engine, problem, prices):
    with engine.solve(problem) as covers:
        return sorted(sum(prices[i] for i in cover.indices) for cover in covers)


def absorbing(problem, prices):
    """Raise the negative prices that no item of fixed multiplicity can absorb."""
    fixed = {
        item.label for item in problem.items if item.primary and item.low == item.high
    }
    return [
        price if price >= 0 or any(entry in fixed for entry in option) else -price
        for price, option in zip(prices, problem.options, strict=True)
    ]


@examples(1500)
@given(data=st.data(), puzzle=puzzles())
def test_random_problems_agree_with_all_their_covers(data, puzzle):
    prices = data.draw(
        st.lists(
            st.integers(-9, 30),
            min_size=len(puzzle.options),
            max_size=len(puzzle.options),
        )
    )
    labels = [label for label in puzzle.primary if data.draw(st.booleans())]
    multiplicity = {
        label: data.draw(st.sampled_from([(0, 1), (0, 2), (1, 2), (2, 2), (1, 3)]))
        for label in labels
    }
    best = data.draw(st.sampled_from([1, 1, 2, 3]))
    bound = data.draw(st.sampled_from([None, lambda _: -(10**9), lambda _: -40]))
    taxes = data.draw(st.sampled_from(["greedy", "lp"]))
    if taxes == "lp":
        pytest.importorskip("highspy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DlxWarning)
        problem = Problem.from_options(
            puzzle.options, puzzle.primary, puzzle.secondary, multiplicity=multiplicity
        )
    prices = absorbing(problem, prices)
    for engine in [MCC()] if multiplicity else [XCC(), MCC()]:
        expected = all_prices(engine, problem, prices)
        found, covers = cheapest(
            engine, problem, prices, best=best, bound=bound, taxes=taxes
        )
        assert sorted(price for price, _ in found)[:best] == expected[:best]
        assert all(not verify(problem, numbers) for _, numbers in found)
        assert len({frozenset(numbers) for _, numbers in found}) == len(found)
        assert covers.optimal
        if best == 1:
            falling = [price for price, _ in found]
            assert falling == sorted(set(falling), reverse=True)
        if expected:
            stats = covers.stats
            assert stats.best_price == stats.lower_bound == expected[0]
            assert stats.gap == 0


@pytest.mark.parametrize("engine", [XCC(), MCC()])
def test_stale_forced_items_never_make_a_cover(engine):
    prices = [4, 0, 8, 6, 5, 6, 4, 4]
    found, _ = cheapest(engine, STALE, prices)
    assert found[-1][0] == 8


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("a b c\na b c |10\na b |1\nc |2\na |4\nb c |3", 3),
        ("a b\na b |-1\na |-1\nb |-1", -2),
        ("a b\na b |3 |4\na |-1\nb |9", 7),
    ],
)
@pytest.mark.parametrize("engine", [XCC(), MCC()])
def test_prices_in_the_text(engine, text, price):
    found, covers = cheapest(engine, text)
    assert found[-1][0] == price
    assert covers.optimal


def test_multiplicities():
    text = "2|a b c\na b |5\na c |4\na |9\nb c |2\nb |1\nc |1"
    assert cheapest(MCC(), text)[0][-1][0] == 9
    assert [price for price, _ in cheapest(MCC(), text, best=9)[0]] != []
    prices = sorted(price for price, _ in cheapest(MCC(), text, best=9)[0])
    assert prices == [9, 14, 15]


@pytest.mark.parametrize(("best", "prices"), [(1, [60]), (5, [60, 60, 60, 60, 68])])
def test_queens_by_distance_from_the_diagonal(best, prices):
    def price(option):
        return ((option.number - 1) // 8 - (option.number - 1) % 8) ** 2

    every = all_prices(
        XCC(),
        Problem.from_dlx(queens(8)),
        [price(o) for o in Problem.from_dlx(queens(8)).options],
    )
    found, _ = cheapest(XCC(), queens(8), price, best=best)
    assert sorted(price for price, _ in found)[:best] == every[:best]
    assert every[0] == prices[0]


def test_prices_of_every_kind():
    problem = Problem.from_dlx("a b\na b\na\nb")
    prices = [9, 1, 2]
    by_number = dict(enumerate(prices, 1))
    for price in (
        prices,
        by_number,
        lambda option: by_number[option.number],
        iter(prices),
        [9.0, 1.0, 2.0],
    ):
        assert cheapest(XCC(), problem, price)[0][-1][0] == 3
    assert cheapest(XCC(), problem, {1: 5})[0][-1][0] == 0
    assert cheapest(XCC(), problem)[0][-1][0] == 0


def test_dropped_options_keep_their_numbers():
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx("a b | x\nx\na b\na x\nb")
    seen = []

    def price(option):
        seen.append(option.number)
        return option.number

    assert cheapest(XCC(), problem, price)[0][-1] == (2, (2,))
    assert seen == [2, 3, 4]


@pytest.mark.parametrize(
    ("price", "message"),
    [
        ([1, 2], "2 prices for 3 options"),
        ([1, 2, 3, 4], "4 prices for 3 options"),
        ([1, 2.5, 3], "not integral"),
        ([1, 2, 1 << 63], "64 bits"),
        ([1, 2, 1 << 62], "so large"),
        ([1, None, 3], "no number"),
        ([1, float("nan"), 3], "no number"),
        ({4: 1}, "option 4, which is none"),
        ({"a": 1}, "which is none"),
    ],
)
async def test_faulty_prices_are_refused_before_the_search(price, message):
    with pytest.raises(PriceError, match=message):
        async with XCC().minimize("a b\na b\na\nb", price):
            pytest.fail("entered")


async def test_negative_price_that_nothing_absorbs_is_refused():
    with pytest.raises(PriceError, match="option 2 has the negative price -1"):
        async with MCC().minimize("a 0:1|c\na |-1\nc |-1"):
            pytest.fail("entered")


@pytest.mark.parametrize(
    "options", [{"best": 0}, {"best": 10_000_001}, {"taxes": "none"}]
)
def test_parameters_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        XCC().minimize("a\na", **options)


async def test_stream_of_improvements_and_its_proof():
    async with XCC().minimize(queens(8), lambda option: option.number % 17) as result:
        prices = [cover.price async for cover in result.solutions]
    assert prices == sorted(set(prices), reverse=True)
    assert result.optimal
    assert result.stats.best_price == result.stats.lower_bound == prices[-1]


@pytest.mark.parametrize("engine", [XCC(), MCC(), XCC(workers=2)])
def test_bound_holds_for_the_covers_found_too(engine):
    # What is open, if anything is, is dearer than the best that was found.
    text = "p\np |2\np |7\np\np |2\n"
    token, bounds = None, []
    while True:
        with engine.cheapest(text, best=100, resume=token) as covers:
            covers.step()
            while not covers.step() and covers.outcome is Outcome.RUNNING:
                pass
            token, stats = covers.checkpoint(), covers.stats
            bounds.append(stats.lower_bound)
            if covers.outcome is not Outcome.RUNNING:
                break
    assert all(bound in {None, 0} for bound in bounds)
    assert (stats.covers, stats.best_price, stats.lower_bound) == (4, 0, 0)


async def test_limit_and_timeout_prove_nothing():
    async with XCC().minimize(queens(8), lambda o: -o.number, limit=1) as result:
        assert len([cover async for cover in result.solutions]) == 1
    assert not result.optimal
    assert result.stats.gap >= 0
    for timeout in PATIENCE_S:
        async with XCC().minimize(
            queens(40), lambda o: o.number * 7919 % 101 + 7,
            timeout=timeout, taxes="greedy",
        ) as result:  # fmt: skip
            await result.wait()
        if result.stats.best_price is not None:
            break
    assert result.outcome is Outcome.TIMED_OUT
    assert result.stats.lower_bound <= result.stats.best_price


async def test_bound_sees_what_is_left_and_speeds_the_search_up():
    text = queens(8)
    needs = []

    def price(option):
        return (option.number * 37) % 101

    def bound(frame):
        needs.extend(frame.need(item) for item, _ in frame.live())
        rows = [
            min(frame.price(option) for option in options)
            for item, options in frame.live()
            if frame.label(item).startswith("r")
        ]
        return sum(rows)

    async with XCC().minimize(text, price, bound=bound, taxes="greedy") as with_bound:
        a = [cover.price async for cover in with_bound.solutions][-1]
    async with XCC().minimize(text, price, taxes="greedy") as without:
        b = [cover.price async for cover in without.solutions][-1]
    assert a == b
    assert with_bound.stats.nodes <= without.stats.nodes
    assert set(needs) == {1}


def test_need_counts_what_is_still_required():
    roots = []

    def bound(frame):
        if not roots:
            roots.append({frame.label(i): frame.need(i) for i in (1, 2, 3)})
        return 0

    text = "2|a 1:3|b c\na b\na c\nb\na\nb c"
    cheapest(MCC(), text, [1] * 5, bound=bound)
    assert roots == [{"a": 2, "b": 1, "c": 1}]


async def test_error_in_the_bound_reaches_the_consumer():
    def bound(_):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine") as caught:
        async with XCC().minimize(queens(6), lambda o: o.number, bound=bound) as result:
            async for _ in result.solutions:
                pass
    assert caught.traceback[-1].name == "bound"


def test_frame_says_so_when_it_is_kept():
    kept = []

    def bound(frame):
        kept.append(frame)
        return 0

    cheapest(XCC(), queens(4), lambda o: 1, bound=bound)
    for use in (kept[0].live, lambda: kept[0].need(1), lambda: kept[0].price(1)):
        with pytest.raises(FrameError, match="only during the call"):
            use()


async def test_slow_bound_is_cancelled_between_its_calls():
    from time import sleep

    def bound(_):
        sleep(0.002)
        return 0

    with anyio.fail_after(HANG_S), anyio.CancelScope() as scope:
        async with XCC().minimize(
            queens(30), lambda o: o.number * 7919 % 1009, bound=bound, taxes="greedy"
        ) as result:
            scope.deadline = anyio.current_time() + 0.1
            await result.wait()
    assert scope.cancelled_caught
    assert result.outcome is Outcome.CANCELLED


def test_options_that_have_the_same_items_make_no_long_linear_program():
    pytest.importorskip("highspy")
    n = 20_000
    problem = Problem.from_options([["a"]] * n, prices=range(n, 0, -1))
    began = time.process_time()
    taxes = taxes_for(Layout.of(problem), problem.option_prices, "auto")
    # A comparison of all pairs would take some fifteen seconds.
    assert time.process_time() - began < 5
    assert taxes.method == "lp"
    assert taxes.of_item == [taxes.scale]


def test_taxes_are_greedy_where_a_linear_program_takes_too_long(monkeypatch):
    pytest.importorskip("highspy")
    problem = priced(Problem.from_dlx(queens(12)), [k * 7919 % 97 for k in range(144)])
    layout, prices = Layout.of(problem), problem.option_prices
    assert taxes_for(layout, prices, "auto").method == "lp"
    monkeypatch.setattr(pricing, "_MOST_WORK", 2 * len(layout.option_item))
    assert taxes_for(layout, prices, "auto") == taxes_for(layout, prices, "greedy")
    assert taxes_for(layout, prices, "lp").method == "lp"
    _, covers = cheapest(XCC(), problem, None)
    _, expected = cheapest(XCC(), problem, None, taxes="lp")
    assert covers.stats.best_price == expected.stats.best_price is not None


@pytest.mark.parametrize("engine", [XCC(), MCC()])
@pytest.mark.parametrize("taxes", ["greedy", "lp"])
def test_slicing_changes_nothing(engine, taxes):
    if taxes == "lp":
        pytest.importorskip("highspy")
    rng = random.Random(3)
    prices = [rng.randint(0, 99) for _ in range(49)]

    def run(budget, want):
        make = engine._least_cost_kernel(1, None, taxes)
        opening = Opening(queens(7), make, None, lambda p: priced(p, prices))
        steps = opening.steps()
        while True:
            try:
                next(steps)
            except StopIteration as end:
                session = end.value
                break
        found = []
        while session.outcome is Outcome.RUNNING:
            found += session.advance(budget, want)
        stats = session.stats(0.0)
        return [c.numbers for c in found], stats.nodes, stats.updates

    assert run(1, 1) == run(10**9, 10**9) == run(777, 2)


@pytest.mark.parametrize("engine", [XCC(), MCC()])
@pytest.mark.parametrize("best", [1, 3])
def test_saved_search_goes_on_where_it_was(engine, best):
    problem = priced(Problem.from_dlx(queens(7)), lambda o: o.number * 7919 % 101)
    layout = Layout.of(problem)
    make = engine._least_cost_kernel(best, None, "greedy")

    def fresh():
        kernel = make(layout)
        kernel.prepare()
        return kernel

    whole = fresh()
    assert whole.advance(10**9, 10**9) == Status.DONE
    options, _ = whole.take()
    part, found = fresh(), []
    while part.advance(500, 1) != Status.DONE:
        found += part.take()[0]
        state = part.save()
        part = fresh()
        part.load(state)
    found += part.take()[0]
    assert found == list(options)
    assert (part.nodes, part.updates) == (whole.nodes, whole.updates)
    with pytest.raises(ValueError, match="state"):
        fresh().load(b"rubbish")


def test_plain_dance_ignores_prices_and_covers_know_theirs():
    with XCC().solve("a b\na b |5\na |1\nb |2") as covers:
        assert sorted(cover.price for cover in covers) == [3, 5]


async def test_item_that_needs_more_than_it_has_is_in_no_cover_whatever_it_owes():
    async with MCC().minimize("2000000000|a\na |100000000000") as result:
        assert [cover async for cover in result.solutions] == []
    assert result.outcome is Outcome.EXHAUSTED


async def test_item_that_may_be_covered_more_often_than_it_can_be():
    text = "a 0:2000000000|b\na b |-1000000000000\na b |7"
    async with MCC().minimize(text) as result:
        covers = [cover async for cover in result.solutions]
    assert covers[-1].price == -1_000_000_000_000
    assert result.outcome is Outcome.EXHAUSTED
