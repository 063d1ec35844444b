"""MCC: the reference's numbers, brute force, and everything that may rest or stop."""

from __future__ import annotations

import random
import threading
from array import array
from itertools import combinations, pairwise, product

import pytest
from problems import FRUITLESS, queens
from reference_mcc import random_problem

from dcells_async import COMPILED, MCC, XCC, Outcome, Problem, verify
from dcells_async.errors import DlxSyntaxError, DlxWarning, MultiplicityError
from dcells_async.kernels import mcc as installed
from dcells_async.kernels import xcc
from dcells_async.layout import Layout

EVER = 1 << 60

PAUSED, FULL, DONE, STOPPED = 0, 1, 2, 3

compiled_only = pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")

RICHER = "1:3|a 2|b c d\na b\na c\na d\nb c\nb d\nc d\na b c"
COLORS = "p q r | x y\np q x:A y:B\np r x:A y:A\np x:B\nq x:A\nr y:B"


def kernel_of(module, problem):
    """Prepare a kernel of the given ``mcc`` module for a problem."""
    layout = Layout.of(problem)
    primary = problem.items[: problem.n_primary]
    kernel = module.MccKernel(
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
        array("i", [item.low for item in primary]),
        array("i", [item.high for item in primary]),
    )
    assert kernel.prepare()
    return kernel


def taken(kernel):
    """Take the covers that a kernel has found, as option numbers."""
    options, ends = kernel.take()
    return [
        tuple(option + 1 for option in options[begin:end])
        for begin, end in pairwise([0, *ends])
    ]


def searched(kernel, budget=EVER, want=EVER):
    """Search to the end; give all covers in order, and both counters."""
    covers = []
    status = PAUSED
    fraction = 0.0
    while status != DONE:
        status = kernel.advance(budget, want)
        covers += taken(kernel)
        assert kernel.sanity() == ""
        assert fraction <= kernel.fraction() <= 1.0
        fraction = kernel.fraction()
    assert fraction == 1.0
    assert len(covers) == kernel.covers
    return covers, kernel.nodes, kernel.updates


def langford(n):
    """Pairs of numbers, k steps apart, in 2n places; mirror images count twice."""
    lines = [" ".join([*(f"d{k}" for k in range(1, n + 1))])]
    lines[0] += "".join(f" s{j}" for j in range(2 * n))
    lines += [
        f"d{k} s{j} s{j + k + 1}" for k in range(1, n + 1) for j in range(2 * n - k - 1)
    ]
    return "\n".join(lines)


def partridge(n):
    """Fill a square with k squares of side k, for k from 1 to n."""
    side = n * (n + 1) // 2
    cells = [f"{r},{c}" for r, c in product(range(side), range(side))]
    lines = [" ".join([*(f"{k}:{k}|#{k}" for k in range(1, n + 1)), *cells])]
    for k in range(1, n + 1):
        for top, left in product(range(side - k + 1), repeat=2):
            square = product(range(top, top + k), range(left, left + k))
            lines.append(f"#{k} " + " ".join(f"{r},{c}" for r, c in square))
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "covers", "nodes", "updates"),
    [
        ("a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g", 1, 6, 18),
        (COLORS, 2, 6, 16),
        ("a b c\na b c\na b\nc\na\nb c", 3, 8, 15),
        (RICHER, 4, 15, 45),
        ("2|a b c\na b\na c\nb c", 1, 3, 3),
        ("1:2|a b c\na b\na c\nb c", 1, 4, 5),
        (queens(6), 4, 111, 1587),
        (queens(7), 40, 413, 5039),
        (queens(8), 92, 1284, 17291),
        (langford(8), 300, 3097, 38466),
    ],
)
def test_counters_are_the_references(variant, text, covers, nodes, updates):
    problem = Problem.from_dlx(text)
    found, *counters = searched(kernel_of(variant("mcc"), problem))
    assert (len(found), *counters) == (covers, nodes, updates)
    assert all(verify(problem, cover) == [] for cover in found)


@compiled_only
@pytest.mark.parametrize(
    ("n", "covers", "nodes", "updates"),
    [(11, 2680, 72063, 1078409), (13, 73712, 1722083, 24751853)],
)
def test_counters_of_larger_searches_are_the_references(n, covers, nodes, updates):
    with MCC().solve(queens(n)) as search:
        assert search.count() == covers
        assert (search.stats.nodes, search.stats.updates) == (nodes, updates)


@pytest.mark.parametrize("seed", range(24))
def test_covers_of_random_problems_are_those_of_brute_force(variant, seed):
    module = variant("mcc")
    rng = random.Random(seed)
    for _ in range(250 if module.COMPILED else 25):
        puzzle = random_problem(rng)
        problem = puzzle.problem()
        found, *_ = searched(kernel_of(module, problem), rng.choice([1, 20, EVER]))
        assert len(set(map(frozenset, found))) == len(found), puzzle
        assert set(map(frozenset, found)) == set(puzzle.covers()), puzzle
        assert all(verify(problem, cover) == [] for cover in found), puzzle


