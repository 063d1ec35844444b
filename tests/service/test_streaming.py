"""Over real connections: a slow reader slows the search, one who leaves ends it."""

from __future__ import annotations

import random

import anyio
import pytest
from problems import FRUITLESS, SMALL, queens
from serving import running
from standing import HANG_S, settled, until

from dcells_async.service.exchange import CLOSING

MANY = queens(13)
"""So many covers that no connection holds them all."""


async def stands_still(server):
    """Wait until the searches rest; gives the nodes they had entered."""
    await until(lambda: server.nodes() > 0)
    return await settled(server.nodes)


async def test_reader_who_stops_reading_stops_the_search(server):
    async with server.asking("/v1/solve", MANY.encode()) as wire:
        await wire.line()
        await stands_still(server)
        assert server.n_open == 1
        # Reading on makes it go on, from where it was.
        numbers = [
            record["cover"]
            for record in [await wire.line() for _ in range(1000)]
            if record["type"] == "cover"
        ]
        assert numbers == [*range(1, len(numbers) + 1)]
    await server.until_idle()


async def test_hang_up_while_the_search_rests(server):
    async with server.asking("/v1/solve", MANY.encode()) as wire:
        await wire.line()
        await stands_still(server)
    await server.until_idle()


async def test_hang_up_while_it_finds_nothing(server):
    before = server.cancellations("hang-up")
    async with server.asking("/v1/solve?pulse=60", FRUITLESS.encode()) as wire:
        assert (await wire.line())["type"] == "start"
        assert server.n_open == 1
    await server.until_idle()
    assert server.cancellations("hang-up") == before + 1


async def test_hang_up_while_it_counts(server):
    async with server.asking("/v1/count", FRUITLESS.encode()):
        await until(lambda: server.n_open == 1)
    await server.until_idle()


async def test_hang_up_in_the_middle_of_the_request(server):
    async with server.asking("/v1/solve", None, content_length="1000") as wire:
        await wire.send(b"a b\n")
        await until(lambda: server.n_open == 1)
    await server.until_idle()


async def test_hang_up_at_any_moment_leaves_nothing(server):
    chance = random.Random(1)
    body = queens(9).encode()
    for _ in range(30):
        async with server.asking("/v1/solve", None, content_length=str(len(body))) as w:
            await w.send(body[: chance.randrange(2 * len(body))])
            await anyio.sleep(chance.random() * 0.02)
    await server.until_idle()


async def test_searches_that_run_report_pulses(server):
    async with server.asking("/v1/solve?pulse=0.05", FRUITLESS.encode()) as wire:
        assert (await wire.line())["type"] == "start"
        pulses = [await wire.line()]
        with anyio.fail_after(HANG_S):
            while pulses[-1]["nodes"] == pulses[0]["nodes"]:
                pulses.append(await wire.line())
    assert {pulse["type"] for pulse in pulses} == {"pulse"}
    assert pulses[0]["nodes"] < pulses[-1]["nodes"]
    await server.until_idle()


async def test_connection_is_kept_for_the_next_request(server):
    async with server.asking("/v1/solve", SMALL.encode()) as wire:
        assert b'"end"' in await wire.until(b"0\r\n\r\n")
        await wire.ask("/v1/count", SMALL.encode())
        assert b'"count": 2' in await wire.until(b'"stats"')


@pytest.mark.parametrize("path", ["/v1/solve", "/v1/count", "/v1/sudoku", "/v1/nope"])
async def test_connection_is_closed_when_that_is_wanted(server, path):
    hang_ups = server.cancellations("hang-up")
    body = SMALL.encode()
    async with server.asking(path, body, connection="close") as wire:
        await wire.to_its_end()
    async with server.asking(path, body, version="HTTP/1.0") as wire:
        await wire.to_its_end()
    await server.until_idle()
    assert server.cancellations("hang-up") == hang_ups


# -- limits in time --------------------------------------------------------------------


async def test_request_that_is_too_long_in_coming(anyio_backend):
    with running(anyio_backend, read_seconds=0.1) as server:
        async with server.asking("/v1/solve", None, content_length="9") as wire:
            assert b" 408 " in await wire.until(b"slow-request")
        await server.until_idle()


async def test_reader_who_never_reads_is_left(anyio_backend):
    with running(anyio_backend, slow_reader_seconds=0.3, pulse_seconds=0.1) as server:
        async with server.asking("/v1/solve", MANY.encode()) as wire:
            await wire.line()
            await server.until_idle()
        assert server.cancellations("slow reader") == 1


async def test_full_service_lets_wait_and_then_turns_away(anyio_backend):
    limits = {"max_open": 1, "wait_seconds": 0.1}
    with running(anyio_backend, **limits) as server:
        async with server.asking("/v1/count", FRUITLESS.encode()):
            await until(lambda: server.n_open == 1)
            async with server.asking("/v1/count", SMALL.encode()) as wire:
                text = (await wire.until(b"urn:dcells-async:busy")).lower()
                assert b" 503 " in text
                assert b"retry-after: 1" in text
        await server.until_idle()


async def test_closing_ends_streams_with_their_last_record(anyio_backend):
    with running(anyio_backend) as server:
        async with server.asking("/v1/solve", FRUITLESS.encode()) as wire:
            await wire.line()
            server.call(server.service.close)
            end = await wire.line()
            assert (end["type"], end["outcome"]) == ("end", "cancelled")
            assert end["reason"] == CLOSING
        async with server.asking("/v1/solve", SMALL.encode()) as wire:
            assert b" 503 " in await wire.until(b"urn:dcells-async:closing")
