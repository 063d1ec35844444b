"""The command ``dcells minlex``."""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

from dcells_async.cli.commands import dcells

GRIDS = ["12" + "." * 79, "." * 79 + "95", "." * 81]
FORMS = ["0" * 79 + "12", "0" * 79 + "12", "0" * 81]
STRAY = ".3.x" + "." * 77
REASONS = {
    "12": "there are 2 characters, not 81",
    STRAY: "character 4 is 'x', neither a digit nor one of . 0 *",
}


def minlex(*arguments, lines, end="\n"):
    stdin = "".join(line + end for line in lines)
    done = CliRunner().invoke(dcells, ["minlex", "-", *arguments], input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("end", ["\n", "\r\n", " # a remark\n"])
def test_forms_come_line_by_line(backend, end):
    done = minlex("--backend", backend, lines=GRIDS, end=end)
    assert (done.stdout.split(), done.exit_code) == (FORMS, 0)
    assert done.stderr.startswith("3 grids in ")


def test_unique_keeps_the_first_of_each_class():
    done = minlex("--unique", lines=GRIDS)
    assert (done.stdout.split(), done.exit_code) == (FORMS[1:], 0)
    assert done.stderr.startswith("3 grids: 2 different in ")
    done = minlex("--unique", "--format", "grids", lines=GRIDS)
    assert done.stdout.split() == [GRIDS[0], GRIDS[2]]


def test_what_is_no_grid_is_told_with_its_line_and_place():
    done = minlex(lines=["# comment", "12", *GRIDS, STRAY])
    assert done.stdout.split() == FORMS
    told = done.stderr.splitlines()
    assert told[:2] == [f"line 2: {REASONS['12']}", f"line 6: {REASONS[STRAY]}"]
    assert told[2].startswith("5 grids: 2 invalid in ")
    assert done.exit_code == 2


def test_table_and_records_hold_everything():
    lines = [GRIDS[0], "12", GRIDS[1], STRAY]
    stdout = minlex("--format", "csv", lines=lines).stdout
    assert list(csv.reader(stdout.splitlines())) == [
        ["line", "grid", "form", "automorphisms", "reason"],
        ["1", GRIDS[0], FORMS[0], "20736", ""],
        ["2", "12", "", "0", REASONS["12"]],
        ["3", GRIDS[1], FORMS[1], "20736", ""],
        ["4", STRAY, "", "0", REASONS[STRAY]],
    ]
    stdout = minlex("--format", "ndjson", "--unique", lines=lines).stdout
    records = [json.loads(line) for line in stdout.splitlines()]
    assert [record["line"] for record in records] == [1, 2, 4]
    assert records[0] == {
        "line": 1,
        "grid": GRIDS[0],
        "form": FORMS[0],
        "automorphisms": 20736,
    }
    assert records[1]["reason"] == REASONS["12"]


def test_progress_counts_grids():
    assert "3 grids  " in minlex("--progress", lines=GRIDS).stderr


def test_missing_file_is_told(tmp_path):
    done = CliRunner().invoke(dcells, ["minlex", str(tmp_path / "none.txt")])
    assert done.exit_code == 2
    assert "none.txt: No such file" in done.stderr
