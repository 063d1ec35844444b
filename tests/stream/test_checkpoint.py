"""A search that is cut, and goes on by a token: no cover is lost, none comes twice."""

from __future__ import annotations

import itertools
import json
import random
import struct
import sys
import threading
from hashlib import sha256

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import FRUITLESS, SMALL, dominoes, queens
from standing import PATIENCE_S
from strategies import examples, puzzles

from dcells_async import (
    MCC,
    XCC,
    XCCDC,
    ZDD,
    CheckpointError,
    Outcome,
    Problem,
    SearchError,
    __version__,
    counting,
    solve,
)
from dcells_async.kernels.arrays import pack, unpack
from dcells_async.search.token import Token

ENGINES = {
    "auto": XCC(),
    "cells": XCC(kernel="cells"),
    "bits": XCC(kernel="bits"),
    "mcc": MCC(),
    "xccdc": XCCDC(),
}

PRICED = (
    "a b c d\na b |9\nc d |9\na c |7\nb d |8\na d |6\nb c |5\na |1\nb |2\nc |3\nd |4"
)
"""Covers that cost from 18 down to 10."""

each_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


def pieces(search, sizes):
    """Take so many covers, cut, go on, and in the end take the rest."""
    found, token = [], None
    for size in [*sizes, None]:
        with search(token) as covers:
            found += [cover.numbers for cover in itertools.islice(covers, size)]
            token = covers.checkpoint()
    return found, token, covers


async def taken(search, token, size):
    """Take so many covers from a stream, or all; give them and a token."""
    found = []
    async with search(token) as result:
        while size is None or len(found) < size:
            try:
                found.append((await result.solutions.receive()).numbers)
            except anyio.EndOfStream:
                break
        return found, result.checkpoint()


# -- nothing is lost, nothing comes twice ------------------------------------------


@given(
    puzzle=puzzles(),
    engine=st.sampled_from([*ENGINES.values()]),
    sizes=st.lists(st.integers(0, 4), max_size=5),
    limit=st.sampled_from([None, None, 1, 2, 5]),
)
@examples(120)
def test_any_search_in_pieces_is_the_search(puzzle, engine, sizes, limit):
    problem = puzzle.problem()

    def search(token=None):
        return engine.solve(problem, limit=limit, resume=token)

    found, token, last = pieces(search, sizes)
    with search() as whole:
        assert found == [cover.numbers for cover in whole]
    assert last.outcome is whole.outcome
    assert last.taken == len(found)
    assert (last.stats.nodes, last.stats.updates, last.stats.covers) == (
        whole.stats.nodes,
        whole.stats.updates,
        whole.stats.covers,
    )
    # A finished search does not begin again.
    again = search(token)
    assert list(again) == []
    assert again.outcome is last.outcome


@each_engine
@pytest.mark.parametrize("problem", [queens(6), dominoes(4, 4)], ids=["q", "d"])
def test_stream_goes_on_on_the_other_back_end(engine, problem):
    rng = random.Random(7)
    whole = [cover.numbers for cover in engine.solve(problem)]
    for _ in range(3):
        found, token = [], None
        sizes = [rng.randrange(9) for _ in range(4)]
        for size, backend in zip([*sizes, None], itertools.cycle(["trio", "asyncio"])):
            buffer = rng.choice([0, 1, 3, 1024])

            def search(token, buffer=buffer):
                return engine.dance(problem, buffer=buffer, resume=token)

            more, token = anyio.run(taken, search, token, size, backend=backend)
            found += more
        assert found == whole


async def test_tokens_made_at_any_moment_are_right():
    problem = Problem.from_dlx(dominoes(6, 6))
    rng = random.Random(3)
    found, token = [], None
    last = threading.active_count()
    while token is None or len(found) < 6728:
        async with XCC().dance(problem, buffer=500, resume=token) as result:
            assert result.taken == len(found)
            for _ in range(rng.randrange(12)):
                await anyio.sleep(rng.choice([0, 0, 0.0005]))
                result.checkpoint()
                for _ in range(rng.randrange(300)):
                    try:
                        cover = result.solutions.receive_nowait()
                    except (anyio.WouldBlock, anyio.EndOfStream):
                        break
                    found.append(cover.numbers)
            token = result.checkpoint()
            assert result.taken == len(found)
    with XCC().solve(problem) as whole:
        assert found == [cover.numbers for cover in whole]
    assert threading.active_count() <= last + 2


