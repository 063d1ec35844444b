"""The covers of a diagram come through the same channel as those of a search."""

from __future__ import annotations

import random
from array import array

import anyio
import pytest
from diagrams import diagram_of, tilings
from standing import PATIENCE_S, settled

from dcells_async import COMPILED, Diagram, Outcome, Problem


def square(n):
    cells = [(r, c) for r in range(n) for c in range(n)]
    options, columns, root = tilings(cells)
    return Diagram(Problem.from_options(options, primary=cells), *columns, root=root)


SMALL = square(4)
LARGE = square(8)
COVERS = [cover.numbers for cover in SMALL]


async def taken(dance):
    async with dance as result:
        covers = [cover.numbers async for cover in result.solutions]
    return covers, result


@pytest.mark.parametrize("buffer", [0, 1, 1024])
@pytest.mark.parametrize("start", [0, 1, 17, 35, 36])
async def test_covers_come_in_order_from_any_on(start, buffer):
    covers, result = await taken(SMALL.solutions(start, buffer=buffer))
    assert covers == COVERS[start:]
    assert result.outcome is Outcome.EXHAUSTED
    assert result.stats.covers == 36 - start
    assert result.stats.fraction == 1.0
    assert result.problem is SMALL.problem


async def test_limits_end_the_walk_and_ranks_take_it_up():
    found = []
    while len(found) < 36:
        covers, result = await taken(SMALL.solutions(len(found), limit=7))
        found += covers
        if len(found) < 36:
            assert result.outcome is Outcome.LIMITED
    assert found == COVERS


@pytest.mark.parametrize("buffer", [0, 1, 5, 50])
async def test_walk_stands_still_while_the_consumer_sleeps(buffer):
    async with LARGE.solutions(buffer=buffer) as result:
        for n in range(1, 40):
            await result.solutions.receive()
            if n % 13 == 1:
                await anyio.sleep(0.03)
            assert result.stats.covers <= n + buffer
        await settled(lambda: result.stats.nodes)
        assert result.stats.covers <= n + buffer
    assert result.outcome is Outcome.CANCELLED


async def test_time_that_runs_out_ends_the_walk():
    for timeout in PATIENCE_S:
        covers, result = await taken(LARGE.solutions(timeout=timeout, buffer=100_000))
        if covers:
            break
    assert result.outcome is Outcome.TIMED_OUT
    assert 0 < len(covers) < 12_988_816


async def test_walk_can_be_cancelled_wherever_it_is():
    with anyio.move_on_after(0.05) as scope:
        async with LARGE.solutions() as result:
            async for _ in result.solutions:
                pass
    assert scope.cancelled_caught
    assert result.outcome is Outcome.CANCELLED


async def test_several_share_one_diagram():
    parts = {}

    async def take(start):
        parts[start], _ = await taken(SMALL.solutions(start, limit=9, buffer=2))

    async with anyio.create_task_group() as tasks:
        for start in range(0, 36, 9):
            tasks.start_soon(take, start)
    assert [cover for _, part in sorted(parts.items()) for cover in part] == COVERS


