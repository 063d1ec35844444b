"""The kernel of ZDD: the reference's numbers, brute force, and all that may rest."""

from __future__ import annotations

import random
import threading
import warnings
from array import array

import pytest
from diagrams import columns_of
from problems import dominoes, queens
from reference_mcc import Bounded, random_problem

from dcells_async import COMPILED, ZDD, DlxWarning, Problem
from dcells_async.kernels import zdd as installed
from dcells_async.layout import Layout
from dcells_async.puzzles.langford import langford

EVER = 1 << 60

PAUSED, DONE, STOPPED, TOO_LARGE = 0, 2, 3, 7
PRODUCT = -2

WAYS = [
    {},
    {"mrv": False},
    {"split": True},
    {"mrv": False, "split": True},
    {"window": 4},
    {"all_colors": True},
    {"ordered": False},
    {"ordered": False, "split": True},
]

compiled_only = pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")


def kernel_of(module, problem, **knobs):
    """Prepare a kernel of the given ``zdd`` module for a problem."""
    layout = Layout.of(problem)
    primary = problem.items[: problem.n_primary]
    kernel = module.ZddKernel(
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
        array("i", [item.low for item in primary]),
        array("i", [item.high for item in primary]),
        **knobs,
    )
    assert kernel.prepare()
    return kernel


def finished(module, problem, budget=EVER, **knobs):
    kernel = kernel_of(module, problem, **knobs)
    fraction = 0.0
    while (status := kernel.advance(budget, 1, False)) == PAUSED:
        assert fraction - 1e-9 <= kernel.fraction() <= 1.0
        fraction = kernel.fraction()
    assert status == DONE
    assert kernel.fraction() == 1.0
    assert not kernel.sanity()
    return kernel


def columns(kernel):
    tables = (kernel.options_made, kernel.lows_made, kernel.highs_made)
    return [list(table) for table in tables]


def counters(kernel):
    return kernel.nodes, kernel.signatures, kernel.hits


def family(kernel):
    """Give all sets that a finished kernel's diagram stands for."""
    families = [set(), {frozenset()}]
    for option, low, high in list(zip(*columns(kernel), strict=True))[2:]:
        if option == PRODUCT:
            joined = {a | b for a in families[low] for b in families[high]}
        else:
            joined = families[low] | {a | {option} for a in families[high]}
        families.append(joined)
    return families[kernel.root]


def in_parts(rng):
    """Draw two problems, and make one of them."""
    one, other = random_problem(rng, options=6), random_problem(rng, options=6)
    return Bounded(
        {**one.bounds, **{item + "'": bound for item, bound in other.bounds.items()}},
        [*one.secondary, *(item + "'" for item in other.secondary)],
        one.options
        + [[(item + "'", color) for item, color in option] for option in other.options],
    )


# -- numbers of the reference ------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "numbers"),
    [
        (4, (48, 33, 10)),
        (6, (364, 255, 98)),
        (8, (2317, 1627, 669)),
        (10, (13560, 9537, 3988)),
        (12, (74023, 52053, 21917)),
    ],
)
@compiled_only
def test_dominoes_have_the_reference_s_counters(n, numbers):
    kernel = finished(installed, Problem.from_dlx(dominoes(n, n)))
    assert counters(kernel) == numbers


@compiled_only
def test_queens_have_the_reference_s_counters():
    kernel = finished(installed, Problem.from_dlx(queens(8)))
    assert counters(kernel) == (869, 759, 86)


def test_few_options_have_the_reference_s_counters(variant):
    text = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g"
    kernel = finished(variant("zdd"), Problem.from_dlx(text))
    assert counters(kernel) == (5, 4, 0)
    assert family(kernel) == {frozenset({0, 3, 4})}


@compiled_only
@pytest.mark.parametrize("knobs", WAYS)
def test_dominoes_are_counted(knobs):
    engine = ZDD(mrv=knobs.get("mrv", True), components=knobs.get("split", False))
    problem = Problem.from_dlx(dominoes(8, 8))
    assert engine.diagram(problem).count() == engine.tally(problem) == 12_988_816
    assert engine.diagram(problem).nodes == 2300


def test_a_cut_board_has_no_tiling(variant):
    kernel = finished(variant("zdd"), Problem.from_dlx(dominoes(4, 4, cut=True)))
    assert (kernel.root, columns(kernel)) == (0, [[-1, -1], [0, 0], [0, 0]])


