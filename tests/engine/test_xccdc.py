"""XCCDC: the same covers as XCC, and never an option that has no support."""

from __future__ import annotations

import random
import threading
import time
from array import array
from itertools import product

import anyio
import pytest
import reference
from hypothesis import given
from problems import queens
from reference_dc import consistent_part, covers
from searching import EVER, FULL, PAUSED, STOPPED, prepared
from searching import finish as ended
from standing import HANG_S
from strategies import examples, puzzles

from dcells_async import (
    COMPILED,
    XCC,
    XCCDC,
    CapacityError,
    MultiplicityError,
    Outcome,
    Problem,
    verify,
)
from dcells_async.kernels import xcc, xccdc
from dcells_async.kernels.arrays import pack, unpack
from dcells_async.layout import Layout

EXACT = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
COLORS = "p q r | x y\np q x:A y:B\np r x:A y:A\np x:B\nq x:A\nr y:B\n"
FIVE = "a b c\na b c\na b\nc\na\nb c\n"
SECONDARY_FIRST = "a b | x y\nx:A y:B a\ny:B b\nx:A b\n"

needs_speed = pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")


def langford(n):
    lines = [" ".join([f"d{k}" for k in range(n)] + [f"s{i}" for i in range(2 * n)])]
    lines += [f"d{k} s{i} s{i + k + 2}" for k in range(n) for i in range(2 * n - k - 2)]
    return "\n".join(lines)


def squares(n):
    """One square of each side from 1 to n on the board of the partridge puzzle."""
    side = n * (n + 1) // 2
    return Problem.from_options(
        [
            [k, *((r + i, c + j) for i, j in product(range(k), range(k)))]
            for k in range(1, n + 1)
            for r, c in product(range(side - k + 1), repeat=2)
        ],
        primary=[*range(1, n + 1), *product(range(side), repeat=2)],
    )


def finish(kernel, problem, budget=EVER, want=EVER):
    """Search to the end; give the covers in order, and all counters."""
    return *ended(kernel, problem, budget, want), kernel.purges, kernel.purged


def run(module, problem, **knobs):
    return finish(prepared(module, problem, **knobs), problem)


def sets(found):
    return sorted(tuple(sorted(cover)) for cover in found)


def random_options(rng):
    """Draw a problem of up to 6 primary and 3 colored items and 16 options."""
    n_primary = rng.randint(1, 6)
    n_secondary = rng.randint(0, 3)
    options = []
    for _ in range(rng.randint(1, 16)):
        items = rng.sample(range(n_primary), rng.randint(1, min(3, n_primary)))
        items += rng.sample(
            range(n_primary, n_primary + n_secondary), rng.randint(0, n_secondary)
        )
        rng.shuffle(items)
        options.append(
            {item: rng.randint(0, 2) if item >= n_primary else 0 for item in items}
        )
    return n_primary, n_secondary, options


def problem_of(n_primary, n_secondary, options):
    return Problem.from_options(
        [
            [(item, color) if color else item for item, color in option.items()]
            for option in options
        ],
        primary=range(n_primary),
        secondary=range(n_primary, n_primary + n_secondary),
    )


# -- the reference's own tests ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EXACT, [(1, 4, 5)]),
        (COLORS, [(1, 5), (2, 4)]),
        (FIVE, [(1,), (2, 3), (4, 5)]),
        ("a b c\na b\n", []),
        (SECONDARY_FIRST, [(1, 2), (1, 3)]),
    ],
)
def test_small_problem_has_its_covers(variant, text, expected):
    found = run(variant("xccdc").XccdcKernel, Problem.from_dlx(text))[0]
    assert sets(found) == expected


@pytest.mark.parametrize(
    "text",
    [
        EXACT,
        FIVE,
        COLORS,
        SECONDARY_FIRST,
        *map(queens, (5, 6, 7)),
        langford(4),
        langford(5),
    ],
)
def test_covers_are_those_of_xcc(text):
    problem = Problem.from_dlx(text)
    found = list(XCCDC().solve(problem))
    assert all(verify(problem, cover.numbers) == [] for cover in found)
    assert len(set(found)) == len(found)
    assert set(found) == set(XCC().solve(problem))


def test_options_are_reported_as_written():
    (cover, _) = sorted(XCCDC().solve(SECONDARY_FIRST), key=lambda c: sorted(c.numbers))
    assert sorted(cover) == [("x:A", "y:B", "a"), ("y:B", "b")]


