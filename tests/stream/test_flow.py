"""Watching a search as a stream: step by step, and no further than wished."""

from __future__ import annotations

import itertools
import threading

import anyio
import pytest
from problems import queens
from standing import HANG_S, settled

from dcells_async import Action, DlxSyntaxError, Problem, trace
from dcells_async.stream.flow import Flow

TEXTBOOK = "A B C D E F G\nC E F\nA D G\nB C F\nA D\nB G\nD E G"


@pytest.mark.parametrize("way", ["links", "cells"])
@pytest.mark.parametrize("buffer", [0, 1, 64])
async def test_steps_are_those_of_the_twin(way, buffer):
    async with trace(TEXTBOOK, way, buffer=buffer) as steps:
        streamed = [str(step) async for step in steps]
    assert streamed == [str(step) for step in trace(TEXTBOOK, way)]


class Counted:
    def __init__(self):
        self.made = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.made += 1
        return self.made


@pytest.mark.parametrize("buffer", [0, 1, 5])
async def test_iterator_is_no_further_ahead_than_the_buffer(buffer):
    source = Counted()
    with anyio.fail_after(HANG_S):
        async with Flow(iter(source), buffer) as numbers:
            for taken in range(1, 20):
                assert await numbers.receive() == taken
                if taken in (1, 5):
                    await settled(lambda: source.made)
                assert source.made <= taken + buffer


async def test_leaving_early_stops_the_search():
    problem = Problem.from_dlx(queens(9))
    with anyio.fail_after(HANG_S):
        async with trace(problem) as steps:
            async for step in steps:
                if step.action is Action.DEAD_END:
                    break
        with pytest.raises(anyio.ClosedResourceError):
            await steps.receive()


async def test_cancel_at_many_moments():
    problem = Problem.from_dlx(queens(5))
    with anyio.fail_after(HANG_S):
        for moment in range(60):
            with anyio.move_on_after(moment * 0.0001):
                async with trace(problem, buffer=moment % 3) as steps:
                    async for _ in steps:
                        pass
        async with trace("a\na") as steps:
            assert len([step async for step in steps]) == 5


async def test_source_that_blocks_can_be_left():
    gate = threading.Event()

    def lines():
        yield "a b"
        gate.wait(60)

    try:
        with anyio.fail_after(HANG_S), anyio.move_on_after(0.05) as scope:
            async with trace(lines()) as steps:
                await steps.receive()
        assert scope.cancelled_caught
    finally:
        gate.set()


async def test_error_comes_behind_what_was_made():
    def raising():
        yield from (1, 2)
        raise ZeroDivisionError

    taken = []
    with pytest.raises(ZeroDivisionError):
        async with Flow(raising(), 10) as numbers:
            async for number in numbers:
                taken.append(number)  # noqa: PERF401
    assert taken == [1, 2]
    with pytest.raises(DlxSyntaxError):
        async with trace("a\nb") as steps:
            await steps.receive()


async def test_exception_in_the_body_comes_out_as_it_is():
    error = KeyError()
    with pytest.raises(KeyError) as caught:
        async with Flow(itertools.count(), 3):
            raise error
    assert caught.value is error


async def test_one_stream_of_a_trace_at_a_time_and_then_another():
    watched = trace(TEXTBOOK)
    async with watched as steps:
        await steps.receive()
        with pytest.raises(RuntimeError, match="one consumer at a time"):
            async with watched:
                pytest.fail("entered")
    async with watched as steps:
        assert len([step async for step in steps]) == 52
