"""The domino example, run as its reader would run it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from programs import BACKENDS, run

from dcells_async import COMPILED

if TYPE_CHECKING:
    from pathlib import Path


def test_domino_draws_a_random_tiling_and_the_heaviest() -> None:
    done = run("domino", "4x6")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "281 tilings, as Kasteleyn's product says"
    heads = [line for line in lines if line.endswith(":")]
    weights = [int(line.rstrip(":").split()[-1]) for line in heads]
    assert [line.split(",")[0] for line in heads] == ["one at random", "the heaviest"]
    assert weights[0] <= weights[1]
    assert sum(line.startswith("╭") for line in lines) == 2
    assert done.stderr == "281 covers: a diagram of 189 nodes, 38 options\n"


def test_domino_draws_as_many_as_asked_for_by_the_seed() -> None:
    done = run("domino", "4x6", "--first", "3", "--seed", "5")
    assert done.stdout.count("at random") == 3
    assert run("domino", "4x6", "--first", "3", "--seed", "5").stdout == done.stdout
    assert run("domino", "4x6", "--first", "3", "--seed", "6").stdout != done.stdout


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["8x8"], 12988816),
        (["3x8"], 153),
        (["--aztec", "6"], 2**21),
        (["--aztec", "6", "--by", "rows"], 2**21),
        (["4x4", "--cut"], 0),
        (["5x5"], 0),
    ],
)
@pytest.mark.slow
def test_domino_counts(arguments: list[str], count: int, backend: str) -> None:
    done = run("domino", *arguments, "--count", "--backend", backend)
    assert (done.stdout, done.stderr) == (f"{count}\n", "")
    assert done.returncode == (0 if count else 1)


@pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
def test_domino_counts_more_than_could_be_listed() -> None:
    done = run("domino", "12x12", "--count")
    assert done.stdout == "53060477521960000\n"


@pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
def test_domino_writes_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "tiling.svg"
    done = run("domino", "--aztec", "12", "--plain", "--picture", str(path))
    assert done.stdout.startswith(f"{2**78:,} tilings, as 2^78 says\n")
    assert "a diagram of 139,268 nodes" in done.stderr
    shapes = [*ET.fromstring(path.read_text(encoding="utf-8"))]
    assert len(shapes) == 12 * 13
    assert len({shape.get("fill") for shape in shapes}) == 4
    picture = done.stdout.split("\n\n")[1].splitlines()[1:]
    assert picture[0].strip(".") in {"NN", "WE"}


@pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_domino_writes_what_is_likely(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"chances.{suffix}"
    if suffix == "png":
        pytest.importorskip("PIL")
    assert run("domino", "--aztec", "10", "--chances", str(path)).returncode == 0
    if suffix == "png":
        assert path.read_bytes().startswith(b"\x89PNG")
    else:
        shapes = [*ET.fromstring(path.read_text(encoding="utf-8"))]
        assert len(shapes) == 2 * 10 * 11
        # Frozen at the corners, and mixed in the middle.
        assert len({shape.get("fill") for shape in shapes}) > 40


def test_domino_without_a_tiling() -> None:
    done = run("domino", "4x4", "--cut")
    assert (done.returncode, done.stdout) == (1, "0 tilings\n\n")
    assert done.stderr == "no cover: a diagram of 1 node, 20 options\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["4by4"], "a board is written like 8x8"),
        (["0x4"], "positive sides"),
        (["9999x9999", "--count"], "at most 100,000 cells"),
        (["1x1", "--cut"], "at least one cell"),
        (["4x4", "--aztec", "3"], "neither size nor cut"),
        (["--aztec", "3", "--cut"], "neither size nor cut"),
        (["--aztec", "0"], "--aztec"),
        (["--by", "spirals"], "--by"),
        (["4x4", "--count", "--picture", "x.svg"], "leave the pictures out"),
        (["4x4", "--count", "--chances", "x.svg"], "leave the pictures out"),
        (["2x2", "--picture", "nowhere/x.svg"], "nowhere"),
        (["2x2", "--chances", "x.gif"], "an .svg or a .png, not 'x.gif'"),
    ],
)
def test_domino_refuses_nonsense(arguments: list[str], reason: str) -> None:
    done = run("domino", *arguments)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
