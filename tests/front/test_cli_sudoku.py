"""The command ``dcells sudoku``."""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

from dcells_async.cli.commands import dcells

UNIQUE = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
SOLUTION = (
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)
NONE = "12345678.........9" + "." * 63


def sudoku(*arguments, stdin):
    done = CliRunner().invoke(dcells, ["sudoku", "-", *arguments], input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_pairs_as_the_reference_prints_them(backend):
    done = sudoku("--backend", backend, stdin=f"{UNIQUE}\n{NONE}\n")
    assert done.stdout == (
        f"Q[    1]: {UNIQUE}\nA[    1]: {SOLUTION}\n"
        f"Q[    2]: {NONE}\nA[    2]: (no solution)\n"
    )
    assert done.stderr.startswith("2 puzzles: 1 solved, 1 none in ")


def test_table_and_records_hold_everything():
    stdin = f'{UNIQUE}\n"1,2"\n'
    table = list(csv.reader(sudoku("--format", "csv", stdin=stdin).stdout.splitlines()))
    reason = "there are 5 characters, not 81"
    assert table == [
        ["line", "puzzle", "verdict", "solution", "reason"],
        ["1", UNIQUE, "solved", SOLUTION, ""],
        ["2", '"1,2"', "invalid", "", reason],
    ]
    lines = sudoku("--format", "ndjson", stdin=stdin).stdout.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"line": 1, "puzzle": UNIQUE, "verdict": "solved", "solution": SOLUTION},
        {"line": 2, "puzzle": '"1,2"', "verdict": "invalid", "reason": reason},
    ]


@pytest.mark.parametrize(
    ("stdin", "status", "outcome"),
    [
        (UNIQUE, 0, SOLUTION),
        ("", 0, ""),
        (NONE, 1, "(no solution)"),
        ("1", 2, "(invalid: there is 1 character, not 81)"),
        (UNIQUE.replace("5", ".").replace("3", "."), 3, None),
    ],
)
def test_status_tells_the_worst(stdin, status, outcome):
    done = sudoku("--unique", "--format", "lines", stdin=stdin)
    assert done.exit_code == status
    if outcome is None:
        assert done.stdout.rstrip().endswith("(not the only one)")
    else:
        assert done.stdout.rstrip() == outcome


def test_numbers_in_front_do_not_count_and_junk_is_harmless():
    stdin = f"id,puzzle\n7,{UNIQUE},30\n8\t{UNIQUE}\n\x1b[2Jx\r1\n"
    lines = sudoku(stdin=stdin).stdout.splitlines()
    assert lines[:4:2] == [f"Q[    1]: {UNIQUE}", f"Q[    2]: {UNIQUE}"]
    assert lines[1:4:2] == [f"A[    1]: {SOLUTION}", f"A[    2]: {SOLUTION}"]
    assert lines[4] == r"Q[    3]: \x1b[2Jx\r1"


def test_output_is_read_back():
    stdin = f"{UNIQUE}\n{NONE}\n12\n{SOLUTION}\n"
    pairs = sudoku(stdin=stdin).stdout
    assert pairs.count("Q[") == 4
    assert sudoku(stdin=pairs).stdout == pairs


def test_missing_file_is_told(tmp_path):
    done = CliRunner().invoke(dcells, ["sudoku", str(tmp_path / "none.txt")])
    assert done.exit_code == 2
    assert "none.txt: No such file" in done.stderr


def test_progress_counts_puzzles():
    done = sudoku("--progress", stdin=UNIQUE)
    assert "1 puzzle  " in done.stderr
