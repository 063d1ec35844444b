from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, get_args

import pytest

from dcells_async import ProblemError
from dcells_async.puzzles.pieces import PENTOMINOES, Piece, polyominoes
from dcells_async.puzzles.shapes import STEPS, Shape, Turns

if TYPE_CHECKING:
    from collections.abc import Iterable


@pytest.mark.parametrize(
    ("turns", "counts"),
    [
        ("fixed", [1, 2, 6, 19, 63, 216, 760]),
        ("one-sided", [1, 1, 2, 7, 18, 60, 196]),
        ("free", [1, 1, 2, 5, 12, 35, 108]),
    ],
)
def test_polyominoes_are_as_many_as_known(turns: Turns, counts: list[int]) -> None:
    assert [len(polyominoes(size, turns)) for size in range(1, 8)] == counts


@pytest.mark.parametrize("size", range(1, 5))
def test_polyominoes_fixed_are_the_connected_sets_of_cells(size: int) -> None:
    # All sets that hang together and reach both the first row and the first column.
    grown = {piece.cells for piece in polyominoes(size, "fixed")}
    assert grown == set(_connected(size))


@pytest.mark.parametrize("size", range(1, 7))
def test_polyominoes_fixed_are_the_orientations_of_the_others(size: int) -> None:
    fixed = sorted(piece.cells for piece in polyominoes(size, "fixed"))
    settings: tuple[Turns, ...] = ("free", "one-sided")
    for turns in settings:
        pieces = polyominoes(size, turns)
        assert sorted(_orientations(pieces, turns)) == fixed


def test_polyominoes_have_different_names_that_are_no_cells() -> None:
    names = [piece.name for piece in polyominoes(6)]
    assert names[:2] == ["A", "B"]
    assert names[24:28] == ["Y", "Z", "AA", "AB"]
    assert len(set(names)) == 35


def test_pentominoes_are_the_free_polyominoes_of_size_five() -> None:
    assert "".join(piece.name for piece in PENTOMINOES) == "OPQRSTUVWXYZ"
    smallest = sorted(min(piece.orientations("free")) for piece in PENTOMINOES)
    assert smallest == [piece.cells for piece in polyominoes(5)]


def test_pentominoes_have_63_orientations_of_which_one_sided_reach_fewer() -> None:
    totals = {
        turns: sum(len(piece.orientations(turns)) for piece in PENTOMINOES)
        for turns in get_args(Turns)
    }
    assert totals == {"free": 63, "one-sided": 41, "fixed": 12}


def test_orientations_start_as_given_and_go_clockwise() -> None:
    piece = Piece.from_text("L", "#.\n#.\n##")
    pictures = [str(Piece("L", shape)) for shape in piece.orientations("one-sided")]
    assert pictures == ["#.\n#.\n##", "###\n#..", "##\n.#\n.#", "..#\n###"]


def test_piece_does_not_depend_on_where_it_was_drawn() -> None:
    assert Piece("V", [(9, 9), (8, 9), (9, 8)]) == Piece("V", [(0, 1), (1, 0), (1, 1)])


def test_piece_may_come_apart() -> None:
    assert len(Piece.from_text("two", "#.#").orientations()) == 2


@pytest.mark.parametrize("name", ["", ".", "a b", "a:b", "a|b", "tab\t"])
def test_piece_refuses_names_that_no_item_can_have(name: str) -> None:
    with pytest.raises(ProblemError, match="cannot be called"):
        Piece(name, [(0, 0)])


def test_piece_refuses_impossible_cells() -> None:
    with pytest.raises(ProblemError, match="piece I has the cell"):
        Piece("I", [(0, 0), (0, 1), (0, 0)])
    with pytest.raises(ProblemError, match="piece I needs at least one cell"):
        Piece.from_text("I", "...")


def test_polyominoes_refuses_bad_input() -> None:
    with pytest.raises(ProblemError, match="at least one cell"):
        polyominoes(0)
    with pytest.raises(ProblemError, match="turns must be one of 'free', 'one-sided'"):
        polyominoes(1, "mirrored")  # type: ignore[arg-type]


def _orientations(pieces: Iterable[Piece], turns: Turns) -> list[Shape]:
    return [shape for piece in pieces for shape in piece.orientations(turns)]


def _connected(size: int) -> Iterable[Shape]:
    for height, width in product(range(1, size + 1), repeat=2):
        grid = list(product(range(height), range(width)))
        for mask in range(1 << len(grid)):
            if mask.bit_count() == size:
                cells = [cell for k, cell in enumerate(grid) if mask >> k & 1]
                spans = {r for r, _ in cells}, {c for _, c in cells}
                if tuple(map(len, spans)) == (height, width) and _is_connected(cells):
                    yield tuple(cells)


def _is_connected(cells: list[tuple[int, int]]) -> bool:
    reached = cells[:1]
    for row, column in reached:
        for down, right in STEPS:
            cell = (row + down, column + right)
            if cell in cells and cell not in reached:
                reached.append(cell)
    return len(reached) == len(cells)
