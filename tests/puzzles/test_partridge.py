from __future__ import annotations

from itertools import pairwise, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from dcells_async import COMPILED, MCC, Cover, ProblemError, verify
from dcells_async.puzzles.partridge import (
    cell_bound,
    draw,
    partridge,
    piece_bound,
    zone,
)
from dcells_async.puzzles.placements import placements

if TYPE_CHECKING:
    from collections.abc import Iterable

BOUNDS = [piece_bound, cell_bound]
compiled = pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")


@pytest.mark.parametrize(("n", "covers"), [(1, 1), (2, 0), (3, 0), (4, 0)])
def test_partridge_has_the_known_covers(n: int, covers: int) -> None:
    assert MCC().solve(partridge(n)).count() == covers


@compiled
def test_partridge_5_has_none() -> None:
    with MCC().solve(partridge(5)) as covers:
        assert covers.count() == 0
        assert (covers.stats.nodes, covers.stats.updates) == (5806, 2656702)


@pytest.fixture(scope="module")
def packed() -> Cover:
    """Gives a cover for n = 8."""
    if not COMPILED:
        pytest.skip("takes minutes interpreted")
    with MCC().solve(partridge(8), limit=1) as covers:
        return next(covers)


def test_partridge_8_has_a_cover_of_the_right_squares(packed: Cover) -> None:
    assert verify(packed.problem, packed.numbers) == []
    squares = placements(packed)
    assert sorted(square.piece for square in squares) == [
        f"#{k}" for k in range(1, 9) for _ in range(k)
    ]
    for square in squares:
        side = int(square.piece[1:])
        row, column = min(square.cells)
        span = range(row, row + side), range(column, column + side)
        assert sorted(square.cells) == list(product(*span))
    cells = sorted(cell for square in squares for cell in square.cells)
    assert cells == list(product(range(36), range(36)))


def test_partridge_prices_are_those_of_squares_in_the_zone() -> None:
    problem = partridge(4, 6)
    for option in problem.options:
        (square,) = placements([option.names])
        inside = all(2 <= row < 8 and 2 <= column < 8 for row, column in square.cells)
        assert option.price == inside
    assert {option.price for option in partridge(4, 0).options} == {0}
    assert {option.price for option in partridge(4, 10).options} == {1}
    assert [*partridge(4, 6).options] == [*partridge(4).options]


@compiled
@pytest.mark.parametrize(("hollow", "price"), [(8, 0), (12, 0), (16, 1)], ids=str)
def test_hollow_has_the_known_optimum(hollow: int, price: int) -> None:
    with MCC().cheapest(partridge(8, hollow), taxes="greedy") as covers:
        *_, cover = covers
        assert covers.optimal
    assert cover.price == price == trapped(cover, hollow)


@compiled
@pytest.mark.slow
@pytest.mark.parametrize("make", BOUNDS)
def test_hollow_has_the_same_optimum_with_each_bound(make) -> None:
    problem, bound = partridge(8, 16), make(8, 16)
    with MCC().cheapest(problem, taxes="greedy", bound=bound) as covers:
        *_, cover = covers
        assert covers.optimal
    assert cover.price == 1


def trapped(squares: Iterable[Iterable[str]], hollow: int) -> int:
    inside = zone(8, hollow)
    return sum(inside.issuperset(square.cells) for square in placements(squares))


class Rest:
    """What a frame tells when some squares of a packing are still to be laid."""

    def __init__(self, ways: list[tuple[int, int]], rest: list[int]) -> None:
        self._ways = ways
        self._open = sum(ways[number - 1][1] for number in rest)
        self._sides = [ways[number - 1][0] for number in rest]

    def options(self, item: int) -> list[int]:
        cell = 1 << item - 9 if item > 8 else 0
        return [
            number
            for number, (side, cells) in enumerate(self._ways, 1)
            if cells & ~self._open == 0
            and (cells & cell if item > 8 else side == item)
            and side in self._sides
        ]

    def need(self, item: int) -> int:
        return self._sides.count(item)


@pytest.fixture(scope="module")
def ways(packed: Cover) -> list[tuple[int, int]]:
    """Gives the side of each option, and its cells as a number."""
    entries, start = packed.problem.entry_item, packed.problem.option_start
    return [
        (entries[a] + 1, sum(1 << item - 8 for item in entries[a + 1 : b]))
        for a, b in pairwise(start)
    ]


@pytest.mark.parametrize("make", BOUNDS)
@pytest.mark.parametrize("hollow", [22, 30])
def test_bounds_never_overestimate(
    packed: Cover, ways: list[tuple[int, int]], make, hollow: int
) -> None:
    bound = make(8, hollow)
    rng = Random(hollow)
    for _ in range(3):
        rest = rng.sample(packed.numbers, 15)
        squares = [packed.problem.options[number - 1].names for number in rest]
        least = bound(Rest(ways, rest))
        assert 0 <= least <= trapped(squares, hollow)


@pytest.mark.parametrize(("make", "least"), [(piece_bound, 36), (cell_bound, 25)])
def test_bounds_know_from_the_start_what_cannot_be_avoided(
    packed: Cover, ways: list[tuple[int, int]], make, least: int
) -> None:
    assert make(8, 36)(Rest(ways, list(packed.numbers))) == least


def test_draw_outlines_the_zone() -> None:
    squares = [["#2", "00", "01", "10", "11"]]
    squares += [["#1", name] for name in ("02", "12", "20", "21", "22")]
    assert draw(squares, zone(2, 1)) == ("╭───┬─╮\n│ ┏2╅─┤\n├─╄━╃─┤\n╰─┴─┴─╯")
    assert draw(squares, zone(2, 1), "numbers") == ("2 2 1\n +-+\n2|2|1\n +-+\n1 1 1")


def test_draw_colors_go_by_side() -> None:
    squares = [["#1", "00"], ["#1", "01"], ["#2", "10", "11", "20", "21"]]
    picture = draw(squares, color=True)
    assert picture.count("\x1b[48;5;215m") == 1
    assert "\x1b[48;5;215m  2\x1b[0m" in picture


def test_draw_wide_numbers_end_in_the_same_column() -> None:
    board = [[f"{row},{column}" for column in range(10)] for row in range(10)]
    large = ["#10", *(name for line in board for name in line)]
    small = [["#1", f"{row},10"] for row in range(10)]
    assert (
        draw([large, *small], style="numbers").splitlines() == ["10 " * 10 + " 1"] * 10
    )
    assert draw([large, *small]).splitlines()[9] == "│" + " " * 17 + "10├─┤"


def test_partridge_refuses_bad_input() -> None:
    with pytest.raises(ProblemError, match="cannot have a side of 0"):
        partridge(0)
    for side in (-2, 3, 38):
        with pytest.raises(
            ProblemError, match=f"an even side from 0 to 36, not {side}"
        ):
            zone(8, side)
    with pytest.raises(ProblemError, match="an odd side from 1 to 45, not 8"):
        partridge(9, 8)
    with pytest.raises(ProblemError, match="style must be one of 'walls', 'numbers'"):
        draw([["#1", "00"]], style="letters")  # type: ignore[arg-type]
