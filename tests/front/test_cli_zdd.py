"""The command ``dcells zdd``, in process."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from problems import dominoes

from dcells_async import Diagram
from dcells_async.cli.commands import dcells

TEXT = "a b c\na b\nc\na c\nb\n"


def zdd(text: str, *arguments: str):
    done = CliRunner().invoke(dcells, ["zdd", "-", *arguments], input=text.encode())
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_number_and_sizes_are_told():
    done = zdd(dominoes(4, 4))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "36"
    assert lines[1] == "diagram: 50 nodes"
    assert lines[2].startswith("search: 48 nodes, 33 signatures, 10 hits, in ")
    assert len(lines) == 3


@pytest.mark.parametrize("knob", ["--leftmost", "--components", "--memory-limit=50"])
def test_knobs_change_no_number(knob):
    assert zdd(dominoes(4, 4), knob).stdout.startswith("36\ndiagram: 50 nodes\n")


def test_draws_are_covers_and_repeat_with_their_seed():
    one, other = (zdd(TEXT, "--sample", "3", "--seed", "5").stdout for _ in range(2))
    assert one.splitlines()[3:] == other.splitlines()[3:]
    blocks = one.split("\n\n")[1:]
    covers = {"a b\nc", "a c\nb"}
    drawn = [block.partition(":\n")[2] for block in blocks if block.strip()]
    assert len(drawn) == 3
    assert set(drawn) <= covers


def test_heaviest_cover_is_told_with_its_weight(tmp_path):
    weights = tmp_path / "weights"
    weights.write_text("1 2\n3 4\n")
    done = zdd(TEXT, "--max-weight", str(weights))
    assert done.stdout.endswith("\nweight 7\n1:\na c\nb\n\n")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("1 2 3", "3 weights for 4 options"), ("1 2 x 4", "weight 3 is 'x'")],
)
def test_faulty_weights_are_refused(tmp_path, text, complaint):
    weights = tmp_path / "weights"
    weights.write_text(text)
    done = zdd(TEXT, "--max-weight", str(weights))
    assert done.exit_code == 2
    assert complaint in done.stderr


def test_frequencies_are_one_line_an_option():
    done = zdd(TEXT, "--frequencies")
    assert done.stdout.endswith("\n\n1 a b\n1 c\n1 a c\n1 b\n")


def test_diagram_is_saved_and_drawn(tmp_path):
    saved, drawn = tmp_path / "diagram", tmp_path / "diagram.dot"
    assert zdd(TEXT, "--save", str(saved), "--dot", str(drawn)).exit_code == 0
    assert Diagram.load(saved).count() == 2
    assert drawn.read_text().startswith("digraph")


def test_no_cover_is_a_status():
    done = zdd("a b\na\n", "--sample", "2", "--frequencies")
    assert done.exit_code == 1
    assert done.stdout.startswith("0\ndiagram: 1 node\n")
    assert len(done.stdout.splitlines()) == 3


def test_time_and_memory_that_run_out_are_told():
    done = zdd(dominoes(24, 24), "--timeout", "0.1")
    assert (done.exit_code, done.stderr) == (
        124,
        "timed out: the diagram was not finished\n",
    )
    done = zdd(dominoes(24, 24), "--memory-limit", "2")
    assert done.exit_code == 2
    assert "outgrown its memory" in done.stderr


def test_seed_without_draws_is_refused():
    assert zdd(TEXT, "--seed", "1").exit_code == 2
