"""Compiled and interpreted kernels do the same, counter for counter."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import dominoes, queens
from searching import EVER, kernel_of, run, slices
from standing import PROCESS_S
from strategies import examples, puzzles

from dcells_async import Problem
from dcells_async.kernels import xcc as installed

TRAIL = ("nodes", "updates", "covers", "steps", "depth")


def trail(module, problem, budget, want):
    """Tell after each slice all that a kernel shows of itself."""
    kernel = kernel_of(module, problem)
    told = [
        (covers, *(getattr(kernel, name) for name in TRAIL), kernel.fraction())
        for covers in slices(kernel, problem, budget, want)
    ]
    assert kernel.sanity() == ""
    return told


@given(puzzle=puzzles(), budget=st.integers(1, 60), want=st.integers(1, 5))
@examples(600)
def test_any_problem_is_searched_alike_slice_by_slice(variant, puzzle, budget, want):
    problem = puzzle.problem()
    told = trail(variant("xcc"), problem, budget, want)
    assert told == trail(installed, problem, budget, want)


@pytest.mark.parametrize("text", [queens(6), dominoes(4, 4), dominoes(5, 5)])
@pytest.mark.parametrize(("budget", "want"), [(EVER, EVER), (97, EVER), (EVER, 1)])
def test_known_problem_is_searched_alike_slice_by_slice(variant, text, budget, want):
    problem = Problem.from_dlx(text)
    told = trail(variant("xcc"), problem, budget, want)
    assert told == trail(installed, problem, budget, want)


def test_state_of_one_variant_is_taken_up_by_the_other(variant):
    problem = Problem.from_dlx(queens(6))
    mine, other = kernel_of(variant("xcc"), problem), kernel_of(installed, problem)
    mine.advance(400, EVER)
    mine.take()
    other.load(mine.save())
    assert other.save() == mine.save()
    assert list(slices(mine, problem)) == list(slices(other, problem))
    assert (mine.nodes, mine.updates) == (other.nodes, other.updates) == (71, 1726)


ORDER = """
from dcells_async import XCC, Problem
from problems import queens
options = [[("cell", r, c), ("row", r, d), ("column", c, d), (d, d.upper())]
           for r in range(4) for c in range(4) for d in "abcd"]
labels = Problem.from_options(options, secondary="abcd")
for problem in (labels, Problem.from_dlx(queens(6))):
    with XCC().solve(problem) as covers:
        print([cover.numbers for cover in covers][:500])
    print(covers.stats.nodes, covers.stats.updates, problem.colors)
"""


@pytest.mark.isolated
def test_order_of_covers_does_not_hang_on_hash_codes():
    told = [
        subprocess.run(
            [sys.executable, "-c", ORDER],
            env=os.environ
            | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            timeout=PROCESS_S,
            check=True,
        ).stdout
        for seed in ("1", "2", "random")
    ]
    assert told[0] == told[1] == told[2]
    assert told[0].count("\n") == 4


@pytest.mark.parametrize("n", [5, 6])
def test_nothing_is_left_over_from_search_to_search(variant, n):
    problem = Problem.from_dlx(queens(n))
    first = run(variant("xcc"), problem)
    assert first == run(variant("xcc"), problem)
