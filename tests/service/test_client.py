"""A search elsewhere has the shape of one at home."""

from __future__ import annotations

import random
import re
import shutil
import ssl
import struct
import subprocess
import sys
from contextlib import asynccontextmanager
from functools import partial
from socket import SO_LINGER, SOL_SOCKET

import anyio
import httpx
import pytest
from anyio.streams.tls import TLSListener
from problems import FRUITLESS, SMALL, queens
from serving import running
from standing import HANG_S, PATIENCE_S, settled

from dcells_async import (
    MCC,
    XCC,
    DlxSyntaxError,
    DlxWarning,
    GivenError,
    MultiplicityError,
    Outcome,
    Problem,
    Result,
)
from dcells_async.client import Remote, RemoteError, solve_remote

MANY = queens(13)


async def taken(dance):
    async with dance as result:
        return [cover async for cover in result.solutions], result


@pytest.mark.parametrize("buffer", [0, 1, 1024])
async def test_same_covers_in_the_same_order_and_the_same_numbers(server, buffer):
    here, result = await taken(XCC().dance(queens(7)))
    there, remote = await taken(solve_remote(server.url, queens(7), buffer=buffer))
    assert there == here
    assert [cover.numbers for cover in there] == [cover.numbers for cover in here]
    assert list(there[0]) == list(here[0])
    assert isinstance(remote, Result)
    assert remote.outcome is Outcome.EXHAUSTED
    assert remote.optimal
    assert remote.stats.nodes == result.stats.nodes
    assert remote.stats.covers == len(here)


async def test_first_count_unique(server):
    remote = Remote(server.url)
    assert (await remote.first(SMALL)).numbers == (1, 2)
    assert await remote.first("a b\na") is None
    assert await remote.count(queens(8)) == 92
    assert await remote.is_unique("a\na")
    assert not await remote.is_unique(SMALL)


async def test_options_given_and_struck_out(server):
    remote, text = Remote(server.url), queens(7)
    for start in ({"given": [3]}, {"without": range(2, 8)}, {"given": [11, 2]}):
        here, _ = await taken(XCC().dance(text, **start))
        assert (await taken(remote.dance(text, **start)))[0] == here
        assert (await taken(solve_remote(server.url, text, **start)))[0] == here
        assert await remote.count(text, **start) == len(here)
        assert await remote.is_unique(text, **start) == (len(here) == 1)
        first = await remote.first(text, **start)
        assert first == (here[0] if here else None)
    # So many that no address would hold them.
    without = [*range(1, 961)]
    assert await remote.count("a\n" + "a\n" * 1000, without=without) == 40
    for start in ({"given": [50]}, {"given": [1, 2]}, {"without": [0]}):
        with pytest.raises(GivenError) as caught:
            await remote.count(text, **start)
        with pytest.raises(GivenError, match=re.escape(str(caught.value))):
            await XCC().count(text, **start)
    with pytest.raises(TypeError):
        remote.dance(text, given=["1"])


async def test_counting_tells_how_far_it_is(server):
    async with Remote(server.url).counting(queens(8), pulse_interval=0.05) as result:
        await result.wait()
        assert [cover async for cover in result.solutions] == []
    assert (result.stats.covers, result.outcome) == (92, Outcome.EXHAUSTED)
    _, result = await taken(Remote(server.url).counting(FRUITLESS, timeout=0.1))
    assert result.outcome is Outcome.TIMED_OUT


async def test_limit_and_timeout_end_gently(server):
    covers, result = await taken(solve_remote(server.url, MANY, limit=3))
    assert len(covers) == 3
    assert result.outcome is Outcome.LIMITED
    covers, result = await taken(solve_remote(server.url, FRUITLESS, timeout=0.05))
    assert covers == []
    assert result.outcome is Outcome.TIMED_OUT


async def test_labels_of_any_kind_stay_at_home(server):
    problem = Problem.from_options(
        [
            [("a", 1), ("x", frozenset())],
            ["b c", ("x", frozenset())],
            [("a", 1)],
            ["b c"],
        ],
        secondary=["x"],
    )
    here, _ = await taken(XCC().dance(problem))
    there, _ = await taken(solve_remote(server.url, problem))
    assert there == here
    assert there[0].options == here[0].options


