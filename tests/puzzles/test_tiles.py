"""Tiles and boards: what is refused, texts both ways, sets, and pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from random import Random

import pytest

from dcells_async import ProblemError
from dcells_async.puzzles.edges import matched, wrong_edges
from dcells_async.puzzles.tile_drawing import draw, svg
from dcells_async.puzzles.tile_sets import macmahon, random_puzzle
from dcells_async.puzzles.tile_texts import (
    read_board,
    read_puzzle,
    read_tiles,
    write_board,
    write_tiles,
)
from dcells_async.puzzles.tiles import Puzzle, TileError, turned

CORNERS = "0 1 1 0\n" * 4


def test_tiles_are_read_as_written():
    tiles = macmahon()
    assert read_tiles(write_tiles(tiles)) == tiles
    assert read_tiles(write_tiles(tiles, (4, 6))) == tiles
    puzzle = read_puzzle(write_tiles(tiles, (4, 6)), kind="rim")
    assert (puzzle.rows, puzzle.columns, puzzle.tiles) == (4, 6, tiles)
    assert read_tiles("\ufeff1,2;3\t4\r\n\r\n# 9\r\n5 6 7 8 # 9\r") == [
        (1, 2, 3, 4),
        (5, 6, 7, 8),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 0 1 1\r\n\r\n1 2 3", "line 3, column 5: a tile is four colors .* are 3"),
        ("# a\n1 2 3 4  5 6", "line 2, column 10: a tile is four colors .* are 6"),
        ("1 2 x 4", "line 1, column 5: a color is a whole number from 0, not 'x'"),
        ("1 2 3 -4", "line 1, column 7: .* not '-4'"),
        ("1 2 3 \uff14", "line 1, column 7: .* not '\uff14'"),
        ("1 2 3 4\n2 2", "line 2, column 3: a tile is four colors .* are 2"),
        ("2 2\n1 2 3 4", "the first line tells of 2 x 2 tiles, and 1 follow"),
        ("2 2\n2 2", "line 2, column 3: a tile is four colors .* are 2"),
    ],
)
def test_faults_in_tiles_are_told_with_their_place(text, reason):
    with pytest.raises(ProblemError, match=reason):
        read_tiles(text)


def test_boards_are_read_as_written():
    draws = Random(1)
    for rows, columns in [(1, 1), (3, 5), (12, 12)]:
        numbers = draws.sample(range(rows * columns), rows * columns)
        laid = {
            divmod(k, columns): (number, draws.randrange(4))
            for k, number in enumerate(numbers)
            if draws.random() < 0.7
        }
        size = (rows, columns)
        assert read_board(write_board(size, laid)) == (size, laid)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (". .\n. . .", "line 2, column 5: a row of 3 cells, below rows of 2"),
        (". .\n\n.", "line 3, column 1: a row of 1 cells, below rows of 2"),
        (". 3", "line 1, column 3: a cell is a dot, or a tile, .* not '3'"),
        (". 3:4", "line 1, column 3: .* not '3:4'"),
        ("0:0 .", "line 1, column 1: .* from 1, .* not '0:0'"),
        (". 3:1\n 3:2 .", "line 2, column 2: tile 3 is in line 1, column 3 already"),
        ("# none\n", "there is no row"),
    ],
)
def test_faults_in_boards_are_told_with_their_place(text, reason):
    with pytest.raises(ProblemError, match=reason):
        read_board(text)


@pytest.mark.parametrize(
    ("tiles", "board", "reason"),
    [
        (CORNERS, ". 5:0\n. .", "board: line 1, column 3: there are 4 tiles"),
        (CORNERS, ". .\n4:0 .", "board: line 2, column 1: turned 0 times it shows 0 1"),
        (CORNERS, ". x\n. .", "board: line 1, column 3: a cell is a dot"),
        (CORNERS, ". .", "first line|4 tiles|needs 2 tiles, not 4"),
        ("2 2\n" + CORNERS, ". . . .", "sizes differ: .* 2 x 2, the board has 1 x 4"),
        (CORNERS + "0 0 1 0", None, "5 tiles make no square"),
        ("", None, "0 tiles make no square"),
        (
            CORNERS.replace("0 1 1 0", " 0 1 1 1", 1),
            None,
            "line 1, column 2: tile 1: it has the border color 0 on one side, and the "
            "board has 0 places",
        ),
        ("0 1 0 1\n" * 4, None, "tile 1: .* two opposite sides"),
    ],
)
def test_what_texts_say_that_cannot_be_is_told_with_its_place(tiles, board, reason):
    with pytest.raises(ProblemError, match=reason):
        read_puzzle(tiles, board)


def test_a_fifth_corner_is_the_one_too_many():
    tiles = list(random_puzzle(3, 3, 2).tiles)
    side = next(n for n, tile in enumerate(tiles) if tile.count(0) == 1)
    tiles[side] = (0, 0, 1, 1)
    corners = [n for n, tile in enumerate(tiles) if tile.count(0) == 2]
    with pytest.raises(TileError, match=r"sides that meet.* has 4 places") as caught:
        Puzzle(3, 3, tiles)
    assert caught.value.tile == corners[-1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"tiles": [(0, 0, 0, 0)] * 3}, "needs 4 tiles, not 3"),
        ({"tiles": [(0, 0, 0)] * 4}, r"tiles\[0\]: it has 3 sides"),
        ({"kind": "sphere"}, "kind must be"),
        ({"hints": {(2, 0): (0, 0)}}, r"hint at \(2, 0\): that is not on the board"),
        ({"hints": {(0, 0): (4, 0)}}, "there are 4 tiles, and that is not one"),
        ({"hints": {(0, 0): (0, 4)}}, "quarter turns are 0 to 3, not 4"),
        ({"hints": {(0, 0): (1, 0), (0, 1): (1, 0)}}, "same tile is in row 1, column"),
    ],
)
def test_puzzles_that_cannot_be_are_refused(arguments, reason):
    with pytest.raises(ProblemError, match=reason):
        Puzzle(2, 2, **{"tiles": [(0, 0, 0, 0)] * 4, "kind": "open", **arguments})


def test_a_hint_must_agree_with_the_rim():
    tiles = [(0, 0, 0, 1)] * 4
    hint = {(0, 0): (0, 0)}
    with pytest.raises(TileError, match="does not agree with the rim of color 0"):
        Puzzle(2, 2, tiles, "rim", hints=hint)
    Puzzle(2, 2, tiles, "rim", hints={(0, 0): (0, 3)})
    Puzzle(2, 2, tiles, "torus", hints=hint)


@pytest.mark.parametrize("kind", ["border", "rim", "open", "torus"])
def test_random_puzzles_are_distinct_if_asked_for(kind):
    puzzle = random_puzzle(4, 5, 4, 3, kind, distinct=True)
    images = {turned(tile, turn) for tile in puzzle.tiles for turn in range(4)}
    assert len(images) == 4 * 20
    assert puzzle.tiles == random_puzzle(4, 5, 4, 3, kind, distinct=True).tiles
    assert puzzle.tiles != random_puzzle(4, 5, 4, 4, kind, distinct=True).tiles


def test_frame_has_colors_of_its_own():
    puzzle = random_puzzle(16, 16, 17, frame=5, distinct=True)
    seen = {"frame": set(), "inside": set()}
    for tile in puzzle.tiles:
        for side, color in enumerate(tile):
            if color:
                along = 0 in (tile[side - 1], tile[side - 3])
                seen["frame" if along else "inside"].add(color)
    assert seen == {"frame": {*range(18, 23)}, "inside": {*range(1, 18)}}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0, 3, 2), "0 x 3 cells"),
        ((2, 2, 0), "cannot be 0 colors"),
        ((2, 2, 1, 1, "sphere"), "kind must be"),
    ],
)
def test_random_puzzles_that_cannot_be_are_refused(arguments, reason):
    with pytest.raises(ProblemError, match=reason):
        random_puzzle(*arguments)
    with pytest.raises(ProblemError, match="only a border has a frame"):
        random_puzzle(3, 3, 2, kind="rim", frame=1)
    with pytest.raises(ProblemError, match="1 colors seem to be too few for 9"):
        random_puzzle(3, 3, 1, distinct=True)


def shown():
    """A torus with two wrong edges, one across its edge, and a hole."""
    tiles = [(1, 2, 12, 3), (12, 4, 5, 6), (1, 3, 3, 5), (0, 0, 0, 0)]
    puzzle = Puzzle(2, 2, tiles, "torus")
    return puzzle, {(0, 0): (0, 0), (0, 1): (2, 0), (1, 0): (1, 0)}


def test_picture_shows_numbers_and_wrong_edges():
    puzzle, laid = shown()
    assert wrong_edges(puzzle, laid) == {
        ((0, 0), 0): ((1, 0), 2),
        ((0, 1), 3): ((0, 0), 1),
    }
    assert matched(puzzle, laid) == (2, 8)
    assert draw(puzzle, laid).splitlines() == [
        "┌───≠────┬────────┐",
        "│   1    │   1    │",
        "│3      2≠5      3│",
        "│   12   │   3    │",
        "├────────┼────────┤",
        "│   12   │        │",
        "│6      4│        │",
        "│   5    │        │",
        "└───≠────┴────────┘",
    ]
    plain = draw(puzzle, laid, plain=True)
    assert plain.isascii()
    assert plain.count("#") == 3
    colored = draw(puzzle, laid, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == draw(puzzle, laid)
    assert colored.count("\x1b[30;48;5;") == 12


def test_svg_has_all_sides_and_marks_wrong_edges():
    puzzle, laid = shown()
    root = ET.fromstring(svg(puzzle, laid, cell=10))
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in root.iter(f"{space}text")]
    assert sorted(texts) == sorted(
        str(side) for number in (0, 1, 2) for side in puzzle.tiles[number]
    )
    assert [title.text for title in root.iter(f"{space}title")] == [
        "tile 1: 1 2 12 3",
        "tile 3: 1 3 3 5",
        "tile 2: 12 4 5 6",
    ]
    paths = [path.get("d") for path in root.iter(f"{space}path") if path.get("class")]
    assert paths == ["M0 0h1M0 2h1", "M1 0v1M1 0v1"]
    assert (root.get("width"), root.get("height")) == ("22", "22")
