"""Sessions: a search advanced by hand, without clock, thread or event loop."""

from __future__ import annotations

import pytest
from problems import FRUITLESS, SMALL, queens
from searching import EVER, kernel_of

from dcells_async import (
    XCC,
    DlxWarning,
    MultiplicityError,
    Outcome,
    Problem,
    SearchError,
)
from dcells_async.kernels import xcc
from dcells_async.kernels.xcc import XccKernel
from dcells_async.layout import Layout
from dcells_async.search.opening import Opening
from dcells_async.search.session import Session


def session_of(source, limit=None):
    problem = source if isinstance(source, Problem) else Problem.from_dlx(source)
    return Session(Layout.of(problem), kernel_of(xcc, problem), limit)


def advance(session, budget=EVER, want=EVER, keep=True):
    """Search on to the end, slice by slice."""
    while session.outcome is Outcome.RUNNING:
        yield [cover.numbers for cover in session.advance(budget, want, keep)]


def test_new_session_runs_and_has_done_nothing():
    session = session_of(queens(5))
    stats = session.stats(1.5)
    assert session.outcome is Outcome.RUNNING
    assert (stats.nodes, stats.updates, stats.covers, stats.depth) == (0, 0, 0, 0)
    assert (stats.options, stats.items) == (25, 28)
    assert (stats.elapsed, stats.fraction) == (1.5, 0.0)


def test_search_to_the_end_is_exhausted():
    session = session_of(SMALL)
    assert [*advance(session)] == [[(1, 2), (3, 4)]]
    assert session.outcome is Outcome.EXHAUSTED
    stats = session.stats(0.0)
    assert (stats.covers, stats.fraction, stats.depth) == (2, 1.0, 0)
    assert session.advance(EVER, EVER) == []


def test_slices_give_as_many_covers_as_wanted():
    found = [*advance(session_of(queens(6)), want=1)]
    assert [len(covers) for covers in found if covers] == [1] * 4
    found = [*advance(session_of(queens(6)), want=3)]
    assert [len(covers) for covers in found if covers] == [3, 1]


def test_spent_budget_ends_the_slice_and_not_the_search():
    session = session_of(queens(8))
    slices = 0
    effort = session.effort
    for _ in advance(session, budget=100):
        slices += 1
        assert session.effort >= effort
        effort = session.effort
    assert slices > 100
    assert session.outcome is Outcome.EXHAUSTED
    assert session.stats(0.0).covers == 92


@pytest.mark.parametrize("limit", [1, 2, 3, 91])
@pytest.mark.parametrize("want", [1, 2, EVER])
@pytest.mark.parametrize("keep", [True, False])
def test_limit_is_kept_exactly(limit, want, keep):
    session = session_of(queens(8), limit)
    found = [
        cover for covers in advance(session, want=want, keep=keep) for cover in covers
    ]
    assert len(found) == (limit if keep else 0)
    assert session.stats(0.0).covers == limit
    assert session.outcome is Outcome.LIMITED


@pytest.mark.parametrize("limit", [93, 1000])
def test_limit_beyond_the_covers_is_never_met(limit):
    session = session_of(queens(8), limit)
    assert sum(map(len, advance(session, want=10))) == 92
    assert session.outcome is Outcome.EXHAUSTED


def test_counting_makes_no_covers_and_the_same_counters():
    session = session_of(queens(8))
    assert [*advance(session, keep=False)] == [[]]
    stats = session.stats(0.0)
    assert (stats.covers, stats.nodes, stats.updates) == (92, 947, 20078)


def test_stopped_session_ends_cancelled():
    session = session_of(FRUITLESS)
    session.advance(10_000, 1)
    session.stop()
    session.advance(EVER, 1)
    assert session.outcome is Outcome.CANCELLED
    assert session.stats(0.0).nodes > 0
    assert session.stats(0.0).fraction < 1.0


def test_fraction_grows_from_nought_to_one():
    session = session_of(queens(8))
    seen = [session.stats(0.0).fraction for _ in advance(session, budget=200)]
    assert seen == sorted(seen)
    assert 0.0 <= seen[0] < 0.5
    assert seen[-1] == 1.0
    assert len(set(seen)) > 20


def test_deep_search_is_estimated_now_and_then():
    class Watched(XccKernel):
        estimates = 0

        def fraction(self):
            self.estimates += 1
            return super().fraction()

    n = 1_000
    options = [[k] for k in range(n) for _ in range(2)]
    layout = Layout.of(Problem.from_options(options))
    kernel = Watched(
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
    )
    kernel.prepare()
    session = Session(layout, kernel)
    slices = 0
    while session.outcome is Outcome.RUNNING and session.covers == 0:
        session.advance(500, 1, False)
        slices += 1
    assert slices > 500
    assert kernel.estimates < slices / 4


# -- opening -------------------------------------------------------------------------


def opened(source, **options):
    opening = Opening(source, XCC()._kernel, **options)
    steps = opening.steps()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return opening, end.value


def test_opening_goes_from_a_text_or_a_problem_to_a_session():
    for source in (SMALL, Problem.from_dlx(SMALL)):
        opening, session = opened(source)
        assert opening.problem == Problem.from_dlx(SMALL)
        assert [*advance(session)] == [[(1, 2), (3, 4)]]


def test_problem_that_the_engine_refuses_is_refused_before_the_search():
    with pytest.raises(MultiplicityError, match="item 'b' has multiplicity 0:2"):
        opened("a 0:2|b\na b\n")


def test_dropped_options_are_not_counted_in_the_size():
    with pytest.warns(DlxWarning):
        stats = session_of("a | x\nx\na\na x\n").stats(0.0)
    assert (stats.options, stats.items) == (2, 2)


def test_opening_that_is_stopped_while_the_kernel_is_prepared_gives_no_session():
    # A kernel that stands nowhere would be saved, and lose covers.
    opening = Opening(queens(6), XCC()._kernel)
    steps = opening.steps()
    while opening._kernel is None:
        next(steps)
    opening.stop()
    with pytest.raises(SearchError, match="stopped before it had begun"):
        for _ in steps:
            pass
