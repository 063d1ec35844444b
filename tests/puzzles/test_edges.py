"""Edge matching, against a plain backtracker and all arrangements there are."""

from __future__ import annotations

import threading
from functools import partial
from itertools import permutations, product
from random import Random

import anyio
import pytest
from standing import settled, until

from dcells_async import XCC, ProblemError
from dcells_async.puzzles.edges import (
    arrangement,
    best_board,
    edges,
    edges_steps,
    matched,
    nearly,
    nearly_steps,
    wrong_edges,
)
from dcells_async.puzzles.tile_sets import macmahon, random_puzzle
from dcells_async.puzzles.tiles import Placement, Puzzle, turned

KINDS = ["border", "rim", "open", "torus"]


def images(tile):
    return {turned(tile, turn) for turn in range(4)}


def fits(puzzle, row, column, tile):
    if puzzle.kind in ("open", "torus"):
        return True
    at = [row == 0, column == puzzle.columns - 1, row == puzzle.rows - 1, column == 0]
    for edge, color in zip(at, tile, strict=True):
        if edge and color != puzzle.color:
            return False
        if not edge and color == puzzle.color and puzzle.kind == "border":
            return False
    return True


def backtrack(puzzle, most_wrong=0):
    """Count the boards, row by row; or give the least number of wrong edges."""
    rows, columns = puzzle.rows, puzzle.columns
    grid, used, found = {}, set(), []

    def wrong(row, column, tile):
        bad = 0
        if row and grid[row - 1, column][2] != tile[0]:
            bad += 1
        if column and grid[row, column - 1][1] != tile[3]:
            bad += 1
        if puzzle.kind == "torus":
            here = {**grid, (row, column): tile}
            if row == rows - 1:
                bad += here[0, column][0] != tile[2]
            if column == columns - 1:
                bad += here[row, 0][3] != tile[1]
        return bad

    def lay(place, bad):
        if place == rows * columns:
            found.append(bad)
            return
        row, column = divmod(place, columns)
        for number, tile in enumerate(puzzle.tiles):
            if number in used:
                continue
            for image in images(tile):
                worse = bad + wrong(row, column, image)
                limit = (
                    min(most_wrong, min(found) - 1)
                    if most_wrong and found
                    else most_wrong
                )
                if worse <= limit and fits(puzzle, row, column, image):
                    grid[row, column] = image
                    used.add(number)
                    lay(place + 1, worse)
                    used.discard(number)
                    del grid[row, column]

    lay(0, 0)
    return found


def count(problem):
    return XCC().solve(problem).count()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(1, 1), (1, 3), (2, 2), (2, 3)])
@pytest.mark.parametrize("seed", range(4))
def test_counts_agree_with_a_backtracker(kind, size, seed):
    puzzle = random_puzzle(*size, 3, seed, kind)
    found = count(edges(puzzle))
    assert found == len(backtrack(puzzle))
    assert found > 0


@pytest.mark.parametrize("kind", ["border", "rim"])
@pytest.mark.parametrize("seed", range(4))
def test_counts_agree_on_three_by_three(kind, seed):
    puzzle = random_puzzle(3, 3, 3, seed, kind)
    assert count(edges(puzzle)) == len(backtrack(puzzle)) > 0


@pytest.mark.parametrize("seed", range(3))
def test_counts_agree_on_four_by_four(seed):
    puzzle = random_puzzle(4, 4, 3, seed)
    assert count(edges(puzzle)) == len(backtrack(puzzle)) > 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("size", "turns"), [((2, 2), 4), ((3, 3), 4), ((2, 3), 2)])
def test_fixing_divides_the_count_by_the_number_of_symmetries(kind, size, turns):
    puzzle = random_puzzle(*size, 5, 2, kind)
    shifts = size[0] * size[1] if kind == "torus" else 1
    fixed = count(edges(puzzle, fix=True))
    assert count(edges(puzzle)) == turns * shifts * fixed > 0


def test_a_fixed_corner_is_the_first_one():
    puzzle = random_puzzle(4, 5, 3)
    corner = next(n for n, tile in enumerate(puzzle.tiles) if tile.count(0) == 2)
    places = [p for p in puzzle.placements(fix=True) if p.number == corner]
    assert {place.cell for place in places} == {(0, 0), (0, 4)}


def test_what_cannot_be_fixed_is_refused():
    with pytest.raises(ProblemError, match="the same when turned twice"):
        edges(Puzzle(2, 2, [(1, 2, 1, 2)] * 4, "open"), fix=True)
    hinted = Puzzle(2, 2, [(0, 1, 1, 0)] * 4, hints={(0, 0): (0, 0)})
    with pytest.raises(ProblemError, match="with hints there is no symmetry"):
        edges(hinted, fix=True)


def test_every_cover_is_a_board_on_which_all_edges_match():
    for kind, seed in product(KINDS, range(3)):
        puzzle = random_puzzle(3, 3, 2, seed, kind)
        with XCC().solve(edges(puzzle), limit=50) as covers:
            for cover in covers:
                laid = arrangement(puzzle, cover)
                assert sorted(number for number, _ in laid.values()) == [*range(9)]
                good, total = matched(puzzle, laid)
                assert good == total == (18 if kind == "torus" else 12)


