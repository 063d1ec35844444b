"""Counts, ranks, draws and parts of diagrams, against lists of all their sets."""

from __future__ import annotations

import pickle
import random
import sys
from array import array
from collections import Counter
from copy import deepcopy

import pytest
from diagrams import aztec, columns_of, diagram_of, in_order, tilings
from hypothesis import given
from hypothesis import strategies as st
from reference import covers as reference_covers
from strategies import examples, puzzles

from dcells_async import CapacityError, Cover, Diagram, Problem

PAIR = Problem.from_dlx("a b\na b\na\nb")


def pair():
    return diagram_of(PAIR, [(1,), (2, 3)])


def board(cells):
    """Give the diagram of a board's tilings, with its problem."""
    options, columns, root = tilings(cells)
    problem = Problem.from_options(options, primary=cells)
    return Diagram(problem, *columns, root=root)


def rectangle(rows, columns):
    return board([(r, c) for r in range(rows) for c in range(columns)])


def free(n):
    """Give the family of all subsets of n options: 2**n sets in n nodes."""
    problem = Problem.from_options([["a"]] * n, primary=["a"])
    options = [-1, -1, *range(n - 1, -1, -1)]
    children = [0, 0, *range(1, n + 1)]
    return Diagram(problem, options, children, children, n + 1)


@given(puzzle=puzzles(), data=st.data())
@examples(250)
def test_family_is_what_brute_force_finds(puzzle, data):
    problem = puzzle.problem()
    covers = in_order(reference_covers(*puzzle))
    diagram = diagram_of(problem, covers)
    n_options = len(puzzle.options)
    assert diagram.count() == len(diagram) == len(covers)
    assert bool(diagram) == bool(covers)
    assert [cover.numbers for cover in diagram] == covers
    assert [diagram.unrank(rank).numbers for rank in range(len(covers))] == covers
    assert [diagram.rank(cover) for cover in covers] == list(range(len(covers)))
    assert diagram.frequencies() == [
        sum(number in cover for cover in covers) for number in range(1, n_options + 1)
    ]
    start = data.draw(st.integers(0, len(covers)))
    assert [cover.numbers for cover in diagram.covers(start)] == covers[start:]
    numbers = (
        st.sets(st.integers(1, n_options), max_size=2) if n_options else st.just(set())
    )
    use, avoid = data.draw(numbers), data.draw(numbers)
    part = diagram.restrict(use, avoid)
    expected = [c for c in covers if use <= set(c) and not avoid & set(c)]
    assert [cover.numbers for cover in part] == expected
    assert part.nodes == diagram_of(problem, expected).nodes
    some = tuple(sorted(data.draw(numbers)))
    assert (some in diagram) == (some in covers)


@pytest.mark.parametrize(
    ("covers", "nodes"), [([], 1), ([()], 1), ([(1,)], 3), ([(), (1,)], 2)]
)
def test_smallest_families(covers, nodes):
    problem = Problem.from_options([["x"]], multiplicity={"x": (0, 1)}, primary=["x"])
    diagram = diagram_of(problem, covers)
    assert diagram.count() == len(covers)
    assert diagram.nodes == nodes
    assert [cover.numbers for cover in diagram] == covers
    assert diagram.frequencies() == [sum(1 in cover for cover in covers)]


def test_diagram_of_a_problem_without_options():
    diagram = Diagram(Problem.from_options([], primary=[]), [-1, -1], [0, 0], [0, 0], 1)
    assert [cover.numbers for cover in diagram] == [()]
    assert diagram.frequencies() == []
    assert diagram.max_weight().price == 0
    assert diagram.weight_histogram() == {0: 1}
    assert diagram.restrict().count() == 1


