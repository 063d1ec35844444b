"""The example of edge matching, run as its reader would run it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from programs import BACKENDS, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("backend", BACKENDS)
def test_eternity_draws_all_boards(backend: str, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    arguments = ["5x5", "--distinct", "--fix", "--svg", str(picture)]
    done = run("eternity", *arguments, "--backend", backend)
    assert done.returncode == 0
    assert done.stdout.count("┌") == 4
    assert done.stderr.startswith("4 covers, no others, 5 x 5 tiles: 112 nodes, ")
    assert "≠" not in done.stdout
    root = ET.parse(picture).getroot()
    assert len(list(root.iter("{http://www.w3.org/2000/svg}text"))) == 100


def test_eternity_reads_what_it_saves(tmp_path: Path) -> None:
    path = tmp_path / "tiles.txt"
    done = run("eternity", "4x4", "--colors", "3", "--count", "--save", str(path))
    assert run("eternity", str(path), "--count").stdout == done.stdout
    assert int(done.stdout) > 0
    board = tmp_path / "board.txt"
    board.write_text(". . . .\n" * 4, encoding="utf-8")
    hinted = run("eternity", str(path), "--count", "--hints", str(board))
    assert hinted.stdout == done.stdout


@pytest.mark.parametrize("backend", BACKENDS)
def test_eternity_tells_improvements_and_draws_the_best(
    backend: str, tmp_path: Path
) -> None:
    path = tmp_path / "tiles.txt"
    path.write_text("0 0 1 1\n0 0 2 2\n0 0 3 3\n0 0 4 4\n", encoding="utf-8")
    done = run("eternity", str(path), "--nearly", "--backend", backend)
    assert done.returncode == 0
    told = re.findall(r"(\d) of 4 edges match, (\d) wrong: ", done.stdout)
    assert told[-1] == ("0", "4")
    assert done.stdout.count("≠") == 4
    assert done.stderr.startswith("0 of 4 edges match, 4 wrong, the least possible, ")


def test_eternity_says_that_there_is_no_board() -> None:
    done = run("eternity", "examples/eternity/tiles.txt")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no cover, 4 x 4 tiles: ")


def test_eternity_lays_macmahons_squares() -> None:
    done = run("eternity", "macmahon", "--first", "1", "--plain", "--engine", "xccdc")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 1 + 17 + 1
    assert lines[2] == "|" + "  0  |" * 6
    assert "#" not in done.stdout


def test_eternity_stops_when_time_is_up() -> None:
    done = run("eternity", "12x12", "--limit", "0.1")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("no cover yet, time is up, 12 x 12 tiles: ")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["0x5"], "0 x 5 cells"),
        (["5x5", "--colors", "0"], "--colors"),
        (["4x4", "--colors", "1", "--distinct"], "too few for 16 distinct tiles"),
        (["4x4", "--nearly", "--engine", "xccdc"], "xccdc knows no prices"),
        (["4x4", "--numbers", "--count"], "choose one of --numbers and --count"),
        (["absent.txt"], "absent.txt: No such file"),
    ],
)
def test_eternity_refuses_what_makes_no_sense(
    arguments: list[str], reason: str
) -> None:
    done = run("eternity", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
