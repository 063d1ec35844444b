"""The cheapest covers, all covers at once, and sudokus by the thousand."""

from __future__ import annotations

import json
import random
import sys
from contextlib import aclosing

import anyio
import httpx
import pytest
from problems import FRUITLESS, SMALL, dominoes, queens
from serving import records, running, talking_to
from standing import until

from dcells_async import MCC, XCC, ZDD, Problem
from dcells_async.client import (
    Remote,
    RemoteError,
    minlex_forms_remote,
    solve_sudokus_remote,
)
from dcells_async.puzzles.minlex_batch import minlex_forms_sync
from dcells_async.puzzles.sudoku_batch import solve_sudokus_sync
from dcells_async.service import Settings, create_app, incoming

PRICED = "a b c\na b |5\nc |1\na c |2\nb |3"
PUZZLE = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
NDJSON = {"accept": "application/x-ndjson"}


async def ask(app, path, body=None, **request):
    async with talking_to(app) as client:
        return await client.post(path, content=body, **request)


# -- minimizing ------------------------------------------------------------------------


async def test_cheapest_covers_come_as_improvements(app):
    _, first, second, end = records((await ask(app, "/v1/minimize", PRICED)).text)
    assert (first["price"], second["price"]) == (6, 5)
    assert (end["optimal"], end["price"], end["bound"], end["gap"]) == (True, 5, 5, 0)


async def test_prices_may_be_sent_beside_the_problem(app):
    _, *found, end = records(
        (await ask(app, "/v1/minimize?prices=1,1,9,9", PRICED)).text
    )
    assert [cover["price"] for cover in found] == [2]
    order = json.dumps({"problem": PRICED, "prices": [9, 9, -1, 1], "best": 2})
    answer = await ask(
        app, "/v1/minimize", order, headers={"content-type": "application/json"}
    )
    _, *found, end = records(answer.text)
    assert sorted(cover["price"] for cover in found) == [0, 18]
    assert end["price"] == 0


async def test_minimizing_without_a_cover(app):
    _, end = records((await ask(app, "/v1/minimize", "a b\na |1")).text)
    assert (end["optimal"], end["price"]) == (True, None)


@pytest.mark.parametrize("engine", ["xcc", "mcc"])
@pytest.mark.parametrize("seed", range(3))
async def test_remote_minimum_is_that_at_home(server, engine, seed):
    chance = random.Random(seed)
    problem = Problem.from_options(
        [
            [item for item in range(6) if chance.random() < 0.4] or [0]
            for _ in range(20)
        ],
        primary=range(6),
        prices=[chance.randrange(100) for _ in range(20)],
    )
    here = {"xcc": XCC, "mcc": MCC}[engine]()
    with here.cheapest(problem, best=3) as covers:
        best = sorted(cover.price for cover in covers)[:3]
    async with Remote(server.url, engine).minimize(problem, best=3) as result:
        found = sorted([cover.price async for cover in result.solutions])[:3]
    assert found == best
    assert result.optimal
    assert result.stats.best_price == (best[0] if best else None)


async def test_remote_prices_may_be_a_function(server):
    remote = Remote(server.url)
    async with remote.minimize(SMALL, lambda option: option.number) as result:
        found = [cover.price async for cover in result.solutions]
    assert found == [3]


# -- diagrams --------------------------------------------------------------------------


async def test_diagram_counts_draws_and_tells_frequencies(app):
    path = "/v1/zdd?sample=4&seed=1&frequencies=true"
    document = (await ask(app, path, dominoes(4, 4))).json()
    diagram = ZDD().diagram(dominoes(4, 4))
    assert document["count"] == "36"
    assert document["diagram_nodes"] == diagram.nodes
    assert [*map(int, document["frequencies"])] == list(diagram.frequencies())
    assert document["shares"][0] == int(document["frequencies"][0]) / 36
    drawn = diagram.sample(4, random.Random(1))
    assert [cover["options"] for cover in document["covers"]] == [
        list(cover.numbers) for cover in drawn
    ]
    assert document["outcome"] == "exhausted"


