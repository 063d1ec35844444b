"""What a consumer sees of a dance that runs its course."""

from __future__ import annotations

from itertools import pairwise

import anyio
import pytest
from problems import FRUITLESS, SMALL, queens
from standing import HANG_S, PATIENCE_S, settled, until

from dcells_async import (
    XCC,
    DlxSyntaxError,
    DlxWarning,
    MultiplicityError,
    Outcome,
    Problem,
)


async def numbers_of(source, **options):
    async with XCC(kernel="cells").dance(source, **options) as result:
        return [cover.numbers async for cover in result.solutions], result


async def test_exhausted_search_gives_all_covers_in_the_order_of_the_twin():
    covers, result = await numbers_of(queens(8))
    with XCC(kernel="cells").solve(queens(8)) as twin:
        assert covers == [cover.numbers for cover in twin]
    assert len(covers) == 92
    assert result.outcome is Outcome.EXHAUSTED
    stats = result.stats
    assert (stats.nodes, stats.updates, stats.covers) == (947, 20078, 92)
    assert (stats.options, stats.items, stats.fraction) == (64, 46, 1.0)


@pytest.mark.parametrize("buffer", [0, 1, 2, 7, 1024, 10**9])
async def test_buffer_size_does_not_change_what_comes(buffer):
    covers, result = await numbers_of(queens(7), buffer=buffer)
    assert covers == (await numbers_of(queens(7)))[0]
    assert result.stats.updates == 5992


async def test_names_come_in_input_order_with_colors():
    async with XCC().dance("p q | x y\np x:A y:B\nq x:A") as result:
        cover = await result.solutions.receive()
    assert sorted(cover) == [("p", "x:A", "y:B"), ("q", "x:A")]


@pytest.mark.parametrize(("limit", "outcome"), [(1, "limited"), (91, "limited"),
                                                (93, "exhausted")])  # fmt: skip
async def test_limit_gives_so_many_covers(limit, outcome):
    covers, result = await numbers_of(queens(8), limit=limit)
    assert len(covers) == min(limit, 92)
    assert result.outcome.value == outcome
    assert result.stats.covers == len(covers)


@pytest.mark.parametrize(
    "options", [{"limit": 0}, {"limit": -1}, {"buffer": -1}, {"pulse_interval": 0}]
)
async def test_parameters_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match="must be"):
        XCC().dance(SMALL, **options)


async def test_timeout_ends_the_search_and_keeps_what_was_found():
    async with XCC().dance(queens(13), timeout=0.05, buffer=10**6) as result:
        await result.wait()
        assert result.outcome is Outcome.TIMED_OUT
        found = result.stats.covers
        assert found == len([cover async for cover in result.solutions])
    assert result.outcome is Outcome.TIMED_OUT


async def test_timeout_ends_a_search_that_waits_for_its_consumer():
    for timeout in PATIENCE_S:
        async with XCC().dance(queens(8), timeout=timeout, buffer=1) as result:
            await result.wait()
            assert result.outcome is Outcome.TIMED_OUT
            covers = [cover async for cover in result.solutions]
        if covers:
            break
    assert len(covers) == 1


async def test_timeout_while_reading_leaves_no_problem_and_no_covers():
    def endless():
        yield "a b"
        while True:
            yield "a b"

    async with XCC().dance(endless(), timeout=0.05) as result:
        assert [cover async for cover in result.solutions] == []
    assert result.outcome is Outcome.TIMED_OUT
    assert result.problem is None


async def test_outcome_is_running_while_it_runs_and_cancelled_once_left():
    async with XCC().dance(FRUITLESS) as result:
        assert result.outcome is Outcome.RUNNING
    assert result.outcome is Outcome.CANCELLED


async def test_syntax_error_is_raised_on_entering_and_unwrapped():
    with pytest.raises(DlxSyntaxError) as caught:
        async with XCC().dance("a b\na z"):
            pytest.fail("entered")
    assert (caught.value.line, caught.value.column) == (2, 3)