@pytest.mark.parametrize("seed", range(8))
def test_covers_without_multiplicities_are_those_of_xcc(variant, seed):
    module = variant("mcc")
    rng = random.Random(seed)
    for _ in range(100 if module.COMPILED else 10):
        problem = random_problem(rng, most=1, options=14).problem()
        found, *_ = searched(kernel_of(module, problem))
        others = [cover.numbers for cover in XCC().solve(problem)]
        assert sorted(map(sorted, found)) == sorted(map(sorted, others))


@compiled_only
def test_compiled_and_interpreted_take_the_same_steps():
    pytest.importorskip("cython")
    from conftest import _interpreted

    rng = random.Random(1)
    problems = [random_problem(rng, options=14).problem() for _ in range(60)]
    problems += map(Problem.from_dlx, (queens(6), langford(7), RICHER, COLORS))
    for problem in problems:
        one, other = (kernel_of(m, problem) for m in (installed, _interpreted("mcc")))
        while (status := one.advance(97, 3)) == other.advance(97, 3):
            assert taken(one) == taken(other)
            assert one.save() == other.save()
            assert one.fraction() == other.fraction()
            if status == DONE:
                break
        assert status == DONE


@pytest.mark.parametrize(("budget", "want"), [(1, EVER), (7, 1), (EVER, 2)])
@pytest.mark.parametrize(
    "text", [queens(6), RICHER, "0:2|a 0:1|b | x\na x:1\na b\nb x"]
)
def test_slices_change_nothing(variant, text, budget, want):
    problem = Problem.from_dlx(text)
    kernel = kernel_of(variant("mcc"), problem)
    whole = searched(kernel_of(variant("mcc"), problem))
    assert searched(kernel, budget, want) == whole


@pytest.mark.parametrize(("budget", "want"), [(1, EVER), (50, 2)])
def test_search_goes_on_in_a_fresh_kernel_as_if_nothing_was(variant, budget, want):
    module = variant("mcc")
    for text in (queens(5), RICHER, COLORS, "0:9|a 2:3|b\n" + "a\nb\na b\n" * 3):
        problem = Problem.from_dlx(text)
        kernel = kernel_of(module, problem)
        covers = []
        status = PAUSED
        while status != DONE:
            state = kernel.save()
            kernel = kernel_of(module, problem)
            kernel.load(state)
            assert kernel.save() == state
            status = kernel.advance(budget, want)
            covers += taken(kernel)
        counters = kernel.nodes, kernel.updates
        assert (covers, *counters) == searched(kernel_of(module, problem))


def test_state_of_another_problem_is_refused(variant):
    state = kernel_of(variant("mcc"), Problem.from_dlx(RICHER)).save()
    kernel = kernel_of(variant("mcc"), Problem.from_dlx(COLORS))
    before = kernel.save()
    for bad in (state, before[:-4], b"", xcc_state(COLORS)):
        with pytest.raises(ValueError, match="state"):
            kernel.load(bad)
        assert kernel.save() == before


def xcc_state(text):
    """Save a kernel of the other kind for the same problem."""
    layout = Layout.of(Problem.from_dlx(text))
    parts = layout.option_start, layout.option_item, layout.option_color
    kernel = xcc.XccKernel(layout.n_items, layout.n_primary, *parts)
    assert kernel.prepare()
    return kernel.save()


def test_stopped_search_stays_stopped(variant):
    kernel = kernel_of(variant("mcc"), Problem.from_dlx(queens(6)))
    assert kernel.advance(20, EVER) == PAUSED
    kernel.stop()
    assert kernel.advance(EVER, EVER) == STOPPED
    assert kernel.advance(EVER, EVER) == STOPPED


def test_stopping_before_the_search_is_told_by_prepare(variant):
    layout = Layout.of(Problem.from_dlx("a b\na\nb"))
    ones = array("i", [1, 1])
    kernel = variant("mcc").MccKernel(
        2, 2, layout.option_start, layout.option_item, layout.option_color, ones, ones
    )
    kernel.stop()
    assert not kernel.prepare()
    assert kernel.advance(EVER, EVER) == STOPPED


def test_running_search_can_be_stopped_from_another_thread(variant):
    kernel = kernel_of(variant("mcc"), Problem.from_dlx(FRUITLESS))
    ended = []
    thread = threading.Thread(target=lambda: ended.append(kernel.advance(EVER, EVER)))
    thread.start()
    thread.join(0.05)
    assert not ended
    kernel.stop()
    thread.join(60)
    assert ended == [STOPPED]


@pytest.mark.parametrize(
    ("text", "covers", "nodes"),
    [
        ("0:1|a", [()], 1),
        ("0:1|a b\nb", [(1,)], 2),
        ("0:2|a 0:3|b", [()], 1),
        ("0:1|a\na", [(1,), ()], 3),
        ("a", [], 0),
        ("2|a b\na b\nb", [], 0),
        ("2:3|a\na", [], 0),
        ("2147483647|a\na", [], 0),
        ("0:2147483647|a\na\na", [(1, 2), (1,), (2,), ()], 7),
        ("1:2147483647|a\na\na", [(1, 2), (1,), (2,)], 6),
        ("a | x y\na", [(1,)], 2),
        ("0:1|a | x y\na y:1\na x", [(1,), (2,), ()], 5),
    ],
)
def test_degenerate_bounds_are_taken_at_their_word(variant, text, covers, nodes):
    found, counted, _ = searched(kernel_of(variant("mcc"), Problem.from_dlx(text)))
    assert sorted(found) == sorted(covers)
    assert counted == nodes


