"""Filomino: all fillings, and no others, against brute force and ready-made files."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from dcells_async import COMPILED, XCC, XCCDC, Engine, Problem, ProblemError
from dcells_async.puzzles.filomino import Puzzle, draw, filomino, numbers
from dcells_async.puzzles.polyominoes import polyominoes
from dcells_async.puzzles.shapes import STEPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from dcells_async.puzzles.shapes import Cell

ENGINES = (XCC(), XCCDC())
LARGE = Path(__file__).parents[2] / "examples/filomino/large.txt"
Filling = frozenset[tuple["Cell", int]]


def fillings(problem: Problem, engine: Engine = ENGINES[0]) -> list[Filling]:
    with engine.solve(problem) as covers:
        return [frozenset(numbers(cover).items()) for cover in covers]


def is_right(filling: dict[Cell, int]) -> bool:
    """Tell whether every number is the size of the area of its equals."""
    for cell, number in filling.items():
        area = [cell]
        for row, column in area:
            for down, right in STEPS:
                other = (row + down, column + right)
                if filling.get(other) == number and other not in area:
                    area.append(other)
        if len(area) != number:
            return False
    return True


def brute_force(rows: int, columns: int, largest: int) -> list[Filling]:
    cells = list(product(range(rows), range(columns)))
    every = product(range(1, largest + 1), repeat=len(cells))
    candidates = (dict(zip(cells, values, strict=True)) for values in every)
    return [frozenset(f.items()) for f in candidates if is_right(f)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("rows", "columns", "largest"), [(1, 5, 5), (2, 3, 6), (4, 2, 4), (3, 3, 3)]
)
def test_filomino_has_all_fillings_of_an_empty_board(
    rows: int, columns: int, largest: int, engine: Engine
) -> None:
    found = fillings(filomino(Puzzle(rows, columns, {}), largest), engine)
    expected = brute_force(rows, columns, largest)
    assert len(found) == len(expected)
    assert set(found) == set(expected)


def test_filomino_has_all_fillings_that_agree_with_the_numbers_given() -> None:
    rng = Random(1)
    every = brute_force(2, 4, 5)
    cells = list(product(range(2), range(4)))
    for _ in range(200):
        given = {
            cell: rng.randint(1, 5) for cell in rng.sample(cells, rng.randint(0, 4))
        }
        largest = rng.randint(max(given.values(), default=1), 5)
        found = fillings(filomino(Puzzle(2, 4, given), largest))
        expected = {
            filling
            for filling in every
            if filling >= set(given.items()) and max(n for _, n in filling) <= largest
        }
        assert len(found) == len(expected)
        assert set(found) == expected


@pytest.mark.parametrize("size", range(1, 7))
def test_filomino_lays_every_polyomino_on_an_empty_board_once(size: int) -> None:
    side = 6
    laid = [
        option
        for option in filomino(Puzzle(side, side, {}), size).options
        if sum(len(name) == 2 for name in option.names) == size
    ]
    ways = 0
    for piece in polyominoes(size, "fixed"):
        height = 1 + max(row for row, _ in piece.cells)
        width = 1 + max(column for _, column in piece.cells)
        ways += (side + 1 - height) * (side + 1 - width)
    assert len(laid) == len(set(laid)) == ways


@pytest.mark.parametrize("name", ["8x8", "10x10", "15x15"])
def test_filomino_options_are_those_of_the_data_files(
    name: str, data: Callable[[str], Path]
) -> None:
    path = data(f"filomino-{name}.dlx")
    expected = {frozenset(option) for option in Problem.from_dlx(path).options}
    options = filomino(puzzle_of(path)).options
    assert len(options) == len(expected)
    assert {frozenset(option) for option in options} == expected


@pytest.mark.parametrize("name", ["8x8", "10x10"])
def test_filomino_data_files_have_the_same_single_answer(
    name: str, data: Callable[[str], Path]
) -> None:
    path = data(f"filomino-{name}.dlx")
    puzzle = puzzle_of(path)
    (found,) = fillings(filomino(puzzle))
    assert [found] == fillings(Problem.from_dlx(path))
    assert found >= set(puzzle.given.items())
    assert is_right(dict(found))


@pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
@pytest.mark.parametrize("name", ["8x8", "10x10", "15x15"])
def test_filomino_data_files_are_searched_as_the_reference_does(
    name: str, data: Callable[[str], Path]
) -> None:
    known = {"8x8": (22, 21840), "10x10": (42, 6419), "15x15": (82, 139190)}
    with XCCDC().solve(filomino(puzzle_of(data(f"filomino-{name}.dlx")))) as covers:
        assert covers.is_unique()
        assert (covers.stats.nodes, covers.stats.updates) == known[name]


@pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
def test_filomino_large_example_has_one_answer() -> None:
    puzzle = Puzzle.from_text(LARGE.read_text(encoding="utf-8"))
    (found,) = fillings(filomino(puzzle), ENGINES[1])
    assert found >= set(puzzle.given.items())
    assert is_right(dict(found))


def puzzle_of(path: Path) -> Puzzle:
    lines = path.read_text(encoding="utf-8").splitlines()
    remarks = [line.removeprefix("|").strip() for line in lines if line[:1] == "|"]
    return Puzzle.from_text("\n".join(line for line in remarks if ":" not in line))


def test_filomino_number_that_is_not_given_may_be_larger_if_asked_for() -> None:
    puzzle = Puzzle.from_text("1..\n...")
    assert fillings(filomino(puzzle)) == []
    assert {max(n for _, n in f) for f in fillings(filomino(puzzle, 9))} == {3, 4, 5}


def test_filomino_number_larger_than_the_board_has_no_cover() -> None:
    assert fillings(filomino(Puzzle.from_text("9.\n.."))) == []


def test_filomino_on_a_long_board_has_names_without_end() -> None:
    puzzle = Puzzle(1, 40, {(0, 0): 39})
    (found,) = fillings(filomino(puzzle))
    assert found == {((0, column), 39 if column < 39 else 1) for column in range(40)}


@pytest.mark.parametrize(
    "text",
    ["..c\n1..", "..C\n1..\n", "\n  ..c\n  1..\n\n", ". . 12\n1 . .", ". .  12\n1 . ."],
)
def test_puzzle_reads_both_ways_of_writing(text: str) -> None:
    assert Puzzle.from_text(text) == Puzzle(2, 3, {(0, 2): 12, (1, 0): 1})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "at least one row"),
        (" \n\n", "at least one row"),
        ("1..\n..", "row 2 of the puzzle has 2 cells, and row 1 has 3"),
        ("1.\n.0", "row 2, column 2 of the puzzle: '0' is neither"),
        ("1 .\n. 0", "row 2, column 2 of the puzzle: '0' is neither"),
        ("1 .\n. b", "'b' is neither a dot nor a number"),
        ("1#", "'#' is neither"),
        ("1-", "'-' is neither"),
        ("1 -2", "'-2' is neither"),
        ("1_1 2", "'1_1' is neither"),
        ("²", "'²' is neither"),
        ("\N{ARABIC-INDIC DIGIT ONE}", "is neither"),
    ],
)
def test_puzzle_refuses_what_is_none(text: str, reason: str) -> None:
    with pytest.raises(ProblemError, match=reason):
        Puzzle.from_text(text)


def test_filomino_refuses_a_largest_number_below_one_given() -> None:
    with pytest.raises(ProblemError, match="there is a 4, and the largest is to be 3"):
        filomino(Puzzle.from_text("4."), 3)


def test_draw_numbers_of_two_digits_stay_in_their_cells() -> None:
    cover = [[*(f"0{digit}" for digit in "0123456789")], ["0a"]]
    assert draw(cover, "numbers") == "10 " * 10 + " 1"
    assert draw(cover).splitlines()[1] == "│" + " 10 " * 9 + " 10│ 1 │"


def test_draw_colors_go_by_number() -> None:
    picture = draw([["00"], ["01", "02"], ["03"]], color=True).splitlines()[1]
    assert picture.count("\x1b[48;5;203m") == 2
    assert picture.count("\x1b[48;5;215m") == 1