async def test_refusal_by_the_engine_is_raised_on_entering():
    with pytest.raises(MultiplicityError, match="'a' has multiplicity 2:2"):
        async with XCC().dance("2|a b\na b\na"):
            pytest.fail("entered")


async def test_missing_file_is_raised_on_entering(tmp_path):
    with pytest.raises(FileNotFoundError):
        async with XCC().dance(tmp_path / "missing.dlx"):
            pytest.fail("entered")


async def test_warning_points_at_the_caller():
    with pytest.warns(DlxWarning, match="line 3: ") as caught:
        async with XCC().dance("a | x\na\nx") as result:
            assert [cover.numbers async for cover in result.solutions] == [(1,)]
    assert caught[0].filename == __file__


async def test_exception_in_the_body_comes_out_as_it_is():
    error = KeyError("mine")
    with pytest.raises(KeyError) as caught:
        async with XCC().dance(queens(8)) as result:
            async for _ in result.solutions:
                raise error
    assert caught.value is error


async def test_failure_of_the_search_reaches_the_receiver(monkeypatch):
    def explode(*_):
        raise MemoryError("no more")

    monkeypatch.setattr("dcells_async.search.session.Session.advance", explode)
    with pytest.raises(MemoryError, match="no more") as caught:
        async with XCC().dance(SMALL) as result:
            async for _ in result.solutions:
                pass
    assert "explode" in str(caught.traceback[-1])
    assert result.outcome is Outcome.FAILED


async def test_failure_that_nobody_received_is_raised_on_leaving(monkeypatch):
    def explode(*_):
        raise MemoryError("no more")

    monkeypatch.setattr("dcells_async.search.session.Session.advance", explode)
    with pytest.raises(MemoryError, match="no more"):
        async with XCC().dance(SMALL) as result:
            await result.wait()
    with pytest.raises(MemoryError, match="no more"):
        await XCC().count(SMALL)


async def test_stream_is_closed_after_the_block_and_ended_after_the_search():
    async with XCC().dance(SMALL) as result:
        assert len([cover async for cover in result.solutions]) == 2
        with pytest.raises(anyio.EndOfStream):
            await result.solutions.receive()
        with pytest.raises(anyio.EndOfStream):
            result.solutions.receive_nowait()
    with pytest.raises(anyio.ClosedResourceError):
        await result.solutions.receive()
    with pytest.raises(anyio.ClosedResourceError):
        async for _ in result.solutions:
            pass


async def test_receive_nowait_takes_what_is_at_hand():
    async with XCC().dance(queens(6), buffer=2) as result:
        await until(lambda: result.stats.covers == 2)
        await settled(lambda: len(result.solutions.held))
        assert len(result.solutions.receive_nowait()) == 6
        assert len(result.solutions.receive_nowait()) == 6
        with pytest.raises(anyio.WouldBlock):
            result.solutions.receive_nowait()
        # That made room, and so the search goes on.
        assert len([cover async for cover in result.solutions]) == 2


async def test_closing_the_stream_stops_the_search_quietly():
    async with XCC().dance(FRUITLESS) as result:
        await result.solutions.aclose()
        with anyio.fail_after(HANG_S):
            await result.wait()
    assert result.outcome is Outcome.CANCELLED


async def test_a_dance_opens_only_once():
    dance = XCC().dance(SMALL)
    async with dance:
        pass
    with pytest.raises(RuntimeError, match="only once"):
        async with dance:
            pytest.fail("entered")


async def test_dances_on_one_engine_do_not_meet():
    engine = XCC()
    counts = {}

    async def dance(n):
        async with engine.dance(queens(n), buffer=1) as result:
            counts[n] = len([cover async for cover in result.solutions])

    async with anyio.create_task_group() as tasks:
        for n in range(4, 9):
            tasks.start_soon(dance, n)
    assert counts == {4: 2, 5: 10, 6: 4, 7: 40, 8: 92}


async def test_covers_are_shared_out_among_receivers():
    taken = []

    async def take(result):
        async for cover in result.solutions:
            taken.append(cover.numbers)
            await anyio.lowlevel.checkpoint()

    async with XCC().dance(queens(8), buffer=3) as result:
        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(take, result)
    assert len(taken) == len(set(taken)) == 92


