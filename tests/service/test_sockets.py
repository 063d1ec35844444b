"""By WebSocket the client says how many covers it wants."""

from __future__ import annotations

import anyio
import pytest
from problems import FRUITLESS, SMALL, queens
from serving import Socket, running
from standing import HANG_S
from wsproto.events import RejectConnection

MANY = queens(12)


def covers(heard):
    return [record["cover"] for record in heard if record["type"] == "cover"]


async def hear_covers(socket, number):
    """Hear so many covers, whatever comes between."""
    heard = []
    while len(heard) < number:
        record = await socket.hear()
        if record["type"] == "cover":
            heard.append(record["cover"])
    return heard


async def rests(socket):
    """Whether nodes stand still while pulses go on, and no cover comes."""
    before = await socket.hear()
    after = await socket.hear()
    assert before["type"] == after["type"] == "pulse"
    return before["nodes"] == after["nodes"]


async def test_a_search_from_order_to_end(server):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=SMALL, more=10)
        start, first, second, end = [await socket.hear() for _ in range(4)]
        assert start["type"] == "start"
        assert (first["options"], second["options"]) == ([1, 2], [3, 4])
        assert (end["type"], end["outcome"]) == ("end", "exhausted")
        assert await socket.hear() is None
        assert socket.code == 1000
    await server.until_idle()


async def test_covers_come_as_they_are_wanted_and_the_search_rests_between(server):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=MANY, pulse=0.05)
        await socket.hear_until("pulse")
        assert await rests(socket)
        await socket.say(more=3)
        assert await hear_covers(socket, 3) == [1, 2, 3]
        assert await rests(socket)
        await socket.say(more=1)
        await socket.say(more=1)
        assert await hear_covers(socket, 2) == [4, 5]
        assert await rests(socket)
        await socket.say(cancel=True)
        *_, end = await socket.hear_until("end")
        assert (end["outcome"], end["stats"]["covers"]) == ("cancelled", 5)
        assert end["reason"] == "the client cancelled it"
    await server.until_idle()


async def test_pause_stops_a_search_that_finds_nothing(server):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=FRUITLESS, more=1, pulse=0.05)
        await socket.hear_until("start")
        with anyio.fail_after(3 * HANG_S):
            while await rests(socket):
                pass
            await socket.say(pause=True)
            while not await rests(socket):
                pass
            await socket.say(more=0)
            while await rests(socket):
                pass
    await server.until_idle()


async def test_pause_keeps_credit(server):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=MANY, more=10_000, pulse=0.05)
        await hear_covers(socket, 5)
        await socket.say(pause=True)
        heard = []
        while not heard or heard[-2:] != ["pulse", "pulse"]:
            heard.append((await socket.hear())["type"])
        await socket.say(more=0)
        sixth = 6 + heard.count("cover")
        assert await hear_covers(socket, 1) == [sixth]
    await server.until_idle()


async def test_minimize(server):
    async with Socket.to(server, "/v1/minimize") as socket:
        text = "a b c\na b |5\nc |1\na c |2\nb |3"
        await socket.say(problem=text, more=1)
        await socket.hear_until("cover")
        await socket.say(more=5)
        *_, end = await socket.hear_until("end")
        assert (end["optimal"], end["price"], end["gap"]) == (True, 5, 0)
    await server.until_idle()


async def test_hang_up_at_any_moment(server):
    for number in range(20):
        async with Socket.to(server, "/v1/solve") as socket:
            if number > 2:
                await socket.say(problem=MANY, more=number * 10)
            await anyio.sleep(number / 1000)
    await server.until_idle()


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ('{"problem": "a b\\na z"}', "syntax"),
        ('{"problem": "2|a\\na\\na"}', "multiplicity"),
        ('{"problem": "a\\na", "more": -1}', "invalid"),
        ('{"more": 3}', "invalid"),
        ("nonsense", "invalid"),
    ],
)
async def test_bad_orders_are_told_and_closed(server, message, kind):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.shout(message)
        end = await socket.hear()
        assert (end["type"], end["outcome"]) == ("end", "failed")
        assert end["error"]["type"] == f"urn:dcells-async:{kind}"
        assert await socket.hear() is None
        assert socket.code == 1008
    await server.until_idle()