# -- brute force ---------------------------------------------------------------------


def agrees(module, drawn, rng):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DlxWarning)
        problem = drawn.problem()
    sets = {frozenset(number - 1 for number in cover) for cover in drawn.covers()}
    expected, root = columns_of(sets)
    size = len(expected[0]) if root > 1 else 2
    for knobs in WAYS:
        kernel = finished(module, problem, **knobs)
        assert family(kernel) == sets, (drawn, knobs)
        if knobs.get("ordered", True):
            # The family has one reduced and ordered diagram only.
            assert len(kernel.options_made) == size
            triples = list(zip(*columns(kernel), strict=True))
            assert len(set(triples[2:])) == size - 2
            for node, (option, low, high) in enumerate(triples[2:], 2):
                assert high
                for child in (low, high):
                    assert child < node
                    assert child < 2 or triples[child][0] > option
        resting = finished(module, problem, rng.choice([1, 5, 40]), **knobs)
        assert columns(resting) == columns(kernel)
        assert counters(resting) == counters(kernel)


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_random_problems_agree_with_brute_force(variant, seed, most):
    module = variant("zdd")
    rng = random.Random(seed)
    for _ in range(80 if module is installed else 4):
        agrees(module, random_problem(rng, most=most), rng)


@pytest.mark.parametrize("seed", range(2))
def test_problems_in_parts_agree_with_brute_force(variant, seed):
    module = variant("zdd")
    rng = random.Random(seed)
    for _ in range(50 if module is installed else 3):
        agrees(module, in_parts(rng), rng)


def test_problems_without_primary_items_have_the_empty_cover(variant):
    for bounds in ({}, {"a": (0, 1)}):
        kernel = finished(variant("zdd"), Bounded(bounds, ["x"], []).problem())
        assert family(kernel) == {frozenset()}


def test_color_that_no_option_mentions_no_longer_tells_states_apart(variant):
    module = variant("zdd")
    text = "a b c | x\na x:A\na x:B\na\nb x:A\nb\nc"
    problem = Problem.from_dlx(text)
    ours = finished(module, problem, mrv=False)
    theirs = finished(module, problem, mrv=False, all_colors=True)
    assert family(ours) == family(theirs)
    assert ours.signatures < theirs.signatures


# -- the memo ------------------------------------------------------------------------


@compiled_only
def test_memo_that_knows_nothing_is_given_up():
    problem = Problem.from_dlx(queens(7))
    patient = finished(installed, problem)
    hasty = finished(installed, problem, window=8)
    assert not patient.has_given_up
    assert hasty.has_given_up
    assert hasty.signatures < patient.signatures
    assert hasty.nodes > patient.nodes
    assert columns(hasty) == columns(patient)


@compiled_only
def test_memo_that_pays_is_kept():
    kernel = finished(installed, Problem.from_dlx(dominoes(14, 14)))
    assert kernel.signatures > 1 << 17
    assert not kernel.has_given_up


@compiled_only
def test_memo_grows_on_the_way_back_too():
    # One dead end below more levels than the memo has room for at first: all of them
    # are stored without a node between them, which once was an endless search.
    n = 20_000
    options = [[k] for k in range(n)] + [["a", ("x", "A")], ["b", ("x", "B")]]
    problem = Problem.from_options(options, [*range(n), "a", "b"], ["x"])
    kernel = finished(installed, problem, mrv=False)
    assert kernel.root == 0
    assert counters(kernel) == (n + 1, n + 1, 0)


# -- resting, stopping, outgrowing ---------------------------------------------------


@compiled_only
@pytest.mark.parametrize("knobs", [{}, {"mrv": False}, {"split": True}])
def test_slices_change_nothing_however_the_tables_grow(knobs):
    problem = Problem.from_dlx(dominoes(10, 10))
    whole = finished(installed, problem, **knobs)
    sliced = finished(installed, problem, 777, **knobs)
    assert columns(sliced) == columns(whole)
    assert counters(sliced) == counters(whole)


@compiled_only
def test_stop_ends_a_slice():
    kernel = kernel_of(installed, Problem.from_dlx(dominoes(20, 20)))
    timer = threading.Timer(0.05, kernel.stop)
    timer.start()
    assert kernel.advance(EVER, 1, False) == STOPPED
    timer.join()