async def test_iteration_goes_on_from_another_task():
    seen = []

    async def take_one(result):
        seen.append(await anext(result.solutions))

    async with XCC().dance(queens(6), buffer=0) as result:
        for _ in range(4):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(take_one, result)
    assert len(set(seen)) == 4


async def test_conveniences():
    engine = XCC()
    problem = Problem.from_dlx(SMALL)
    cover = await engine.first(problem)
    assert cover is not None
    assert cover.numbers == (1, 2)
    assert cover.problem is problem
    assert await engine.first("a b\na") is None
    assert await engine.count(problem) == 2
    assert await engine.count("a b\na") == 0
    assert not await engine.is_unique(problem)
    assert not await engine.is_unique("a b\na")
    assert await engine.is_unique("a b\na b")


def test_debug_tells_that_prices_are_ignored(capsys):
    text = "a b\na |5\nb"
    XCC(debug=True).solve(text).count()
    assert "Prices are ignored" in capsys.readouterr().err
    assert list(XCC(debug=True).cheapest(text))
    assert "ignored" not in capsys.readouterr().err


async def test_debug_prints_the_two_lines_of_the_reference(capfd):
    assert await XCC(debug=True).count(SMALL) == 2
    assert await XCC(debug=True).count("a b\na b\na") == 1
    assert capfd.readouterr().err == (
        "(4 options, 3+0 items, 10 entries successfully read)\n"
        "Altogether 2 solutions, 7 updates, 5 nodes.\n"
        "(2 options, 2+0 items, 5 entries successfully read)\n"
        "Altogether 1 solution, 3 updates, 2 nodes.\n"
    )


async def test_heartbeat_tells_progress_and_ends_with_the_search():
    for timeout in PATIENCE_S:
        dance = XCC().dance(FRUITLESS, pulse_interval=0.02, timeout=timeout)
        async with dance as result:
            pulses = [pulse async for pulse in result.heartbeat]
        if len(pulses) > 4:
            break
    assert len(pulses) >= 2
    for before, after in pairwise(pulses):
        assert before.nodes <= after.nodes
        assert before.fraction <= after.fraction <= 1.0
        assert before.elapsed <= after.elapsed
    assert pulses[-1].nodes == result.stats.nodes
    assert pulses[-1].updates == result.stats.updates


async def test_heartbeat_beats_while_the_consumer_sleeps():
    async with XCC().dance(queens(8), buffer=1, pulse_interval=0.01) as result:
        covers = []
        with anyio.fail_after(HANG_S):
            async for pulse in result.heartbeat:
                covers.append(pulse.covers)
                if covers.count(1) == 5:
                    break
    assert max(covers) == 1


async def test_heartbeat_leaves_time_for_everything_else():
    for timeout in PATIENCE_S:
        dance = XCC().dance(FRUITLESS, pulse_interval=1e-9, timeout=timeout)
        async with dance as result:
            pulses = [pulse async for pulse in result.heartbeat]
        if len(pulses) > 1:
            break
    assert 1 < len(pulses) <= 2 + 1000 * pulses[-1].elapsed


async def test_degenerate_problems():
    empty = Problem.from_options([], primary=[])
    assert (await numbers_of(empty))[0] == [()]
    assert await XCC().count(empty) == 1
    assert (await numbers_of("a b\na"))[0] == []
    assert (await numbers_of("a"))[0] == []


async def test_sources_of_every_kind(tmp_path):
    path = tmp_path / "small.dlx"
    path.write_text(SMALL)
    lines = SMALL.split("\n")
    for source in (SMALL, SMALL.encode(), path, iter(lines), lines):
        assert len((await numbers_of(source))[0]) == 2
    with path.open() as text, path.open("rb") as binary:
        assert len((await numbers_of(text))[0]) == 2
        assert len((await numbers_of(binary))[0]) == 2
    with pytest.raises(TypeError, match="not int"):
        await numbers_of(7)


async def test_error_in_an_iterable_of_lines_is_raised_on_entering():
    def lines():
        yield "a b"
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        await numbers_of(lines())