@pytest.mark.parametrize(
    "wish",
    ['{"more": "3"}', '{"more": true}', '{"pause": 1}', '{"cancel": 1}',
     '{"cancel": false}', '{"moar": 1}', "{"],
)  # fmt: skip
async def test_bad_wishes_end_the_search(server, wish):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=MANY)
        await socket.hear_until("start")
        await socket.shout(wish)
        *_, end = await socket.hear_until("end")
        assert end["outcome"] == "cancelled"
        assert end["reason"]
    await server.until_idle()


async def test_what_is_wrong_with_wishes_makes_no_metrics(server):
    before = server.cancellations("fault")
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=FRUITLESS)
        await socket.hear()
        await socket.shout('{"one of many names": 1}')
        end = (await socket.hear_until("end"))[-1]
        assert "one of many names" in end["reason"]
    await server.until_idle()
    assert server.cancellations("fault") == before + 1
    assert b"one of many" not in server.service.metrics.text()


async def test_pages_from_elsewhere_are_turned_away(server):
    async with Socket.to(server, "/v1/solve", origin="http://evil.example") as socket:
        assert isinstance(socket.greeting, RejectConnection)
    async with Socket.to(server, "/v1/solve", origin=server.url) as socket:
        await socket.say(problem=SMALL, more=1)
        await socket.hear_until("cover")


async def test_token_and_places(anyio_backend):
    limits = {"max_open": 1, "wait_seconds": 0.05, "read_seconds": 0.3}
    with running(anyio_backend, token="secret", **limits) as server:
        async with Socket.to(server, "/v1/solve") as socket:
            await socket.say(problem=SMALL, token="wrong")
            assert (await socket.hear())["error"]["status"] == 401
        async with Socket.to(server, "/v1/solve") as socket:
            await socket.say(problem=MANY, token="secret")
            await socket.hear_until("start")
            async with Socket.to(server, "/v1/solve") as other:
                await other.say(problem=SMALL, token="secret")
                assert (await other.hear())["error"]["status"] == 503
                assert await other.hear() is None
                assert other.code == 1013
        await server.until_idle()
        bearer = {"authorization": "Bearer secret"}
        async with Socket.to(server, "/v1/solve", **bearer) as socket:
            assert (await socket.hear())["error"]["status"] == 408
        await server.until_idle()


async def test_who_says_nothing_or_knows_no_token_takes_no_place(anyio_backend):
    limits = {"max_open": 1, "wait_seconds": 0.05}
    with running(anyio_backend, token="secret", **limits) as server:
        async with (
            Socket.to(server, "/v1/solve") as silent,
            Socket.to(server, "/v1/solve") as stranger,
        ):
            await stranger.say(problem=MANY, token="wrong")
            assert (await stranger.hear())["error"]["status"] == 401
            async with Socket.to(server, "/v1/solve") as socket:
                await socket.say(problem=SMALL, token="secret", more=9)
                assert (await socket.hear_until("end"))[-1]["outcome"] == "exhausted"
            # Whoever shuts down need not wait for those who have not begun.
            server.call(server.service.close)
            assert (await silent.hear())["error"]["status"] == 503


@pytest.mark.parametrize("wish", [{}, {"more": 1}, {"more": 9, "pause": True}])
async def test_time_runs_out_for_who_wants_no_more(server, wish):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=MANY, timeout=0.3)
        await socket.hear_until("start")
        if wish:
            await socket.say(**wish)
        assert (await socket.hear_until("end"))[-1]["outcome"] == "timed out"
    await server.until_idle()


async def test_covers_are_found_ahead_as_far_as_the_credit_goes(server):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=MANY, pulse=0.05, more=200)
        await hear_covers(socket, 200)
        assert await rests(socket)
        await socket.say(cancel=True)
        *_, end = await socket.hear_until("end")
        # No more than were wanted, and not by a hop to a thread for each.
        assert end["stats"]["covers"] == 200
    await server.until_idle()


async def test_who_goes_on_sending_reads_the_end(server):
    async with Socket.to(server, "/v1/solve") as socket:
        await socket.say(problem=SMALL, more=9)
        for _ in range(2000):
            await socket.say(more=1)
        assert (await socket.hear_until("end"))[-1]["outcome"] == "exhausted"
        assert await socket.hear() is None
        assert socket.code == 1000
    await server.until_idle()