@compiled_only
def test_tables_stay_within_the_limit():
    problem = Problem.from_dlx(dominoes(14, 14))
    kernel = kernel_of(installed, problem, memory_limit=3_000_000)
    assert kernel.advance(EVER, 1, False) == TOO_LARGE
    assert 1_000_000 < kernel.memory <= 3_000_000


@pytest.mark.parametrize(
    ("limit", "status", "least"),
    [
        (900_000, TOO_LARGE, 900_000),
        (1_150_000, TOO_LARGE, 1_020_000),
        # Less than double is enough here, and the table once doubled would not fit.
        (1_200_000, DONE, 370_000),
        (2_000_000, DONE, 400_000),
    ],
)
def test_sizes_saved_along_the_path_count_as_memory(variant, limit, status, least):
    # They are the square of the number of items, 160 kB; the tables take 917 kB, and at
    # the end, when the memo is emptied, 197 kB.
    problem = Problem.from_options([[k] for k in range(200) for _ in range(2)])
    kernel = kernel_of(variant("zdd"), problem, memory_limit=limit)
    assert kernel.advance(EVER, 1, False) == status
    assert kernel.too_large == (status == TOO_LARGE)
    assert least <= kernel.memory
    assert kernel.memory <= limit or limit == 900_000


@compiled_only
def test_deep_chains_need_no_deep_stack():
    n = 20_000
    problem = Problem.from_options([[2 * k, 2 * k + 1] for k in range(n)])
    diagram = ZDD().diagram(problem)
    assert diagram.count() == 1
    assert len(next(iter(diagram))) == n


@compiled_only
@pytest.mark.parametrize("knobs", [{}, {"components": True}])
def test_many_parts_are_counted_at_once(knobs):
    cells = [(part, way) for part in range(50) for way in range(3)]
    problem = Problem.from_options([[part] for part, _ in cells])
    assert ZDD(**knobs).tally(problem) == 3**50
    assert ZDD(**knobs).diagram(problem).count() == 3**50


def test_shares_of_items_are_always_the_same(variant, interpreted):
    problem = Problem.from_options([[k] for k in range(50)])
    kernel = kernel_of(interpreted("zdd"), problem)
    # A set of one option, with nine numbers before it, the share first.
    words = [kernel.cells[10 * k + word] for k in range(50) for word in range(4)]
    assert words[:4] == [1707307034, 229048400, 87948856, 1211897499]
    assert words[-1] == 237360217
    assert len({*words}) == 200
    assert kernel.save() == kernel_of(variant("zdd"), problem).save()


class Counted(list):
    """A list that counts how often it is read."""

    reads = 0

    def __getitem__(self, place):
        self.reads += 1
        return super().__getitem__(place)


def test_each_option_of_a_part_is_walked_through_once(interpreted):
    n = 300
    problem = Problem.from_options([list(range(n)), list(range(n)), ["z"]])
    kernel = kernel_of(interpreted("zdd"), problem, split=True)
    kernel.node_item = Counted(kernel.node_item)
    for _ in range(3):
        kernel.node_item.reads = 0
        before = kernel.steps
        assert kernel.gather(kernel.items[0])
        assert kernel.n_members == n
        assert kernel.node_item.reads <= 2 * (n + 1)
        # Two options at each item, and each item in two options.
        assert kernel.steps - before == 2 * n + 2 * n
    kernel.stop()
    assert not kernel.gather(kernel.items[0])


def test_search_in_parts_is_taken_wherever_it_rests(variant):
    at_parts = 0
    for seed in range(6):
        problem = in_parts(random.Random(seed)).problem()
        whole = finished(variant("zdd"), problem, split=True)
        kernel = kernel_of(variant("zdd"), problem, split=True)
        while kernel.advance(1, 1, False) == PAUSED:
            at_parts += 1
            other = kernel_of(variant("zdd"), problem, split=True)
            state = kernel.save()
            # Twice: what the first time has left must not matter.
            other.load(state)
            other.load(state)
            assert other.advance(EVER, 1, False) == DONE
            assert columns(other) == columns(whole)
            assert counters(other) == counters(whole)
    assert at_parts > 50


@compiled_only
@pytest.mark.slow
def test_langford_has_the_reference_s_counters():
    kernel = finished(installed, langford(11, up_to_reversal=True))
    assert counters(kernel) == (130_724, 103_367, 27_213)
