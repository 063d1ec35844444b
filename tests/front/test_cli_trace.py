"""The command ``trace``, and the example that shows the same."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from programs import BACKENDS, ROOT, run

from dcells_async import trace
from dcells_async.cli.commands import dcells
from dcells_async.cli.matrix import plain, table

TEXTBOOK = "A B C D E F G\nC E F\nA D G\nB C F\nA D\nB G\nD E G\n"
COLORED = "a b | x\na x:red\nb x:red\nb x:blue\n"


def traced(text: str, *arguments: str):
    done = CliRunner().invoke(dcells, ["trace", "-", *arguments], input=text)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.parametrize("way", ["links", "cells"])
def test_steps_are_indented_lines(way):
    done = traced(TEXTBOOK, "--way", way)
    expected = ["  " * step.depth + str(step) for step in trace(TEXTBOOK, way)]
    assert done.stdout.splitlines() == expected
    assert (done.exit_code, done.stderr) == (0, "")


def test_status_tells_whether_there_is_a_cover():
    assert traced("a b\na\n").exit_code == 1
    assert traced("a\na\n").exit_code == 0
    assert traced("a b\na\n", "--steps", "1").exit_code == 0


def test_steps_are_cut_off_where_asked():
    done = traced(TEXTBOOK, "--steps", "3")
    assert len(done.stdout.splitlines()) == 3


def test_plain_matrix_has_dots_where_something_left():
    done = traced(TEXTBOOK, "--matrix", "--steps", "6")
    assert done.stdout.splitlines()[-8:] == [
        "  hide option 6: D E G",
        "      . B C . E F G",
        "    1 . . 1 . 1 1 .",
        "*   2 1 . . 1 . . 1",
        "    3 . 1 1 . . 1 .",
        "    4 . . . . . . .",
        "    5 . 1 . . . . 1",
        "    6 . . . . . . .",
    ]


def test_plain_matrix_shows_colors():
    steps = list(trace(COLORED))
    assert plain(steps[0]).splitlines() == [
        "      a b    x",
        "    1 1 .  red",
        "    2 . 1  red",
        "    3 . 1 blue",
    ]
    hidden = [step for step in steps if step.action.value == "hide"]
    assert plain(hidden[-1]).splitlines()[1:] == [
        "*   1 1 .  red",
        "    2 . 1    .",
        "    3 . .    .",
    ]


def test_terminal_matrix_dims_what_has_left():
    from rich.console import Console

    step = next(step for step in trace(TEXTBOOK) if step.action.value == "dead end")
    console = Console(force_terminal=True, color_system="standard", width=80)
    with console.capture() as capture:
        console.print(table(step))
    head, *rows = capture.get().splitlines()
    dim = r"\x1b\[(?:1;)?(?:\d;)*2m"
    for name in "ABCDFG":
        assert re.search(dim + name, head)
    assert not re.search(dim + "E", head)
    assert all(re.search(dim + number, rows[int(number) - 1]) for number in "1456")
    assert "\x1b[1;32m2" in rows[1]
    assert "\x1b[1;32m3" in rows[2]


def test_faults_are_told_in_a_line():
    done = traced("a\nb\n")
    assert done.exit_code == 2
    assert "unknown item 'b'" in done.stderr
    done = traced("2|a\na\na\n")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "multiplicity 2:2" in done.stderr
    missing = CliRunner().invoke(dcells, ["trace", "no-such-file.dlx"])
    assert missing.exit_code == 2
    assert "no-such-file.dlx" in missing.stderr


@pytest.mark.parametrize("backend", BACKENDS)
def test_example_shows_the_steps_and_the_cover(backend):
    done = run("dance", "--plain", "--backend", backend)
    steps = ["  " * step.depth + str(step) for step in trace(TEXTBOOK)]
    at = next(i for i, step in enumerate(steps) if "solution" in step)
    cover = ["", "  * A D", "  * C E F", "  * B G", ""]
    assert done.stdout.splitlines() == steps[: at + 1] + cover + steps[at + 1 :]
    assert (done.returncode, done.stderr) == (0, "")


def test_example_by_cells_stops_at_the_first_cover(tmp_path):
    path = tmp_path / "small.dlx"
    path.write_text("a\na\na\n")
    done = run("dance", str(path), "--way", "cells", "--first", "1", "--matrix")
    assert done.stdout.count("solution") == 1
    assert "    2 1" in done.stdout
    assert run("dance", str(path), "--count").stdout == "2\n"
    path.write_text("a b\na\n")
    assert run("dance", str(path)).returncode == 1


def test_essay_quotes_what_the_example_prints():
    text = (ROOT / "examples/dance/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"    \$ python -m examples.dance(.*)\n((?:    .*\n)+)", text)
    assert len(blocks) == 2
    for arguments, block in blocks:
        way = "cells" if "cells" in arguments else "links"
        printed = ["  " * step.depth + str(step) for step in trace(TEXTBOOK, way)]
        quoted = [line[4:] for line in block.splitlines() if line.strip() != "..."]
        rest = iter(printed)
        assert all(line in rest for line in quoted)