@pytest.mark.filterwarnings("ignore::dcells_async.DlxWarning")
@pytest.mark.parametrize("seed", range(6))
async def test_random_problems_of_all_kinds(server, seed):
    chance = random.Random(seed)
    n_primary = chance.randrange(4)
    items = range(n_primary + 2)
    options = []
    for _ in range(8):
        option = [item for item in items if chance.random() < 0.4]
        options.append([
            (item, chance.randrange(2)) if item >= n_primary and chance.random() < 0.5
            else item
            for item in option
        ])  # fmt: skip
    bounds = {item: (1, 2) for item in items[:n_primary] if chance.random() < 0.5}
    problem = Problem.from_options(
        options, items[:n_primary], items[n_primary:], multiplicity=bounds
    )
    here, _ = await taken(MCC().dance(problem))
    there, _ = await taken(Remote(server.url, "mcc").dance(problem))
    assert there == here


# -- errors ----------------------------------------------------------------------------


async def test_faulty_problems_raise_what_they_raise_at_home(server):
    with pytest.raises(DlxSyntaxError) as caught:
        await taken(solve_remote(server.url, "a b\na z"))
    assert (caught.value.line, caught.value.column) == (2, 3)
    with pytest.raises(MultiplicityError, match="MCC knows"):
        await taken(solve_remote(server.url, "2|a\na\na"))
    with pytest.warns(DlxWarning, match="left out"):
        await taken(solve_remote(server.url, "a | x\nx\na"))


async def test_parameters_are_checked_here(server):
    for knobs in ({"limit": 0}, {"timeout": -1}, {"buffer": -1}, {"pulse_interval": 0}):
        with pytest.raises(ValueError, match=next(iter(knobs))):
            await taken(solve_remote(server.url, SMALL, **knobs))


async def test_no_service_there(server):
    with pytest.raises(RemoteError, match="not reached"):
        await taken(solve_remote("http://127.0.0.1:1", SMALL))
    with pytest.raises(RemoteError, match="not reached"):
        await taken(solve_remote("nonsense", SMALL))
    with pytest.raises(RemoteError, match="Not Found") as caught:
        await taken(solve_remote(server.url + "/v1", SMALL))
    assert caught.value.status == 404


async def test_service_that_is_full_says_when_to_come_back(anyio_backend):
    limits = {"max_open_per_client": 1, "wait_seconds": 0.05}
    with running(anyio_backend, **limits) as server:
        async with solve_remote(server.url, FRUITLESS):
            with pytest.raises(RemoteError, match="too many") as caught:
                await taken(solve_remote(server.url, SMALL))
        assert caught.value.status == 429
        assert caught.value.retry_after == 1.0
        await server.until_idle()


async def test_token(anyio_backend):
    with running(anyio_backend, token="secret") as server:
        covers, _ = await taken(solve_remote(server.url, SMALL, token="secret"))
        assert len(covers) == 2
        with pytest.raises(RemoteError, match="token"):
            await taken(solve_remote(server.url, SMALL))


async def test_service_that_closes_is_no_quiet_end(anyio_backend):
    with running(anyio_backend) as server:
        with pytest.raises(RemoteError, match="shutting down"):
            async with solve_remote(server.url, FRUITLESS) as result:
                server.call(server.service.close)
                async for _ in result.solutions:
                    pytest.fail("there is no cover")
    assert result.outcome is Outcome.FAILED


def stub(*pieces):
    """A service that sends just this."""

    async def answer(request):
        async def body():
            for piece in pieces:
                yield piece

        return httpx.Response(200, content=body())

    return httpx.AsyncClient(transport=httpx.MockTransport(answer))


async def test_stream_that_breaks_off_is_an_error_after_its_covers():
    cover = b'{"type": "cover", "cover": 1, "options": [1, 2]}\n'
    async with stub(cover[:20], cover[20:]) as http:
        found = []
        with pytest.raises(RemoteError, match="broke off"):
            async with solve_remote("http://x", SMALL, http=http) as result:
                async for found_now in result.solutions:
                    found.append(found_now.numbers)  # noqa: PERF401
        assert found == [(1, 2)]


END = b'{"type": "end", "outcome": "exhausted", "stats": {"covers": 1}'


@pytest.mark.parametrize(
    "text",
    [
        b"<html>\n<body>hello</body>\n</html>",
        b"[]",
        b"5",
        b"{}",
        b'{"a": 1}',
        b'{"type": ["end"]}',
        b"\xff",
        b"[" * 100_000,
        b'{"type": "cover"}',
        b'{"type": "cover", "options": "12"}',
        b'{"type": "cover", "options": [1.5]}',
        b'{"type": "cover", "options": [true]}',
        b'{"type": "pulse"}',
        b'{"type": "pulse", "covers": 1, "nodes": "many"}',
        b'{"type": "end"}',
        b'{"type": "end", "outcome": "exhausted"}',
        END.replace(b"exhausted", b"surprising") + b"}",
        END.replace(b"exhausted", b"running") + b"}",
        END.replace(b"exhausted", b"failed") + b"}",
        END.replace(b"1", b"[]") + b"}",
        END + b', "error": 5}',
    ],
)
async def test_answer_of_something_else(text):
    async with stub(text + b"\n") as http:
        remote = Remote("http://x", http=http)
        with pytest.raises(RemoteError, match="no record"):
            await taken(remote.dance(SMALL))
        with pytest.raises(RemoteError, match="no record"):
            await remote.count(SMALL)


