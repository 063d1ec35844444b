"""Diagrams on their way: awaited, listened to, cancelled, late, too large."""

from __future__ import annotations

import gc
import weakref

import anyio
import pytest
from problems import dominoes, queens
from standing import gone

from dcells_async import (
    COMPILED,
    ZDD,
    Building,
    CheckpointError,
    DiagramTooLarge,
    DlxSyntaxError,
    Outcome,
    Problem,
    SearchError,
)

SMALL = Problem.from_dlx(dominoes(4, 4))
LARGE = Problem.from_dlx(dominoes(24, 24))
"""It does not end within the time of any test, but outgrows small limits at once."""

KNOBS = [{}, {"mrv": False}, {"components": True}]


@pytest.mark.parametrize("knobs", KNOBS)
async def test_building_can_be_awaited(knobs):
    diagram = await ZDD(**knobs).build(SMALL)
    assert diagram.count() == 36
    assert diagram.nodes == 50
    assert diagram.problem is SMALL


@pytest.mark.parametrize("source", [SMALL, dominoes(4, 4)])
async def test_building_can_be_awaited_by_several_tasks(source):
    building = ZDD().build(source)
    diagrams = []

    async def wait():
        diagrams.append(await building)

    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(wait)
    assert await building is diagrams[0]
    assert [diagram.count() for diagram in diagrams] == 5 * [36]
    assert len({id(diagram) for diagram in diagrams}) == 1
    with pytest.raises(RuntimeError, match="only once"):
        async with building:
            pass


async def test_diagram_goes_with_its_last_owner():
    gc.collect()
    gc.disable()
    try:
        building = ZDD().build(SMALL)
        diagram = weakref.ref(await building)
        assert diagram() is not None
        del building
        # Worker threads may keep what they gave last until they have something else.
        await ZDD().build(SMALL)
        await gone(diagram)
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("source", "knobs", "expected"),
    [
        ("a\nb\n", {}, DlxSyntaxError),
        (LARGE, {"memory_limit": 1_000_000}, DiagramTooLarge),
    ],
)
async def test_failure_is_told_to_all_who_wait(source, knobs, expected):
    building = ZDD(**knobs).build(source)
    failures = []

    async def wait():
        with pytest.raises(expected) as failure:
            await building
        failures.append(failure)

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(wait)
    assert len(failures) == 3


async def test_others_who_wait_are_told_that_the_first_was_cancelled():
    building = ZDD().build(LARGE)
    told = []

    async def wait():
        try:
            await building
        except SearchError as error:
            told.append(str(error))

    async with anyio.create_task_group() as tasks:
        with anyio.CancelScope() as first:
            tasks.start_soon(wait)
            first.cancel()
            await building
    assert told == ["the search was ended before it began"]


@pytest.mark.parametrize("knobs", KNOBS)
async def test_covers_are_counted(knobs):
    assert await ZDD(**knobs).count(SMALL) == 36
    assert ZDD(**knobs).tally(SMALL) == 36
    assert await ZDD(**knobs).count(dominoes(3, 3)) == 0


async def test_open_building_tells_how_far_it_is():
    async with ZDD().build(dominoes(6, 6), pulse_interval=0.001) as building:
        assert isinstance(building, Building)
        pulses = [pulse async for pulse in building.heartbeat]
        diagram = await building
        assert await building is diagram
    assert diagram.count() == 6728
    last = pulses[-1]
    assert (last.nodes, last.signatures, last.hits) == (364, 255, 98)
    assert last.memory > 0
    assert last.fraction == 1.0
    assert building.outcome is Outcome.EXHAUSTED
    assert building.stats.memo_given_up is False


async def test_options_left_out_keep_their_numbers():
    text = "a b | x\nx\na\nx\nb"
    with pytest.warns(match="left out"):
        diagram = await ZDD().build(text)
    assert [cover.numbers for cover in diagram] == [(2, 4)]


async def test_warning_is_given_at_the_line_of_the_caller():
    text = "a | x\nx\na"
    with pytest.warns(match="left out") as awaited:
        await ZDD().build(text)
    with pytest.warns(match="left out") as counted:
        await ZDD().count(text)
    with pytest.warns(match="left out") as at_once:
        ZDD().diagram(text)
    for (warning,) in (awaited, counted, at_once):
        assert warning.filename == __file__


async def test_faulty_text_is_refused():
    with pytest.raises(DlxSyntaxError):
        await ZDD().build("a\nb")


async def test_limit_is_told_with_what_was_reached():
    with pytest.raises(
        DiagramTooLarge, match=r"after .* nodes of the search"
    ) as caught:
        await ZDD(memory_limit=4_000_000).build(LARGE)
    error = caught.value
    assert error.nodes > 0
    assert error.signatures > 0
    assert error.diagram_nodes > 0
    assert error.memory <= error.memory_limit == 4_000_000
    with pytest.raises(DiagramTooLarge):
        ZDD(memory_limit=4_000_000).tally(LARGE)


async def test_time_that_runs_out_is_told():
    with pytest.raises(TimeoutError):
        await ZDD().build(LARGE, timeout=0.1)
    with pytest.raises(TimeoutError):
        ZDD().diagram(LARGE, timeout=0.1)
    with pytest.raises(TimeoutError):
        await ZDD().count(LARGE, timeout=0.1)


async def test_leaving_the_block_ends_the_search_and_leaves_nothing():
    building = ZDD().build(LARGE)
    async with building:
        await anyio.sleep(0.05)
        session = weakref.ref(building.result._session)
    assert building.outcome is Outcome.CANCELLED
    with pytest.raises(SearchError, match="ended before"):
        await building
    del building
    await gone(session)


async def test_cancelling_ends_the_search():
    with anyio.move_on_after(0.05) as scope:
        await ZDD().build(LARGE)
    assert scope.cancelled_caught


async def test_unopened_building_has_no_result():
    with pytest.raises(RuntimeError, match="opened"):
        _ = ZDD().build(SMALL).stats


@pytest.mark.parametrize("value", [-1, 1.5])
def test_limit_that_is_no_size_is_refused(value):
    with pytest.raises((TypeError, ValueError), match="memory_limit"):
        ZDD(memory_limit=value).build(SMALL)


@pytest.mark.parametrize("limit", [0, 1, 100_000])
def test_limit_below_the_smallest_tables_holds_for_the_smallest_problem(limit):
    with pytest.raises(DiagramTooLarge) as caught:
        ZDD(memory_limit=limit).diagram("a\na")
    assert limit < caught.value.memory < 1_000_000
    assert ZDD(memory_limit=1_000_000).tally("a\na") == 1


@pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
async def test_tilings_by_the_million_take_no_time():
    diagram = await ZDD(mrv=False).build(dominoes(12, 12))
    assert diagram.count() == 53_060_477_521_960_000


async def test_number_of_covers_takes_a_token():
    with pytest.raises(CheckpointError, match="no token"):
        await ZDD().count(queens(6), resume=b"garbage")
    with pytest.raises(SearchError, match="is finished"):
        async with ZDD().build(queens(6)) as building:
            await building.result.wait()
            building.checkpoint()
