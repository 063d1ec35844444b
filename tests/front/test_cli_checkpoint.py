"""Tokens kept in a file by the command line, whatever ends the process."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import subprocess
import sys
from operator import itemgetter
from pathlib import Path
from shutil import which

import pytest
from click.testing import CliRunner
from problems import FRUITLESS, SMALL, dominoes, queens
from programs import environment
from standing import PROCESS_S

from dcells_async import XCC, Outcome
from dcells_async.cli.commands import dcells
from dcells_async.cli.keeping import Keeper
from dcells_async.search.token import Token

PRICED = "a b c\na b |5\nc |1\na c |2\nb |3"


def command(*arguments):
    return [sys.executable, "-m", "dcells_async", *arguments]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "q8.dlx").write_text(queens(8), encoding="utf-8")
    (tmp_path / "small.dlx").write_text(SMALL, encoding="utf-8")
    (tmp_path / "priced.dlx").write_text(PRICED, encoding="utf-8")
    return tmp_path


def solve(folder, *arguments):
    told = [str(folder / a) if a.endswith((".dlx", ".tok")) else a for a in arguments]
    return CliRunner().invoke(dcells, ["solve", *told])


def records(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_search_goes_on_and_numbers_on(folder):
    whole = solve(folder, "q8.dlx")
    first = solve(folder, "--first", "30", "--checkpoint", "a.tok", "q8.dlx")
    rest = solve(folder, "--resume", "a.tok", "q8.dlx")
    assert rest.stderr.splitlines() == ["going on after 30 covers"]
    assert first.stdout + rest.stdout == whole.stdout
    assert rest.stdout.startswith("31:\n")
    assert (first.exit_code, rest.exit_code) == (0, 0)


def test_finished_search_does_not_begin_again(folder):
    args = ("--format", "ndjson", "--checkpoint", "a.tok", "q8.dlx")
    *covers, end = records(solve(folder, *args))
    assert len(covers) == 92
    again = solve(folder, "--resume", "a.tok", *args)
    (last,) = records(again)
    assert (last["type"], last["outcome"]) == ("end", "exhausted")
    assert last["stats"]["covers"] == end["stats"]["covers"] == 92
    assert last["stats"]["nodes"] == end["stats"]["nodes"]
    assert again.exit_code == 0
    assert sorted(path.name for path in folder.glob("a.tok*")) == ["a.tok"]


def test_first_counts_from_the_beginning(folder):
    solve(folder, "--first", "30", "--checkpoint", "a.tok", "q8.dlx")
    more = solve(
        folder, "--first", "40", "--resume", "a.tok", "--format", "ndjson", "q8.dlx"
    )
    assert [r["cover"] for r in records(more)[:-1]] == list(range(31, 41))


@pytest.mark.parametrize("engine", ["xcc", "mcc", "xccdc"])
def test_count_goes_on(folder, engine):
    (folder / "d.dlx").write_text(dominoes(6, 6), encoding="utf-8")
    args = ("--count", "--engine", engine, "--checkpoint", "a.tok", "d.dlx")
    done = solve(folder, "--timeout", "0.02", *args)
    counted = []
    while done.exit_code == 124:
        counted.append(int(done.stdout.split()[-1]))
        done = solve(folder, "--timeout", "0.05", "--resume", "a.tok", *args)
    assert done.stdout == "6728\n"
    assert counted == sorted(counted)


@pytest.mark.parametrize(
    "knobs",
    [
        "--engine auto",
        "--engine mcc",
        "--choose weighted",
        "--seed 5",
        "--choose failures --seed 3 --preprocess",
    ],
)
def test_any_number_of_workers_goes_on(folder, knobs):
    args = [*knobs.split(), "--format", "ndjson", "q8.dlx"]
    keep = ("--checkpoint", "a.tok")
    first = solve(folder, "--workers", "3", "--first", "30", *keep, *args)
    more = solve(folder, "--first", "60", "--resume", "a.tok", *keep, *args)
    rest = solve(folder, "--workers", "2", "--ordered", "--resume", "a.tok", *args)
    found = [r for done in (first, more, rest) for r in records(done)[:-1]]
    assert [r["cover"] for r in found] == list(range(1, 93))
    assert len({tuple(sorted(r["options"])) for r in found}) == 92


def test_count_goes_on_by_the_engine_that_began_it(folder):
    for began in (["--workers", "2"], []):
        args = ["--count", "--checkpoint", "a.tok", "q8.dlx"]
        assert solve(folder, *began, *args).stdout == "92\n"
        assert solve(folder, "--count", "--resume", "a.tok", "q8.dlx").stdout == "92\n"
    (folder / "a.tok").write_bytes(b"rubbish")
    done = solve(folder, "--count", "--resume", "a.tok", "q8.dlx")
    assert (done.exit_code, "no token" in done.stderr) == (2, True)


@pytest.mark.parametrize("engine", ["mcc", "xccdc", "zdd"])
def test_engine_need_not_be_named_again(folder, engine):
    args = ("--first", "30", "--checkpoint", "a.tok", "q8.dlx")
    first = solve(folder, "--engine", engine, *args)
    rest = solve(folder, "--resume", "a.tok", "q8.dlx")
    assert (
        first.stdout + rest.stdout == solve(folder, "--engine", engine, "q8.dlx").stdout
    )


def test_unique_goes_on(folder):
    done = solve(folder, "--unique", "--checkpoint", "a.tok", "small.dlx")
    again = solve(folder, "--unique", "--resume", "a.tok", "small.dlx")
    assert done.stdout == again.stdout == "several\n"


def test_minimize_goes_on(folder):
    args = ("--minimize", "--format", "ndjson")
    first = solve(folder, *args, "--first", "1", "--checkpoint", "a.tok", "priced.dlx")
    rest = solve(folder, *args, "--resume", "a.tok", "priced.dlx")
    found = records(first)[:-1] + records(rest)[:-1]
    assert [r["cover"] for r in found] == [1, 2]
    assert [sum([5, 1, 2, 3][k - 1] for k in r["options"]) for r in found] == [6, 5]
    assert "going on after 1 cover\n" in rest.stderr


def test_zdd_goes_on(folder):
    (folder / "d.dlx").write_text(dominoes(8, 8), encoding="utf-8")
    runner = CliRunner()
    token, problem = str(folder / "a.tok"), str(folder / "d.dlx")
    args = ["zdd", "--checkpoint", token, "--every", "0.001", problem]
    done = runner.invoke(dcells, [*args, "--timeout", "0.1"])
    for _ in range(200):
        if done.exit_code != 124:
            break
        resume = ["--resume", token] if (folder / "a.tok").exists() else []
        done = runner.invoke(dcells, [*args, "--timeout", "0.5", *resume])
    assert done.exit_code == 0
    assert "12,988,816" in done.stdout or "12988816" in done.stdout
    # The diagram was told; there is nothing to go on with.
    assert not (folder / "a.tok").exists()


def test_tokens_are_made_while_nothing_is_found(folder, monkeypatch):
    kept = []
    monkeypatch.setattr(Keeper, "keep", lambda self, token, outlet: kept.append(token))
    (folder / "none.dlx").write_text(FRUITLESS, encoding="utf-8")
    args = ("--timeout", "0.3", "--checkpoint", "a.tok", "--every", "0.001")
    assert solve(folder, *args, "none.dlx").exit_code == 124
    nodes = [Token.of_bytes(token).stats.nodes for token in kept]
    assert len(nodes) > 3
    assert nodes == sorted(nodes)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--every", "5"], "--every needs --checkpoint"),
        (["--checkpoint", "a.tok", "--every", "soon"], "60s, 5m, 1h"),
        (["--checkpoint", "a.tok", "--every", "0s"], "60s, 5m, 1h"),
        (["--checkpoint", "a.tok", "--format", "json"], "one document"),
        (["--checkpoint", "-"], "name a file"),
        (["--resume", "missing.tok"], "does not exist"),
        (["--resume", "small.dlx"], "no token of a search"),
        (["--resume", "other.tok"], "another problem than"),
        (["--resume", "other.tok", "--engine", "mcc"], "not for all covers by MCC"),
        (["--resume", "other.tok", "--minimize"], "not for the 1 cheapest"),
    ],
)
def test_what_makes_no_sense_is_refused(folder, arguments, complaint):
    token = XCC().solve(queens(5))
    list(token)
    (folder / "other.tok").write_bytes(token.checkpoint())
    done = solve(folder, *arguments, "small.dlx")
    assert complaint in done.stderr
    assert (done.exit_code, done.stdout) == (2, "")


def test_file_that_is_no_token_is_not_overwritten(folder):
    problem = folder / "small.dlx"
    (folder / "notes.tok").write_text("not to be lost", encoding="utf-8")
    for path, complaint in (
        ("notes.tok", "no token"),
        ("small.dlx", "this is the problem"),
    ):
        done = solve(folder, "--checkpoint", path, "small.dlx")
        assert complaint in done.stderr
        assert (done.exit_code, done.stdout) == (2, "")
    assert (folder / "notes.tok").read_text(encoding="utf-8") == "not to be lost"
    assert problem.read_text(encoding="utf-8") == SMALL
    assert [*folder.glob("*.part")] == []


def test_token_is_overwritten_only_by_the_search_that_goes_on_from_it(folder):
    args = ("--checkpoint", "a.tok", "q8.dlx")
    solve(folder, "--first", "30", *args)
    token = (folder / "a.tok").read_bytes()
    other = solve(folder, "--first", "30", "--checkpoint", "b.tok", "q8.dlx")
    assert other.exit_code == 0
    for resume in ([], ["--resume", "b.tok"]):
        done = solve(folder, *resume, *args)
        assert "of a search that is not over" in done.stderr
        assert (done.exit_code, done.stdout) == (2, "")
        assert (folder / "a.tok").read_bytes() == token
    assert solve(folder, "--resume", "a.tok", *args).exit_code == 0
    # Now that it is over, another search may take its place.
    assert solve(folder, "--first", "1", *args).stdout.startswith("1:\n")


def test_one_command_begins_and_goes_on(folder):
    args = ("--checkpoint", "a.tok", "--resume", "a.tok", "--format", "ndjson")
    first = solve(folder, *args, "--first", "30", "q8.dlx")
    rest = solve(folder, *args, "q8.dlx")
    assert "a.tok does not exist yet: beginning at the beginning" in first.stderr
    assert rest.stderr == "going on after 30 covers\n"
    found = [r["cover"] for done in (first, rest) for r in records(done)[:-1]]
    assert found == list(range(1, 93))


def test_zdd_begins_by_the_same_command(folder):
    token = str(folder / "a.tok")
    args = ["zdd", "--checkpoint", token, "--resume", token, str(folder / "q8.dlx")]
    done = CliRunner().invoke(dcells, args)
    assert done.exit_code == 0
    assert "beginning at the beginning" in done.stderr
    missing = CliRunner().invoke(dcells, ["zdd", "--resume", token, args[-1]])
    assert (missing.exit_code, "does not exist" in missing.stderr) == (2, True)


@pytest.mark.parametrize("failures", [1, 1000])
def test_search_goes_on_if_its_token_cannot_be_written(folder, monkeypatch, failures):
    tries = iter(range(failures))
    fsync = os.fsync

    def full(file):
        if next(tries, None) is not None:
            raise OSError(errno.ENOSPC, "the disk is full")
        fsync(file)

    monkeypatch.setattr("dcells_async.files.os.fsync", full)
    (folder / "d.dlx").write_text(dominoes(6, 6), encoding="utf-8")
    args = ("--engine", "xccdc", "--count", "--checkpoint", "a.tok")
    done = solve(folder, *args, "--every", "0.001", "d.dlx")
    assert (done.exit_code, done.stdout) == (0, "6728\n")
    assert done.stderr.count("the disk is full; the search goes on") == 1
    assert (folder / "a.tok").exists() == (failures == 1)
    assert not (folder / "a.tok.part").exists()


def test_unique_of_a_search_that_had_many_is_told(folder):
    args = ("--engine", "xcc", "--checkpoint", "a.tok", "q8.dlx")
    solve(folder, "--first", "30", *args)
    done = solve(folder, "--unique", "--engine", "xcc", "--resume", "a.tok", "q8.dlx")
    assert (done.stdout, done.exit_code) == ("several\n", 3)


def test_first_that_was_reached_before_is_told(folder):
    solve(folder, "--first", "30", "--checkpoint", "a.tok", "q8.dlx")
    done = solve(folder, "--first", "3", "--resume", "a.tok", "q8.dlx")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "--first 3 counts from the beginning" in done.stderr


def test_count_by_zdd_goes_on(folder):
    (folder / "d.dlx").write_text(dominoes(8, 8), encoding="utf-8")
    args = ("--count", "--engine", "zdd", "--checkpoint", "a.tok", "d.dlx")
    assert solve(folder, *args).stdout == "12988816\n"
    again = solve(folder, "--count", "--resume", "a.tok", "d.dlx")
    assert (again.stdout, again.exit_code) == ("12988816\n", 0)


@pytest.mark.parametrize("option", ["--workers=2", "--minimize", "--choose=weighted"])
def test_zdd_refuses_what_it_cannot(folder, option):
    done = solve(folder, "--engine", "zdd", option, "priced.dlx")
    assert (done.exit_code, done.stdout) == (2, "")
    assert option.partition("=")[0] in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
@pytest.mark.parametrize("option", ["--checkpoint", "--resume"])
def test_pipe_is_no_place_for_a_token(folder, option):
    os.mkfifo(folder / "a.tok")
    done = solve(folder, option, "a.tok", "small.dlx")
    assert "this is no regular file" in done.stderr
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("time", ["90", "90s", "1.5m", ".025h", " 90 s"])
def test_times_can_be_told_in_units(folder, monkeypatch, time):
    seen = []
    begin = Keeper.__init__
    monkeypatch.setattr(
        Keeper,
        "__init__",
        lambda self, path, every: (seen.append(every), begin(self, path, every))[1],
    )
    solve(folder, "--checkpoint", "a.tok", "--every", time, "small.dlx")
    assert seen == [90.0]


def test_file_that_cannot_be_written_is_told(folder):
    done = solve(folder, "--checkpoint", "no/such/a.tok", "small.dlx")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no/such" in done.stderr.replace("\\", "/")


@pytest.mark.isolated
def test_search_that_is_killed_again_and_again_gives_all(folder):
    rng = random.Random(1)
    pure = environment(DCELLS_ASYNC_PURE="1")
    problem, token = str(folder / "q8.dlx"), folder / "a.tok"
    found = {}
    for kills in range(6):
        args = ["solve", "--format", "ndjson", "--checkpoint", str(token)]
        args += ["--every", "0.02", *(["--resume", str(token)] * token.exists())]
        output = folder / f"{kills}.ndjson"
        with (
            output.open("wb") as out,
            subprocess.Popen(
                command(*args, problem), stdout=out, stderr=subprocess.PIPE, env=pure
            ) as process,
        ):
            try:
                if kills < 5:
                    process.wait(rng.uniform(0.4, 1.2))
                errors = process.communicate(timeout=PROCESS_S)[1].decode()
            except subprocess.TimeoutExpired:
                process.kill()
                errors = process.communicate()[1].decode()
        after = re.search(r"going on after (\d+) cover", errors)
        assert all(k in found for k in range(1, 1 + int(after[1]) if after else 1))
        # The last line may be torn.
        for line in output.read_bytes().split(b"\n")[:-1]:
            record = json.loads(line)
            if record["type"] == "cover":
                told = found.setdefault(record["cover"], record["options"])
                assert told == record["options"]
    assert record["outcome"] == Outcome.EXHAUSTED.value
    whole = [list(cover.numbers) for cover in XCC().solve(queens(8))]
    assert [found[k + 1] for k in range(len(whole))] == whole
    assert len(found) == 92


@pytest.mark.skipif(
    not (which("sh") and which("awk") and which("jq")), reason="there is no jq"
)
def test_recipe_for_joining_outputs_loses_no_cover_behind_a_torn_line(folder):
    whole = solve(folder, "--format", "ndjson", "q8.dlx").stdout
    lines = whole.splitlines(keepends=True)
    (folder / "covers.1").write_text("".join(lines[:40]) + lines[40][:17])
    # The token was of the 40th; or of an earlier one, so that some come again.
    (folder / "covers.2").write_text("".join(lines[40:60]) + lines[60][:-2])
    (folder / "covers.3").write_text("".join(lines[55:]))
    docs = Path(__file__).parents[2] / "docs" / "checkpoints.md"
    (recipe,) = re.findall(
        r"^\$ (.*covers\.\* .*)", docs.read_text("utf-8"), re.MULTILINE
    )
    done = subprocess.run(
        ["sh", "-c", recipe], cwd=folder, capture_output=True, text=True, check=True
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(found, key=itemgetter("cover")) == [
        json.loads(line) for line in lines[:-1]
    ]


if sys.platform != "win32":

    @pytest.mark.isolated
    def test_ctrl_c_leaves_a_token_of_all_that_was_printed(folder):
        token = folder / "a.tok"
        (folder / "none.dlx").write_text(FRUITLESS, encoding="utf-8")
        with subprocess.Popen(
            command("solve", "--checkpoint", str(token), "--every", "0.1",
                    str(folder / "none.dlx")),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        ) as process:  # fmt: skip
            try:
                while not token.exists() and process.poll() is None:
                    pass
                process.send_signal(2)
                process.communicate(timeout=PROCESS_S)
            finally:
                process.kill()
        assert process.returncode == 130
        assert Token.of_bytes(token.read_bytes()).stats.nodes > 0