async def test_making_a_token_does_not_disturb_the_search():
    async with XCC(kernel="cells").dance(queens(8)) as result:
        found = []
        async for cover in result.solutions:
            found.append(cover.numbers)
            result.checkpoint()
    assert len(set(found)) == len(found) == 92
    assert (result.stats.nodes, result.stats.updates) == (947, 20078)


# -- how it can end ----------------------------------------------------------------


async def test_covers_still_in_the_channel_of_an_exhausted_search_come_again():
    async with XCC().dance(queens(8)) as result:
        await result.wait()
        first = (await result.solutions.receive()).numbers
        token = result.checkpoint()
    assert result.outcome is Outcome.EXHAUSTED
    with XCC().solve(queens(8), resume=token) as covers:
        rest = [cover.numbers for cover in covers]
    assert [first, *rest] == [cover.numbers for cover in XCC().solve(queens(8))]
    assert (covers.outcome, covers.stats.nodes) == (result.outcome, result.stats.nodes)


@pytest.mark.parametrize("more", [5, 40, 92, 200])
async def test_limit_counts_from_the_beginning(more):
    async with XCC().dance(queens(8), limit=20) as result:
        await result.wait()
        first = [(await result.solutions.receive()).numbers for _ in range(8)]
        token = result.checkpoint()
    async with XCC().dance(queens(8), limit=more, resume=token) as result:
        rest = [cover.numbers async for cover in result.solutions]
        end = result.checkpoint()
    whole = [cover.numbers for cover in XCC().solve(queens(8))]
    assert first + rest == whole[: max(more, 8)]
    reached = Outcome.LIMITED if more <= 92 else Outcome.EXHAUSTED
    assert result.outcome is reached
    # What the limit kept back is not lost, either.
    last = [cover.numbers for cover in XCC().solve(queens(8), resume=end)]
    assert first + rest + last == whole


async def test_search_that_timed_out_goes_on():
    token, nodes = None, 0
    for _ in range(3):
        for timeout in PATIENCE_S:
            counting = XCC().counting(FRUITLESS, timeout=timeout, resume=token)
            async with counting as result:
                await result.wait()
                token = result.checkpoint()
            assert result.outcome is Outcome.TIMED_OUT
            if result.stats.nodes > nodes:
                break
        assert result.stats.nodes > nodes
        nodes = result.stats.nodes


async def test_search_that_timed_out_while_it_was_read_begins():
    async with XCC().dance(queens(6), timeout=0) as result:
        await result.wait()
        token = result.checkpoint()
    assert result.problem is None
    with pytest.raises(CheckpointError, match="not for all covers by MCC"):
        MCC().solve(queens(6), resume=token)
    assert XCC().solve(queens(6), resume=token).count() == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine", [XCC(), XCC(kernel="bits", workers=2), MCC(), XCCDC()], ids=repr
)
async def test_time_that_runs_out_while_the_kernel_is_made_ready(engine):
    token = None
    for k in range(120):
        counting = engine.counting(queens(8), timeout=k % 40 * 5e-5, resume=token)
        async with counting as result:
            await result.wait()
            token = result.checkpoint()
            assert 0 <= result.stats.covers <= 92
    async with engine.counting(queens(8), resume=token) as result:
        await result.wait()
    assert result.stats.covers == 92


@pytest.mark.slow
async def test_number_of_covers_that_is_no_float_and_no_decimal():
    n = 2_400
    problem = Problem.from_options([[k] for k in range(n) for _ in range(64)])
    covers = solve(problem, engine="zdd")
    assert covers.count() == 64**n
    assert Token.of_bytes(covers.checkpoint()).stats.covers == 64**n
    async with counting(problem, engine="zdd") as result:
        await result.wait()
        assert result.stats.covers == 64**n
        token = result.checkpoint()
    async with counting(problem, engine="zdd", resume=token) as result:
        await result.wait()
        assert result.stats.covers == 64**n


