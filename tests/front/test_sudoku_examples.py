"""The examples sudoku and minlex, run as their reader would run them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from programs import BACKENDS, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("backend", BACKENDS)
def test_minlex_tells_which_lines_of_a_file_are_the_same(
    tmp_path: Path, backend: str
) -> None:
    path = tmp_path / "grids.txt"
    grids = ["12" + "." * 79, "12", "." * 81, "." * 71 + "9" + "." * 8 + "3"]
    path.write_text("\r\n".join(grids), encoding="ascii")
    done = run("minlex", str(path), "--backend", backend)
    assert done.stdout.splitlines() == [
        "line  same as  clues  automorphisms",
        "   1      new      2         20,736",
        "   2  there are 2 characters, not 81",
        "   3      new      0      3,359,232",
        "   4        1      2         20,736",
    ]
    assert (done.returncode, done.stderr) == (2, "2 different\n")


def test_minlex_of_a_missing_file_is_refused(tmp_path: Path) -> None:
    done = run("minlex", str(tmp_path / "none.txt"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "none.txt: No such file" in done.stderr


def test_sudoku_names_clues_that_clash(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text("1... .... ..1. ...1", encoding="ascii")
    done = run("sudoku", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    reason = "r3c3 and r4c4 are both 1, in the same region"
    assert done.stderr == f"no cover: {reason}\n"


def test_sudoku_new_one_is_another_for_each_seed() -> None:
    one, other = (run("sudoku", "--new", "none", "--seed", seed) for seed in "12")
    assert one.stderr.startswith("1 cover, no other, ")
    assert one.stdout != other.stdout


def test_sudoku_new_one_takes_no_file(tmp_path: Path) -> None:
    done = run("sudoku", str(tmp_path / "any"), "--new", "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--new makes" in done.stderr