@pytest.mark.parametrize("n", [31, 32, 33, 63, 64, 65, 500])
def test_numbers_of_any_size_are_exact(n):
    diagram = free(n)
    assert diagram.count() == 1 << n
    assert diagram.frequencies() == [1 << n - 1] * n
    for rank in (0, 1, (1 << n) - 1, 1 << n - 1, (1 << n) // 3, (1 << n) // 5 << 1):
        bits = f"{rank:0{n}b}"
        numbers = tuple(k for k, bit in enumerate(bits, 1) if bit == "1")
        assert diagram.unrank(rank).numbers == numbers
        assert diagram.rank(numbers) == rank
    with diagram.covers(start=(1 << n) - 2) as rest:
        assert [len(cover) for cover in rest] == [n - 1, n]
    if n > 62:
        assert diagram
        with pytest.raises(OverflowError, match=r"count\(\)"):
            len(diagram)


def test_parts_add_up_where_numbers_are_large():
    diagram = rectangle(8, 10)
    total = diagram.count()
    frequencies = diagram.frequencies()
    assert sum(frequencies) == 40 * total
    for number in range(1, len(frequencies), 17):
        frequency = frequencies[number - 1]
        assert diagram.restrict(use=[number]).count() == frequency
        assert diagram.restrict(avoid=[number]).count() == total - frequency


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_aztec_diamond_has_a_power_of_two_of_tilings(order):
    assert board(aztec(order)).count() == 1 << order * (order + 1) // 2


# -- draws -----------------------------------------------------------------------------


def test_draws_are_uniform():
    """Chi-square with 35 degrees of freedom: 66.6 is passed once in a thousand."""
    diagram = rectangle(4, 4)
    draws = diagram.sample(36_000, random.Random(2026))
    times = Counter(diagram.rank(cover) for cover in draws)
    assert sorted(times) == list(range(36))
    assert sum((number - 1000) ** 2 / 1000 for number in times.values()) < 66.6


def test_draws_from_a_large_family_use_options_as_often_as_they_should():
    diagram = board(aztec(6))
    n = 4000
    times = Counter(
        index
        for cover in diagram.sample(n, random.Random(5))
        for index in cover.indices
    )
    for index, frequency in enumerate(diagram.frequencies()):
        expected = frequency / diagram.count()
        tolerance = 5 * (n * expected * (1 - expected)) ** 0.5
        assert abs(times[index] - n * expected) <= tolerance + 1e-9


def test_sample_is_what_one_draw_after_the_other_gives():
    diagram = rectangle(4, 6)
    rng = random.Random(3)
    one_by_one = [diagram.random(rng) for _ in range(1500)]
    assert diagram.sample(1500, random.Random(3)) == one_by_one
    assert diagram.sample(0) == []


def test_draw_without_a_generator_is_some_cover():
    assert pair().random() in pair()


@pytest.mark.parametrize("rng", [5, 0, "seed"])
def test_seed_instead_of_a_generator_is_refused(rng):
    with pytest.raises(TypeError, match=r"rng must be .* not .*Random\(seed\)"):
        pair().random(rng)


def test_empty_family_gives_no_draw():
    for ask in (lambda d: d.random(), lambda d: d.sample(0)):
        with pytest.raises(IndexError, match="empty"):
            ask(diagram_of(PAIR, []))


# -- covers ----------------------------------------------------------------------------


def test_covers_are_those_of_the_searches():
    covers = list(pair())
    assert all(isinstance(cover, Cover) and cover.problem is PAIR for cover in covers)
    assert covers[1].lines == (2,)
    assert Cover(PAIR, [2, 1]) in pair()
    assert pair().rank(Cover(PAIR, [2, 1])) == 0


def test_covers_of_an_equal_problem_are_members_whatever_their_prices():
    same = Problem.from_dlx("a b\na b |7\na\nb |1")
    other = Problem.from_dlx("a b\na b\na\nb\nb")
    assert Cover(same, [0]) in pair()
    assert pair().rank(Cover(same, [0])) == 1
    assert Cover(other, [0]) not in pair()
    with pytest.raises(ValueError, match="not in this family"):
        pair().rank(Cover(other, [0]))


@pytest.mark.parametrize("numbers", [(), (2,), (0,), (4,), (1, 1), (1, 2), (-1,)])
def test_what_is_no_member(numbers):
    assert numbers not in pair()
    with pytest.raises(ValueError, match="not in this family"):
        pair().rank(numbers)


@pytest.mark.parametrize("thing", [7, ["a"], "a", [1.0]])
def test_what_could_be_no_member(thing):
    with pytest.raises(TypeError, match="option numbers"):
        assert thing in pair()


def test_covers_have_the_numbers_of_the_options_as_written_where_some_were_dropped():
    with pytest.warns(UserWarning, match="without a primary item"):
        problem = Problem.from_dlx("a b | x\nx:1\na x:1\nx\nb x:1\na b")
    diagram = diagram_of(problem, [(2, 4), (5,)])
    assert [cover.numbers for cover in diagram] == [(5,), (2, 4)]
    assert diagram.unrank(1).numbers == (2, 4)


# -- errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rank", "error"), [(-1, ValueError), (2, IndexError), (1.5, TypeError)]
)
def test_rank_out_of_range_is_refused(rank, error):
    with pytest.raises(error, match="rank"):
        pair().unrank(rank)


def test_start_out_of_range_is_refused():
    with pytest.raises(ValueError, match="start is 3, and there are 2 covers"):
        pair().covers(start=3)
    with pytest.raises(ValueError, match="start must be at least 0"):
        pair().solutions(start=-1)
    assert list(pair().covers(start=2)) == []


@pytest.mark.parametrize("number", [0, 4, -1])
def test_restriction_to_no_option_is_refused(number):
    with pytest.raises(ValueError, match="option"):
        pair().restrict(use=[number])
    with pytest.raises(ValueError, match="option"):
        pair().restrict(avoid=[number])


