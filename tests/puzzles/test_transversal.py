from __future__ import annotations

import sys
from itertools import permutations

import pytest

from dcells_async import XCC, ProblemError
from dcells_async.puzzles.transversal import (
    Square,
    assignment,
    cyclic,
    draw,
    prices,
    transversal,
)

KLEIN = [[row ^ column for column in range(4)] for row in range(4)]


def least(square: Square, price: Square) -> int:
    n = len(square)
    return min(
        sum(price[row][column] for row, column in enumerate(columns))
        for columns in permutations(range(n))
        if len({square[row][column] for row, column in enumerate(columns)}) == n
    )


@pytest.mark.parametrize(
    ("n", "covers"),
    [(1, 1), (2, 0), (3, 3), (4, 0), (5, 15), (6, 0), (7, 133), (8, 0), (9, 2025)],
)
def test_transversals_of_cyclic_squares_have_the_known_numbers(
    n: int, covers: int
) -> None:
    assert XCC().solve(transversal(cyclic(n))).count() == covers


def test_transversals_of_the_klein_four_group_are_eight() -> None:
    assert XCC().solve(transversal(KLEIN)).count() == 8


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [1, 3, 5, 7])
def test_cheapest_transversal_is_that_of_brute_force(n: int, seed: int) -> None:
    square, price = cyclic(n), prices(n, seed)
    problem = transversal(square, price)
    for bound in (None, assignment(n)):
        for taxes in ("greedy", "lp"):
            with XCC().cheapest(problem, bound=bound, taxes=taxes) as covers:
                *_, cover = covers
                assert covers.optimal
            assert cover.price == least(square, price)


def test_assignment_saves_nodes() -> None:
    problem = transversal(cyclic(11), prices(11))
    nodes = []
    for bound in (None, assignment(11)):
        with XCC().cheapest(problem, bound=bound, taxes="greedy") as covers:
            assert [cover.price for cover in covers][-1] == 2110
            nodes.append(covers.stats.nodes)
    assert nodes[1] < nodes[0]


def test_assignment_without_scipy_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(ImportError, match="pip install scipy"):
        assignment(3)


def test_prices_are_the_same_every_time() -> None:
    assert prices(3) == [[137, 582, 867], [821, 782, 64], [261, 120, 507]]
    assert {price for row in prices(50, seed=7, below=3) for price in row} == {0, 1, 2}


def test_draw_marks_the_chosen_cells() -> None:
    problem = transversal(cyclic(3), [[1, 20, 300], [4, 5, 6], [7, 8, 9]])
    with XCC().cheapest(problem) as covers:
        *_, cover = covers
    assert draw(cover).splitlines() == [
        "  [0:1]  1:20  2:300",
        "   1:4   [2:5]   0:6",
        "   2:7    0:8   [1:9]",
    ]
    assert draw(cover, color=True).count("\x1b[0m") == 3
    assert draw(cover, "list").splitlines()[0] == "row  column  symbol  price"


def test_transversals_refuse_bad_input() -> None:
    with pytest.raises(ProblemError, match="cannot have 0 rows"):
        cyclic(0)
    with pytest.raises(ProblemError, match="each must have 2 symbols"):
        transversal([[0, 1], [1]])
    with pytest.raises(ProblemError, match="must hold 0 to 1 once"):
        transversal([[0, 1], [0, 1]])
    with pytest.raises(ProblemError, match="2 rows of 2 prices"):
        transversal(cyclic(2), [[1, 2]])
    with XCC().solve(transversal(cyclic(1))) as covers:
        cover = next(covers)
    with pytest.raises(ProblemError, match="style must be one of 'grid', 'list'"):
        draw(cover, "walls")  # type: ignore[arg-type]
