"""The examples that look for a cheapest cover, run as their reader would run them."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

import pytest
from programs import BACKENDS, run, started
from standing import PROCESS_S

from dcells_async import COMPILED

if TYPE_CHECKING:
    from pathlib import Path

unix = pytest.mark.skipif(os.name == "nt", reason="signals differ there")
compiled = pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")


@pytest.mark.parametrize("bound", [[], ["--bound", "none"], ["--bound", "hungarian"]])
def test_transversal_tells_improvements_and_draws_the_best(bound: list[str]) -> None:
    done = run("transversal", *bound)
    assert done.returncode == 0
    head, grid = done.stdout.rstrip("\n").split("\n\n")
    prices = [int(p.replace(",", "")) for p in re.findall(r"price ([\d,]+): ", head)]
    assert prices == sorted(set(prices), reverse=True)
    assert prices[-1] == 1747
    chosen = re.findall(r"\[(\d):(\d+)\]", grid)
    assert sorted(symbol for symbol, _ in chosen) == list("012345678")
    assert sum(int(price) for _, price in chosen) == 1747
    assert done.stderr.startswith("price 1,747, the least possible, seed 1")


@pytest.mark.parametrize("backend", BACKENDS)
def test_transversal_stopped_early_says_what_is_known(backend: str) -> None:
    done = run("transversal", "13", "--first", "1", "--backend", backend)
    assert done.returncode == 0
    assert re.match(
        r"price [34],\d+, perhaps not the least: at least [\d,]+, gap [\d,]+, seed 1: ",
        done.stderr,
    )
    assert len(done.stdout.splitlines()) == len(["price", "", "head", *range(13), ""])


def test_transversal_compares_bounds() -> None:
    done = run("transversal", "11", "--compare")
    assert done.returncode == 0
    head, *rows = [line.split() for line in done.stdout.splitlines()]
    assert head == ["bound", "price", "nodes", "updates", "seconds"]
    assert [row[0] for row in rows] == ["none", "hungarian", "lp"]
    assert {row[1] for row in rows} == {"2,110"}
    none, hungarian, lp = [int(row[2].replace(",", "")) for row in rows]
    assert lp < hungarian < none


def test_transversal_count() -> None:
    done = run("transversal", "7", "--count")
    assert (done.returncode, done.stdout) == (0, "133\n")


def test_transversal_of_an_even_square_needs_no_search() -> None:
    done = run("transversal", "8")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no cover: a cyclic square with an even number of")


@pytest.mark.parametrize(
    ("module", "bound", "advice"),
    [
        ("scipy", "hungarian", "pip install scipy"),
        ("highspy", "lp", "pip install 'dcells-async[lp]'"),
    ],
)
def test_transversal_says_what_to_install(
    tmp_path: Path, module: str, bound: str, advice: str
) -> None:
    (tmp_path / f"{module}.py").write_text("raise ImportError", encoding="utf-8")
    done = run("transversal", "5", "--bound", bound, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{advice}\n")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [["0"], ["nine"], ["9", "--bound", "lp", "--compare"]]
)
def test_transversal_refuses_what_makes_no_sense(arguments: list[str]) -> None:
    done = run("transversal", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


@compiled
@pytest.mark.parametrize("backend", BACKENDS)
def test_hollow_tells_improvements_and_draws_the_best(backend: str) -> None:
    done = run("hollow", "--backend", backend)
    assert done.returncode == 0
    head, picture = done.stdout.rstrip("\n").split("\n\n")
    line = r"(\d) squares? trapped: [\d,]+ nodes?, \d+\.\d\d s"
    matches = [re.fullmatch(line, text) for text in head.splitlines()]
    told = [match[1] for match in matches if match]
    assert len(told) == len(matches)
    assert told == sorted(set(told), reverse=True)
    assert told[-1] == "1"
    lines = picture.splitlines()
    assert len(lines) == 37
    assert {len(line) for line in lines} == {73}
    assert lines[10][20] in "┏┢┲╆"
    assert lines[26][52] in "┛┩┹╃"
    assert done.stderr.startswith(
        "1 square trapped, the least possible, z = 16, bound none: "
    )


@compiled
def test_hollow_stopped_early_says_what_is_proved() -> None:
    done = run("hollow", "--z", "14", "--first", "2", "--plain")
    assert done.returncode == 0
    assert done.stderr.startswith(
        "1 square trapped, perhaps not the least: at least 0, gap 1, z = 14, bound"
    )
    assert done.stdout.count("+---") == 2


@compiled
@unix
@pytest.mark.parametrize("backend", BACKENDS)
def test_hollow_interrupted_draws_the_best_so_far(backend: str) -> None:
    arguments = ["--z", "14", "--plain", "--backend", backend]
    with started("hollow", *arguments) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        assert lines[1].startswith("1 square trapped: ")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PROCESS_S)
        assert (process.returncode, errors) == (130, "")
        assert output.count("+---") == 2


@pytest.mark.parametrize("bound", ["none", "piece", "cell"])
def test_hollow_1_traps_its_only_square(bound: str) -> None:
    done = run("hollow", "1", "--bound", bound)
    assert done.returncode == 0
    assert done.stdout.endswith("\n\n┏━┓\n┗━┛\n\n")
    assert done.stderr.startswith("1 square trapped, the least possible, z = 1, bound ")


def test_hollow_without_cover_says_so() -> None:
    done = run("hollow", "3", "--bound", "cell")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no cover, z = 6, bound cell: ")


def test_hollow_out_of_time_before_the_first_cover_knows_nothing() -> None:
    done = run("hollow", "9", "--limit", "0.1")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("no cover yet, time is up, z = 17, bound none: ")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--z", "3"], "an even side from 0 to 36, not 3"),
        (["--z", "-2"], "--z"),
        (["--bound", "lp"], "--bound"),
        (["--limit", "soon"], "--limit"),
        (["0"], "1<=x<=12"),
    ],
)
def test_hollow_refuses_what_makes_no_sense(arguments: list[str], reason: str) -> None:
    done = run("hollow", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