async def test_token_of_a_search_that_is_being_cancelled():
    token = None
    found = []
    with anyio.CancelScope() as scope:
        async with XCC().dance(queens(9), buffer=3) as result:
            try:
                async for cover in result.solutions:
                    found.append(cover.numbers)
                    if len(found) == 20:
                        scope.cancel()
                    await anyio.sleep(0.002)
            finally:
                token = result.checkpoint()
    assert len(found) == 20
    found += [cover.numbers for cover in XCC().solve(queens(9), resume=token)]
    assert found == [cover.numbers for cover in XCC().solve(queens(9))]


async def test_after_the_block_it_is_too_late():
    async with XCC().dance(queens(6)) as result:
        pass
    with pytest.raises(SearchError, match="within"):
        result.checkpoint()
    with XCC().solve(queens(6)) as covers:
        pass
    with pytest.raises(SearchError, match="closed"):
        covers.checkpoint()


async def test_failed_search_has_no_token():
    def bound(frame):
        raise OSError("no estimate")

    async def leave():
        async with XCC().minimize(PRICED, bound=bound) as result:
            await result.wait()
            with pytest.raises(SearchError, match="failed"):
                result.checkpoint()

    with pytest.raises(OSError, match="no estimate"):
        await leave()
    covers = XCC().cheapest(PRICED, bound=bound)
    with pytest.raises(OSError, match="no estimate"):
        list(covers)
    with pytest.raises(SearchError, match="failed"):
        covers.checkpoint()


async def test_walk_through_a_diagram_says_that_it_has_no_tokens():
    diagram = ZDD().diagram(SMALL)
    async with diagram.solutions() as result:
        with pytest.raises(SearchError, match="ranks"):
            result.checkpoint()


def test_twin_that_was_not_opened_has_a_token_of_the_beginning():
    token = XCC().solve(queens(6)).checkpoint()
    with XCC().solve(queens(6), resume=token) as covers:
        next(covers)
        token = covers.checkpoint()
    assert XCC().solve(queens(6), resume=token).checkpoint() == token
    assert XCC().solve(queens(6), resume=token).count() == 4


# -- other kinds of search -----------------------------------------------------------


async def test_counting_goes_on():
    token = None
    while True:
        async with XCC().counting(dominoes(6, 6), limit=None, resume=token) as result:
            await anyio.sleep(0.001)
            token = result.checkpoint()
            if result.is_over:
                break
    assert result.stats.covers == 6728
    # What was taken from a stream is counted, too.
    with XCC().solve(queens(8)) as covers:
        list(itertools.islice(covers, 30))
        token = covers.checkpoint()
    async with XCC().counting(queens(8), resume=token) as result:
        await result.wait()
    assert result.stats.covers == 92


@each_engine
@pytest.mark.parametrize("compiled", [False, True])
def test_start_is_part_of_the_token(engine, compiled):
    problem = Problem.from_dlx(queens(7))
    if compiled:
        problem.compile()
    start = {"given": [3], "without": [20, 30]}
    found, *_ = pieces(
        lambda token: engine.solve(problem, resume=token, **({} if token else start)),
        [1, 2],
    )
    assert found == [cover.numbers for cover in engine.solve(problem, **start)]
    token = engine.solve(problem, **start).checkpoint()
    engine.solve(problem, resume=token, **start)
    for other in ({"given": [4]}, {"given": [3, 20]}, {"without": [20]}):
        with pytest.raises(CheckpointError, match="leave it out"):
            engine.solve(problem, resume=token, **other)


@pytest.mark.parametrize("engine", [XCC(), MCC()], ids=["xcc", "mcc"])
@pytest.mark.parametrize("best", [1, 4])
async def test_prices_go_on_falling(engine, best):
    rng = random.Random(11)
    problem = dominoes(4, 4)
    prices = [rng.randrange(100) for _ in range(24)]
    whole = [c.price for c in engine.cheapest(problem, prices, best=best)]
    for size in range(len(whole) + 1):
        found, token, is_over = [], None, False
        while not is_over:
            dance = engine.minimize(
                problem, prices, best=best, buffer=size, resume=token
            )
            async with dance as result:
                for _ in range(max(size, 1)):
                    try:
                        found.append((await result.solutions.receive()).price)
                    except anyio.EndOfStream:
                        break
                token, is_over = result.checkpoint(), result.optimal
        found += [
            c.price for c in engine.cheapest(problem, prices, best=best, resume=token)
        ]
        assert found == whole
    with pytest.raises(CheckpointError, match="another problem"):
        list(engine.cheapest(problem, prices[::-1], best=best, resume=token))


