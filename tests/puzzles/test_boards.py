from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from dcells_async import ProblemError
from dcells_async.puzzles.boards import Board, parse_cell

if TYPE_CHECKING:
    from dcells_async.puzzles.shapes import Turns


def test_board_from_text_keeps_the_callers_coordinates() -> None:
    board = Board.from_text("##\n.#", origin=(7, -2))
    assert board.cells == ((7, -2), (7, -1), (8, -1))
    assert board.origin == (7, -2)


def test_board_picture_round_trips() -> None:
    board = Board([(5, 9), (3, 8), (3, 11), (4, 8)])
    assert str(board) == "#..#\n#...\n.#.."
    assert Board.from_text(str(board), origin=board.origin) == board


def test_board_from_text_ignores_margins_but_not_dots() -> None:
    assert Board.from_text("\n\n    ab\n     c\n   \n") == Board(
        [(0, 0), (0, 1), (1, 1)]
    )
    assert Board.from_text("..a").cells == ((0, 2),)


def test_board_with_the_same_cells_in_another_order_is_equal() -> None:
    assert Board([(1, 0), (0, 0)]) == Board([(0, 0), (1, 0)])
    assert hash(Board([(1, 0), (0, 0)])) == hash(Board([(0, 0), (1, 0)]))


def test_board_without_cells_keeps_the_rest_in_order() -> None:
    board = Board.rectangle(2, 2, holes=[(0, 1)])
    assert list(board) == [(0, 0), (1, 0), (1, 1)]
    assert len(board) == 3


@pytest.mark.parametrize("origin", [(0, 0), (34, 33)])
def test_board_names_within_36_are_two_digits(origin: tuple[int, int]) -> None:
    board = Board.rectangle(2, 3, origin=origin)
    assert all(len(name) == 2 for name in board.names.values())
    assert Board.from_names(board.names.values()) == board


@pytest.mark.parametrize("origin", [(0, 34), (35, 0), (-1, 0), (1000, -1000)])
def test_board_names_beyond_36_are_decimals(origin: tuple[int, int]) -> None:
    board = Board.rectangle(2, 3, origin=origin)
    assert all("," in name for name in board.names.values())
    assert Board.from_names(board.names.values()) == board
    assert board.name(origin) == f"{origin[0]},{origin[1]}"


@pytest.mark.parametrize(
    "name", ["", "0", "000", "0A", "P", "1,", ",1", "1,2,3", "1.5,2"]
)
def test_parse_cell_passes_over_other_names(name: str) -> None:
    assert parse_cell(name) is None


@pytest.mark.parametrize(
    ("rows", "columns", "turns", "moves"),
    [
        (8, 8, "free", 8),
        (8, 8, "one-sided", 4),
        (8, 8, "fixed", 1),
        (6, 10, "free", 4),
        (6, 10, "one-sided", 2),
    ],
)
def test_board_moves_of_rectangles(
    rows: int, columns: int, turns: Turns, moves: int
) -> None:
    assert len(Board.rectangle(rows, columns, origin=(5, -5)).moves(turns)) == moves


def test_board_moves_of_a_lopsided_board_do_nothing() -> None:
    assert len(Board.from_text("###\n#..").moves()) == 1


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([], "at least one cell"),
        ([(0, 0), (0, 0)], "twice"),
        ([(0, 0, 0)], "no pair of integers"),
        ([(0, 0.5)], "no pair of integers"),
        (["00"], "no pair of integers"),
        ([3], "no pair of integers"),
    ],
)
def test_board_refuses_what_is_none(cells: list[Any], reason: str) -> None:
    with pytest.raises(ProblemError, match=reason):
        Board(cells)


@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0), (-1, 3)])
def test_board_refuses_empty_rectangles(rows: int, columns: int) -> None:
    with pytest.raises(ProblemError, match="positive sides"):
        Board.rectangle(rows, columns)


def test_board_refuses_holes_elsewhere() -> None:
    with pytest.raises(ProblemError, match=r"hole \(3, 0\) is not on the board"):
        Board.rectangle(3, 3, holes=[(1, 1), (3, 0)])
    with pytest.raises(ProblemError, match="at least one cell"):
        Board.rectangle(3, 3, holes=product(range(3), range(3)))
    with pytest.raises(ProblemError, match="at least one cell"):
        Board.from_text("...\n   ")