# -- counters --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "found", "nodes", "updates", "purges"),
    [(6, 4, 39, 1_335, 298), (7, 40, 280, 4_781, 954), (8, 92, 695, 15_944, 3_372)],
)
def test_queens_take_as_many_nodes_updates_and_purges(
    variant, n, found, nodes, updates, purges
):
    result = run(variant("xccdc").XccdcKernel, Problem.from_dlx(queens(n)))
    assert len(result[0]) == found
    assert result[1:4] == (nodes, updates, purges)


@needs_speed
@pytest.mark.parametrize(
    ("name", "found", "nodes", "updates", "purged"),
    [
        ("filomino-8x8", 1, 22, 21_840, 1_256),
        ("filomino-10x10", 1, 42, 6_419, 452),
        ("filomino-15x15", 1, 82, 139_190, 6_201),
        ("pentominoes-8x8", 520, 12_295, 8_082_819, 152),
        pytest.param(
            "pentominoes-6x10", 9_356, 149_238, 83_318_265, 144, marks=pytest.mark.slow
        ),
    ],
)
def test_known_problem_takes_as_many_nodes_and_updates(
    data, name, found, nodes, updates, purged
):
    problem = Problem.from_dlx(data(f"{name}.dlx"))
    result = run(xccdc.XccdcKernel, problem)
    assert len(set(sets(result[0]))) == len(result[0]) == found
    assert (*result[1:3], result[4]) == (nodes, updates, purged)


def test_table_of_clashes_changes_nothing(variant):
    problem = Problem.from_dlx(queens(7))
    kernel = variant("xccdc").XccdcKernel
    assert run(kernel, problem) == run(kernel, problem, with_rows=False)


# -- against the definitions -----------------------------------------------------------


def check(module, drawn):
    n_primary, _, options = drawn
    problem = problem_of(*drawn)
    kernel = prepared(module, problem, with_rows=len(options) % 2 == 0)
    left = consistent_part(n_primary, options)
    while kernel.purged < 0 and kernel.depth >= 0:
        kernel.advance(1, EVER)
    if left:
        assert set(kernel.alive()) == left
        assert kernel.purged == len(options) - len(left)
    else:
        assert (kernel.purged, kernel.depth) == (-1, -1)
    found = sets(finish(kernel, problem)[0])
    assert found == [
        tuple(number + 1 for number in cover) for cover in covers(n_primary, options)
    ]
    return problem, found


@pytest.mark.parametrize("part", range(6))
def test_covers_and_first_pass_are_those_of_the_definitions(part):
    rng = random.Random(part)
    for _ in range(1000 if COMPILED else 30):
        problem, found = check(xccdc.XccdcKernel, random_options(rng))
        assert found == sets(cover.numbers for cover in XCC().solve(problem))


def test_covers_are_those_of_the_definition_in_every_variant(variant):
    rng = random.Random(99)
    for _ in range(150):
        check(variant("xccdc").XccdcKernel, random_options(rng))


@given(puzzles())
@examples(1000)
def test_covers_are_those_of_brute_force(puzzle):
    found = run(xccdc.XccdcKernel, puzzle.problem())[0]
    assert sets(found) == sorted(reference.covers(*puzzle))


@needs_speed
def test_variants_agree_on_order_and_counters(variant):
    rng = random.Random(5)
    problems = [problem_of(*random_options(rng)) for _ in range(200)]
    problems += [Problem.from_dlx(text) for text in (queens(6), langford(4))]
    for problem in problems:
        whole = run(xccdc.XccdcKernel, problem)
        assert run(variant("xccdc").XccdcKernel, problem) == whole


# -- slices, states, invariants --------------------------------------------------------


def test_invariants_hold_between_all_steps(variant):
    rng = random.Random(7)
    problems = [problem_of(*random_options(rng)) for _ in range(25)]
    for problem in [*problems, Problem.from_dlx(queens(5))]:
        kernel = prepared(variant("xccdc").XccdcKernel, problem)
        last = 0.0
        while kernel.advance(1, EVER) == PAUSED:
            assert kernel.sanity() == ""
            assert last - 1e-12 <= kernel.fraction() <= 1.0
            last = kernel.fraction()
        assert kernel.fraction() == 1.0


@pytest.mark.parametrize(("budget", "want"), [(1, EVER), (7, 1), (1000, 3), (EVER, 1)])
def test_slices_change_nothing(budget, want):
    rng = random.Random(budget)
    problems = [problem_of(*random_options(rng)) for _ in range(100)]
    for problem in [*problems, Problem.from_dlx(queens(6))]:
        whole = run(xccdc.XccdcKernel, problem)
        kernel = prepared(xccdc.XccdcKernel, problem)
        assert finish(kernel, problem, budget, want) == whole


