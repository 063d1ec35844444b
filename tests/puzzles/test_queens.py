from __future__ import annotations

from itertools import permutations
from typing import get_args

import pytest

from dcells_async import XCC, ProblemError
from dcells_async.puzzles.queens import Order, draw, queens, squares

KNOWN = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352]


@pytest.mark.parametrize("order", get_args(Order))
@pytest.mark.parametrize("n", range(10))
def test_queens_have_the_known_covers(n: int, order: Order) -> None:
    with XCC().solve(queens(n, order)) as covers:
        assert covers.count() == KNOWN[n]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "nodes"), [("natural", 251387), ("organ-pipe", 172166)]
)
def test_queens_12_have_14200_covers(order: Order, nodes: int) -> None:
    with XCC(kernel="cells").solve(queens(12, order)) as covers:
        assert covers.count() == 14200
        assert covers.stats.nodes == nodes


@pytest.mark.parametrize(
    ("n", "nodes", "updates"),
    [
        (6, 71, 1726),
        (7, 314, 5992),
        (8, 947, 20078),
        (9, 3710, 77404),
        (10, 12341, 288065),
    ],
)
def test_queens_natural_order_is_searched_as_the_reference_does(
    n: int, nodes: int, updates: int
) -> None:
    with XCC(kernel="cells").solve(queens(n)) as covers:
        for _ in covers:
            pass
        assert (covers.stats.nodes, covers.stats.updates) == (nodes, updates)


@pytest.mark.parametrize("order", get_args(Order))
@pytest.mark.parametrize("n", range(8))
def test_queens_covers_are_all_placements_without_attack(n: int, order: Order) -> None:
    expected = {
        places
        for places in permutations(range(n))
        if len({row + column for row, column in enumerate(places)}) == n
        and len({row - column for row, column in enumerate(places)}) == n
    }
    with XCC().solve(queens(n, order)) as covers:
        found = [squares(cover) for cover in covers]
    assert len(found) == len(expected)
    assert set(found) == expected


@pytest.mark.parametrize("order", get_args(Order))
def test_queens_1_shows_a_queen(order: Order) -> None:
    with XCC().solve(queens(1, order)) as covers:
        (cover,) = covers
    assert draw(cover, "letters") == "Q"
    assert draw(cover) == "╭──╮\n│♛ │\n╰──╯"


def test_queens_0_is_one_empty_board() -> None:
    with XCC().solve(queens(0)) as covers:
        (cover,) = covers
    assert draw(cover, "letters") == ""
    assert draw(cover) == "╭╮\n╰╯"


def test_queens_have_no_upper_limit() -> None:
    n = 70
    with XCC().solve(queens(n, "organ-pipe"), limit=1) as covers:
        places = squares(next(iter(covers)))
    assert sorted(places) == list(range(n))
    assert len({row + column for row, column in enumerate(places)}) == n
    assert len({row - column for row, column in enumerate(places)}) == n


def test_queens_items_are_in_the_promised_orders() -> None:
    natural = [str(item.label) for item in queens(3).items]
    assert " ".join(natural) == "r0 r1 r2 c0 c1 c2 a0 a1 a2 a3 a4 b0 b1 b2 b3 b4"
    organ_pipe = [str(item.label) for item in queens(8, "organ-pipe").items]
    assert organ_pipe[:16] == [
        f"{line}{k}" for k in (4, 3, 5, 2, 6, 1, 7, 0) for line in "rc"
    ]
    assert organ_pipe[16:] == [f"{line}{k}" for line in "ab" for k in range(1, 14)]


def test_queens_colored_board_has_the_same_queens() -> None:
    cover = [("r0", "c1"), ("r1", "c3"), ("r2", "c0"), ("r3", "c2")]
    picture = draw(cover, color=True)
    assert picture.count("♛") == 4
    assert picture.splitlines()[1] == (
        "│\x1b[30;48;5;223m  \x1b[0m\x1b[30;48;5;137m♛ \x1b[0m"
        "\x1b[30;48;5;223m  \x1b[0m\x1b[30;48;5;137m  \x1b[0m│"
    )


def test_queens_refuse_bad_input() -> None:
    with pytest.raises(ProblemError, match="cannot be -1 queens"):
        queens(-1)
    with pytest.raises(
        ProblemError, match="order must be one of 'natural', 'organ-pipe'"
    ):
        queens(4, "random")  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="style must be one of 'board', 'letters'"):
        draw([], "walls")  # type: ignore[arg-type]