@pytest.mark.parametrize(
    "told", ["", ', "count": 5', ', "count": "-1"', ', "frequencies": ["1"]']
)
async def test_answer_about_no_diagram(told):
    async with stub(END + told.encode() + b"}\n") as http:
        diagram = Remote("http://x", http=http).diagram(SMALL)
        for ask in (diagram.count, diagram.frequencies):
            with pytest.raises(RemoteError, match="no record"):
                await ask()


@pytest.mark.parametrize("numbers", [[1, 99], [0], [-1, 1]])
async def test_cover_of_options_that_are_none(numbers):
    covers = [[3, 4], numbers]
    lines = [f'{{"type": "cover", "options": {cover}}}\n' for cover in covers]
    async with stub("".join(lines).encode(), END + b"}\n") as http:
        found = []
        with pytest.raises(RemoteError, match="there are 4"):
            async with solve_remote("http://x", SMALL, http=http) as result:
                async for cover in result.solutions:
                    found.append(cover.numbers)  # noqa: PERF401
        assert found == [(3, 4)]


async def test_numbers_beyond_all_bounds_are_what_they_are_at_home(server):
    remote, inf = Remote(server.url), float("inf")
    for knobs in ({"limit": 2**60}, {"timeout": inf}, {"pulse_interval": inf}):
        covers, result = await taken(remote.dance(queens(5), **knobs))
        assert (len(covers), result.outcome) == (10, Outcome.EXHAUSTED)
        async with remote.minimize(SMALL, [1] * 4, **knobs) as result:
            assert [cover.price async for cover in result.solutions] == [2]
    assert await remote.diagram(SMALL, timeout=inf).count() == 2
    for start in ({"given": [2**70]}, {"without": [-(2**70)]}):
        with pytest.raises(GivenError) as caught:
            await remote.first(SMALL, **start)
        with pytest.raises(GivenError, match=re.escape(str(caught.value))):
            await XCC().first(SMALL, **start)


def test_words_that_are_none():
    with pytest.raises(ValueError, match=r"engine is 'xcc'.* not 'zdd'"):
        Remote("http://x", "zdd")
    with pytest.raises(ValueError, match=r"taxes is 'auto'.* not 'none'"):
        Remote("http://x").minimize(SMALL, taxes="none")


async def test_tokens_of_any_letters_and_none_is_shown():
    heard = []

    async def answer(request):
        heard.append(request.headers.raw)
        return httpx.Response(200, content=END + b"}\n")

    remote = Remote("http://x", token="sécret €")
    assert "secret" not in repr(Remote("http://x", token="secret"))
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        await taken(Remote("http://x", token=remote.token, http=http).dance(SMALL))
    assert (b"authorization", "Bearer sécret €".encode()) in heard[0]
    for token in ("", "secret\n", " secret", "se\x00cret"):
        with pytest.raises(ValueError, match=r"^token ") as caught:
            solve_remote("http://x", SMALL, token=token)
        assert "cret" not in str(caught.value)


# -- on the way ------------------------------------------------------------------------


LINGER = "hh" if sys.platform == "win32" else "ii"


async def test_server_that_is_killed_is_an_error_after_its_covers():
    """As a process that is gone does: its connections are reset in mid-stream."""

    async def answer(stream):
        text = await stream.receive()
        while SMALL.encode() not in text:
            text += await stream.receive()
        cover = b'{"type": "cover", "options": [1, 2]}\n'
        head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        await stream.send(head + b"%x\r\n%b\r\n40\r\n{" % (len(cover), cover))
        await came.wait()
        raw = stream.extra_attributes[anyio.abc.SocketAttribute.raw_socket]()
        raw.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack(LINGER, 1, 0))
        await stream.aclose()

    came = anyio.Event()
    found = []
    async with listening(answer) as port:
        with pytest.raises(RemoteError, match="broke off"):
            async with solve_remote(f"http://127.0.0.1:{port}", SMALL) as result:
                async for cover in result.solutions:
                    found.append(cover.numbers)
                    came.set()
    assert found == [(1, 2)]
    assert result.outcome is Outcome.FAILED


