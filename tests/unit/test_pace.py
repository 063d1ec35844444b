"""The pace of slices: it is told the time, so nothing here waits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from dcells_async.search.pace import Pace


def settle(pace, speed, *, slices=30, covers=0):
    """Let slices run at so many steps a second, with so many covers in each."""
    for _ in range(slices):
        steps = pace.budget()
        pace.learn(steps, covers, steps / speed)
    return pace


@pytest.mark.parametrize("speed", [1e6, 1e8, 1e9])
def test_budget_settles_at_five_milliseconds(speed):
    budget = settle(Pace(), speed).budget()
    assert budget / speed == pytest.approx(0.005, rel=0.01)


def test_budget_starts_small_and_grows_at_most_fourfold():
    pace = Pace()
    before = pace.budget()
    assert before <= 10_000
    for _ in range(10):
        pace.learn(pace.budget(), 0, 1e-9)
        assert before < pace.budget() <= 4 * before
        before = pace.budget()


def test_count_may_jump_by_any_number():
    pace = Pace()
    pace.learn(pace.budget(), 1 << 2_000, 1e-3)
    assert pace.want(1_000, waiting=True) == 4


def test_budget_falls_at_once_when_a_slice_was_slow():
    pace = settle(Pace(), 1e9)
    pace.learn(pace.budget(), 0, 0.5)
    assert pace.budget() <= settle(Pace(), 1e9).budget() / 90


def test_budget_recovers_from_a_slice_that_did_nothing():
    pace = settle(Pace(), 1e8)
    pace.learn(0, 0, 0.0)
    assert pace.budget() >= 1
    assert settle(pace, 1e8).budget() == pytest.approx(500_000, rel=0.01)


def test_waiting_consumer_is_first_given_a_single_cover():
    assert Pace().want(room=1000, waiting=True) == 1


def test_waiting_consumer_gets_more_at_a_time_where_covers_abound():
    pace = settle(Pace(), 1e8, covers=5000)
    assert 100 < pace.want(room=10**6, waiting=True) <= 8192
    assert pace.want(room=7, waiting=True) == 7


def test_waiting_consumer_gets_single_covers_where_they_are_rare():
    pace = settle(Pace(), 1e8, covers=5000)
    pace.learn(pace.budget(), 1, 0.005)
    assert pace.want(room=1000, waiting=True) == 1


def test_consumer_that_is_behind_is_given_what_there_is_room_for():
    pace = Pace()
    assert pace.want(room=100, waiting=False) == 100
    assert pace.want(room=10**9, waiting=False) == 8192
    assert pace.want(room=0, waiting=False) == 1


@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**12),
            st.integers(0, 10**6),
            st.floats(0, 1e6, allow_nan=False),
        ),
        max_size=20,
    ),
    st.integers(0, 10**6),
)
@examples(300)
def test_whatever_it_learns_it_asks_for_something_possible(slices, room):
    pace = Pace()
    for steps, covers, seconds in slices:
        pace.learn(steps, covers, seconds)
        assert 1 <= pace.budget() < 2**62
        for waiting in (True, False):
            assert 1 <= pace.want(room, waiting) <= max(1, min(room, 8192))


def test_clock_that_goes_backwards_does_no_harm():
    pace = Pace()
    pace.learn(1000, 10, -1.0)
    assert pace.budget() >= 1
    assert pace.want(10, waiting=True) >= 1
