"""XCC: the covers it finds, and how many nodes and updates that takes."""

from __future__ import annotations

from itertools import permutations, product
from math import cos, pi, prod

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from problems import dominoes, queens, sudoku
from searching import DONE, EVER, FULL, PAUSED, count, kernel_of, run
from strategies import Puzzle, examples, puzzles

from dcells_async import COMPILED, XCC, DlxWarning, Problem, verify
from dcells_async.kernels import xcc as installed

EXACT = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
COLORS = "p q r | x y\np q x:A y:B\np r x:A y:A\np x:B\nq x:A\nr y:B\n"
FIVE = "a b c\na b c\na b\nc\na\nb c\n"


def sets(covers):
    return sorted(tuple(sorted(cover)) for cover in covers)


# -- the reference's own tests ---------------------------------------------------------


def test_exact_cover_is_found(variant):
    problem = Problem.from_dlx(EXACT)
    ((*cover,), nodes, updates) = run(variant("xcc"), problem)
    assert sets(cover) == [(1, 4, 5)]
    assert (nodes, updates) == (5, 27)


def test_colors_have_two_covers(variant):
    found = run(variant("xcc"), Problem.from_dlx(COLORS))
    assert sets(found.covers) == [(1, 5), (2, 4)]
    assert found[1:] == (5, 21)


def test_five_options_have_three_covers(variant):
    found = run(variant("xcc"), Problem.from_dlx(FIVE))
    assert sets(found.covers) == [(1,), (2, 3), (4, 5)]
    assert found[1:] == (6, 13)


def test_problem_without_a_cover_has_none(variant):
    assert run(variant("xcc"), Problem.from_dlx("a b c\na b\n")) == ([], 0, 0)


def test_long_names_and_colors_are_reported(variant):
    text = (
        "house1 house2 | nationality\n"
        "house1 nationality:England\nhouse2 nationality:England\n"
    )
    (cover,) = run(variant("xcc"), Problem.from_dlx(text)).covers
    assert sorted(cover) == [1, 2]
    (cover,) = XCC().solve(text)
    assert ("house1", "nationality:England") in list(cover)


@pytest.mark.parametrize(
    ("n", "covers", "nodes", "updates"),
    [
        (1, 1, 2, None),
        (2, 0, None, None),
        (3, 0, None, None),
        (6, 4, 71, 1_726),
        (7, 40, 314, 5_992),
        (8, 92, 947, 20_078),
    ],
)
def test_queens_take_as_many_nodes_and_updates(variant, n, covers, nodes, updates):
    found = run(variant("xcc"), Problem.from_dlx(queens(n)))
    assert len(found.covers) == covers
    assert nodes in (None, found.nodes)
    assert updates in (None, found.updates)


def needs_speed(test):
    return pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")(test)


@pytest.mark.parametrize(
    ("n", "covers", "nodes", "updates"),
    [
        (9, 352, 3_710, 77_404),
        pytest.param(10, 724, 12_341, 288_065, marks=pytest.mark.slow),
        pytest.param(
            13,
            73_712,
            1_278_828,
            29_080_172,
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(not COMPILED, reason="takes too long interpreted"),
            ],
        ),
    ],
)
def test_larger_queens_take_as_many_nodes_and_updates(n, covers, nodes, updates):
    found = run(installed, Problem.from_dlx(queens(n)))
    assert len(found.covers) == covers
    assert found[1:] == (nodes, updates)