async def test_diagram_as_a_stream(app):
    answer = await ask(app, "/v1/zdd?sample=2", dominoes(8, 8), headers=NDJSON)
    start, *_, first, second, end = records(answer.text)
    assert start["type"] == "start"
    assert (first["cover"], second["cover"]) == (1, 2)
    assert end["count"] == "12988816"
    assert end["stats"]["signatures"] > 0


async def test_diagram_of_nothing(app):
    document = (await ask(app, "/v1/zdd?sample=2&frequencies=1", "a b\na")).json()
    assert (document["count"], document["frequencies"]) == ("0", ["0"])
    assert "covers" not in document


async def test_questions_about_a_diagram_elsewhere(server):
    diagram, here = Remote(server.url).diagram(queens(7)), ZDD().diagram(queens(7))
    assert await diagram.count() == here.count() == 40
    assert await diagram.frequencies() == here.frequencies()
    covers = await diagram.sample(20, seed=3)
    assert covers == here.sample(20, random.Random(3))
    assert await diagram.sample(0) == []
    none = Remote(server.url).diagram("a b\na")
    assert await none.count() == 0
    with pytest.raises(IndexError):
        await none.sample(1)
    with pytest.raises(RemoteError, match="time ran out"):
        await Remote(server.url).diagram(dominoes(16, 16), timeout=0).count()
    assert await Remote(server.url).diagram("2|a\na\na\na").count() == 3


@pytest.mark.slow
async def test_answers_about_diagrams_that_are_too_large():
    items = [f"i{number}" for number in range(400)]
    text = "\n".join([" ".join(items), *(item for item in items for _ in range(41))])
    app = create_app(Settings(max_memory=4_000_000))
    for query in ("sample=10000", "frequencies=true"):
        answer = await ask(app, f"/v1/zdd?{query}", text)
        assert answer.status_code == 413
        assert answer.json()["title"] == "The answer is too large"
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        answer = await ask(app, "/v1/zdd", text)
        assert "640 digits" in answer.json()["detail"]
    finally:
        sys.set_int_max_str_digits(before)
    assert (await ask(app, "/v1/zdd", text)).json()["count"] == str(41**400)


async def test_diagram_that_is_too_large_or_too_late():
    app = create_app(Settings(max_memory=100_000))
    answer = await ask(app, "/v1/zdd", queens(12))
    assert (answer.status_code, answer.json()["type"]) == (
        413, "urn:dcells-async:capacity",
    )  # fmt: skip
    *_, end = records((await ask(app, "/v1/zdd", queens(12), headers=NDJSON)).text)
    assert (end["outcome"], end["error"]["status"]) == ("failed", 413)
    document = (await ask(app, "/v1/zdd?timeout=0", queens(8))).json()
    assert document["outcome"] == "timed out"
    assert "count" not in document


# -- sudokus ---------------------------------------------------------------------------


async def test_sudokus_are_answered_line_by_line(app):
    lines = [PUZZLE, "", "# a note", "12", "." * 81, "7..7" + "." * 77]
    answer = await ask(app, "/v1/sudoku?unique=true", "\n".join(lines))
    _, *found, end = records(answer.text)
    here = list(solve_sudokus_sync(lines, check_unique=True))
    assert [(r["line"], r["status"], r["solution"], r["reason"]) for r in found] == [
        (a.line, a.verdict.value, a.solution, a.reason) for a in here
    ]
    assert (end["outcome"], end["lines"], end["answers"]) == ("exhausted", 6, 4)


async def test_sudokus_may_come_as_json(app):
    lines = [json.dumps(PUZZLE), json.dumps({"puzzle": PUZZLE, "id": 3}), "{", "[1]"]
    _, *found, _ = records((await ask(app, "/v1/sudoku", "\n".join(lines))).text)
    assert [r["status"] for r in found] == ["solved", "solved", "invalid", "invalid"]


