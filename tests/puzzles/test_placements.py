from __future__ import annotations

import pytest

from dcells_async import ProblemError
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.placements import Placement, draw, placements, read

PACKING = [("I", "02", "12"), ("L", "00", "01", "10")]
BOARD = Board.rectangle(2, 4)


def test_placements_take_cells_by_their_names_in_any_order() -> None:
    assert placements([("0a", "-3,12", "T", "extra"), ("T",), ()]) == (
        Placement("T", ((0, 10), (-3, 12))),
    )


def test_draw_letters_shows_open_cells_as_dots() -> None:
    assert draw(PACKING, BOARD, "letters") == "L L I .\nL . I ."


def test_draw_letters_round_trips_through_read() -> None:
    picture = draw(PACKING, BOARD, "letters")
    assert set(read(picture)) == set(placements(PACKING))
    assert draw(read(picture), BOARD, "letters") == picture


def test_draw_letters_keeps_the_callers_coordinates() -> None:
    placed = [Placement("L", ((-1, 40), (0, 40), (0, 41)))]
    board = Board.rectangle(3, 3, origin=(-2, 39))
    picture = draw(placed, board, "letters")
    assert picture == ". . .\n. L .\n. L L"
    assert read(picture, origin=board.origin) == tuple(placed)


def test_draw_letters_pads_to_the_longest_name() -> None:
    placed = [Placement("I", ((0, 0),)), Placement("AA", ((0, 1), (1, 1)))]
    assert draw(placed, style="letters") == "I  AA\n.  AA"
    assert set(read("I  AA\n.  AA")) == set(placed)


def test_draw_letters_of_pieces_without_names_differ_where_they_touch() -> None:
    dominoes = [("00", "01"), ("10", "11"), ("02", "12")]
    assert draw(dominoes, style="letters") == "A A C\nB B C"


def test_draw_walls_marks_open_cells_and_holes() -> None:
    board = Board.rectangle(3, 3, holes=[(1, 1)])
    ring = [("J", "00", "01", "02", "12", "22", "21", "20")]
    assert draw(ring, board).splitlines() == [
        "╭───────────╮",
        "│           │",
        "├───┬───╮   │",
        "│░░░│███│   │",
        "├───┴───╯   │",
        "│           │",
        "╰───────────╯",
    ]


def test_draw_walls_leaves_bays_of_the_board_blank() -> None:
    board = Board.from_text("#.#\n###")
    assert draw([("U", "00", "10", "11", "12", "02")], board, "lines") == (
        "╭─╮ ╭─╮\n│ ╰─╯ │\n╰─────╯"
    )


def test_draw_colors_depend_on_the_names_and_not_on_the_places() -> None:
    swapped = [("L", "02", "12"), ("I", "00", "01", "10")]
    one, other = draw(PACKING, color=True), draw(swapped, color=True)
    assert one.splitlines()[1] == (
        "│\x1b[48;5;215m       \x1b[0m│\x1b[48;5;203m   \x1b[0m│"
    )
    assert other.splitlines()[1] == (
        "│\x1b[48;5;203m       \x1b[0m│\x1b[48;5;215m   \x1b[0m│"
    )


def test_draw_refuses_what_it_cannot_draw() -> None:
    with pytest.raises(ProblemError, match=r"cell \(0, 2\) is not on the board"):
        draw(PACKING, Board.rectangle(2, 2))
    with pytest.raises(ProblemError, match="style must be one of 'walls', 'lines'"):
        draw(PACKING, style="oil")  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="at least one cell"):
        draw([])
