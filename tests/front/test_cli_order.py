"""The command line: heuristics, seeds and preprocessing."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from problems import dominoes, queens

from dcells_async import XCC, XCCDC
from dcells_async.cli.commands import dcells

HOPELESS = "a b c | x\na b\nb c x\na c\n"
SMALL = "a b c\na b\nc\na c\nb c\nb\n"


def invoke(*arguments, stdin):
    done = CliRunner().invoke(dcells, arguments, input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def solve(text, *arguments):
    return invoke("solve", "-", *arguments, stdin=text)


def nodes(text, *arguments):
    done = solve(text, "--count", "--format", "json", *arguments)
    document = json.loads(done.stdout)
    return document["count"], document["stats"]["nodes"]


@pytest.mark.parametrize("choose", ["weighted", "failures"])
def test_choice_is_that_of_the_engine(choose):
    text = dominoes(4, 5)
    for name, engine in (("xcc", XCC), ("xccdc", XCCDC)):
        search = engine(choose=choose).solve(text)
        known = search.count(), search.stats.nodes
        assert nodes(text, "--choose", choose, "--engine", name) == known
    assert known[0] == 95


def test_choice_may_be_the_plain_one():
    text = dominoes(4, 4)
    assert nodes(text, "--choose", "mrv") == nodes(text)


def test_seed_gives_other_covers_first():
    firsts = [
        solve(queens(8), "--first", "1", "--seed", str(seed)).stdout
        for seed in (1, 2, 3, 1)
    ]
    assert firsts[0] == firsts[3]
    assert len({*firsts}) == 3
    assert nodes(queens(6), "--seed", "5", "--engine", "mcc")[0] == 4


def test_preprocessing_is_told_and_finds_the_same():
    assert solve(SMALL, "--preprocess").stdout == solve(SMALL).stdout
    told = solve(SMALL, "--preprocess", "--stats").stderr
    assert told.endswith("; before, 1 option and 0 items were removed\n")
    priced = "a b c\na b |5\nc |1\na c |2\nb |3\nb c |1\n"
    for flags in ([], ["--preprocess"], ["--seed", "3"]):
        done = solve(priced, "--minimize", *flags)
        assert done.stdout.endswith(": price 5\na c\nb\n\n")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--choose", "weighted", "--engine", "mcc"], "for the engines xcc and xccdc"),
        (["--choose", "weighted", "--minimize"], "--minimize excludes --choose."),
        (["--seed", "-1"], "-1 is not in the range x>=0"),
        (["--choose", "best"], "'best' is not one of 'mrv', 'weighted', 'failures'"),
    ],
)
def test_what_does_not_go_together_is_refused(flags, message):
    done = solve(SMALL, *flags)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_reduced_problem_is_written():
    done = invoke("reduce", "-", stdin=SMALL)
    assert done.stdout == "a b c\na b\nc\na c\nb\n"
    assert done.stderr == "removed 1 option of 5 and 0 items of 3\n"
    assert done.exit_code == 0
    again = invoke("reduce", "-", stdin=done.stdout)
    assert again.stdout == done.stdout


def test_help_of_reduce_lists_the_statuses_that_it_has():
    text = invoke("reduce", "--help", stdin="").stdout
    lines = text.partition("Exit status:")[2].splitlines()
    statuses = [int(line.split()[0]) for line in lines if line]
    assert statuses == [0, 1, 2, 130, 141]


def test_reduced_problem_without_covers_has_no_options():
    done = invoke("reduce", "-", stdin=HOPELESS)
    assert done.stdout == "a b c | x\n"
    assert done.stderr == "removed 3 options of 3 and 0 items of 4\n"
    assert done.exit_code == 1
    assert invoke("reduce", "-", stdin="0:1|a\n").exit_code == 0


def test_faulty_problem_is_not_reduced():
    done = invoke("reduce", "-", stdin="a b\na d\n")
    assert done.exit_code == 2
    assert "d" in done.stderr