LINES = ["puzzle,rating", PUZZLE, "12", "# none", "", PUZZLE + ";easy", "." * 81]
LINES += ["words", "Q[    1]: " + PUZZLE, "A[    1]: x", "1" * 81, b"\xff", "[" * 500]


async def test_sudokus_and_forms_elsewhere_are_those_at_home(server):
    lines = LINES * 60
    answers = solve_sudokus_remote(server.url, lines, check_unique=True)
    found = [answer async for answer in answers]
    assert found == [*solve_sudokus_sync(lines, check_unique=True)]
    assert found[-1].line == len(lines)
    forms = [form async for form in minlex_forms_remote(server.url, lines)]
    assert forms == [*minlex_forms_sync(lines)]
    assert [one async for one in solve_sudokus_remote(server.url, "")] == []


async def test_lines_that_come_slowly_are_answered_meanwhile(server):
    async def puzzles():
        for line in (PUZZLE, "12", PUZZLE):
            asked.append(line)
            yield line

    asked = []
    async with aclosing(puzzles()) as lines, httpx.AsyncClient() as http:
        answers = solve_sudokus_remote(server.url, lines, http=http)
        async with aclosing(answers):
            assert (await anext(answers)).solution.startswith("534")
            assert (await anext(answers)).verdict == "invalid"
        with pytest.raises(StopAsyncIteration):
            await anext(answers)
    await server.until_idle()


async def test_lines_and_a_service_that_refuses(anyio_backend):
    with running(anyio_backend, token="secret", max_line=100) as server:
        # Asked again, it asks for the same line.
        answers = solve_sudokus_remote(server.url, PUZZLE)
        for _ in range(2):
            with pytest.raises(RemoteError, match="token"):
                await anext(answers)
        answers = solve_sudokus_remote(server.url, [PUZZLE, "x" * 200], token="secret")
        async with aclosing(answers):
            with pytest.raises(RemoteError, match="too long"):
                await anext(answers)
        with pytest.raises(TypeError, match="lines"):
            solve_sudokus_remote(server.url, 5)
        answers = solve_sudokus_remote("http://127.0.0.1:1", PUZZLE)
        async with aclosing(answers):
            with pytest.raises(RemoteError, match="not reached"):
                await anext(answers)


async def test_no_sudokus(app):
    _, end = records((await ask(app, "/v1/sudoku", "")).text)
    assert (end["outcome"], end["lines"]) == ("exhausted", 0)


async def test_line_without_end_is_refused(app):
    answer = await ask(app, "/v1/sudoku", f"{PUZZLE}\n{'.' * 2000}")
    *_, end = records(answer.text)
    assert end["outcome"] == "failed"
    assert end["error"]["line"] == 2


async def test_a_line_is_answered_before_the_next_is_sent(server):
    headers = {"transfer_encoding": "chunked", "content_type": "text/plain"}
    async with server.asking("/v1/sudoku", None, **headers) as wire:
        assert (await wire.line())["type"] == "start"
        for number in range(1, 4):
            await wire.send_chunk(PUZZLE.encode() + b"\n")
            answer = await wire.line()
            assert (answer["line"], answer["status"]) == (number, "solved")
        await wire.send_chunk(PUZZLE[:40].encode())
        await wire.send_chunk(PUZZLE[40:].encode())
        await wire.send(b"0\r\n\r\n")
        assert (await wire.line())["line"] == 4
        assert (await wire.line())["answers"] == 4
    await server.until_idle()


async def test_who_sends_lines_and_reads_no_answers_is_not_read_either(server):
    headers = {"transfer_encoding": "chunked"}
    many = b"\n".join([PUZZLE.encode()] * 1000) + b"\n"
    async with server.asking("/v1/sudoku", None, **headers) as wire:
        sent = 0
        with anyio.move_on_after(0.5):
            while sent < 200:
                await wire.send_chunk(many)
                sent += 1
        assert sent < 200
    await server.until_idle()