def test_hints_are_kept():
    puzzle = random_puzzle(3, 3, 2)
    with XCC().solve(edges(puzzle)) as covers:
        boards = [arrangement(puzzle, cover) for cover in covers]
    hint = boards[-1][1, 1]
    hinted = Puzzle(3, 3, puzzle.tiles, hints={(1, 1): hint})
    assert count(edges(hinted)) == sum(board[1, 1] == hint for board in boards) > 0


async def test_hints_that_do_not_match_are_refused_but_not_for_the_best_board():
    tiles = [(0, 1, 1, 0), (0, 2, 1, 0), (0, 1, 1, 0), (0, 1, 1, 0)]
    good = Puzzle(2, 2, tiles, hints={(0, 0): (0, 0), (0, 1): (1, 1)})
    assert wrong_edges(good, good.hints) == {}
    bad = Puzzle(2, 2, tiles, hints={(0, 0): (1, 0), (0, 1): (0, 1)})
    assert wrong_edges(bad, bad.hints) == {((0, 1), 3): ((0, 0), 1)}
    with pytest.raises(
        ProblemError, match=r"\(0, 1\) and \(0, 0\) do not match on .* w"
    ):
        edges(bad)
    async with best_board(bad) as result:
        boards = [arrangement(bad, cover) async for cover in result.solutions]
    assert matched(bad, boards[-1]) == (3, 4)
    assert all(boards[-1][cell] == hint for cell, hint in bad.hints.items())


def test_hint_of_an_open_board_keeps_turns_that_no_edge_tells():
    puzzle = Puzzle(1, 1, [(1, 2, 3, 4)], "open", hints={(0, 0): (0, 3)})
    cover = XCC().solve(edges(puzzle)).first()
    assert arrangement(puzzle, cover) == {(0, 0): (0, 3)}


def unsolvable(rows, columns, seed):
    """Repaint sides inside until no board is right."""
    draws = Random(seed)
    tiles = [list(tile) for tile in random_puzzle(rows, columns, 3, seed).tiles]
    while True:
        puzzle = Puzzle(rows, columns, [tuple(tile) for tile in tiles])
        if not count(edges(puzzle)):
            return puzzle
        tile = draws.choice(tiles)
        side = draws.choice([k for k in range(4) if tile[k]])
        tile[side] = draws.randint(1, 3)


@pytest.mark.parametrize(
    ("size", "seed"), [((3, 3), seed) for seed in range(4)] + [((4, 4), 0)]
)
async def test_best_board_of_an_unsolvable_set_is_the_best(size, seed):
    puzzle = unsolvable(*size, seed)
    total = 2 * size[0] * size[1] - sum(size)
    boards = []
    async with best_board(puzzle) as result:
        async for cover in result.solutions:
            good, of = matched(puzzle, arrangement(puzzle, cover))
            assert of == total
            assert good == total - cover.price
            boards.append((good, cover.price))
    assert result.optimal
    assert boards[-1][0] == total - boards[-1][1]
    least = 1
    while not backtrack(puzzle, least):
        least += 1
    assert boards[-1][1] == least


@pytest.mark.parametrize("make", [edges_steps, nearly_steps])
async def test_a_puzzle_is_laid_out_in_a_worker_thread_and_left_at_once(
    make, monkeypatch
):
    puzzle, made = unsolvable(3, 3, 0), []

    def endless(puzzle, fix):
        while True:
            made.append(threading.get_ident())
            yield Placement((0, 0), 0, 0, (0, 1, 2, 0))

    monkeypatch.setattr(Puzzle, "placements", endless)
    engine = XCC()
    search = engine.minimize if make is nearly_steps else engine.dance
    dance = search(partial(make, puzzle))
    assert not made

    async def open_it():
        async with dance:
            pytest.fail("nothing has been made")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(open_it)
        await until(lambda: made)
        tasks.cancel_scope.cancel()
    assert threading.get_ident() not in made
    await settled(lambda: len(made))


@pytest.mark.parametrize("made", [None, "a\na"])
async def test_what_makes_no_problem_is_told(made):
    with pytest.raises(TypeError, match="what makes a problem has given"):
        async with XCC().minimize(lambda: made):
            pass


def test_best_board_of_two_by_two_against_all_arrangements():
    for seed in range(3):
        draws = Random(seed)
        tiles = [tuple(draws.randint(1, 4) for _ in range(4)) for _ in range(4)]
        puzzle = Puzzle(2, 2, tiles, "open")
        cells = list(product(range(2), range(2)))
        best = max(
            matched(
                puzzle, dict(zip(cells, zip(order, turns, strict=True), strict=True))
            )[0]
            for order in permutations(range(4))
            for turns in product(range(4), repeat=4)
        )
        with XCC().cheapest(nearly(puzzle)) as covers:
            assert 4 - [cover.price for cover in covers][-1] == best


@pytest.mark.slow
def test_the_full_board_has_the_known_size():
    puzzle = random_puzzle(16, 16, 17, frame=5)
    problem = edges(puzzle)
    assert (problem.n_primary, len(problem.items)) == (512, 992)
    # Corners: 4 tiles on 4 cells; sides: 56 on 56; inside: 196 on 196 in 4 ways.
    assert 100_000 < len(problem.options) <= 16 + 56 * 56 + 196 * 196 * 4


@pytest.mark.slow
def test_macmahon_squares_have_an_answer_with_a_rim():
    puzzle = Puzzle(4, 6, macmahon(), "rim")
    cover = XCC().solve(edges(puzzle)).first()
    good, total = matched(puzzle, arrangement(puzzle, cover))
    assert good == total == 38
