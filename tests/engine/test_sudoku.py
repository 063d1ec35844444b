"""The kernel for sudokus, against a plain backtracker."""

from __future__ import annotations

import random

import pytest
from reference_sudoku import PEERS, solutions

from dcells_async.kernels.status import Status

FULL = "".join(
    str((3 * (r % 3) + r // 3 + c) % 9 + 1) for r in range(9) for c in range(9)
)
LIMIT = 5


def some_puzzles(rng, n):
    """Full grids with holes, some of them spoilt by a clue or two."""
    for _ in range(n):
        names = rng.sample("123456789", 9)
        grid = [names[int(c) - 1] for c in FULL]
        for cell in rng.sample(range(81), rng.randint(0, 52)):
            grid[cell] = rng.choice(".0*")
        for _ in range(rng.choice((0, 0, 1, 2))):
            grid[rng.randrange(81)] = rng.choice("123456789")
        yield "".join(grid)


def counted(block, budget=1 << 40):
    while (status := block.advance(budget)) is Status.PAUSED or status == 0:
        pass
    assert status == Status.DONE
    return list(block.counts)


def test_counts_and_solutions_are_those_of_the_backtracker(variant):
    puzzles = list(some_puzzles(random.Random(1), 60))
    block = variant("sudoku").SudokuBlock("".join(puzzles).encode(), LIMIT)
    kinds = set()
    for k, count in enumerate(counted(block)):
        expected = solutions(puzzles[k], LIMIT)
        solution = block.solutions[81 * k : 81 * k + 81].decode()
        if expected is None:
            assert count == -1
        else:
            assert count == len(expected)
        if count == 1:
            assert {solution} == expected
        elif count > 1:
            assert all(
                a in (".0*" + b) for a, b in zip(puzzles[k], solution, strict=True)
            )
            assert all(solution[i] != solution[j] for i in range(81) for j in PEERS[i])
        kinds.add(min(count, 2))
    assert kinds == {-1, 0, 1, 2}


def test_slices_change_nothing(variant):
    text = "".join(some_puzzles(random.Random(2), 12)).encode()
    whole = variant("sudoku").SudokuBlock(text, LIMIT)
    sliced = variant("sudoku").SudokuBlock(text, LIMIT)
    assert counted(whole) == counted(sliced, 1)
    assert (whole.nodes, whole.solutions) == (sliced.nodes, sliced.solutions)


def test_variants_agree_to_the_node(variant):
    text = "".join(some_puzzles(random.Random(3), 12)).encode()
    block = variant("sudoku").SudokuBlock(text, LIMIT)
    assert counted(block)
    from dcells_async.kernels.sudoku import SudokuBlock

    other = SudokuBlock(text, LIMIT)
    assert counted(other) == list(block.counts)
    assert (other.nodes, other.solutions) == (block.nodes, block.solutions)


@pytest.mark.parametrize(
    ("puzzle", "count"),
    [
        (FULL, 1),
        ("." * 81, LIMIT),
        ("1" * 81, -1),
        ("x" + "." * 80, -1),
        ("12345678.........9" + "." * 63, 0),
    ],
)
def test_extreme_puzzles(variant, puzzle, count):
    assert counted(variant("sudoku").SudokuBlock(puzzle.encode(), LIMIT)) == [count]


def test_no_puzzles_are_done_at_once(variant):
    assert counted(variant("sudoku").SudokuBlock(b"", 2)) == []


def test_stopped_kernel_does_no_more(variant):
    block = variant("sudoku").SudokuBlock(b"." * 81, 1 << 40)
    assert block.advance(20) == Status.PAUSED
    block.stop()
    assert block.advance(1 << 40) == Status.STOPPED
    assert block.at == 0
