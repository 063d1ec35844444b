"""Hundreds of clients at a time: nobody starves, and who leaves leaves nothing."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack

import anyio
import psutil
import pytest
from problems import SMALL, queens
from serving import Wire, serving
from standing import HANG_S

pytestmark = pytest.mark.slow

N_STREAMS = 200
N_KILLED = 500
MANY = queens(12).encode()

_ITEMS = [f"{number}{'x' * 250}" for number in range(8)]
LONG = "\n".join(
    [" ".join(_ITEMS), *(item for item in _ITEMS for _ in range(4))]
).encode()
"""Covers of two thousand bytes, so that no connection holds many."""


class Watch:
    """A server in a process of its own, seen from outside."""

    def __init__(self, process, url):
        self.port = int(url.rpartition(":")[2])
        self._process = psutil.Process(process.pid)

    @property
    def memory(self):
        return self._process.memory_info().rss

    @property
    def n_threads(self):
        return self._process.num_threads()

    async def ask(self, path, body=b"", method="POST"):
        """Ask, and read the whole answer."""
        async with await anyio.connect_tcp("127.0.0.1", self.port) as stream:
            wire = Wire(stream)
            await wire.ask(path, body, method=method, connection="close")
            return await wire.rest()

    async def metric(self, name):
        """The sum of a metric over its labels."""
        lines = (await self.ask("/metrics", None, "GET")).decode().split("\n")
        found = [line.split()[1] for line in lines if line.startswith(name)]
        return sum(map(float, found))

    async def until_open(self, number):
        """Wait until so many searches are open."""
        with anyio.fail_after(2 * HANG_S):
            while await self.metric("dcells_slots ") != number:
                await anyio.sleep(0.02)

    async def at_rest(self, least=0):
        """Wait until so many covers are found and no node is added; give the covers.

        A busy server may stand still for a moment, so that takes more than a second.
        """
        nodes, covers = [-1.0], -1.0
        with anyio.fail_after(3 * HANG_S):
            while covers < least or len({*nodes[-6:]}) > 1:
                await anyio.sleep(0.2)
                nodes.append(await self.metric("dcells_nodes_total{"))
                covers = await self.metric("dcells_covers_total{")
        return covers

    def connect(self):
        """Connect in a way that little is on the wire."""
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", self.port))
        return client


@pytest.fixture
def watch(anyio_backend):
    with serving("--backend", anyio_backend) as (process, url):
        yield Watch(process, url)


def asking(path, body):
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


async def read_on(client, cover, most):
    """Read until a cover with this number has come, or so many bytes."""
    mark, tail, size = b'"cover": %d,' % cover, b"", 0
    client.setblocking(False)
    while mark not in tail and size < most:
        await anyio.wait_readable(client)
        piece = client.recv(1 << 16)
        assert piece, "the server has closed the connection"
        size += len(piece)
        tail = tail[-len(mark) :] + piece
    return mark in tail


async def test_readers_who_rest_take_little_and_let_others_pass(watch):
    await watch.ask("/v1/solve", SMALL.encode())
    before = watch.memory
    with ExitStack() as stack:
        clients = [stack.enter_context(watch.connect()) for _ in range(N_STREAMS)]
        for client in clients:
            client.sendall(asking("/v1/solve", LONG))
        await watch.until_open(N_STREAMS)
        covers = await watch.at_rest(N_STREAMS)
        each = (watch.memory - before) / N_STREAMS
        assert each < 300_000
        # They rest, so nothing changes; and who comes now is answered.
        at_rest = watch.memory
        for _ in range(5):
            answer = await watch.ask("/v1/solve", queens(7).encode())
            assert answer.count(b'"type": "cover"') == 40
            assert b'"outcome": "exhausted"' in answer
        assert await watch.at_rest() == covers + 5 * 40
        assert watch.memory - at_rest < 2_000_000
        # All go on as soon as they are read, side by side.
        further = int(1.05 * covers / N_STREAMS) + 50
        reached = []

        async def read(client):
            reached.append(await read_on(client, further, 10**7))

        with anyio.fail_after(3 * HANG_S):
            async with anyio.create_task_group() as tasks:
                for client in clients:
                    tasks.start_soon(read, client)
        assert reached == [True] * N_STREAMS
    await watch.until_open(0)


async def kill_some(watch, chance):
    """Ask all kinds of things, each whole or in part, and go after some moments."""
    bodies = [queens(9).encode(), MANY]
    paths = ["/v1/solve", "/v1/count", "/v1/zdd", "/v1/minimize", "/v1/edges"]
    paths += ["/v1/sudoku", "/v1/trace"]
    at_once = anyio.CapacityLimiter(50)

    async def ask_and_go(path, body, wait, reads):
        async with at_once, await anyio.connect_tcp("127.0.0.1", watch.port) as stream:
            try:
                await stream.send(body)
                with anyio.move_on_after(wait):
                    while reads:
                        await stream.receive()
                    await anyio.sleep(wait)
            except (anyio.BrokenResourceError, anyio.EndOfStream):
                # It was answered to the end.
                pass

    async with anyio.create_task_group() as tasks:
        for _ in range(N_KILLED):
            path = chance.choice(paths)
            request = asking(path, chance.choice(bodies))
            part = request[: chance.randrange(1, 2 * len(request))]
            reads = chance.random() < 0.5
            tasks.start_soon(ask_and_go, path, part, 0.03 * chance.random(), reads)


async def test_nothing_is_left_of_those_who_have_gone(watch):
    chance = random.Random(1)
    await kill_some(watch, chance)
    await watch.until_open(0)
    threads, growth = watch.n_threads, [N_KILLED * 16_000]
    # If each left the least of its buffers behind, it would be more each time. On a
    # busy machine it takes several times to have had as much as there will be.
    while growth[-1] >= N_KILLED * 16_000 and len(growth) < 5:
        memory = watch.memory
        await kill_some(watch, chance)
        await watch.until_open(0)
        growth.append(watch.memory - memory)
    assert await watch.metric("dcells_open_searches{") == 0
    with anyio.fail_after(3 * HANG_S):
        # Threads that have nothing to do for long go, when others have.
        while watch.n_threads > threads + 2:
            await anyio.sleep(0.5)
            await watch.ask("/v1/count", SMALL.encode())
    assert growth[-1] < N_KILLED * 16_000
    assert b'"count": 40' in await watch.ask("/v1/count", queens(7).encode())