async def test_fraction_tells_where_in_the_family_the_walk_is():
    total = LARGE.count()
    async with LARGE.solutions(total // 2, limit=1) as result:
        await result.wait()
        assert result.stats.fraction == pytest.approx(0.5)


async def test_heartbeat_ends_with_the_last_numbers():
    async with SMALL.solutions() as result:
        pulses = [pulse async for pulse in result.heartbeat]
        assert pulses[-1].covers == 36
    assert result.stats.updates == 0
    assert result.stats.nodes > 36


@pytest.mark.parametrize("covers", [[], [()]])
async def test_smallest_families(covers):
    problem = Problem.from_dlx("a\na")
    found, result = await taken(diagram_of(problem, covers).solutions())
    assert found == covers
    assert result.outcome is Outcome.EXHAUSTED


def test_synchronous_twin_knows_the_same():
    with SMALL.covers(30) as covers:
        assert next(covers).numbers == COVERS[30]
        assert covers.count() == 6
        assert covers.outcome is Outcome.EXHAUSTED
    with SMALL.covers(3, limit=2) as covers:
        assert [cover.numbers for cover in covers] == COVERS[3:5]
        assert covers.outcome is Outcome.LIMITED


# -- the kernel ------------------------------------------------------------------------


def kernel_of(module, start=0):
    first = SMALL.unrank(start).indices if start < 36 else None
    numbers = module.zeros(len(SMALL.problem.options) + 1)
    for k in range(len(numbers)):
        numbers[k] = k
    kernel = module.WalkKernel(*SMALL._family(), numbers, first, start, 36)
    assert kernel.prepare()
    return kernel


def walked(module, budget, want, start=0, *, relay=False):
    kernel = kernel_of(module, start)
    found, status = [], 0
    while status != 2:
        if relay:
            state = kernel.save()
            kernel = kernel_of(module)
            kernel.load(state)
            assert kernel.save() == state
        status = kernel.advance(budget, want)
        options, ends = kernel.take()
        assert len(ends) <= want
        begin = 0
        for end in ends:
            found.append(tuple(index + 1 for index in options[begin:end]))
            begin = end
    return found, kernel.nodes, kernel.covers


@pytest.mark.parametrize("budget", [1, 7, 1 << 60])
@pytest.mark.parametrize("want", [1, 5, 1 << 60])
def test_slices_make_no_difference(variant, budget, want):
    module = variant("walk")
    whole = walked(module, 1 << 60, 1 << 60)
    assert whole[0] == COVERS
    assert walked(module, budget, want) == whole
    assert walked(module, budget, want, relay=True) == whole


def test_state_of_another_diagram_is_refused(variant):
    kernel = kernel_of(variant("walk"))
    for state in (b"", b"nonsense", kernel.save()[:-1], kernel.save() + b"\0"):
        with pytest.raises(ValueError, match="state"):
            kernel.load(state)


def test_stopped_walk_goes_no_further(variant):
    kernel = kernel_of(variant("walk"))
    kernel.advance(1 << 60, 3)
    kernel.stop()
    assert kernel.advance(1 << 60, 1 << 60) == 3
    assert kernel.covers == 3


@pytest.mark.parametrize("module", ["tally", "scales", "sieve"])
def test_interpreted_passes_compute_the_same(variant, module):
    """Both variants, against what the installed one says of a larger diagram."""
    diagram = LARGE if COMPILED else SMALL
    family = diagram._family()
    n = len(diagram.problem.options)
    draws = random.Random(1)
    kernels = variant(module)
    if module == "tally":
        tally = kernels.Tally(*family)
        while not tally.advance(100):
            pass
        assert tally.number(diagram.root) == diagram.count()
        spread = variant("spread").Spread(tally)
        while not spread.make_room(100):
            pass
        while not spread.advance(100):
            pass
        assert [spread.number(k) for k in range(n)] == diagram.frequencies()
    elif module == "scales":
        weights = [draws.randint(-9, 9) for _ in range(n)]
        scales = kernels.Scales(*family, array("q", [*weights, 0]), True)
        while not scales.advance(100):
            pass
        assert scales.fault == -1
        assert scales.weights_below()[diagram.root] == diagram.max_weight(weights).price
        assert tuple(scales.path()) == diagram.max_weight(weights).indices
    else:
        wish = array("i", bytes(4 * (n + 1)))
        wish[3], wish[20] = 1, -1
        sieve = kernels.Sieve(*family, wish)
        while not sieve.advance(100):
            pass
        sifted = Diagram(diagram.problem, *sieve.result())
        part = diagram.restrict(use=[4], avoid=[21])
        assert sifted.count() == part.count()
        assert list(sifted.options) == list(part.options)
        assert list(sifted.lows) == list(part.lows)
        assert list(sifted.highs) == list(part.highs)