def test_option_both_used_and_avoided_leaves_nothing():
    assert pair().restrict(use=[1], avoid=[1]).count() == 0


@pytest.mark.parametrize(
    ("columns", "root", "reason"),
    [
        (([-1], [0], [0]), 0, "two sinks"),
        (([-1, -1], [0, 0], [0]), 1, "as many of each"),
        (([-1, -1], [0, 0], [0, 0]), 2, "root is node 2"),
        (([-1, -1], [0, 0], [0, 0]), -1, "root is node -1"),
        (([-1, -1, 3], [0, 0, 0], [0, 0, 1]), 2, "has option 3, and there are 3"),
        (([-1, -1, -1], [0, 0, 0], [0, 0, 1]), 2, "has option -1"),
        (([-1, -1, 0], [0, 0, 2], [0, 0, 1]), 2, "2 as its low child"),
        (([-1, -1, 0], [0, 0, -1], [0, 0, 1]), 2, "-1 as its low child"),
        (([-1, -1, 0], [0, 0, 1], [0, 0, 5]), 2, "5 as its high child"),
        (([-1, -1, 0], [0, 0, 1], [0, 0, 0]), 2, "empty family as its high child"),
        (([-1, -1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 2]), 3, "a child with one no later"),
        (([-1, -1, 1 << 40], [0, 0, 0], [0, 0, 1]), 2, "32 bits"),
    ],
)
def test_nodes_out_of_order_are_refused(columns, root, reason):
    with pytest.raises(ValueError, match=reason):
        Diagram(PAIR, *columns, root)


def test_more_nodes_than_indices_are_refused():
    column = range(1 << 31)
    with pytest.raises(CapacityError, match=r"2,147,483,648 nodes"):
        Diagram(PAIR, column, column, column, 1)


# -- nodes -----------------------------------------------------------------------------


def test_nodes_that_the_root_does_not_reach_are_left_out():
    columns, root = columns_of([(0,), (1, 2)])
    for column, number in zip(columns, (0, 1, 1), strict=True):
        column.insert(2, number)
    shifted = [[v + (v > 1) for v in column] for column in columns[1:]]
    diagram = Diagram(PAIR, columns[0], *shifted, root + 1)
    assert list(diagram) == list(pair())
    assert diagram.nodes == len(diagram.options) == 5


def test_columns_can_be_read_and_not_written():
    diagram = pair()
    assert list(diagram.options) == [-1, -1, 2, 1, 0]
    assert list(diagram.lows)[2:] == [0, 0, 3]
    assert list(diagram.highs)[2:] == [1, 2, 1]
    assert (diagram.root, diagram.problem) == (4, PAIR)
    for column in (diagram.options, diagram.lows, diagram.highs):
        with pytest.raises(TypeError, match="read-only"):
            column[2] = 0


def test_columns_of_64_bits_are_taken():
    columns, root = columns_of([(0,), (1, 2)])
    wide = [array("q", column) for column in columns]
    assert list(Diagram(PAIR, *wide, root)) == list(pair())


@pytest.mark.parametrize("view", [list, lambda column: column, memoryview])
def test_columns_are_the_diagram_s_own(view):
    columns, root = columns_of([(0,), (1, 2)])
    columns = [array("i", column) for column in columns]
    diagram = Diagram(PAIR, *map(view, columns), root)
    for column in columns:
        column[2] = 1 << 30
    assert diagram.frequencies() == [1, 1, 1]
    assert list(diagram) == list(pair())


@pytest.mark.parametrize("copy", [deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
@pytest.mark.parametrize("numbers", [[(1,), (2, 3)], [()], []])
def test_copies_leave_out_what_was_computed(tmp_path, numbers, copy):
    diagram = diagram_of(PAIR, numbers)
    diagram.save(tmp_path / "file")
    for one in (diagram, Diagram.load(tmp_path / "file")):
        covers = list(one)
        one.frequencies()
        other = copy(one)
        assert (list(other), other.problem, other.nodes) == (covers, PAIR, one.nodes)
        assert other.count() == len(numbers)


def test_repr_tells_the_size():
    assert repr(pair()) == "<Diagram of 5 nodes, 3 options>"


def test_deep_diagram_needs_no_recursion():
    n = 5000
    assert n > sys.getrecursionlimit()
    problem = Problem.from_options([[k] for k in range(n)], primary=range(n))
    options = [-1, -1, *range(n - 1, -1, -1)]
    diagram = Diagram(problem, options, [0] * (n + 2), [0, 0, *range(1, n + 1)], n + 1)
    (cover,) = diagram
    assert len(cover) == n
    assert diagram.rank(cover) == 0
    assert diagram.random() == cover
    assert diagram.weight_histogram([1] * n) == {n: 1}
    assert diagram.heaviest(2, [1] * n) == [diagram.max_weight([1] * n)]