# -- what is refused -------------------------------------------------------------------


def token_of(engine=None, problem=SMALL):
    with (engine or XCC()).solve(problem) as covers:
        next(covers)
        return covers.checkpoint()


def forged(token, **changes):
    """Give a token with another head, and the checksum of that."""
    head, *blocks = unpack(token[12:-32])
    told = json.loads(head) | changes
    data = token[:12] + pack([json.dumps(told).encode(), *blocks])
    return data + sha256(data).digest()


def refused(token, match):
    with pytest.raises(CheckpointError, match=match):
        list(XCC().solve(SMALL, resume=token))


def test_damaged_tokens_are_refused():
    token = token_of()
    rng = random.Random(5)
    for length in (0, 1, 7, 8, 11, 43, 44, len(token) - 1):
        refused(token[:length], "no token|damaged")
    for _ in range(300):
        damaged = bytearray(token)
        damaged[rng.randrange(len(token))] ^= 1 << rng.randrange(8)
        refused(bytes(damaged), "no token|damaged|version")
    refused(b"rubbish" * 20, "no token")
    with pytest.raises(TypeError, match="bytes, not str"):
        XCC().solve(SMALL, resume="dcellsCP")


def test_tokens_of_something_else_are_refused():
    token = token_of()
    for other in (
        "a b c\na b\nc\na c\nb\nc",
        "a b d\na b\nd\na d\nb",
        "a b c\na b\nc\na c\nb |3",
        "a b | c\na b\nb c\na c\nb",
    ):
        with pytest.raises(CheckpointError, match="another problem than <dlx>"):
            list(XCC().solve(other, resume=token))
    for engine in (MCC(), XCCDC(), XCC(kernel="bits")):
        with pytest.raises(CheckpointError, match=r"by XCC\(\), not for"):
            engine.dance(SMALL, resume=token)
    with pytest.raises(CheckpointError, match="not for the 1 cheapest covers"):
        XCC().minimize(SMALL, resume=token)
    # Neither names of files nor what only watches the search are part of it.
    assert len(list(XCC(debug=False).solve(Problem.from_dlx(SMALL), resume=token))) == 1


def test_tokens_of_other_versions_and_machines_are_refused():
    token = token_of()
    newer = token[:8] + struct.pack("<I", 2) + token[12:-32]
    refused(newer + sha256(newer).digest(), "version 2 of the format")
    refused(forged(token, library="9.9"), f"version 9.9 .* this is {__version__}")
    other = "big" if sys.byteorder == "little" else "little"
    refused(forged(token, byteorder=other), f"{other}-endian")
    assert len(list(XCC().solve(SMALL, resume=forged(token)))) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"stats": {}},
        {"stats": {"nodes": "many"}},
        {"stats": {"nodes": -1}},
        {"stats": {"covers": 3}},
        {"stats": {"covers": "-0x3"}},
        {"stats": {"covers": "three"}},
        {"stats": {"elapsed": None}},
        {"given": 5},
        {"given": ["1"]},
        {"digest": None},
        {"search": 3},
    ],
    ids=repr,
)
def test_forged_heads_are_refused(changes):
    if changes.get("stats"):
        told = json.loads(unpack(token_of()[12:-32])[0])["stats"]
        changes = {"stats": told | changes["stats"]}
    refused(forged(token_of(), **changes), "damaged")


def test_token_on_a_compiled_problem_wants_one():
    problem = Problem.from_dlx(queens(6)).compile()
    with XCC().solve(problem, given=[2]) as covers:
        next(covers)
        token = covers.checkpoint()
    with pytest.raises(CheckpointError, match="compiled"):
        list(XCC().solve(queens(6), resume=token))


def test_token_tells_what_was_taken_and_keeps_what_was_not():
    with XCC().solve(queens(8)) as covers:
        list(itertools.islice(covers, 5))
        token = Token.of_bytes(covers.checkpoint())
    assert token.taken == 5
    assert token.taken + len(token.pending) == token.stats.covers