def test_problem_without_primary_items_has_the_empty_cover(variant):
    with pytest.warns(DlxWarning):
        useless = Problem.from_options([["x"], ["y"]], [], ["x", "y"])
    for problem in (useless, Problem.from_options([], [], ["x", "y"])):
        assert searched(kernel_of(variant("mcc"), problem)) == ([()], 1, 0)


def test_at_most_once_leaves_options_out_and_equal_options_are_different():
    assert MCC().solve("0:1|A B\nA B\nB").count() == 2
    with MCC().solve("2|A\nA\nA\nA") as covers:
        found = {frozenset(cover.numbers) for cover in covers}
    assert found == set(map(frozenset, combinations([1, 2, 3], 2)))
    assert MCC().solve("2:3|C D\nC\nC D\nC").count() == 3


def test_bounds_that_would_not_fit_are_refused():
    with pytest.raises(DlxSyntaxError, match="2147483648"):
        MCC().solve("2147483648|a\na").count()
    with pytest.raises(DlxSyntaxError, match="upper bound"):
        MCC().solve("0|a\na").count()
    for bounds in (2**31, (0, 2**31), (-1, 2), (2, 1), 0):
        with pytest.raises(MultiplicityError):
            Problem.from_options(["a"], multiplicity={"a": bounds})


def test_xcc_refuses_multiplicities_and_names_the_engine_for_them():
    with pytest.raises(MultiplicityError, match=r"'a'.*MCC"):
        XCC().solve("2|a\na\na").count()


async def test_stream_of_covers_is_that_of_the_synchronous_twin():
    with MCC().solve(RICHER) as covers:
        expected = [cover.numbers for cover in covers]
    async with MCC().dance(RICHER, buffer=1) as result:
        found = [cover.numbers async for cover in result.solutions]
    assert found == expected
    assert result.outcome is Outcome.EXHAUSTED
    assert (result.stats.nodes, result.stats.updates) == (15, 45)
    assert await MCC().count(RICHER) == 4
    assert await MCC().is_unique("2|a b c\na b\na c\nb c")


def test_second_ways_need_no_memory_and_count_evenly_as_progress(variant):
    n = 4000 if variant("mcc").COMPILED else 60
    problem = Problem.from_options([["a"]] * n)
    kernel = kernel_of(variant("mcc"), problem)
    size = len(kernel.save())
    for done in range(1, n):
        assert kernel.advance(EVER, 1, False) == FULL
        assert len(kernel.save()) == size
        assert kernel.fraction() == pytest.approx(done / n)
        assert kernel.depth == 0
    assert kernel.advance(EVER, 2, False) == DONE
    assert kernel.covers == n


@compiled_only
@pytest.mark.parametrize("bounds", [(0, 200_000), (199_999, 200_000), (3, 200_000)])
def test_path_of_200000_options_is_no_problem(bounds):
    n = 200_000
    problem = Problem.from_options([["a"]] * n, multiplicity={"a": bounds})
    kernel = kernel_of(installed, problem)
    assert kernel.advance(EVER, 1) == FULL
    assert taken(kernel) == [(1, *range(n, 1, -1))]
    assert kernel.advance(EVER, 2) == FULL
    second = taken(kernel)[0]
    assert len(second) == n - 1
    assert verify(problem, second) == []
    again = kernel_of(installed, problem)
    again.load(kernel.save())
    assert again.advance(EVER, 1) == kernel.advance(EVER, 1)
    assert taken(again) == taken(kernel)


def test_few_of_200000_options_need_little_memory(variant):
    n = 200_000 if variant("mcc").COMPILED else 2000
    problem = Problem.from_options([["a"]] * n, multiplicity={"a": (1, 3)})
    kernel = kernel_of(variant("mcc"), problem)
    size = len(kernel.save())
    assert kernel.advance(3 * n, EVER) == PAUSED
    assert len(kernel.save()) == size
    assert {len(cover) for cover in taken(kernel)} == {3}


@compiled_only
def test_partridge_of_order_8_is_found_soon():
    problem = Problem.from_dlx(partridge(8))
    assert (len(problem.options), len(problem.items)) == (8492, 1304)
    with MCC().solve(problem) as covers:
        cover = next(covers)
    assert verify(problem, cover.numbers) == []
    assert len(cover) == 36


@pytest.mark.parametrize("n", [2, 3])
def test_small_partridges_do_not_exist(variant, n):
    problem = Problem.from_dlx(partridge(n))
    assert searched(kernel_of(variant("mcc"), problem))[0] == []