@needs_speed
@pytest.mark.parametrize(
    ("name", "covers", "nodes", "updates"),
    [
        ("filomino-8x8", 1, 92, 102_774),
        ("filomino-10x10", 1, 116, 60_169),
        pytest.param(
            "filomino-15x15", 1, 133_639, 2_230_491_574, marks=pytest.mark.slow
        ),
        ("pentominoes-8x8", 520, 93_833, 82_402_405),
        pytest.param(
            "pentominoes-6x10", 9_356, 1_211_653, 1_036_593_324, marks=pytest.mark.slow
        ),
    ],
)
def test_known_problem_takes_as_many_nodes_and_updates(
    data, name, covers, nodes, updates
):
    problem = Problem.from_dlx(data(f"{name}.dlx"))
    found = run(installed, problem)
    assert found[1:] == (nodes, updates)
    assert len(found.covers) == len(set(sets(found.covers))) == covers
    assert all(
        verify(problem, cover) == [] for cover in found.covers[:: covers // 9 + 1]
    )


@needs_speed
def test_problem_of_two_options_a_cell_is_searched_alike_by_text_and_by_python(data):
    problem = Problem.from_dlx(data("filomino-8x8.dlx"))
    labels = [item.label for item in problem.items]
    rebuilt = Problem.from_options(
        [tuple(option) for option in problem.options],
        labels[: problem.n_primary],
        labels[problem.n_primary :],
    )
    assert rebuilt == problem
    assert run(installed, rebuilt)[1:] == (92, 102_774)


# -- against the definition ------------------------------------------------------------


def agree(module, puzzle):
    problem = puzzle.problem()
    found = run(module, problem).covers
    assert all(verify(problem, cover) == [] for cover in found)
    assert sets(found) == sorted(reference.covers(*puzzle))
    assert count(module, problem) == len(found)


@given(puzzles())
@examples(5000)
def test_covers_are_those_of_the_definition(puzzle):
    agree(installed, puzzle)


@given(puzzle=puzzles(least_primary=2))
@examples(300)
def test_covers_are_those_of_the_definition_in_every_variant(variant, puzzle):
    agree(variant("xcc"), puzzle)


@st.composite
def solvable(draw):
    """Draw a problem around a cover that it has, with colors that agree."""
    primary = list("pqrstu"[: draw(st.integers(1, 6))])
    secondary = list("xy")
    blocks = {}
    for item in primary:
        blocks.setdefault(draw(st.integers(0, 3)), []).append(item)
    tint = {item: draw(st.sampled_from("AB")) for item in secondary}
    cover = [
        block + [(x, tint[x]) for x in secondary if draw(st.booleans())]
        for block in blocks.values()
    ]
    others = draw(puzzles(least_primary=1)).options[: 12 - len(cover)]
    known = set(primary + secondary)
    others = [
        [entry for entry in option if reference.parts(entry)[0] in known]
        for option in others
    ]
    options = draw(st.permutations(cover + others))
    return Puzzle(primary, secondary, list(options)), cover


@given(solvable())
@examples(400)
def test_planted_cover_is_among_those_found(drawn):
    puzzle, cover = drawn
    problem = puzzle.problem()
    found = run(installed, problem).covers
    assert sets(found) == sorted(reference.covers(*puzzle))
    as_options = [
        sorted(map(str, (puzzle.options[number - 1] for number in numbers)))
        for numbers in found
    ]
    assert sorted(map(str, cover)) in as_options


@given(puzzles(), st.randoms(use_true_random=False))
@examples(250)
def test_order_and_names_do_not_change_the_covers(puzzle, rng):
    names = dict(zip("pqrstxyzAB", rng.sample("abcdefghijklm", 10), strict=True))

    def renamed(entry):
        if isinstance(entry, tuple):
            return (names[entry[0]], names[entry[1]])
        return names[entry]

    order = rng.sample(range(len(puzzle.options)), len(puzzle.options))
    other = Puzzle(
        rng.sample([*map(renamed, puzzle.primary)], len(puzzle.primary)),
        rng.sample([*map(renamed, puzzle.secondary)], len(puzzle.secondary)),
        [
            rng.sample([*map(renamed, puzzle.options[o])], len(puzzle.options[o]))
            for o in order
        ],
    )
    found = run(installed, other.problem()).covers
    assert sets([order[number - 1] + 1 for number in cover] for cover in found) == sets(
        run(installed, puzzle.problem()).covers
    )


# -- against formulas ------------------------------------------------------------------


def tilings(rows, columns):
    """Count domino tilings by the formula of Kasteleyn, Temperley and Fisher."""
    return round(
        prod(
            (4 * cos(pi * j / (rows + 1)) ** 2 + 4 * cos(pi * k / (columns + 1)) ** 2)
            ** 0.25
            for j in range(1, rows + 1)
            for k in range(1, columns + 1)
        )
    )


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(1, 2), (2, 2), (2, 7), (3, 4), (3, 5), (4, 4), (5, 6), (4, 7)],
)
def test_domino_tilings_are_as_many_as_the_formula_says(rows, columns):
    problem = Problem.from_dlx(dominoes(rows, columns))
    assert count(installed, problem) == tilings(rows, columns)


@needs_speed
def test_many_domino_tilings_are_as_many_as_the_formula_says():
    assert tilings(8, 8) == 12_988_816
    assert (
        count(installed, Problem.from_dlx(dominoes(6, 8))) == tilings(6, 8) == 167_089
    )


def test_board_without_opposite_corners_has_no_tiling(variant):
    assert run(variant("xcc"), Problem.from_dlx(dominoes(4, 4, cut=True))).covers == []


