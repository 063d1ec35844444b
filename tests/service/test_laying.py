"""What takes long before a search begins: it is stopped, or keeps its place."""

from __future__ import annotations

import threading

import anyio
import pytest
from problems import SMALL
from serving import running
from standing import HANG_S, PATIENCE_S, until

from dcells_async import minimizer
from dcells_async.puzzles.tiles import Placement, Puzzle
from dcells_async.service import orders

TILES = b"0 1 1 0\n" * 4
JSON = {"content_type": "application/json"}


@pytest.fixture
def made(monkeypatch):
    """Placements without end: how many have been made."""
    made = [0]

    def endless(puzzle, fix):
        while True:
            made[0] += 1
            yield Placement((0, 0), 0, 0, (0, 1, 1, 0))

    monkeypatch.setattr(Puzzle, "placements", endless)
    return made


async def stands_still(made):
    before = made[0]
    assert before
    await anyio.sleep(0.1)
    assert made[0] == before


@pytest.mark.parametrize("knobs", ["", "?nearly=true"])
async def test_hang_up_while_tiles_are_laid_out(server, made, knobs):
    async with server.asking("/v1/edges" + knobs, TILES):
        await until(lambda: server.n_open == 1 and made[0])
    await server.until_idle()
    await stands_still(made)


async def test_time_runs_out_while_tiles_are_laid_out(server, made):
    for timeout in PATIENCE_S:
        async with server.asking(f"/v1/edges?timeout={timeout}", TILES) as wire:
            assert await wire.line() == {"type": "start"}
            assert (await wire.line())["outcome"] == "timed out"
        await server.until_idle()
        if made[0]:
            break
    await stands_still(made)


async def test_shut_down_while_tiles_are_laid_out(anyio_backend, made):
    with running(anyio_backend) as server:
        async with server.asking("/v1/edges", TILES) as wire:
            await until(lambda: made[0])
            server.call(server.service.close)
            await wire.until(b"503")
    await stands_still(made)


async def test_what_cannot_be_stopped_keeps_its_place(server, monkeypatch):
    begun, gate = threading.Event(), threading.Event()
    usual = orders._checked

    def slow(*arguments):
        begun.set()
        assert gate.wait(HANG_S)
        return usual(*arguments)

    monkeypatch.setattr(orders, "_checked", slow)
    body = b'{"problem": "a\\na"}'
    async with server.asking("/v1/count", body, **JSON):
        await until(begun.is_set)
    hang_ups = server.cancellations("hang-up")
    await anyio.sleep(0.3)
    assert server.n_open == 1
    gate.set()
    await server.until_idle()
    assert server.cancellations("hang-up") >= hang_ups


async def test_place_is_kept_though_the_answer_is_given(server, monkeypatch):
    begun, gate = threading.Event(), threading.Event()
    usual = minimizer.Books

    def slow(*arguments, **more):
        begun.set()
        assert gate.wait(HANG_S)
        return usual(*arguments, **more)

    monkeypatch.setattr(minimizer, "Books", slow)
    for timeout in PATIENCE_S:
        path = f"/v1/minimize?timeout={timeout}"
        async with server.asking(path, SMALL.encode()) as wire:
            await wire.line()
            assert (await wire.line())["outcome"] == "timed out"
            if begun.is_set():
                await anyio.sleep(0.1)
                assert server.n_open == 1
                gate.set()
        await server.until_idle()
        if begun.is_set():
            break
    assert begun.is_set()