@asynccontextmanager
async def listening(handler, wrap=lambda listener: listener):
    """Serve connections on loopback; gives the port."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(wrap(listener).serve, handler)
        yield listener.extra(anyio.abc.SocketAttribute.local_port)
        tasks.cancel_scope.cancel()


GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)
"""What sending to one that has gone may raise; the last, if it is encrypted."""


async def join(one, other):
    """Carry bytes both ways, until one side ends."""

    async def carry(source, target):
        try:
            async for data in source:
                await target.send(data)
        except GONE:
            pass
        tasks.cancel_scope.cancel()

    async with one, other, anyio.create_task_group() as tasks:
        tasks.start_soon(carry, one, other)
        tasks.start_soon(carry, other, one)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A key and a certificate for this machine, in one file."""
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl")
    path = tmp_path_factory.mktemp("keys") / "loopback.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
        f"-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -out {path} "
        f"-keyout {path}"
    )
    subprocess.run(command.split(), check=True, capture_output=True)
    return path


async def test_encrypted_and_by_a_proxy(server, certificate):
    """A TLS proxy before the service, and an HTTP proxy before that."""

    async def to_service(stream):
        await join(stream, await anyio.connect_tcp("127.0.0.1", server.port))

    async def to_anywhere(stream):
        text = b""
        while not text.endswith(b"\r\n\r\n"):
            text += await stream.receive()
        host, port = text.split()[1].decode().split(":")
        asked.append(text.split()[0])
        await stream.send(b"HTTP/1.1 200 OK\r\n\r\n")
        await join(stream, await anyio.connect_tcp(host, int(port)))

    asked = []
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=certificate)
    encrypting = partial(TLSListener, ssl_context=context, standard_compatible=False)
    async with (
        listening(to_service, encrypting) as port,
        listening(to_anywhere) as proxy,
        httpx.AsyncClient(verify=trusting, proxy=f"http://127.0.0.1:{proxy}") as http,
    ):
        url = f"https://127.0.0.1:{port}"
        covers, _ = await taken(solve_remote(url, queens(7), http=http))
        assert len(covers) == 40
        async with solve_remote(url, MANY, http=http) as result:
            await result.solutions.receive()
        await server.until_idle()
        with pytest.raises(RemoteError, match=r"certificate"):
            await taken(solve_remote(url, SMALL))
    assert asked == [b"CONNECT"] * len(asked) != []


# -- flow ------------------------------------------------------------------------------


async def test_leaving_the_block_ends_the_search(server):
    async with solve_remote(server.url, MANY) as result:
        async for _ in result.solutions:
            break
    assert result.outcome is Outcome.CANCELLED
    assert result.is_over
    await server.until_idle()
    with pytest.raises(anyio.ClosedResourceError):
        await result.solutions.receive()


@pytest.mark.parametrize("delay", [0.0, 0.002, 0.01, 0.05])
async def test_cancelled_at_any_moment(server, delay):
    with anyio.fail_after(HANG_S), anyio.move_on_after(delay) as scope:
        async with solve_remote(server.url, FRUITLESS):
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    await server.until_idle()


async def test_own_exceptions_pass_as_they_are(server):
    with pytest.raises(ZeroDivisionError):
        async with solve_remote(server.url, MANY):
            _ = 1 / 0
    await server.until_idle()


@pytest.mark.slow
async def test_consumer_who_rests_makes_the_search_rest(server):
    async with solve_remote(server.url, MANY, buffer=10) as result:
        await result.solutions.receive()
        await settled(server.nodes)
        assert server.n_open == 1
        assert not result.is_over
        assert len([await result.solutions.receive() for _ in range(1000)]) == 1000
    await server.until_idle()


async def test_heartbeat_and_statistics(server):
    for timeout in PATIENCE_S:
        knobs = {"timeout": timeout, "pulse_interval": 0.05}
        async with solve_remote(server.url, FRUITLESS, **knobs) as result:
            nodes = [pulse.nodes async for pulse in result.heartbeat]
        if len(set(nodes)) > 2:
            break
    assert nodes == sorted(nodes)
    assert len(set(nodes)) > 2
    assert result.stats.nodes == nodes[-1]


async def test_many_at_once_over_one_client(server):
    async def count(n, http, counts):
        covers, _ = await taken(solve_remote(server.url, queens(n), http=http))
        counts[n] = len(covers)

    counts = {}
    async with httpx.AsyncClient() as http, anyio.create_task_group() as tasks:
        for n in range(4, 10):
            tasks.start_soon(count, n, http, counts)
    assert counts == {4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352}
    await server.until_idle()


async def test_a_dance_is_opened_once(server):
    dance = solve_remote(server.url, SMALL)
    await taken(dance)
    with pytest.raises(RuntimeError, match="once"):
        await taken(dance)