def test_permutations_are_covers_of_pairs(variant):
    pairs = [(f"r{i}", f"c{j}") for i, j in product(range(5), range(5))]
    found = run(variant("xcc"), Problem.from_options(pairs)).covers
    assert len(found) == 120
    expected = [
        tuple(5 * i + j + 1 for i, j in enumerate(p)) for p in permutations(range(5))
    ]
    assert sets(found) == sorted(expected)


# -- degenerate problems ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "covers"),
    [
        ([["a"]], [(1,)]),
        ([["a"], ["a"], ["a"]], [(1,), (2,), (3,)]),
        ([["d"], ["a", "b"], ["c", "e"]], [(1, 2, 3)]),
        ([["a", "b"], ["b", "a"]], [(1,), (2,)]),
        ([], [()]),
    ],
)
def test_smallest_problems_are_right(variant, problem, covers):
    found = run(variant("xcc"), Problem.from_options(problem)).covers
    assert sets(found) == covers
    assert count(variant("xcc"), Problem.from_options(problem)) == len(covers)


@pytest.mark.parametrize(
    ("options", "covers"),
    [
        ("p x / q x / p / q", [(1, 4), (2, 3), (3, 4)]),
        ("p x / q x", []),
        ("p x / q x:A", []),
        ("p x:A / q x:A", [(1, 2)]),
        ("p x:A / q x:B", []),
        ("p x:A / q x:B / q", [(1, 3)]),
        ("p q x / p x:A / q x:A / q x:B", [(1,), (2, 3)]),
    ],
)
def test_secondary_items_are_shared_only_in_one_color(variant, options, covers):
    text = "p q | x\n" + options.replace(" / ", "\n")
    assert sets(run(variant("xcc"), Problem.from_dlx(text)).covers) == covers


def test_only_secondary_items_have_the_empty_cover(variant):
    with pytest.warns(DlxWarning):
        problem = Problem.from_options([["x"], ["y"]], primary=[], secondary="xy")
    assert run(variant("xcc"), problem).covers == [()]
    assert count(variant("xcc"), problem) == 1


def test_item_in_no_option_ends_the_search_before_it_begins(variant):
    kernel = kernel_of(variant("xcc"), Problem.from_dlx("a b c\na b\na b\n"))
    assert kernel.fraction() == 1.0
    assert kernel.advance(EVER, 1) == DONE
    assert (kernel.nodes, kernel.updates, kernel.covers) == (0, 0, 0)


def test_secondary_item_in_no_option_does_not_matter(variant):
    assert run(variant("xcc"), Problem.from_dlx("a | x y\na y\n")).covers == [(1,)]


# -- what advance returns --------------------------------------------------------------


def test_status_tells_why_a_slice_ended(variant):
    problem = Problem.from_dlx(queens(6))
    kernel = kernel_of(variant("xcc"), problem)
    assert kernel.advance(1, EVER) == PAUSED
    assert kernel.advance(EVER, 3) == FULL
    assert kernel.covers == 3
    assert kernel.advance(EVER, EVER) == DONE
    assert kernel.covers == 4
    assert kernel.advance(EVER, EVER) == DONE
    assert kernel.depth == -1


def test_covers_are_handed_over_once(variant):
    kernel = kernel_of(variant("xcc"), Problem.from_dlx(queens(6)))
    kernel.advance(EVER, EVER)
    options, ends = kernel.take()
    assert (len(options), list(ends)) == (24, [6, 12, 18, 24])
    options, ends = kernel.take()
    assert (len(options), len(ends)) == (0, 0)


def test_buffer_of_one_slice_is_bounded_and_nothing_is_lost():
    problem = Problem.from_dlx(dominoes(4, 6))
    assert len(run(installed, problem).covers) == 281
    many = Problem.from_options([["a"]] * 20_000)
    kernel = kernel_of(installed, many)
    assert kernel.advance(EVER, EVER) == FULL
    assert 0 < kernel.covers <= 8192
    assert len(run(installed, many).covers) == 20_000


# -- sudoku: none, one, many -----------------------------------------------------------

PUZZLE = (
    "31...9......18........3...5.....4....21.....4..6..79...4.3.8..2.......7..9...6..."
)


@needs_speed
def test_sudoku_of_many_solutions_is_not_taken_for_one_of_a_single_one():
    problem = Problem.from_dlx(sudoku(PUZZLE))
    search = XCC().solve(problem)
    assert not search.is_unique()
    assert search.stats.covers == 2
    assert XCC().solve(problem).count() == 2718
    helped = PUZZLE[:31] + "9" + PUZZLE[32:]
    assert XCC().solve(sudoku(helped)).count() == 1
    assert XCC().solve(sudoku(helped)).is_unique()
    assert XCC().solve(sudoku("3" + "3" + "." * 79)).count() == 0
