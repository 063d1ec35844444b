from __future__ import annotations

from random import Random

import pytest
from reference_sudoku import solutions

from dcells_async import XCC, ProblemError
from dcells_async.puzzles.sudoku import Sudoku, boxes, clash, digits, draw, sudoku
from dcells_async.puzzles.sudoku_generate import generate

PUZZLE = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)


def count(puzzle, limit=None):
    return XCC().solve(sudoku(puzzle), limit=limit).count()


def test_model_gives_the_solution_of_the_backtracker():
    (cover,) = XCC().solve(sudoku(Sudoku.from_text(PUZZLE)))
    found = digits(cover)
    text = "".join(str(found[cell]) for cell in sorted(found))
    assert {text} == solutions(PUZZLE, 2)


def test_model_counts_grids_of_4_by_4():
    assert count(Sudoku.from_text("." * 16)) == 288


@pytest.mark.slow
def test_model_counts_grids_of_6_by_6():
    # There are 28,200,960: 39,168 for each of the 6! first rows.
    assert count(Sudoku.from_text("123456" + "." * 30), limit=50_000) == 39_168


def test_diagonals_count_if_asked_for():
    assert count(Sudoku.from_text("." * 16, diagonal=True)) == 48


def test_latin_squares_are_sudokus_whose_regions_are_rows():
    rows = "".join(str(k) * 5 for k in range(5))
    puzzle = Sudoku.from_text("12345" + "." * 20, regions=rows)
    assert count(puzzle) == 161_280 // 120


def test_jigsaw_regions_hold_each_digit_once():
    puzzle = Sudoku.from_text("....|....|....|....", regions="aaab acbb cccb dddd"[:19])
    (cover, *_) = XCC().solve(sudoku(puzzle), limit=1)
    found = digits(cover)
    for region in range(4):
        inside = [found[cell] for cell in found if puzzle.regions[cell] == region]
        assert sorted(inside) == [1, 2, 3, 4]


@pytest.mark.parametrize("size", [16, 25])
def test_large_grids_are_solved_and_full_ones_are_answers(size):
    empty = Sudoku.from_text("." * size**2)
    full = digits(next(XCC().solve(sudoku(empty), limit=1)))
    for frame in (True, False):
        assert Sudoku.from_text(draw(empty, full, frame=frame)).given == full
    assert count(Sudoku(size, full)) == 1


@pytest.mark.parametrize(
    ("settings", "text", "words"),
    [
        ({}, "1..1 .... .... ....", "r1c1 and r1c4 are both 1, in the same row"),
        ({}, "1... .... .... 1...", "r1c1 and r4c1 are both 1, in the same column"),
        ({}, "1... .1.. .... ....", "r1c1 and r2c2 are both 1, in the same region"),
        (
            {"diagonal": True},
            ".... .... .2.. 2...",
            "r3c2 and r4c1 are both 2, in the same region",
        ),
        (
            {"diagonal": True},
            "...2 .... .... 2...",
            "r1c4 and r4c1 are both 2, in the same diagonal",
        ),
    ],
)
def test_clashing_clues_are_named_and_leave_no_cover(settings, text, words):
    puzzle = Sudoku.from_text(text, **settings)
    assert clash(puzzle) == words
    assert count(puzzle) == 0
    assert clash(Sudoku(puzzle.size, dict([*puzzle.given.items()][:1]))) is None


@pytest.mark.parametrize("size", [4, 9, 12, 16])
def test_grids_are_read_as_people_write_them(size):
    rng = Random(size)
    cells = [(r, c) for r in range(size) for c in range(size)]
    given = {cell: rng.randint(1, size) for cell in rng.sample(cells, 3 * size)}
    symbols = "0123456789ABCDEFG"
    short = [symbols[given.get(cell, 0)] for cell in cells]
    width = len(str(size))
    padded = [f"{given.get(cell, 0):0{width}}" for cell in cells]
    for text in (
        "".join(short),
        " ".join(short),
        ",".join(padded),
        " ".join(padded),
        " ".join(padded).replace("0" * width, "." * width),
        "\n".join("".join(short[k : k + size]) for k in range(0, size**2, size)),
    ):
        assert Sudoku.from_text(text).given == given


def test_short_lines_of_zeros_are_no_padded_digits():
    assert Sudoku.from_text("0001 0002 0000 0000").given == {(0, 3): 1, (1, 3): 2}
    assert Sudoku.from_text("0001 0002 0001 0002").size == 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sudoku.from_text("..."), "3 cells do not make a square grid"),
        (lambda: Sudoku.from_text(""), "0 cells"),
        (lambda: Sudoku.from_text("?..............."), "row 1, column 1: '?'"),
        (
            lambda: Sudoku.from_text("5..............."),
            "row 1, column 1: '5' is more than 4",
        ),
        (lambda: Sudoku.from_text("." * 25), "say what the regions are"),
        (lambda: Sudoku.from_text("." * 16, regions="ab"), "the regions have 2 cells"),
        (lambda: Sudoku.from_text("." * 4, regions="aaab"), "there must be 2 regions"),
        (lambda: boxes(6, (2, 2)), "2 by 2 does not hold 6"),
        (lambda: Sudoku(36, {}), "1 to 35"),
        (lambda: Sudoku(4, {(4, 0): 1}), "outside"),
        (lambda: Sudoku(4, {(0, 0): 5}), "must be 1 to 4, not 5"),
        (lambda: Sudoku(4, {(0, 0): 1.0}), "must be an int, not 1.0"),
        (lambda: Sudoku(4, {(0, 0): True}), "must be an int, not True"),
        (lambda: boxes(0), "size must be at least 1, not 0"),
        (lambda: boxes(-1), "size must be at least 1, not -1"),
        (lambda: boxes(6, (3.0, 2)), "whole rows and columns"),
    ],
)
def test_what_is_no_sudoku_is_refused(make, message):
    with pytest.raises(ProblemError, match=message.replace("?", r"\?")):
        make()


IMAGES = {
    "none": lambda r, c: (r, c),
    "half-turn": lambda r, c: (8 - r, 8 - c),
    "diagonal": lambda r, c: (c, r),
}


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", IMAGES)
def test_generated_puzzles_are_minimal_and_symmetric(symmetry):
    puzzle = generate(Random(4), symmetry=symmetry)
    assert puzzle == generate(Random(4), symmetry=symmetry)
    clues = [k for k in range(81) if puzzle[k] != "."]
    assert len(solutions(puzzle, 2)) == 1
    for k in clues:
        row, column = IMAGES[symmetry](*divmod(k, 9))
        assert puzzle[9 * row + column] != "."
        less = puzzle[:k] + "." + puzzle[k + 1 :]
        assert count(Sudoku.from_text(less), limit=2) == 2
