"""The command ``dcells edges``, in process."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from dcells_async import XCC, Problem
from dcells_async.cli.commands import dcells
from dcells_async.puzzles.edges import arrangement
from dcells_async.puzzles.edges import edges as matching
from dcells_async.puzzles.tile_sets import random_puzzle
from dcells_async.puzzles.tile_texts import read_board, write_board, write_tiles

PUZZLE = random_puzzle(3, 3, 3, 2, distinct=True)
TILES = write_tiles(PUZZLE.tiles)
WRONG = "1 2\n0 1 0 0\n0 0 0 2\n"


def edges(*arguments, stdin=TILES):
    done = CliRunner().invoke(dcells, ["edges", "-", *arguments], input=stdin.encode())
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def boards():
    with XCC().solve(matching(PUZZLE)) as covers:
        return [arrangement(PUZZLE, cover) for cover in covers]


def test_boards_are_printed_as_they_are_read():
    done = edges()
    blocks = done.stdout.split("\n\n")
    assert blocks.pop() == ""
    assert done.exit_code == 0
    assert [block.split("\n")[0] for block in blocks] == [
        f"{number}:" for number in range(1, len(blocks) + 1)
    ]
    found = [read_board(block.partition("\n")[2])[1] for block in blocks]
    assert found == boards()
    assert len(found) in (4, 8, 12)


def test_number_and_symmetry():
    number = len(boards())
    for engine in ("xcc", "xccdc"):
        assert edges("--count", "--engine", engine).stdout == f"{number}\n"
        fixed = edges("--count", "--fix", "--engine", engine)
        assert fixed.stdout == f"{number // 4}\n"
    done = edges("--unique")
    assert (done.stdout, done.exit_code) == ("several\n", 3)


def test_hints_leave_the_boards_that_have_them(tmp_path):
    hint = dict(list(boards()[-1].items())[:4])
    path = tmp_path / "board.txt"
    path.write_text(write_board((3, 3), hint), encoding="utf-8")
    expected = sum(hint.items() <= board.items() for board in boards())
    done = edges("--count", "--hints", str(path))
    assert done.stdout == f"{expected}\n"
    assert expected < len(boards())


def test_records_end_with_the_outcome():
    lines = edges("--format", "ndjson", "--first", "1").stdout.splitlines()
    board, end = map(json.loads, lines)
    words = [word for row in board["rows"] for word in row]
    assert words == [[n + 1, turn] for n, turn in boards()[0].values()]
    assert (board["type"], board["matched"], board["edges"]) == ("board", 12, 12)
    assert (end["type"], end["outcome"]) == ("end", "limited")


def test_nearly_says_how_good_boards_are_and_whether_better_ones_are_possible():
    done = edges("--nearly", "--format", "pictures", stdin=WRONG)
    assert done.exit_code == 0
    assert done.stdout == (
        "1: 0 of 1 edges match\n"
        "┌─────┬─────┐\n│  0  │  0  │\n│0   1≠2   0│\n│  0  │  0  │\n└─────┴─────┘\n\n"
    )
    assert done.stderr == "0 of 1 edges match, the most there are\n"
    cut = edges("--nearly", "--first", "1", stdin=WRONG)
    assert cut.stderr.startswith("0 of 1 edges match, perhaps not the most: at most ")


def test_no_board_is_told():
    done = edges(stdin=WRONG)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("no cover\n")


def test_last_board_is_drawn_to_a_file(tmp_path):
    path = tmp_path / "board.svg"
    assert edges("--nearly", "--svg", str(path), stdin=WRONG).exit_code == 0
    texts = ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")
    assert [text.text for text in texts] == ["0", "1", "0", "0", "0", "0", "0", "2"]


def test_problem_is_printed_as_dlx():
    done = edges("--dlx")
    assert XCC().solve(done.stdout).count() == len(boards())
    priced = Problem.from_dlx(edges("--dlx", "--nearly").stdout)
    assert priced.option_prices is not None


def test_shape_and_kind_are_options():
    tiles = "1 2 1 2\n1 3 1 3\n"
    settings = ["--size", "1x2", "--kind", "open", "--count"]
    assert edges(*settings, stdin=tiles).stdout == "2\n"
    assert edges(*settings[:2], "--kind", "rim", stdin=tiles).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "stdin", "reason"),
    [
        (["--size", "3"], TILES, "a size is written like 4x6, not '3'"),
        (["--size", "2x2"], TILES, "2 x 2 cells needs 4 tiles, not 9"),
        ([], "0 1 1 0\n0 1 x 0\n", "dcells: line 2, column 5: a color is"),
        ([], "0 1 1 1\n" * 4, "line 1, column 1: tile 1: it has the border color"),
        ([], "\xff", "dcells: 1 tiles|line 1, column 1: a color is"),
        (["--hints", "absent"], TILES, "dcells: absent: No such file"),
        (["--nearly", "--count"], TILES, "--nearly excludes"),
        (["--nearly", "--engine", "xccdc"], TILES, "--nearly excludes"),
        (["--svg", "x", "--count"], TILES, "--svg excludes"),
        (["--svg", "-"], TILES, "--svg needs a file"),
        (["--first", "1", "--unique"], TILES, "exclude one another"),
        (["--hints", "-"], TILES, "standard input is either"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, stdin, reason):
    done = edges(*arguments, stdin=stdin)
    assert (done.exit_code, done.stdout) == (2, "")
    assert any(part in done.stderr for part in reason.split("|"))


def test_faults_in_either_file_name_it(tmp_path):
    tiles, board = tmp_path / "tiles", tmp_path / "board"
    tiles.write_bytes(b"1 2 3 \xff")
    done = CliRunner().invoke(dcells, ["edges", str(tiles)])
    assert (done.exit_code, done.stderr) == (
        2,
        f"dcells: {tiles}: byte 7 is no UTF-8\n",
    )
    board.write_text(". . .\n. 9:5 .\n. . .")
    done = edges("--hints", str(board))
    assert done.stderr.startswith("dcells: board: line 2, column 3: a cell is a dot")
