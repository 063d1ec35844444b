"""The command ``dcells zdd``, in process."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from problems import dominoes

from dcells_async import COMPILED, Diagram
from dcells_async.cli.commands import dcells

TEXT = "a b c\na b\nc\na c\nb\n"


def zdd(text: str, *arguments: str, file: str = "-"):
    done = CliRunner().invoke(dcells, ["zdd", file, *arguments], input=text.encode())
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


def test_lightest_cover_is_told_too(tmp_path):
    weights = tmp_path / "weights"
    weights.write_text("1 2\n3 4\n")
    done = zdd(TEXT, "--max-weight", str(weights), "--min-weight", str(weights))
    assert done.stdout.endswith("\nweight 7\n1:\na c\nb\n\n\nweight 3\n1:\na b\nc\n\n")


def test_json_has_a_key_for_all_that_was_asked_for(tmp_path):
    weights = tmp_path / "weights"
    weights.write_text("1 2\n3 4\n")
    asked = ["--sample", "1500", "--seed", "2", "--frequencies", "--format", "json"]
    best = ["--max-weight", str(weights), "--min-weight", str(weights)]
    told = json.loads(zdd(TEXT, *asked, *best).stdout)
    assert (told["count"], told["nodes"]) == (2, 6)
    assert told["search"]["signatures"] > 0
    assert len(told["sample"]) == 1500
    assert {tuple(cover["options"]) for cover in told["sample"]} == {(1, 2), (3, 4)}
    assert told["sample"][0]["lines"][0] in {2, 4}
    assert told["max_weight"]["price"] == 7
    assert told["max_weight"]["names"] == [["a", "c"], ["b"]]
    assert told["min_weight"]["price"] == 3
    assert told["frequencies"] == [1, 1, 1, 1]
    none = json.loads(zdd("a b\na\n", *asked[:-1], "json").stdout)
    assert (none["count"], none["sample"], none["frequencies"]) == (0, [], [0])
    assert list(json.loads(zdd(TEXT, "--format", "json").stdout)) == [
        "count",
        "nodes",
        "search",
    ]


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


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"1 2 {1 << 63} 4", "weight 3 exceeds 64 bits"),
        (f"{1 << 62} {1 << 62} 3 4", "the weights of some options add up to more"),
    ],
)
def test_too_large_weights_are_told_with_their_file(tmp_path, text, complaint):
    weights = tmp_path / "weights"
    weights.write_text(text)
    done = zdd(TEXT, "--max-weight", str(weights))
    assert done.exit_code == 2
    assert done.stderr.startswith(f"dcells: {weights}: {complaint}")


@pytest.mark.parametrize("flag", ["--save", "--dot"])
def test_standard_output_is_no_place_for_a_diagram(tmp_path, monkeypatch, flag):
    monkeypatch.chdir(tmp_path)
    done = zdd(TEXT, flag, "-")
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{flag} - would go among the answers" in done.stderr
    assert not [*tmp_path.iterdir()]


def test_weights_that_cannot_be_read_are_told_by_name_and_before_the_search(tmp_path):
    absent, junk = tmp_path / "absent", tmp_path / "junk"
    junk.write_bytes(b"\xff\xfe")
    for path, complaint in [(absent, "No such file"), (junk, "no text in UTF-8")]:
        done = zdd(TEXT, "--max-weight", str(path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"dcells: {path}: {complaint}")


@pytest.mark.parametrize("flag", ["--save", "--dot"])
def test_file_that_cannot_be_written_is_told_by_name(tmp_path, flag):
    path = tmp_path / "nowhere" / "file"
    done = zdd(TEXT, flag, str(path))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"dcells: {path}: No such file")


def test_more_draws_than_are_kept_at_a_time_are_one_sequence():
    done = zdd(TEXT, "--sample", "1003", "--seed", "5")
    drawn = done.stdout.split("\n\n")[1:-1]
    assert [block.partition(":")[0] for block in drawn] == [
        str(number) for number in range(1, 1004)
    ]
    first = zdd(TEXT, "--sample", "3", "--seed", "5").stdout.split("\n\n")[1:-1]
    assert drawn[:3] == first
    assert {block.partition(":\n")[2] for block in drawn} == {"a b\nc", "a c\nb"}


def test_more_memory_than_there_can_be_is_no_limit():
    done = zdd(TEXT, "--memory-limit", str(10**20))
    assert done.stdout.startswith("2\n")


def test_frequencies_are_one_line_an_option():
    done = zdd(TEXT, "--frequencies")
    assert done.stdout.endswith("\n\n1 a b\n1 c\n1 a c\n1 b\n")


def test_diagram_is_saved_and_drawn(tmp_path):
    saved, drawn = tmp_path / "diagram", tmp_path / "diagram.dot"
    assert zdd(TEXT, "--save", str(saved), "--dot", str(drawn)).exit_code == 0
    assert Diagram.load(saved).count() == 2
    assert drawn.read_text().startswith("digraph")


def test_saved_diagram_is_not_searched_again(tmp_path):
    saved = tmp_path / "diagram"
    asked = ["--frequencies", "--sample", "3", "--seed", "1"]
    first = zdd(TEXT, *asked, "--save", str(saved)).stdout.splitlines()
    again = zdd("", *asked, file=str(saved)).stdout.splitlines()
    assert [line for line in first if not line.startswith("search")] == again
    told = json.loads(zdd("", "--format", "json", file=str(saved)).stdout)
    assert (told["count"], told["search"]) == (2, None)


@pytest.mark.parametrize("knob", ["--leftmost", "--components", "--memory-limit=50"])
def test_knobs_of_the_search_are_refused_for_a_saved_diagram(tmp_path, knob):
    saved = tmp_path / "diagram"
    zdd(TEXT, "--save", str(saved))
    done = zdd("", knob, file=str(saved))
    assert done.exit_code == 2
    assert "is a saved diagram" in done.stderr


def test_damaged_diagram_is_refused(tmp_path):
    saved = tmp_path / "diagram"
    zdd(TEXT, "--save", str(saved))
    saved.write_bytes(saved.read_bytes()[:-1])
    done = zdd("", file=str(saved))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"dcells: {saved} is damaged: it is ")


@pytest.mark.parametrize("option", ["--save", "--dot", "--max-weight"])
def test_place_that_is_not_there_is_named(tmp_path, option):
    nowhere = tmp_path / "nowhere" / "file"
    done = zdd(TEXT, option, str(nowhere))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "nowhere" in done.stderr
    assert "No such file" in done.stderr


@pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
def test_number_of_more_digits_than_python_likes_is_written():
    options = "".join(f"{k}\n" * 10 for k in range(4500))
    items = " ".join(map(str, range(4500)))
    done = zdd(f"{items}\n{options}", "--leftmost")
    assert done.stdout.splitlines()[0] == "1" + 4500 * "0"


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
