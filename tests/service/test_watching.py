"""Boards of tiles, and the dance, over the wire."""

from __future__ import annotations

import json

import pytest
from problems import SMALL, queens
from serving import Socket, records, talking_to

from dcells_async import trace
from dcells_async.service import Settings, create_app

JSON = {"content-type": "application/json"}
CORNERS = [[0, 1, 1, 0]] * 4
TEXT = "0 1 1 0\n" * 4
SECRET = [[0, 1, 2, 0], [0, 0, 3, 1], [2, 4, 0, 0], [3, 0, 0, 4]]


async def ask(app, path, body=None, **request):
    async with talking_to(app) as client:
        return await client.post(path, content=body, **request)


# -- tiles -----------------------------------------------------------------------------


async def test_boards_are_as_many_as_there_are(app):
    _, *boards, end = records((await ask(app, "/v1/edges", TEXT)).text)
    assert [board["board"] for board in boards] == [*range(1, 25)]
    assert all((b["matched"], b["edges"]) == (4, 4) for b in boards)
    assert len({json.dumps(board["rows"]) for board in boards}) == 24
    assert end["outcome"] == "exhausted"
    _, *fixed, _ = records((await ask(app, "/v1/edges?fix=true", TEXT)).text)
    assert len(fixed) == 6


async def test_tiles_and_what_lies_already_as_a_document(app):
    order = json.dumps({"tiles": SECRET, "board": "1:0 . \n. .", "size": "2x2"})
    _, board, _ = records((await ask(app, "/v1/edges", order, headers=JSON)).text)
    assert board["rows"][0][0] == [1, 0]
    assert sorted(number for row in board["rows"] for number, _ in row) == [1, 2, 3, 4]


async def test_boards_that_are_nearly_right_get_better(app):
    path = "/v1/edges?nearly=true&size=1x3&kind=open"
    tiles = "0 1 0 2\n0 1 0 3\n0 4 0 5"
    _, *boards, end = records((await ask(app, path, tiles)).text)
    good = [board["matched"] for board in boards]
    assert good == sorted(good)
    assert end["optimal"]


@pytest.mark.parametrize(
    ("path", "body", "headers", "status"),
    [
        ("/v1/edges", "0 1 1", {}, 422),
        ("/v1/edges", "0 1 1 0\n" * 3, {}, 422),
        ("/v1/edges?size=3x9", TEXT, {}, 422),
        ("/v1/edges?size=axb", TEXT, {}, 422),
        ("/v1/edges?kind=sphere", TEXT, {}, 422),
        ("/v1/edges?nearly=true&engine=xccdc", TEXT, {}, 422),
        ("/v1/edges", b"\xff\xfe", {}, 422),
        ("/v1/edges", '{"tiles": [[1, 2, 3]]}', JSON, 422),
        ("/v1/edges", '{"tiles": [[1, 2, 3, -4]]}', JSON, 422),
        ("/v1/edges", '{"tiles": []}', JSON, 422),
    ],
)
async def test_bad_tiles_are_refused(app, path, body, headers, status):
    answer = await ask(app, path, body, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"]


async def test_too_many_tiles_are_refused_before_they_are_laid_out():
    app = create_app(Settings(max_options=1000))
    answer = await ask(app, "/v1/edges?kind=open", "0 0 0 0\n" * 400)
    assert answer.status_code == 413


# -- the dance -------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["links", "cells"])
async def test_steps_are_those_at_home(app, way):
    _, *steps, end = records((await ask(app, f"/v1/trace?way={way}", SMALL)).text)
    here = list(trace(SMALL, way))
    assert [step["text"] for step in steps] == [str(step) for step in here]
    assert [step["live_options"] for step in steps] == [
        sorted(step.live_options) for step in here
    ]
    assert (end["outcome"], end["steps"], end["covers"]) == ("exhausted", len(here), 2)


async def test_first_record_has_the_matrix(app):
    start, *_ = records((await ask(app, "/v1/trace", "p q | x\np x:A\nq x:A")).text)
    assert start["names"] == ["p", "q", "x"]
    assert start["matrix"] == [[[0, None], [2, "A"]], [[1, None], [2, "A"]]]


async def test_steps_may_be_few_and_short(app):
    path = "/v1/trace?limit=3&live=false"
    _, *steps, end = records((await ask(app, path, SMALL)).text)
    assert [step["step"] for step in steps] == [1, 2, 3]
    assert "live_items" not in steps[0]
    assert end["outcome"] == "limited"


async def test_what_cannot_be_watched_is_refused(app):
    assert (await ask(app, "/v1/trace", "2|a\na\na")).status_code == 422
    answer = await ask(app, "/v1/trace", queens(40))
    assert (answer.status_code, answer.json()["limit"]) == (413, 5000)


async def test_watching_ends_in_time(app):
    *_, end = records((await ask(app, "/v1/trace?timeout=0.1", queens(10))).text)
    assert end["outcome"] == "timed out"


async def test_steps_come_as_they_are_wanted(server):
    async with Socket.to(server, "/v1/trace") as socket:
        await socket.say(problem=SMALL, more=2, pulse=0.05)
        heard = await socket.hear_until("step")
        assert (await socket.hear_until("step"))[-1]["step"] == 2
        assert heard[-1]["step"] == 1
        assert (await socket.hear())["type"] == "pulse"
        await socket.say(more=1)
        assert (await socket.hear_until("step"))[-1]["step"] == 3
        await socket.say(more=1000)
        assert (await socket.hear_until("end"))[-1]["covers"] == 2
    await server.until_idle()


async def test_hang_up_while_watching(server):
    async with server.asking("/v1/trace", queens(12).encode()) as wire:
        assert (await wire.line())["type"] == "start"
        assert (await wire.line())["type"] == "step"
    await server.until_idle()
