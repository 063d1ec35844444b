"""XCC on large and deep problems, and stopping it in the midst."""

from __future__ import annotations

import threading
import tracemalloc
from itertools import islice

from problems import FRUITLESS, dominoes, queens
from searching import EVER, STOPPED, kernel_of

from dcells_async import COMPILED, XCC, Outcome, Problem
from dcells_async.kernels import xcc as installed

# -- large and deep --------------------------------------------------------------------


def test_chain_of_ten_thousand_options_has_its_cover():
    n = 10_001 if COMPILED else 1001
    problem = Problem.from_options(
        [(2 * k, 2 * k + 1) for k in range(n)], primary=range(2 * n)
    )
    (cover,) = XCC().solve(problem)
    assert sorted(cover.indices) == list(range(n))
    assert len(list(cover)) == n


def test_deep_search_with_alternatives_goes_back_all_the_way():
    # Each pair is covered in two ways, so that every level saves and restores.
    n = 400 if COMPILED else 60
    lines = [" ".join(f"i{k}" for k in range(n)) + " last | x"]
    lines += [f"i{k} i{k + 1}" for k in range(0, n, 2) for _ in range(2)]
    lines += ["last x:A"]
    with XCC().solve("\n".join(lines)) as covers:
        first = list(islice(covers, 1000))
    assert {len(cover) for cover in first} == {n // 2 + 1}
    assert len(set(first)) == 1000


def test_item_of_very_many_options_is_tried_with_each():
    n = 100_000 if COMPILED else 2000
    problem = Problem.from_options([["a", ("x", k % 3)] for k in range(n)], "a", "x")
    assert XCC().solve(problem).count() == n


def test_very_many_items_and_colors_are_searched():
    n = 30_000 if COMPILED else 3000
    lines = [" ".join(f"i{k}" for k in range(n)) + " | x"]
    lines += [f"i{k}" for k in range(n - 1)]
    lines += [f"i{n - 1} x:c{k}" for k in range(n)]
    covers = XCC().solve("\n".join(lines), limit=3)
    assert [len(cover) for cover in covers] == [n] * 3


def test_option_of_very_many_items_is_chosen():
    n = 200_000 if COMPILED else 5000
    items = [f"i{k}" for k in range(n)]
    text = " ".join(items) + "\n" + " ".join(reversed(items)) + "\n"
    (cover,) = XCC().solve(text)
    assert cover.numbers == (1,)


def test_streaming_takes_no_memory_for_covers_given_out():
    many = 100_000 if COMPILED else 2000
    with XCC().solve(dominoes(8, 8)) as covers:
        assert len(list(islice(covers, 10))) == 10
        tracemalloc.start()
        try:
            for _ in islice(covers, many // 4):
                pass
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            for _ in islice(covers, many):
                pass
            after, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert covers.outcome is Outcome.CANCELLED
    # A slice's worth of covers may be on the way at either moment.
    assert abs(after - before) < 8_000_000
    assert peak < 16_000_000


# -- stopping --------------------------------------------------------------------------


def test_stop_from_another_thread_ends_a_fruitless_slice(variant):
    kernel = kernel_of(variant("xcc"), Problem.from_dlx(FRUITLESS))
    kernel.advance(1000, 1)
    ended = []
    thread = threading.Thread(target=lambda: ended.append(kernel.advance(EVER, 1)))
    thread.start()
    # That this thread goes on at all shows that the slice holds no lock on it.
    thread.join(0.2)
    assert thread.is_alive()
    kernel.stop()
    thread.join(20)
    assert not thread.is_alive()
    assert ended == [STOPPED]
    assert kernel.advance(EVER, 1) == STOPPED


def test_stop_ends_a_slice_that_finds_covers_without_end(variant):
    kernel = kernel_of(variant("xcc"), Problem.from_dlx(dominoes(8, 8)))
    thread = threading.Thread(target=kernel.advance, args=(EVER, EVER, False))
    thread.start()
    thread.join(0.05)
    kernel.stop()
    thread.join(20)
    assert not thread.is_alive()
    assert kernel.covers < 12_988_816


def test_stop_before_the_first_slice_ends_the_search(variant):
    for source in (FRUITLESS, "a b\na\n"):
        kernel = kernel_of(variant("xcc"), Problem.from_dlx(source))
        kernel.stop()
        assert kernel.advance(EVER, EVER) == STOPPED
        assert kernel.nodes == 0


def test_stop_while_preparing_is_told():
    module = installed
    problem = Problem.from_dlx(queens(6))
    kernel = module.XccKernel(
        len(problem.items),
        problem.n_primary,
        problem.option_start,
        problem.entry_item,
        problem.entry_color,
    )
    kernel.stop()
    assert not kernel.prepare()
    assert kernel.advance(EVER, EVER) == STOPPED