async def test_hang_up_of_who_sends_lines_and_reads_no_answers(server, monkeypatch):
    # No look at what else was sent: that the answers cannot be sent is enough.
    monkeypatch.setattr(incoming, "_GLANCE_S", 1e6)
    many = b"\n".join([PUZZLE.encode()] * 1000) + b"\n"
    before = server.cancellations("hang-up")
    async with server.asking("/v1/sudoku", None, transfer_encoding="chunked") as wire:
        with anyio.move_on_after(1):
            while True:
                await wire.send_chunk(many)
        await until(lambda: server.n_open == 1)
    await server.until_idle()
    assert server.cancellations("hang-up") == before + 1


async def test_hang_up_between_lines(server):
    headers = {"transfer_encoding": "chunked"}
    async with server.asking("/v1/sudoku", None, **headers) as wire:
        await wire.send_chunk(PUZZLE.encode() + b"\n")
        assert (await wire.line())["type"] == "start"
        assert (await wire.line())["type"] == "answer"
        assert server.n_open == 1
    await server.until_idle()


async def test_searches_for_diagrams_and_prices_end_with_their_readers(server):
    for path in ("/v1/zdd", "/v1/minimize"):
        async with server.asking(path, FRUITLESS.encode(), accept="*/*"):
            await until(lambda: server.n_open == 1)
        await server.until_idle()


async def test_line_of_deep_json_is_just_a_faulty_line():
    app = create_app(Settings(max_line=10_000))
    lines = '{"puzzle": ' + "[" * 4000 + "]" * 4000 + "}\n" + PUZZLE
    _, *found, end = records((await ask(app, "/v1/sudoku", lines)).text)
    assert [answer["status"] for answer in found] == ["invalid", "solved"]
    assert end["outcome"] == "exhausted"


# -- forms -----------------------------------------------------------------------------


async def test_forms_of_grids_are_those_at_home(app):
    lines = [PUZZLE, "12", PUZZLE[9:18] + PUZZLE[:9] + PUZZLE[18:]]
    body = "\n".join([*lines, json.dumps({"grid": PUZZLE})])
    _, *found, end = records((await ask(app, "/v1/minlex", body)).text)
    here = [*minlex_forms_sync([*lines, PUZZLE])]
    assert [(r["line"], r["form"], r["automorphisms"]) for r in found] == [
        (form.line, form.form, form.automorphisms) for form in here
    ]
    assert found[0]["form"] == found[2]["form"]
    assert found[1]["reason"] == "there are 2 characters, not 81"
    assert end["answers"] == 4


@pytest.mark.parametrize("path", ["/v1/sudoku", "/v1/minlex"])
async def test_lines_that_do_not_come_end_the_stream(anyio_backend, path):
    with running(anyio_backend, read_seconds=0.2) as server:
        async with server.asking(path, None, transfer_encoding="chunked") as wire:
            await wire.send_chunk(b"12\n")
            assert (await wire.line())["type"] == "start"
            assert (await wire.line())["type"] == "answer"
            end = await wire.line()
            assert (end["outcome"], end["error"]["status"]) == ("failed", 408)
        await server.until_idle()


@pytest.mark.parametrize("path", ["/v1/sudoku", "/v1/minlex"])
async def test_one_bad_line_spoils_no_others(app, path):
    deep = '{"":' + "[" * 985
    for bad in (deep, '{"puzzle": ' + "[" * 900, '"' + "\\ud800" * 81 + '"', "9" * 990):
        lines = "\n".join([bad, "." * 81 if path == "/v1/sudoku" else "12"])
        async with talking_to(app) as client:
            answer = await client.post(path, content=lines)
        _, first, second, end = records(answer.text)
        assert (first["line"], second["line"]) == (1, 2)
        assert end["outcome"] == "exhausted"
