"""A search's state can be put away and taken up again elsewhere."""

from __future__ import annotations

import random
import subprocess
import sys
import tracemalloc
from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import dominoes, queens
from searching import DONE, EVER, PAUSED, kernel_of, run, slices
from standing import PROCESS_S
from strategies import examples, puzzles

from dcells_async import Problem
from dcells_async.kernels import cells as installed_cells
from dcells_async.kernels import xcc as installed
from dcells_async.kernels.arrays import unpack

QUEENS = Problem.from_dlx(queens(6))


def relayed(module, problem, budget, want):
    """Search on in a fresh kernel after every slice."""
    kernel = kernel_of(module, problem)
    found = []
    status = PAUSED
    while status != DONE:
        state = kernel.save()
        kernel = kernel_of(module, problem)
        kernel.load(state)
        assert kernel.sanity() == ""
        assert kernel.save() == state
        status = kernel.advance(budget, want)
        options, ends = kernel.take()
        begin = 0
        for end in ends:
            found.append(tuple(number + 1 for number in options[begin:end]))
            begin = end
    return found, kernel.nodes, kernel.updates


@pytest.mark.parametrize(("budget", "want"), [(37, EVER), (EVER, 1), (300, 2)])
def test_search_goes_on_in_a_fresh_kernel_as_if_nothing_was(variant, budget, want):
    assert relayed(variant("xcc"), QUEENS, budget, want) == run(variant("xcc"), QUEENS)


@given(
    puzzle=puzzles(),
    budget=st.sampled_from([1, 5, 20, EVER]),
    want=st.sampled_from([1, 2, EVER]),
)
@examples(300)
def test_any_search_goes_on_in_a_fresh_kernel(puzzle, budget, want):
    problem = puzzle.problem()
    if not problem.option_lines and problem.dropped:
        problem = Problem.from_options(
            [
                option
                for option in problem.options
                if option.number not in problem.dropped
            ],
            puzzle.primary,
            puzzle.secondary,
        )
    assert relayed(installed, problem, budget, want) == run(installed, problem)


def test_room_for_sizes_grows_in_place_and_little_by_little(variant):
    kernel = kernel_of(variant("xcc"), QUEENS)
    sizes = []
    tracemalloc.start()
    while len(sizes) < 20:
        sizes.append(len(unpack(kernel.save())[0]))
        tracemalloc.reset_peak()
        kernel.grow()
        _, peak = tracemalloc.get_traced_memory()
        if sizes[-1] > 1 << 20:
            # What it takes at most is never much more than what it takes in the end.
            assert peak < sizes[-1] + 4 * (1 << 20)
    tracemalloc.stop()
    steps = [later - size for size, later in pairwise(sizes) if size > 1 << 20]
    assert len(steps) > 3
    assert set(steps) == {1 << 20}
    assert kernel.advance(EVER, EVER) == DONE
    assert kernel.covers == len(run(installed, QUEENS)[0])


def test_tables_that_have_grown_are_saved_with_the_rest():
    # Deep, with alternatives everywhere: far more is saved than room was made for.
    n = 40
    lines = [" ".join(f"i{k}" for k in range(2 * n))]
    lines += [f"i{k} i{k + 1}" for k in range(0, 2 * n, 2) for _ in range(2)]
    problem = Problem.from_dlx("\n".join(lines))
    kernel = kernel_of(installed, problem)
    small = len(kernel.save())
    kernel.advance(EVER, 5)
    kernel.take()
    state = kernel.save()
    assert len(state) > small + 1000
    again = kernel_of(installed, problem)
    again.load(state)
    for _ in range(20):
        assert kernel.advance(1000, 3) == again.advance(1000, 3)
        assert [*map(list, kernel.take())] == [*map(list, again.take())]
    assert again.sanity() == ""


def test_saving_changes_nothing():
    kernel = kernel_of(installed, QUEENS)
    for _ in slices(kernel, QUEENS, 50):
        assert kernel.save() == kernel.save()
    assert (kernel.nodes, kernel.updates) == (71, 1726)


def test_state_of_a_finished_search_is_finished():
    kernel = kernel_of(installed, QUEENS)
    assert kernel.advance(EVER, EVER) == DONE
    again = kernel_of(installed, QUEENS)
    again.load(kernel.save())
    assert again.advance(EVER, EVER) == DONE
    assert (again.covers, again.fraction()) == (4, 1.0)


@pytest.mark.isolated
def test_state_may_be_taken_up_by_another_process(tmp_path):
    problem = Problem.from_dlx(dominoes(4, 4))
    kernel = kernel_of(installed, problem)
    kernel.advance(EVER, 10)
    kernel.take()
    (tmp_path / "state").write_bytes(kernel.save())
    (tmp_path / "problem").write_text(problem.to_dlx())
    code = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[2]]
from dcells_async import Problem
from dcells_async.kernels import xcc
from searching import kernel_of, slices
folder = Path(sys.argv[1])
problem = Problem.from_dlx(folder / "problem")
kernel = kernel_of(xcc, problem)
kernel.load((folder / "state").read_bytes())
print([cover for covers in slices(kernel, problem) for cover in covers])
"""
    tests = next(path for path in sys.path if path.endswith("tests"))
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), tests],
        capture_output=True,
        text=True,
        timeout=PROCESS_S,
        check=True,
    )
    rest = [cover for covers in slices(kernel, problem) for cover in covers]
    assert len(rest) == 26
    assert done.stdout.strip() == str(rest)


@pytest.mark.parametrize("other", [queens(5), queens(7), dominoes(4, 4), "a\na"])
def test_state_of_another_problem_is_refused(variant, other):
    state = kernel_of(variant("xcc"), QUEENS).save()
    kernel = kernel_of(variant("xcc"), Problem.from_dlx(other))
    before = kernel.save()
    with pytest.raises(ValueError, match="another problem"):
        kernel.load(state)
    assert kernel.save() == before


def test_damaged_state_is_refused(variant):
    module = variant("xcc")
    kernel = kernel_of(module, QUEENS)
    kernel.advance(500, EVER)
    kernel.take()
    state = kernel.save()
    rng = random.Random(5)
    lengths = [0, 1, 7, 8, 9, 80, 95, 96, len(state) - 1, len(state) - 4]
    lengths += [rng.randrange(len(state)) for _ in range(60)]
    damaged = [state[:length] for length in lengths]
    damaged += [state + b"\0", state + state, b"\xff" * len(state), b"rubbish", b""]
    damaged += [array("q", [1 << 60]).tobytes() + state[8:]]
    damaged += [array("q", [-1]).tobytes() + state[8:]]
    for bad in damaged:
        fresh = kernel_of(module, QUEENS)
        with pytest.raises(ValueError, match=r"state|length|unpack"):
            fresh.load(bad)


def test_packing_is_undone_by_unpacking(variant):
    cells = variant("cells")
    blocks = [b"", b"abc", array("i", [1, -2]), array("q", [2**40]), b"\0" * 99]
    packed = cells.pack(blocks)
    assert cells.unpack(packed) == [bytes(block) for block in blocks]
    assert packed == installed_cells.pack(blocks)
    assert cells.unpack(cells.pack([])) == []
