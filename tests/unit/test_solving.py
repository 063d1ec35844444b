"""The synchronous twin: iterating, limits, deadlines, Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import warnings
from itertools import islice, pairwise

import anyio.lowlevel
import pytest
from problems import FRUITLESS, SMALL, dominoes, queens
from standing import HANG_S, PATIENCE_S, PROCESS_S

from dcells_async import (
    COMPILED,
    XCC,
    DlxSyntaxError,
    DlxWarning,
    Outcome,
    Problem,
    SearchError,
)
from dcells_async.solving import Covers


def numbers(covers):
    return [cover.numbers for cover in covers]


# -- iterating -----------------------------------------------------------------------


def test_iterating_gives_all_covers_in_order():
    with XCC().solve(SMALL) as covers:
        assert numbers(covers) == [(1, 2), (3, 4)]
        assert covers.outcome is Outcome.EXHAUSTED
    assert covers.outcome is Outcome.EXHAUSTED
    assert next(covers, None) is None


def test_block_is_not_needed():
    assert numbers(XCC().solve(SMALL)) == [(1, 2), (3, 4)]
    assert numbers(islice(XCC().solve(queens(8)), 5)) == numbers(
        XCC().solve(queens(8), limit=5)
    )


def test_problem_is_read_on_entering_the_block_or_at_the_first_use():
    covers = XCC().solve(SMALL)
    assert covers.problem is None
    with covers:
        assert covers.problem == Problem.from_dlx(SMALL)
    covers = XCC().solve(SMALL)
    next(covers)
    assert covers.problem == Problem.from_dlx(SMALL)
    problem = Problem.from_dlx(SMALL)
    assert XCC().solve(problem).problem is problem


def test_unsolvable_problem_is_no_error_anywhere():
    for source in ("a b\na\n", "a\n", "a b c\na b\n"):
        assert XCC().solve(source).count() == 0
        assert XCC().solve(source).first() is None
        assert XCC().solve(source).is_unique() is False
        with XCC().solve(source) as covers:
            assert list(covers) == []
            assert covers.outcome is Outcome.EXHAUSTED
            assert covers.stats.fraction == 1.0


def test_leaving_the_block_ends_the_search():
    with XCC().solve(queens(8)) as covers:
        next(covers)
        assert covers.outcome is Outcome.RUNNING
    assert covers.outcome is Outcome.CANCELLED
    assert list(covers) == []
    assert covers.stats.covers >= 1
    assert covers.problem is not None
    covers.close()
    assert covers.outcome is Outcome.CANCELLED


def test_error_of_the_body_passes_through_unchanged():
    error = KeyError("mine")
    with pytest.raises(KeyError) as caught, XCC().solve(SMALL):
        raise error
    assert caught.value is error


def test_faulty_source_is_refused_at_the_first_use():
    covers = XCC().solve("a b\na z")
    with pytest.raises(DlxSyntaxError, match="unknown item"):
        next(covers)
    assert covers.outcome is Outcome.FAILED
    with pytest.raises(DlxSyntaxError), XCC().solve("a b\na z"):
        pytest.fail("the block was entered")


def test_unreadable_source_is_refused_with_the_systems_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        XCC().solve(tmp_path / "none.dlx").count()


def test_warning_about_options_is_given_where_the_block_is_entered():
    with pytest.warns(DlxWarning) as caught, XCC().solve("a | x\nx\na\n") as covers:
        assert numbers(covers) == [(2,)]
    assert [warning.filename for warning in caught] == [__file__]


def test_warning_about_a_ready_problem_is_not_repeated():
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx("a | x\nx\na\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert XCC().solve(problem).count() == 1
    assert caught == []


# -- first, count, is_unique ---------------------------------------------------------


def test_first_gives_one_cover_after_another():
    covers = XCC().solve(SMALL)
    assert covers.first().numbers == (1, 2)
    assert covers.first().numbers == (3, 4)
    assert covers.first() is None


@pytest.mark.parametrize("way", ["count", "step"])
def test_what_is_counted_does_not_come_again_though_the_search_is_over(way):
    problem = Problem.from_options([[n] for n in range(8) for _ in range(2)])
    covers = XCC().solve(problem, limit=200)
    while covers.outcome is Outcome.RUNNING:
        next(covers)
    assert 0 < covers.taken < 200
    if way == "step":
        assert covers.step(keep=False) == []
    else:
        assert covers.count() == 200
    assert covers.taken == 200
    assert list(covers) == []


def test_count_counts_covers_already_given_too():
    with XCC().solve(queens(7)) as covers:
        next(covers)
        next(covers)
        assert covers.count() == 40
        assert covers.outcome is Outcome.EXHAUSTED


@pytest.mark.parametrize(
    ("source", "unique"),
    [("a\na", True), ("a\na\na", False), ("a\n", False), (SMALL, False)],
)
def test_is_unique_tells_one_from_none_and_from_many(source, unique):
    assert XCC().solve(source).is_unique() is unique


def test_is_unique_stops_at_the_second_cover():
    covers = XCC().solve(dominoes(8, 8))
    assert not covers.is_unique()
    assert covers.stats.covers == 2
    assert covers.outcome is Outcome.RUNNING


def test_is_unique_never_takes_a_cut_short_search_for_an_answer():
    with pytest.raises(SearchError, match="not known"):
        XCC().solve("a\na\na", limit=1).is_unique()
    with XCC().solve(SMALL) as covers:
        next(covers)
    if covers.stats.covers < 2:
        with pytest.raises(SearchError, match="not known"):
            covers.is_unique()
    with pytest.raises(TimeoutError, match="not known"):
        XCC().solve(FRUITLESS, timeout=0.01).is_unique()
    with pytest.raises(TimeoutError):
        XCC().solve("a\na", timeout=0).is_unique()


# -- limit and timeout -----------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 2, 39, 40, 41, 10**6])
def test_limit_gives_exactly_so_many_or_all(limit):
    with XCC().solve(queens(7), limit=limit) as covers:
        found = numbers(covers)
    assert found == numbers(XCC().solve(queens(7)))[:limit]
    assert covers.stats.covers == min(limit, 40)
    if limit < 40:
        assert covers.outcome is Outcome.LIMITED
    if limit > 40:
        assert covers.outcome is Outcome.EXHAUSTED
    counted = XCC().solve(queens(7), limit=limit)
    assert counted.count() == min(limit, 40)


@pytest.mark.parametrize("limit", [0, -1])
def test_limit_below_one_is_refused(limit):
    with pytest.raises(ValueError, match="limit must be at least 1"):
        XCC().solve(SMALL, limit=limit)


def test_timeout_ends_a_fruitless_search_and_says_so():
    for timeout in PATIENCE_S:
        begin = time.monotonic()
        with XCC().solve(FRUITLESS, timeout=timeout) as covers:
            assert list(covers) == []
            assert covers.outcome is Outcome.TIMED_OUT
        assert time.monotonic() - begin < HANG_S
        assert covers.stats.elapsed >= timeout
        if covers.stats.nodes:
            break
    assert covers.stats.nodes > 0
    assert 0 <= covers.stats.fraction < 1


def test_timeout_keeps_what_was_found():
    for timeout in PATIENCE_S:
        with XCC().solve(dominoes(8, 8), timeout=timeout) as covers:
            found = sum(1 for _ in covers)
        if found:
            break
    assert covers.outcome is Outcome.TIMED_OUT
    assert found == covers.stats.covers > 0


def test_count_that_ran_out_of_time_is_a_lower_bound_and_says_so():
    covers = XCC().solve(dominoes(8, 8), timeout=0.05)
    assert 0 <= covers.count() < 12_988_816
    assert covers.outcome is Outcome.TIMED_OUT


def test_timeout_holds_while_the_problem_is_read():
    def lines():
        yield "a b"
        while True:
            yield "a b\n" * 50_000

    covers = XCC().solve(lines(), timeout=0.1)
    assert list(covers) == []
    assert covers.outcome is Outcome.TIMED_OUT
    assert covers.problem is None


def test_timeout_that_is_not_needed_changes_nothing():
    with XCC().solve(SMALL, timeout=1000) as covers:
        assert numbers(covers) == [(1, 2), (3, 4)]
        assert covers.outcome is Outcome.EXHAUSTED


# -- statistics ----------------------------------------------------------------------


def test_statistics_are_live_and_final():
    covers = XCC(kernel="cells").solve(queens(8))
    assert covers.stats.nodes == covers.stats.options == 0
    next(covers)
    during = covers.stats
    assert during.nodes > 0
    assert (during.options, during.items) == (64, 46)
    assert len(list(covers)) == 91
    stats = covers.stats
    assert (stats.nodes, stats.updates, stats.covers) == (947, 20078, 92)
    assert (stats.depth, stats.fraction) == (0, 1.0)
    time.sleep(0.01)
    assert covers.stats == stats


def test_fraction_and_counters_never_decrease():
    seen = []
    with XCC().solve(queens(9)) as covers:
        for _ in covers:
            stats = covers.stats
            seen.append((stats.fraction, stats.nodes, stats.updates, stats.covers))
    for before, after in pairwise(seen):
        assert all(x <= y for x, y in zip(before, after, strict=True))
    assert 0 <= seen[0][0] <= 1


def test_debug_prints_the_two_lines_of_the_reference(capsys):
    with pytest.warns(DlxWarning):
        XCC(debug=True).solve("a b | x\na b\nx\na x:A\nb\n").count()
    assert capsys.readouterr().err == (
        "(3 options, 2+1 items, 8 entries successfully read)\n"
        "Altogether 2 solutions, 6 updates, 4 nodes.\n"
    )


def test_debug_singular_is_of_one_cover_alone(capsys):
    for source, solutions in (("a\na", "1 solution,"), ("a\n", "0 solutions,")):
        XCC(debug=True).solve(source).count()
        assert f"Altogether {solutions}" in capsys.readouterr().err
    XCC().solve("a\na").count()
    assert capsys.readouterr().err == ""


def test_debug_totals_are_printed_of_a_search_cut_short_too(capsys):
    with XCC(debug=True).solve(queens(8)) as covers:
        next(covers)
    assert capsys.readouterr().err.count("Altogether") == 1


# -- event loops and signals -----------------------------------------------------------


def test_it_works_within_a_running_loop():
    async def main():
        with XCC().solve(queens(6)) as covers:
            found = numbers(covers)
        await asyncio.sleep(0)
        return found

    assert len(asyncio.run(main())) == 4


async def test_it_works_within_a_running_loop_of_either_kind():
    assert XCC().solve(queens(6)).count() == 4
    await anyio.lowlevel.checkpoint()


class Broken:
    """A session whose slice is interrupted."""

    def __init__(self, session, error):
        self.session = session
        self.error = error

    def advance(self, *arguments):
        self.session.advance(*arguments)
        raise self.error

    def __getattr__(self, name):
        return getattr(self.session, name)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(KeyboardInterrupt, Outcome.CANCELLED), (MemoryError, Outcome.FAILED)],
)
def test_search_whose_slice_was_torn_is_over(error, outcome):
    covers = Covers(SMALL, XCC()._kernel)
    covers.__enter__()
    covers._session = Broken(covers._session, error())
    with pytest.raises(error):
        next(covers)
    assert covers.outcome is outcome
    if outcome is Outcome.FAILED:
        # An answer would be a wrong one: the failure is told again.
        for ask in (covers.count, covers.is_unique, lambda: list(covers)):
            with pytest.raises(error):
                ask()
    else:
        assert list(covers) == []


def test_closed_search_does_not_count():
    covers = XCC().solve(SMALL)
    covers.close()
    assert list(covers) == []
    with pytest.raises(SearchError, match="closed"):
        covers.count()


INTERRUPTED = """
import sys, threading
from dcells_async import XCC
from problems import FRUITLESS, dominoes
ticks = []
print("ready", flush=True)
covers = XCC().solve(FRUITLESS)
try:
    if sys.argv[1] == "list":
        list(covers)
    elif sys.argv[1] == "count":
        covers.count()
    else:
        covers = XCC().solve(dominoes(8, 8))
        for cover in covers:
            pass
except KeyboardInterrupt:
    print("interrupted", covers.outcome.name, covers.stats.nodes > 0, flush=True)
    print(threading.active_count())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
@pytest.mark.isolated
@pytest.mark.parametrize("what", ["list", "count", "stream"])
def test_ctrl_c_ends_a_search_promptly_and_leaves_no_thread(what):
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, what],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(1 if COMPILED else 3)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            told, errors = process.communicate(timeout=PROCESS_S)
        finally:
            process.kill()
    assert time.monotonic() - begin < HANG_S
    assert errors == ""
    assert told.split("\n")[1] == "1"
    if what != "stream":
        assert told.startswith("interrupted CANCELLED True")
    else:
        assert told.startswith("interrupted ")