def test_search_goes_on_from_a_saved_state(variant):
    module = variant("xccdc").XccdcKernel
    for problem in map(Problem.from_dlx, (queens(6), COLORS, langford(4))):
        whole = run(module, problem)
        kernel = prepared(module, problem)
        early = []
        while kernel.advance(400, EVER) == PAUSED:
            found = Layout.of(problem).covers(*kernel.take())
            early += [cover.numbers for cover in found]
            other = prepared(module, problem, with_rows=len(early) % 2 == 0)
            other.load(kernel.save())
            late = finish(other, problem)
            assert (early + late[0], *late[1:]) == whole
            # The next leg starts from a loaded state, too.
            other = prepared(module, problem)
            other.load(kernel.save())
            kernel = other


def test_state_of_another_problem_is_refused():
    state = prepared(xccdc.XccdcKernel, Problem.from_dlx(queens(5))).save()
    with pytest.raises(ValueError, match="another problem"):
        prepared(xccdc.XccdcKernel, Problem.from_dlx(queens(6))).load(state)
    with pytest.raises(ValueError, match="another"):
        prepared(xcc.XccKernel, Problem.from_dlx(queens(5))).load(state)
    state = prepared(xcc.XccKernel, Problem.from_dlx(queens(5))).save()
    with pytest.raises(ValueError, match="another search"):
        prepared(xccdc.XccdcKernel, Problem.from_dlx(queens(5))).load(state)


def test_stamps_of_stages_may_pass_any_31_bits():
    problem = Problem.from_dlx(queens(7))
    whole = run(xccdc.XccdcKernel, problem)
    kernel = prepared(xccdc.XccdcKernel, problem)
    sets, registers, pool = unpack(kernel.save())
    registers = array("q", registers)
    registers[1] = (1 << 31) - 20
    kernel.load(pack([sets, registers, pool]))
    assert finish(kernel, problem) == whole


# -- stopping --------------------------------------------------------------------------


@needs_speed
def test_first_pass_of_a_large_problem_can_be_stopped():
    kernel = prepared(xccdc.XccdcKernel, squares(8))
    status = []
    worker = threading.Thread(target=lambda: status.append(kernel.advance(EVER, 1)))
    worker.start()
    while not kernel.purges:
        time.sleep(0.001)
    kernel.stop()
    worker.join(HANG_S)
    assert status == [STOPPED]
    assert (kernel.purged, kernel.nodes) == (-1, 0)
    assert kernel.advance(EVER, 1) == STOPPED


@needs_speed
async def test_first_pass_shows_in_the_statistics_and_ends_with_its_block():
    seen = 0
    with anyio.fail_after(HANG_S):
        async with XCCDC().dance(squares(8)) as result:
            while not seen:
                await anyio.sleep(0.001)
                seen = result.stats.purges
            assert result.stats.purged is None
            assert (result.stats.nodes, result.stats.fraction) == (0, 0.0)
    assert result.outcome is Outcome.CANCELLED
    assert result.stats.purges >= seen


def test_first_pass_can_be_stopped_in_every_variant(variant):
    kernel = prepared(variant("xccdc").XccdcKernel, Problem.from_dlx(queens(9)))
    assert kernel.advance(50, 1) == PAUSED
    kernel.stop()
    assert kernel.advance(EVER, 1) == STOPPED


# -- degenerate problems ---------------------------------------------------------------


def test_problem_without_primary_items_has_the_empty_cover(variant):
    problem = Problem.from_options([], primary=[], secondary=["x"])
    result = run(variant("xccdc").XccdcKernel, problem)
    assert result == ([()], 1, 0, 0, 0)


def test_problem_without_options_has_no_cover(variant):
    problem = Problem.from_options([], primary=["a"])
    assert run(variant("xccdc").XccdcKernel, problem) == ([], 0, 0, 0, -1)


@pytest.mark.parametrize("text", ["a b c\na b\n", "a b c\na b\nb c\na c\n"])
def test_problem_without_cover_ends_before_the_first_node(variant, text):
    found, nodes, *_, purged = run(variant("xccdc").XccdcKernel, Problem.from_dlx(text))
    assert (found, nodes, purged) == ([], 0, -1)


def test_option_that_covers_everything_needs_no_witness(variant):
    problem = Problem.from_dlx("a b | x\nx:1 a b\na b\na x\nb x")
    found = run(variant("xccdc").XccdcKernel, problem)[0]
    assert sets(found) == [(1,), (2,)]


