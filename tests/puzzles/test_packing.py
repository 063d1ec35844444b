"""Packing problems: what they ask, and how many covers they have."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from dcells_async import COMPILED, XCC, Problem, ProblemError
from dcells_async.puzzles.polyominoes import (
    PENTOMINOES,
    Board,
    Piece,
    Turns,
    draw,
    packing,
    pentominoes,
    placements,
    polyominoes,
    read,
)
from dcells_async.puzzles.shapes import Move, Shape, moved

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MIDDLE = list(product((3, 4), (3, 4)))
compiled = pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
TETROMINOES = polyominoes(4)
DOMINO = Piece("I", [(0, 0), (0, 1)])


def count(problem: Problem) -> int:
    with XCC().solve(problem) as covers:
        return covers.count()


# The digests are of Knuth's generator's own output, less comments and spare blanks.
@pytest.mark.parametrize(
    ("name", "holes", "digest"),
    [
        (
            "6x10",
            [],
            "b24d82b55e8d8c46d25772851eb3052e17dcd10972a2e7dd543ef4af46456230",
        ),
        (
            "8x8",
            MIDDLE,
            "f1f377d95ee688a9608f228b994cbe289a5625bb81150c27926ebcb571250fd7",
        ),
    ],
)
def test_pentominoes_are_generated_line_for_line_as_knuth_does(
    name: str, holes: list[tuple[int, int]], digest: str
) -> None:
    rows, columns = map(int, name.split("x"))
    problem = pentominoes(rows, columns, holes)
    lines = [[str(item.label) for item in problem.items]]
    lines += [[str(label) for label in option] for option in problem.options]
    text = "".join(" ".join(line) + "\n" for line in lines)
    assert sha256(text.encode()).hexdigest() == digest


@pytest.mark.parametrize(("name", "holes"), [("6x10", []), ("8x8", MIDDLE)])
def test_pentominoes_equal_the_data_files(
    name: str, holes: list[tuple[int, int]], data: Callable[[str], Path]
) -> None:
    path = data(f"pentominoes-{name}.dlx")
    rows, columns = map(int, name.split("x"))
    assert pentominoes(rows, columns, holes) == Problem.from_dlx(path)


# The counters are those of Knuth's own program on his files.
@compiled
@pytest.mark.parametrize(
    ("problem", "covers", "nodes", "updates"),
    [
        pytest.param(pentominoes(8, 8, MIDDLE), 520, 93833, 82402405),
        pytest.param(
            pentominoes(6, 10), 9356, 1211653, 1036593324, marks=pytest.mark.slow
        ),
    ],
    ids=["8x8", "6x10"],
)
def test_pentominoes_are_searched_as_the_reference_does(
    problem: Problem, covers: int, nodes: int, updates: int
) -> None:
    with XCC(kernel="cells").solve(problem) as found:
        assert found.count() == covers
        assert (found.stats.nodes, found.stats.updates) == (nodes, updates)


def test_pentominoes_on_3x20_have_8_covers() -> None:
    assert count(pentominoes(3, 20)) == 8


@compiled
@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "covers"), [(5, 12, 4040), (4, 15, 1472)])
def test_pentominoes_on_rectangles_have_the_known_covers(
    rows: int, columns: int, covers: int
) -> None:
    assert count(pentominoes(rows, columns)) == covers


@pytest.mark.parametrize(
    ("board", "classes"),
    [
        (Board.rectangle(8, 8, MIDDLE), 65),
        (Board.rectangle(3, 20), 2),
        (Board.rectangle(20, 3, origin=(-7, 100)), 2),
    ],
)
def test_packing_up_to_symmetry_has_one_cover_of_each_class(
    board: Board, classes: int
) -> None:
    assert count(packing(board, PENTOMINOES, up_to_symmetry=True)) == classes


@compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "classes"), [(6, 10, 2339), (5, 12, 1010), (4, 15, 368)]
)
def test_packing_up_to_symmetry_has_the_known_classes(
    rows: int, columns: int, classes: int
) -> None:
    board = Board.rectangle(rows, columns)
    assert count(packing(board, PENTOMINOES, up_to_symmetry=True)) == classes


@pytest.mark.parametrize(("turns", "total"), [("free", 28), ("one-sided", 8)])
def test_packing_up_to_symmetry_is_one_of_each_class_by_definition(
    turns: Turns, total: int
) -> None:
    board = Board.rectangle(3, 5, origin=(2, -4))
    moves = board.moves(turns)
    found = 0
    for pieces in combinations(PENTOMINOES, 3):
        if not {"P", "Q", "R", "S", "Y"}.intersection(piece.name for piece in pieces):
            continue
        every = solutions(packing(board, pieces, turns=turns))
        kept = solutions(packing(board, pieces, turns=turns, up_to_symmetry=True))
        classes = [{moved_packing(move, one) for move in moves} for one in kept]
        assert sum(map(len, classes)) == len(kept) * len(moves)
        assert set().union(*classes) == set(every)
        assert len(every) == len(kept) * len(moves)
        found += len(every)
    assert found == total


def test_packing_of_fixed_pieces_has_no_symmetry_to_break() -> None:
    board = Board.rectangle(3, 5)
    fixed = packing(board, PENTOMINOES, turns="fixed")
    assert packing(board, PENTOMINOES, turns="fixed", up_to_symmetry=True) == fixed


def test_packing_one_sided_pieces_cannot_be_turned_over() -> None:
    board = Board.from_text(".##\n##.")
    piece = Piece.from_text("Z", "##.\n.##")
    settings: tuple[Turns, ...] = ("free", "one-sided", "fixed")
    assert [count(packing(board, [piece], turns=turns)) for turns in settings] == [
        1,
        0,
        0,
    ]


def test_packing_fixed_pieces_cannot_be_turned_at_all() -> None:
    board = Board.from_text("#\n#")
    settings: tuple[Turns, ...] = ("free", "one-sided", "fixed")
    assert [count(packing(board, [DOMINO], turns=turns)) for turns in settings] == [
        1,
        1,
        0,
    ]


def test_packing_one_sided_tetrominoes_fill_what_free_ones_cannot() -> None:
    # Seven one-sided tetrominoes have 28 cells, but T makes the colors differ.
    pieces = polyominoes(4, "one-sided")
    assert count(packing(Board.rectangle(4, 7), pieces, turns="one-sided")) == 0
    board = Board.rectangle(5, 6, holes=[(0, 0), (0, 2)])
    assert count(packing(board, pieces, turns="one-sided")) > 0
    assert count(packing(board, TETROMINOES)) == 0


def test_packing_answers_in_the_callers_coordinates() -> None:
    # The region touches neither axis, and its hole is where it was put.
    near = Board.rectangle(3, 4, holes=[(1, 1), (1, 2)])
    far = Board.rectangle(3, 4, holes=[(41, 1), (41, 2)], origin=(40, 0))
    pieces = [Piece(name, PENTOMINOES[2].cells) for name in "AB"]
    near_ones = solutions(packing(near, pieces))
    far_ones = solutions(packing(far, pieces))
    assert far_ones == [
        frozenset(
            (name, tuple((row + 40, column) for row, column in cells))
            for name, cells in one
        )
        for one in near_ones
    ]
    assert {cell for one in far_ones for _, cells in one for cell in cells} == set(far)


@pytest.mark.parametrize("origin", [(0, 0), (30, 30), (-5, 7), (99, 0)])
def test_packing_any_number_of_dominoes_is_fibonacci(origin: tuple[int, int]) -> None:
    counts = [
        count(
            packing(Board.rectangle(2, n, origin=origin), [DOMINO], copies="any number")
        )
        for n in range(1, 13)
    ]
    assert counts == [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]


def test_packing_dominoes_on_a_square_has_the_known_covers() -> None:
    square = Board.rectangle(6, 6)
    cut = square.without([(0, 0), (5, 5)])
    assert count(packing(square, [DOMINO], copies="any number")) == 6728
    assert count(packing(cut, [DOMINO], copies="any number")) == 0


def test_packing_at_most_one_leaves_pieces_out() -> None:
    row = Board.rectangle(1, 3)
    rods = [Piece(str(n), [(0, k) for k in range(n)]) for n in (1, 2, 3)]
    assert count(packing(row, rods)) == 0
    assert count(packing(row, rods, copies="at most one")) == 3
    assert count(packing(row, rods, copies="any number")) == 4


def test_packing_with_gaps_leaves_cells_open() -> None:
    board = Board.rectangle(2, 3)
    assert count(packing(board, [DOMINO])) == 0
    assert count(packing(board, [DOMINO], gaps=True)) == 7
    with XCC().solve(packing(board, [DOMINO], gaps=True)) as covers:
        assert draw(next(iter(covers)), board, "letters").count(".") == 4


def test_packing_with_a_piece_too_large_has_no_cover() -> None:
    board = Board.rectangle(1, 1)
    assert count(packing(board, [DOMINO])) == 0
    assert count(packing(board, [DOMINO], up_to_symmetry=True)) == 0


def test_packing_covers_round_trip_through_pictures() -> None:
    board = Board.rectangle(8, 8, MIDDLE)
    with XCC().solve(packing(board, PENTOMINOES), limit=20) as covers:
        for cover in covers:
            placed = placements(cover)
            assert sorted(cell for p in placed for cell in p.cells) == list(board)
            assert sorted(p.piece for p in placed) == list("OPQRSTUVWXYZ")
            picture = draw(cover, board, "letters")
            assert {(p.piece, tuple(sorted(p.cells))) for p in placed} == {
                (p.piece, p.cells) for p in read(picture)
            }


def test_packing_refuses_what_makes_no_problem() -> None:
    board = Board.rectangle(2, 2)
    square = Piece.from_text("Q", "##\n##")
    with pytest.raises(ProblemError, match="two pieces are called 'I'"):
        packing(board, [DOMINO, DOMINO])
    with pytest.raises(ProblemError, match="that is a cell"):
        packing(board, [Piece("a1", [(0, 0)])])
    with pytest.raises(ProblemError, match="copies must be one of"):
        packing(board, [DOMINO], copies="two")  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="turns must be one of"):
        packing(board, [DOMINO], turns="all")  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="exactly one of each"):
        packing(board, [DOMINO], gaps=True, copies="any number")
    with pytest.raises(ProblemError, match="breaks every symmetry"):
        packing(board, [square], up_to_symmetry=True)
    with pytest.raises(ProblemError, match="breaks every symmetry"):
        packing(board, [DOMINO], copies="any number", up_to_symmetry=True)


def solutions(problem: Problem) -> list[frozenset[tuple[str, Shape]]]:
    with XCC().solve(problem) as covers:
        return [
            frozenset((p.piece, tuple(sorted(p.cells))) for p in placements(cover))
            for cover in covers
        ]


def moved_packing(
    move: Move, packed: frozenset[tuple[str, Shape]]
) -> frozenset[tuple[str, Shape]]:
    return frozenset((name, moved(move, cells)) for name, cells in packed)
