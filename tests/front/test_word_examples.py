"""The examples about words, run as their reader would run them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from programs import BACKENDS, ROOT, run

if TYPE_CHECKING:
    from pathlib import Path

FIVE = "frock nymph squab vexed glitz\nPeter vowed it's\nVOWED "


@pytest.fixture
def words(tmp_path: Path) -> str:
    path = tmp_path / "words.txt"
    path.write_text(FIVE, encoding="utf-8-sig")
    return str(path)


@pytest.mark.parametrize("backend", BACKENDS)
def test_words_are_listed_with_what_is_doubled_and_missing(
    words: str, backend: str
) -> None:
    done = run("words", words, "--backend", backend)
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == [
        "frock glitz nymph squab vexed  (e twice in vexed, without j and w)",
        "frock glitz nymph squab vowed  (o in frock and vowed, without j and x)",
    ]
    assert done.stderr.startswith(
        "2 answers from 2 covers, no others, among 6 words (2 left out): "
    )


def test_words_count_and_stop_at_answers_and_not_at_covers(tmp_path: Path) -> None:
    path = tmp_path / "anagrams.txt"
    path.write_text("frock glitz nymph squab vexed xevde dxeve nphmy")
    assert run("words", str(path), "--count").stdout == "6\n"
    done = run("words", str(path), "--first", "4", "--plain")
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "1:",
        "2:",
        "3:",
        "4:",
    ]
    assert done.stderr.startswith("4 answers from 1 cover, ")


def test_words_without_an_answer_say_so(tmp_path: Path) -> None:
    path = tmp_path / "few.txt"
    path.write_text("trace hello")
    done = run("words", str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no cover, among 2 words: ")
    assert run("words", str(path), "--count").returncode == 1


def test_words_of_the_graphbase(data) -> None:
    done = run("words", str(data("sgb-words.txt")), "--first", "2")
    page = (ROOT / "examples" / "words" / "README.md").read_text(encoding="utf-8")
    assert all(f"    {line}\n" in page for line in done.stdout.splitlines())
    assert done.stderr.startswith("2 answers from 2 covers, perhaps more, among 5,757")


@pytest.mark.parametrize(
    ("text", "reason"),
    [(b"", "no word of 5 letters"), (b"Anton\n", "no word of 5"), (b"\xff", "utf-8")],
)
def test_words_refuse_a_list_of_no_use(
    tmp_path: Path, text: bytes, reason: str
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(text)
    done = run("words", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"), [([], "FILE"), (["absent.txt"], "absent.txt: No such")]
)
def test_words_need_a_file(arguments: list[str], reason: str) -> None:
    done = run("words", *arguments)
    assert done.returncode == 2
    assert reason in done.stderr


def test_wordsearch_draws_the_board_of_the_page() -> None:
    done = run("wordsearch", "--size", "14x14", "--seed", "8")
    assert done.returncode == 0
    page = (ROOT / "examples" / "wordsearch" / "README.md").read_text(encoding="utf-8")
    lines = done.stdout.splitlines()
    assert all(f"    {line}\n" in page for line in lines if line)
    full, marked = lines[:14], lines[19:33]
    assert all(len(line) == 27 for line in full + marked)
    assert "." not in "".join(full)
    assert done.stderr.startswith("1 cover, perhaps more, seed 8: 31 nodes, ")


def test_wordsearch_in_hangul_is_wrapped_by_what_is_seen() -> None:
    path = "examples/wordsearch/hangul.txt"
    done = run("wordsearch", path)
    again = run("wordsearch", path, "--backend", "trio", "--seed", "2")
    assert done.returncode == 0
    assert done.stdout != again.stdout
    full, words, _ = done.stdout.split("\n\n", 2)
    assert {len(line) for line in full.splitlines()} == {10}
    assert 60 < max(2 * len(x) - x.count(" ") for x in words.splitlines()) <= 80
    assert len(words.split()) == 28


def test_wordsearch_fills_and_draws_as_told(tmp_path: Path) -> None:
    words, picture = tmp_path / "words.txt", tmp_path / "board.svg"
    words.write_text("to\nox\n", encoding="utf-8-sig")
    arguments = [str(words), "--size", "4x4", "--fill", "é", "--svg", str(picture)]
    done = run("wordsearch", *arguments, "--plain", "--first", "2")
    assert done.stdout.startswith("1:\n")
    assert "2:\n" in done.stdout
    assert set(done.stdout.split("\n\n")[0][3:].split()) == set("TOXÉ")
    shapes = [*ET.fromstring(picture.read_text(encoding="utf-8"))]
    assert len(shapes) == 2 + 16
    assert sum(shape.text in {*"TOX"} for shape in shapes if shape.text) in {3, 4}


def test_wordsearch_counts(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("TO OX")
    done = run("wordsearch", str(path), "--size", "1x3", "--count")
    assert (done.returncode, done.stdout) == (0, "2\n")


def test_wordsearch_out_of_time_knows_nothing() -> None:
    done = run("wordsearch", "--size", "12x12", "--limit", "0.1")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("no cover yet, time is up, seed 1: ")


@pytest.mark.parametrize(
    ("text", "arguments", "reason"),
    [
        ("", [], "there are no words to hide"),
        ("cat dog CAT", [], "the word CAT comes twice"),
        ("it's", [], 'has the character "\'"'),
        ("horse", ["--size", "4x4"], "the word HORSE has 5 letters"),
        ("cat", ["--size", "4by4"], "a board is written like 8x8, not '4by4'"),
        ("cat", ["--size", "0x4"], "positive sides"),
        ("cat", ["--fill", ""], "the alphabet '' has no letters"),
        ("cat", ["--limit", "0"], "--limit"),
        ("cat", ["--count", "--svg", "x.svg"], "leave --svg out"),
        ("cat", ["--svg", "nowhere/x.svg"], "nowhere"),
    ],
)
def test_wordsearch_refuses_nonsense(
    tmp_path: Path, text: str, arguments: list[str], reason: str
) -> None:
    path = tmp_path / "words.txt"
    path.write_text(text, encoding="utf-8")
    done = run("wordsearch", str(path), *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