@needs_speed
def test_depth_is_not_limited_by_the_stack():
    problem = Problem.from_options([[i] for i in range(3000) for _ in range(2)])
    kernel = prepared(xccdc.XccdcKernel, problem)
    assert kernel.advance(EVER, 1) == FULL
    assert kernel.nodes == 3001


# -- the engine ------------------------------------------------------------------------


def test_debug_prints_size_purged_and_totals(capsys):
    XCCDC(debug=True).solve("a b c\na b\nc\na c\nb\nb c").count()
    assert capsys.readouterr().err == (
        "(5 options, 3+0 items, 13 entries successfully read)\n"
        "Domain consistency purged 1 of 5 options.\n"
        "Altogether 2 solutions, 14 updates, 6 nodes, 5 purges.\n"
    )


async def test_debug_prints_the_same_asynchronously(capsys):
    assert await XCCDC(debug=True).count(FIVE) == 3
    lines = capsys.readouterr().err.splitlines()
    assert lines[1] == "Domain consistency purged 0 of 5 options."
    assert lines[2].startswith("Altogether 3 solutions, ")
    assert lines[2].endswith(" purges.")
    assert len(lines) == 3


def test_debug_prints_nothing_about_a_first_pass_that_fails(capsys):
    XCCDC(debug=True).solve("a b c\na b\nb c\na c").count()
    assert "Domain" not in capsys.readouterr().err


def test_only_xccdc_counts_purges():
    with XCC().solve(FIVE) as found:
        found.count()
        assert (found.stats.purges, found.stats.purged) == (None, None)
    with XCCDC().solve(FIVE) as found:
        found.count()
        assert found.stats.purges > found.stats.purged == 0


def test_multiplicities_are_refused():
    problem = Problem.from_options([["a"], ["a"]], multiplicity={"a": 2})
    with pytest.raises(MultiplicityError, match="XCCDC covers every item once"):
        XCCDC().solve(problem).count()


async def test_problem_too_large_for_the_memory_is_refused_before_it_is_allocated():
    problem = Problem.from_options(
        [[i % 30_000] for i in range(32_000)], primary=range(30_000)
    )
    engine = XCCDC(memory_limit=1 << 30)
    with pytest.raises(CapacityError, match=r"about 5,\d+ MB .* XCC needs far less"):
        engine.solve(problem).count()
    with pytest.raises(CapacityError):
        await engine.count(problem)
    huge = Problem.from_options([[i] for i in range(70_000)])
    with pytest.raises(CapacityError, match="cannot number"):
        XCCDC(memory_limit=1 << 60).solve(huge).count()


def test_memory_limit_is_a_number_of_bytes():
    with pytest.raises(TypeError, match="memory_limit must be an integer"):
        XCCDC(memory_limit="1 GB").solve(FIVE).count()
    with pytest.raises(ValueError, match="memory_limit must be at least 0"):
        XCCDC(memory_limit=-1).solve(FIVE).count()


def test_lists_that_outgrow_the_memory_limit_end_the_search():
    kernel = prepared(xccdc.XccdcKernel, Problem.from_dlx(queens(8)), pool_limit=10_000)
    with pytest.raises(OverflowError):
        kernel.advance(EVER, EVER)


def test_sizes_saved_along_the_path_count_as_memory(variant, interpreted):
    problem = Problem.from_options([[k] for k in range(60) for _ in range(2)])
    kernel = prepared(interpreted("xccdc").XccdcKernel, problem)
    kernel.advance(EVER, 1)
    assert kernel.depth == 59
    needed = kernel.saved_at[kernel.depth] + 2
    assert needed > 60 * 60
    pool = len(kernel.pool)
    kernel = prepared(
        variant("xccdc").XccdcKernel, problem, pool_limit=4 * (pool + needed) - 1
    )
    with pytest.raises(OverflowError, match="more memory"):
        kernel.advance(EVER, 1)
    # Enough for what is needed and, while it is copied, for the half before.
    kernel = prepared(
        variant("xccdc").XccdcKernel, problem, pool_limit=4 * (pool + 2 * needed)
    )
    kernel.advance(EVER, 1)
    assert kernel.covers == 1


def test_search_beyond_the_memory_limit_is_a_capacity_error():
    class Small(XCCDC):
        def _kernel(self, layout):
            return xccdc.XccdcKernel(
                layout.n_items,
                layout.n_primary,
                layout.option_start,
                layout.option_item,
                layout.option_color,
                pool_limit=10_000,
            )

    with Small().solve(queens(8)) as found:
        with pytest.raises(CapacityError, match="more memory"):
            found.count()
        assert found.outcome is Outcome.FAILED
