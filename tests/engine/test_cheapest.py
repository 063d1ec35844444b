"""The least-cost kernel by itself: variants alike, invariants, and its taxes."""

from __future__ import annotations

import importlib
import random
from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import queens
from searching import EVER
from strategies import examples, puzzles

from dcells_async import Problem, verify
from dcells_async.kernels.arrays import unpack
from dcells_async.kernels.status import Status
from dcells_async.layout import Layout
from dcells_async.minimizer import multiplicities
from dcells_async.pricing import Books, priced

CHOOSE = 1
"""Where the machine rests while a node has its item, and no line yet."""


def installed(name):
    """Give the variant of a kernel module that the library itself uses."""
    return importlib.import_module(f"dcells_async.kernels.{name}")


pytestmark = pytest.mark.filterwarnings("ignore::dcells_async.DlxWarning")


def kernel_of(variant, problem, best=1):
    """Prepare a kernel of a variant, with a ledger of the same."""
    layout = Layout.of(problem)
    books = Books(layout, best=best, bound=None, taxes="greedy")
    kernel = variant("cheapest").CheapestKernel(
        layout.n_items,
        layout.option_start,
        layout.option_item,
        layout.option_color,
        *multiplicities(layout),
        variant("ledger").Ledger(*books._figures()),
    )
    assert kernel.prepare()
    return kernel


def trail(variant, problem, best, budget, want):
    """Search to the end; give all that can be seen from outside, and check inside."""
    kernel = kernel_of(variant, problem, best)
    seen = []
    status = Status.PAUSED
    while status != Status.DONE:
        status = kernel.advance(budget, want)
        assert kernel.sanity() == ""
        options, ends = kernel.take()
        seen.append((list(options), list(ends), kernel.nodes, kernel.lower_bound()))
    return seen, kernel.updates, kernel.steps


@examples(300)
@given(data=st.data(), puzzle=puzzles())
def test_variants_take_the_same_steps(variant, data, puzzle):
    prices = data.draw(
        st.lists(
            st.integers(0, 30),
            min_size=len(puzzle.options),
            max_size=len(puzzle.options),
        )
    )
    labels = [label for label in puzzle.primary if data.draw(st.booleans())]
    multiplicity = dict.fromkeys(labels, (1, 2))
    problem = Problem.from_options(
        puzzle.options, puzzle.primary, puzzle.secondary, multiplicity=multiplicity
    )
    problem = priced(problem, prices)
    best = data.draw(st.sampled_from([1, 3]))
    budget = data.draw(st.integers(1, 60))
    told = trail(variant, problem, best, budget, 1)
    assert told == trail(installed, problem, best, budget, 1)


def test_no_more_is_tried_than_stands_in_line(variant):
    # Taxes levied last may strike out options of an item that was chosen before.
    for seed in range(4):
        draws = random.Random(seed)
        items = [f"i{k}" for k in range(16)]
        options = [draws.sample(items, draws.randint(1, 4)) for _ in range(64)]
        prices = [draws.randint(0, 99) for _ in options]
        problem = priced(Problem.from_options(options, items), prices)
        kernel = kernel_of(variant, problem)
        kernel.advance(EVER, EVER)
        limit = (kernel.best_price() + 40) * kernel.ledger.scale + 1
        kernel = kernel_of(variant, problem)
        kernel.ledger.cap(limit)
        while kernel.advance(10, EVER) != Status.DONE:
            assert kernel.sanity() == ""
            found, ends = kernel.take()
            for begin, end in pairwise([0, *ends]):
                assert not verify(problem, [o + 1 for o in found[begin:end]])


def comparing(interpreted, monkeypatch, prices, until=EVER):
    """Search through options of one item; give what it found, and its comparisons."""
    kernel = kernel_of(interpreted, priced(Problem.from_options(["a"] * 4096), prices))
    compared = 0
    is_before = type(kernel).is_before

    def counted(self, *args):
        nonlocal compared
        compared += 1
        if compared == until:
            self.stop()
        return is_before(self, *args)

    monkeypatch.setattr(type(kernel), "is_before", counted)
    status = kernel.advance(EVER, EVER)
    return status, list(kernel.queue[:4096]), compared


ORDERS = [
    lambda k: 10 if k % 2 == 0 else 5,
    lambda k: k // 2 + 2048 * (k % 2 == 0),
    lambda k: k % 64 * 64 + k // 64,
    lambda k: k,
    lambda k: 4096 - k,
]


@pytest.mark.parametrize("price", ORDERS)
def test_no_order_of_prices_is_slow_to_sort(interpreted, monkeypatch, price):
    prices = [price(k) for k in range(4096)]
    status, line, compared = comparing(interpreted, monkeypatch, prices)
    assert status == Status.DONE
    assert line == sorted(range(4096), key=prices.__getitem__)
    assert compared < 30 * 4096


def test_sorting_ends_soon_when_stopped(interpreted, monkeypatch):
    draws = random.Random(1)
    prices = [draws.randrange(9999) for _ in range(4096)]
    status, _, compared = comparing(interpreted, monkeypatch, prices, until=1)
    assert status == Status.STOPPED
    assert compared < 2 * 4096


def test_state_is_taken_wherever_the_search_rests(variant):
    struck = 0
    for seed in range(8):
        draws = random.Random(seed)
        items = [f"i{k}" for k in range(16)]
        options = [draws.sample(items, draws.randint(1, 4)) for _ in range(64)]
        prices = [draws.randint(0, 99) for _ in options]
        bounds = {"i0": (1, 3), "i1": 2, "i2": (0, 2), "i3": (1, 2)} if seed % 2 else {}
        problem = Problem.from_options(options, items, multiplicity=bounds)
        problem = priced(problem, prices)
        kernel = kernel_of(variant, problem)
        kernel.advance(EVER, EVER)
        limit = (kernel.best_price() + 20) * kernel.ledger.scale + 1
        whole, kernel = kernel_of(variant, problem), kernel_of(variant, problem)
        whole.ledger.cap(limit)
        kernel.ledger.cap(limit)
        whole.advance(EVER, EVER)
        for _ in range(100):
            if kernel.advance(1, EVER) == Status.DONE:
                break
            state = kernel.save()
            resting, item, degree = array("q", unpack(state)[0])[5:8]
            if resting == CHOOSE and item >= 0:
                struck += degree > len(kernel.options_of(item))
            kernel = kernel_of(variant, problem)
            kernel.ledger.cap(limit)
            kernel.load(state)
        kernel.advance(EVER, EVER)
        assert (kernel.nodes, kernel.steps) == (whole.nodes, whole.steps)
    # Later taxes have struck out options of an item that was chosen before.
    assert struck


def test_lower_bound_rises_and_ends_at_the_price(variant):
    problem = priced(Problem.from_dlx(queens(8)), lambda o: o.number * 37 % 101)
    seen, _, _ = trail(variant, problem, 1, 400, EVER)
    bounds = [bound for *_, bound in seen]
    assert bounds == sorted(bounds)
    assert seen[-1][2] < 300
    kernel = kernel_of(variant, problem)
    kernel.advance(EVER, EVER)
    assert bounds[-1] == kernel.best_price() == kernel.lower_bound()


def test_damaged_options_and_states_are_refused(variant):
    problem = priced(Problem.from_dlx("a b\na |1\nb |2"), None)
    kernel = kernel_of(variant, problem)
    with pytest.raises(ValueError, match="another problem"):
        kernel.load(
            kernel_of(variant, priced(Problem.from_dlx("a\na |1"), None)).save()
        )
    with pytest.raises(ValueError, match="no saved state"):
        kernel.load(b"rubbish")
