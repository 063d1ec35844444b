"""The smallest number of a grid: against checked values, brute force, and itself."""

from __future__ import annotations

import os
from itertools import permutations
from random import Random

import anyio
import pytest

from dcells_async import COMPILED
from dcells_async.errors import ProblemError
from dcells_async.puzzles.minlex import (
    Transformation,
    are_isomorphic,
    canonicalise,
    minlex,
    random_equivalent,
)
from dcells_async.puzzles.minlex_batch import minlex_forms, minlex_forms_sync

EMPTY = "0" * 81
FULL = "".join(
    str((3 * (r % 3) + r // 3 + c) % 9 + 1) for r in range(9) for c in range(9)
)
EVERY = 2 * 6**8


def some_grids(rng: Random, n: int) -> list[str]:
    """Give few clues, clashing ones, full and nearly full grids."""
    grids = [EMPTY, "9" * 81, FULL]
    while len(grids) < n:
        kind = rng.randrange(3)
        if kind == 0:
            clues = dict.fromkeys(rng.choices(range(81), k=rng.randrange(1, 12)))
            grid = [str(rng.randrange(1, 10)) if i in clues else "0" for i in range(81)]
        elif kind == 1:
            most = rng.randrange(1, 10)
            grid = [str(rng.randrange(most + 1)) for _ in range(81)]
        else:
            share = rng.random()
            grid = [digit if rng.random() < share else "0" for digit in FULL]
        grids.append("".join(grid))
    return grids


def orders(lines_of=range(3)):
    """Give the 1,296 orders of nine lines."""
    inner = [*permutations(lines_of)]
    return [
        tuple(
            3 * b + i for b, lines in zip(bands, (x, y, z), strict=True) for i in lines
        )
        for bands in inner
        for x in inner
        for y in inner
        for z in inner
    ]


def brute_force(grid: str) -> tuple[str, int]:
    """Try each arrangement: for each order of columns, all orders of rows by numpy."""
    numpy = pytest.importorskip("numpy")
    rows = numpy.array(orders())
    best, count = "a", 0
    for transposed in (False, True):
        cells = numpy.array([*map(int, grid)], dtype=numpy.int8).reshape(9, 9)
        cells = cells.T if transposed else cells
        for columns in orders():
            texts = cells[:, columns][rows].reshape(-1, 81)
            names = numpy.zeros((len(texts), 10), dtype=numpy.int8)
            keep, seen = numpy.arange(len(texts)), numpy.zeros(len(texts), numpy.int8)
            form = ""
            for place in range(81):
                digits = texts[keep, place]
                is_new = (digits > 0) & (names[keep, digits] == 0)
                seen[keep[is_new]] += 1
                names[keep[is_new], digits[is_new]] = seen[keep[is_new]]
                values = numpy.where(digits > 0, names[keep, digits], 0)
                least = values.min()
                keep = keep[values == least]
                form += str(least)
                if form > best[: place + 1]:
                    break
            else:
                count = count + len(keep) if form == best else len(keep)
                best = form
    return best, count


def test_pairs_are_those_that_were_checked(data):
    lines = data("minlex_pairs.txt").read_text().splitlines()[:300]
    for line in lines:
        grid, form = line.split()
        assert minlex(grid) == form


def test_extra_pairs_and_their_numbers_of_arrangements(data):
    lines = data("minlex_extra_pairs.tsv").read_text().splitlines()
    assert lines
    for line in lines:
        grid, form, _, count = line.split("\t")
        canonical = canonicalise(grid)
        assert (canonical.form, canonical.automorphisms) == (form, int(count))


@pytest.mark.slow
def test_form_is_that_of_brute_force():
    grid = some_grids(Random(5), 6)[-1]
    canonical = canonicalise(grid)
    assert (canonical.form, canonical.automorphisms) == brute_force(grid)


def test_equivalents_have_one_form_and_the_transformation_leads_there():
    rng = Random(1)
    for grid in some_grids(rng, 60):
        canonical = canonicalise(grid)
        other = canonicalise(random_equivalent(grid, rng))
        assert (other.form, other.automorphisms) == (canonical.form, canonical[2])
        assert minlex(canonical.form) == canonical.form
        assert canonical.transformation.apply(grid) == canonical.form
        assert canonical.inverse.apply(canonical.form) == grid
        assert EVERY % canonical.automorphisms == 0


def test_both_variants_give_the_same(variant):
    text = "".join(some_grids(Random(2), 20)).encode()
    block = variant("minlex").MinlexBlock(text)
    while block.advance(1) == 0:
        assert block.at <= 20
    forms = "".join(minlex(grid) for grid in some_grids(Random(2), 20))
    assert block.forms.decode() == forms
    assert [*block.counts[:2]] == [EVERY, EVERY]
    assert block.nodes < 20_000


def test_stopped_kernel_says_so(variant):
    block = variant("minlex").MinlexBlock(FULL.encode())
    block.stop()
    assert block.advance(10).name == "STOPPED"
    assert block.at == 0


@pytest.mark.parametrize(
    ("grid", "automorphisms"),
    [
        # The most that a solution has, as Russell and Jarvis found.
        (
            "123456789456789123789123456231564897564897231897231564"
            "312645978645978312978312645",
            648,
        ),
        ("1" * 9 + "0" * 72, EVERY // 18),
        ("".join("01"[r == c] for r in range(9) for c in range(9)), 2 * 6**4),
        (
            "".join("01"[r // 3 == c // 3] for r in range(9) for c in range(9)),
            EVERY // 6,
        ),
    ],
)
def test_known_numbers_of_automorphisms(grid, automorphisms):
    assert canonicalise(grid).automorphisms == automorphisms


def test_isomorphic_grids():
    assert are_isomorphic("12" + "0" * 79, "0" * 79 + "59")
    assert not are_isomorphic("12" + "0" * 79, "11" + "0" * 79)


@pytest.mark.parametrize(
    ("grid", "words"),
    [("1" * 80, "80 characters"), ("1" * 80 + "x", "character 81 is 'x'")],
)
def test_what_is_no_grid_is_refused(grid, words):
    with pytest.raises(ProblemError, match=words):
        minlex(grid)


def test_transformation_refuses_torn_bands():
    nine, ten = (*range(9),), (*range(10),)
    with pytest.raises(ProblemError, match="rows"):
        Transformation(False, (0, 1, 3, 2, 4, 5, 6, 7, 8), nine, ten)
    with pytest.raises(ProblemError, match="digits"):
        Transformation(False, nine, nine, (1, 0, *range(2, 10)))


LINES = ["grid;source", "# a comment", "", "." * 80 + "3;one", "12", FULL, "*" * 81]
ANSWERS = [(4, "0" * 80 + "1"), (5, None), (6, minlex(FULL)), (7, EMPTY)]


def test_lines_are_answered_in_order():
    answers = [*minlex_forms_sync(LINES)]
    assert [(answer.line, answer.form) for answer in answers] == ANSWERS
    assert answers[1].reason == "there are 2 characters, not 81"
    assert answers[3].automorphisms == EVERY


async def test_lines_are_answered_in_order_asynchronously(anyio_backend, tmp_path):
    path = tmp_path / "grids.txt"
    path.write_bytes("\r\n".join(LINES).encode())

    async def source():
        for line in LINES:
            await anyio.lowlevel.checkpoint()
            yield line

    for lines in (LINES, "\n".join(LINES), path, source()):
        answers = [(a.line, a.form) async for a in minlex_forms(lines, block=2)]
        assert answers == ANSWERS


async def test_no_more_is_read_than_is_asked_for(anyio_backend):
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield FULL

    got = 0
    # What waits, and a block that is being read.
    most = 8 * (os.cpu_count() or 1) * 4 + 4
    async for _ in minlex_forms(endless(), block=4):
        got += 1
        assert read <= got + most
        if got == (50 if COMPILED else 10):
            break
    assert got


async def test_cancelled_iteration_ends(anyio_backend):
    def endless():
        while True:
            yield FULL

    got = 0
    with anyio.fail_after(30), anyio.CancelScope() as scope:
        async for _ in minlex_forms(endless()):
            got += 1
            if got == 3:
                scope.cancel()
    assert scope.cancelled_caught
