"""What can be asked, what is answered, and what is refused."""

from __future__ import annotations

import json
import random

import pytest
from problems import FRUITLESS, SMALL, queens
from serving import records, talking_to
from standing import PATIENCE_S

from dcells_async import XCC
from dcells_async.service import Settings, create_app

PRICED = "a b c\na b |5\nc |1\na c |2\nb |3"
BOUNDED = "2|a b c\na b\na c\nb c"


async def ask(app, path, body=None, **request):
    async with talking_to(app) as client:
        return await client.post(path, content=body, **request)


@pytest.mark.parametrize("seed", range(4))
async def test_options_given_and_struck_out(app, seed):
    chance = random.Random(seed)
    text = queens(6)
    given = chance.sample(range(1, 37), 1)
    without = chance.sample([n for n in range(1, 37) if n not in given], 3)
    query = {"given": given, "without": ",".join(map(str, without))}
    _, *covers, _ = records((await ask(app, "/v1/solve", text, params=query)).text)
    with XCC().solve(text) as here:
        wanted = {
            frozenset(cover.numbers)
            for cover in here
            if {*given} <= {*cover.numbers} and not {*without} & {*cover.numbers}
        }
    assert {frozenset(cover["options"]) for cover in covers} == wanted
    assert all(cover["options"][:1] == given for cover in covers)
    document = json.dumps({"problem": text, "given": given, "without": without})
    count = await ask(app, "/v1/count", document, headers=JSON)
    assert count.json()["count"] == len(wanted)
    verdict = (await ask(app, "/v1/unique", document, headers=JSON)).json()["verdict"]
    assert verdict == ["none", "unique", "several"][min(2, len(wanted))]


# -- solving ---------------------------------------------------------------------------


async def test_covers_come_as_records_and_the_last_tells_the_outcome(app):
    answer = await ask(app, "/v1/solve", SMALL)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    start, first, second, end = records(answer.text)
    assert start == {
        "type": "start", "items": 3, "primary": 3, "options": 4, "dropped": [],
    }  # fmt: skip
    assert first == {
        "type": "cover", "cover": 1, "options": [1, 2],
        "names": [["a", "b"], ["c"]], "lines": [2, 3],
    }  # fmt: skip
    assert (second["cover"], second["options"]) == (2, [3, 4])
    assert (end["type"], end["outcome"]) == ("end", "exhausted")
    assert (end["stats"]["nodes"], end["stats"]["covers"]) == (5, 2)


async def test_covers_are_those_of_the_engine_at_home(app):
    answer = await ask(app, "/v1/solve?names=false", queens(6))
    with XCC().solve(queens(6)) as covers:
        here = [list(cover.numbers) for cover in covers]
    _, *there, _ = records(answer.text)
    assert [record["options"] for record in there] == here
    assert "names" not in there[0]


@pytest.mark.parametrize(
    ("knobs", "covers", "outcome"),
    [("limit=1", 1, "limited"), ("timeout=0", 0, "timed out"),
     ("engine=mcc", 2, "exhausted"),
     ("engine=xccdc", 2, "exhausted"), ("limit=9&timeout=60", 2, "exhausted")],
)  # fmt: skip
async def test_knobs_do_what_they_say(app, knobs, covers, outcome):
    *found, end = records((await ask(app, f"/v1/solve?{knobs}", SMALL)).text)
    assert sum(record["type"] == "cover" for record in found) == covers
    assert end["outcome"] == outcome


async def test_a_document_has_problem_and_knobs_together(app):
    order = {"problem": SMALL, "limit": 1, "prices": [1, 2, 3, 4]}
    _, cover, end = records(
        (await ask(app, "/v1/solve", json.dumps(order), headers=JSON)).text
    )
    assert cover["price"] == 3
    assert end["outcome"] == "limited"


JSON = {"content-type": "application/json"}


async def test_a_problem_may_come_as_lists(app):
    problem = {
        "primary": ["p", 7],
        "secondary": ["x"],
        "options": [["p", ["x", "red"]], [7, ["x", "red"]], ["p", 7], [7, ["x", 2]]],
    }
    answer = await ask(app, "/v1/solve", json.dumps({"problem": problem}), headers=JSON)
    _, first, second, _ = records(answer.text)
    assert first["names"] == [["p", "x:red"], ["7", "x:red"]]
    assert second["names"] == [["p", "7"]]


async def test_multiplicities_in_lists(app):
    problem = {"options": ["ab", "ac", "bc"], "multiplicity": {"a": 2}}
    problem["options"] = [list(option) for option in problem["options"]]
    order = json.dumps({"problem": problem, "engine": "mcc"})
    _, cover, _ = records((await ask(app, "/v1/solve", order, headers=JSON)).text)
    assert cover["options"] == [1, 2]


async def test_events_have_ids(app):
    answer = await ask(app, "/v1/solve", SMALL, headers={"accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    *events, nothing = answer.text.split("\n\n")
    assert nothing == ""
    fields = [
        dict(line.split(": ", 1) for line in event.split("\n")) for event in events
    ]
    assert [(f.get("id"), f["event"]) for f in fields] == [
        (None, "start"), ("1", "cover"), ("2", "cover"), ("end", "end"),
    ]  # fmt: skip
    assert all(json.loads(f["data"])["type"] == f["event"] for f in fields)


async def test_a_stream_is_taken_up_after_the_last_id(app):
    whole = records((await ask(app, "/v1/solve", queens(6))).text)
    rest = await ask(app, "/v1/solve", queens(6), headers={"last-event-id": "3"})
    assert [r for r in records(rest.text) if r["type"] == "cover"] == whole[4:-1]
    over = await ask(app, "/v1/solve", queens(6), headers={"last-event-id": "end"})
    assert (over.status_code, over.content) == (204, b"")


async def test_a_browser_may_ask_by_an_address(app):
    async with talking_to(app) as client:
        answer = await client.get(
            "/v1/solve", params={"problem": SMALL, "limit": 1},
            headers={"accept": "text/event-stream"},
        )  # fmt: skip
    assert answer.text.count("event: cover") == 1


# -- counting --------------------------------------------------------------------------


async def test_count_is_one_document(app):
    answer = await ask(app, "/v1/count", queens(6))
    assert answer.headers["content-type"] == "application/json"
    document = answer.json()
    assert (document["count"], document["outcome"]) == (4, "exhausted")


async def test_count_that_runs_out_of_time_says_so(app):
    document = (await ask(app, "/v1/count?timeout=0.05", FRUITLESS)).json()
    assert (document["count"], document["outcome"]) == (0, "timed out")


async def test_count_as_a_stream_has_pulses(app):
    for timeout in PATIENCE_S:
        path = f"/v1/count?timeout={timeout}&pulse=0.05"
        headers = {"accept": "application/x-ndjson"}
        answer = await ask(app, path, FRUITLESS, headers=headers)
        start, *pulses, end = records(answer.text)
        if len(pulses) > 2:
            break
    assert (start["type"], end["outcome"]) == ("start", "timed out")
    assert {pulse["type"] for pulse in pulses} == {"pulse"}
    nodes = [pulse["nodes"] for pulse in pulses]
    assert nodes == sorted(nodes)


@pytest.mark.parametrize(
    ("text", "knobs", "verdict"),
    [("a\na", "", "unique"), ("a\na\na", "", "several"), ("a b\na", "", "none"),
     (FRUITLESS, "?timeout=0.02", "unknown"), (BOUNDED, "?engine=mcc", "unique")],
)  # fmt: skip
async def test_unique(app, text, knobs, verdict):
    assert (await ask(app, f"/v1/unique{knobs}", text)).json()["verdict"] == verdict


# -- what is refused -------------------------------------------------------------------


def refused(answer, status, kind):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["type"] == f"urn:dcells-async:{kind}"
    assert document["status"] == status
    assert document["title"]
    assert "Traceback" not in answer.text
    return document


@pytest.mark.parametrize("path", ["/v1/solve", "/v1/count", "/v1/unique"])
async def test_a_faulty_text_is_told_line_column_and_caret(app, path):
    document = refused(await ask(app, path, "a b\nc\n  a b <z>"), 422, "syntax")
    assert (document["line"], document["column"]) == (2, 1)
    assert (document["text"], document["caret"]) == ("c", "^")
    assert document["reason"] == "unknown item 'c'"


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "kind"),
    [
        ("/v1/solve?limit=0", SMALL, {}, 422, "invalid"),
        ("/v1/solve?limit=x", SMALL, {}, 422, "invalid"),
        ("/v1/solve?timeout=nan", SMALL, {}, 422, "invalid"),
        ("/v1/solve?timeout=inf", SMALL, {}, 422, "invalid"),
        ("/v1/solve?engine=dlx", SMALL, {}, 422, "invalid"),
        ("/v1/solve?limits=3", SMALL, {}, 422, "invalid"),
        ("/v1/solve?pulse=0", SMALL, {}, 422, "invalid"),
        ("/v1/solve?prices=1,2", SMALL, {}, 422, "price"),
        ("/v1/solve?prices=1,x", SMALL, {}, 422, "invalid"),
        ("/v1/solve?prices=9223372036854775808,0,0,0", SMALL, {}, 422, "invalid"),
        ("/v1/solve?limit=1&limit=2", SMALL, {}, 422, "invalid"),
        ("/v1/solve?given=5", SMALL, {}, 422, "given"),
        ("/v1/solve?given=0", SMALL, {}, 422, "given"),
        ("/v1/count?given=1,3", SMALL, {}, 422, "given"),
        ("/v1/unique?given=1&without=1", SMALL, {}, 422, "given"),
        ("/v1/solve?without=x", SMALL, {}, 422, "invalid"),
        ("/v1/minimize?given=1", SMALL, {}, 422, "invalid"),
        ("/v1/sudoku?uniqe=true", "", {}, 422, "invalid"),
        ("/v1/minlex?unique=true", "", {}, 422, "invalid"),
        ("/v1/solve", BOUNDED, {}, 422, "multiplicity"),
        ("/v1/solve", "", {}, 422, "syntax"),
        ("/v1/solve", b"a\xff\na", {}, 422, "syntax"),
        ("/v1/solve", b"a\0\na", {}, 422, "syntax"),
        ("/v1/solve", SMALL, {"content-type": "application/pdf"}, 415, "media-type"),
        ("/v1/solve", SMALL, {"accept": "application/pdf"}, 406, "not-acceptable"),
        ("/v1/solve", SMALL, {"last-event-id": "-3"}, 422, "invalid"),
        ("/v1/solve", SMALL, {"last-event-id": "9" * 5000}, 422, "invalid"),
        ("/v1/solve", SMALL, {"content-length": "9" * 5000}, 413, "too-long"),
        ("/v1/solve", '{"problem": "a\\na", "limit": 1, "limit": 2}', JSON, 422,
         "invalid"),
        ("/v1/solve", '{"problem": ' + "[" * 5000, JSON, 422, "invalid"),
        ("/v1/solve", "{", JSON, 422, "invalid"),
        ("/v1/solve", "[]", JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": 5}', JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": "a\\na", "limit": 0}', JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": "a\\na", "file": "x"}', JSON, 422, "invalid"),
        ("/v1/solve?limit=1", '{"problem": "a\\na"}', JSON, 422, "invalid"),
        ("/v1/solve?limit=1_0", SMALL, {}, 422, "invalid"),
        ("/v1/solve?timeout=1_0.5", SMALL, {}, 422, "invalid"),
        ("/v1/solve?given=1_0", SMALL, {}, 422, "invalid"),
        ("/v1/solve", '{"problem": "a\\na", "limit": true}', JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": "a\\na", "limit": "1"}', JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": "a\\na", "names": 0}', JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": "a\\na", "timeout": "1"}', JSON, 422, "invalid"),
        ("/v1/minimize", '{"problem": "a\\na", "prices": ["1"]}', JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": "a\\na", "given": "1"}', JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": "a\\nb"}', JSON, 422, "syntax"),
        ("/v1/solve", '{"problem": "\\ud800\\nb"}', JSON, 422, "invalid"),
        ("/v1/solve", '{"problem": {"options": [["a", "a"]]}}', JSON, 422,
         "duplicate-item"),
        ("/v1/solve", '{"problem": {"options": [[["a", "x"]]]}}', JSON, 422, "color"),
        ("/v1/solve", '{"problem": {"options": [["b"]], "primary": ["a"]}}', JSON, 422,
         "unknown-item"),
        ("/v1/solve", '{"problem": {"options": [["b"]], "multiplicity": {"b": 0}}}',
         JSON, 422, "multiplicity"),
        ("/v1/nothing", "", {}, 404, "http"),
        ("/health", "", {}, 405, "http"),
    ],
)  # fmt: skip
async def test_bad_requests_are_refused(app, path, body, headers, status, kind):
    refused(await ask(app, path, body, headers=headers), status, kind)


@pytest.mark.parametrize(
    ("document", "detail"),
    [
        ("{", "Invalid JSON"),
        ('{"problem": 5}', "problem: Input should be a valid string; or Input should "
         "be an object"),
        ('{"problem": {"options": [[true]]}}', "problem.options.0.0: "),
        ('{"problem": {"options": 1}}', "problem.options: Input should be a list"),
        ('{"problem": {"a": 1, "options": []}}', "problem.a: "),
        ('{"problem": "a\\nb"}', "line 2, column 1: unknown item 'b'"),
    ],
)  # fmt: skip
async def test_what_is_wrong_is_told_in_words_of_the_request(app, document, detail):
    told = (await ask(app, "/v1/solve", document, headers=JSON)).json()["detail"]
    assert told.startswith(detail)
    for word in ("function", "Structure", "str:", "<dlx>"):
        assert word not in told


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("HEAD", "/health", 200, None),
        ("HEAD", "/metrics", 200, None),
        ("HEAD", "/", 200, None),
        ("POST", "/health", 405, "GET, HEAD"),
        ("FOO", "/metrics", 405, "GET, HEAD"),
        ("FOO", "/v1/solve", 405, "GET, POST"),
        ("HEAD", "/v1/solve", 405, "GET, POST"),
        ("GET", "/v1/count", 405, "POST"),
        ("POST", "/", 405, "GET, HEAD"),
        ("PUT", "/main.js", 405, "GET, HEAD"),
        ("PUT", "/nope", 404, None),
        ("FOO", "/nope", 404, None),
        ("PUT", "/v1", 404, None),
        ("FOO", "/v1/nope", 404, None),
        ("GET", "/v1/", 404, None),
    ],
)
async def test_ways_that_are_not_there(app, method, path, status, allow):
    async with talking_to(app) as client:
        answer = await client.request(method, path)
    assert (answer.status_code, answer.headers.get("allow")) == (status, allow)


async def test_faults_of_our_own_are_logged_and_not_told(app, monkeypatch, caplog):
    def broken(*_):
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr("dcells_async.service.kinds.counting.engine_for", broken)
    answer = await ask(app, "/v1/count", SMALL)
    refused(answer, 500, "internal")
    assert "secret" not in answer.text
    assert "a secret" in caplog.text


async def test_what_was_sent_is_not_sent_back_as_a_page(app):
    evil = "<script>alert(1)</script>"
    answer = await ask(app, f"/v1/solve?{evil}={evil}", f"a\n{evil}")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("limits", "text"),
    [({"max_body": 10}, "a b c\na b c"), ({"max_items": 2}, SMALL),
     ({"max_options": 3}, SMALL), ({"max_nodes": 5}, SMALL)],
    ids=str,
)  # fmt: skip
async def test_limits_on_size(limits, text):
    document = refused(
        await ask(create_app(Settings(**limits)), "/v1/solve", text), 413,
        "too-long" if "max_body" in limits else "too-large",
    )  # fmt: skip
    assert document["limit"] in limits.values()


async def test_limit_on_documents():
    app = create_app(Settings(max_json=30))
    order = json.dumps({"problem": SMALL, "limit": 1})
    refused(await ask(app, "/v1/solve", order, headers=JSON), 413, "too-long")


async def test_limit_on_memory():
    app = create_app(Settings(max_memory=1000))
    refused(await ask(app, "/v1/solve?engine=xccdc", queens(6)), 413, "capacity")


async def test_limit_on_time():
    app = create_app(Settings(max_seconds=0.05))
    document = (await ask(app, "/v1/count?timeout=1000", FRUITLESS)).json()
    assert document["outcome"] == "timed out"


# -- who may ask -----------------------------------------------------------------------


async def test_token():
    app = create_app(Settings(token="se cret"))
    for headers in (
        {},
        {"authorization": "Bearer secret"},
        {"authorization": "se cret"},
    ):
        answer = await ask(app, "/v1/solve", SMALL, headers=headers)
        refused(answer, 401, "token")
        assert answer.headers["www-authenticate"] == "Bearer"
    strange = {"authorization": b"Bearer s\xc3\xa9cret"}
    refused(await ask(app, "/v1/solve", SMALL, headers=strange), 401, "token")
    good = {"authorization": "Bearer se cret"}
    assert (await ask(app, "/v1/solve", SMALL, headers=good)).status_code == 200
    async with talking_to(app) as client:
        assert (await client.get("/metrics")).status_code == 401
        assert (await client.get("/metrics", headers=good)).status_code == 200
        assert (await client.get("/health")).text == "ok\n"


async def test_names_by_which_it_may_be_called():
    app = create_app(Settings(allowed_hosts="Good.example, ::1"))
    for host, status in (
        ("good.example", 200),
        ("GOOD.example:80", 200),
        ("[::1]:8000", 200),
        ("evil.example", 403),
        ("good.example.evil.example", 403),
    ):
        headers = {"host": host, "origin": f"http://{host}"}
        answer = await ask(app, "/v1/solve", SMALL, headers=headers)
        assert answer.status_code == status, host


async def test_pages_from_elsewhere_may_not_ask_unless_allowed(app):
    stranger = {"origin": "http://evil.example"}
    refused(await ask(app, "/v1/solve", SMALL, headers=stranger), 403, "origin")
    for site in ("cross-site", "same-site"):
        headers = {"sec-fetch-site": site, "sec-fetch-dest": "image"}
        refused(await ask(app, "/v1/solve", SMALL, headers=headers), 403, "origin")
        async with talking_to(app) as client:
            path = "/v1/solve?problem=a%0Aa"
            refused(await client.get(path, headers=headers), 403, "origin")
    for site in ("same-origin", "none"):
        headers = {"sec-fetch-site": site}
        assert (await ask(app, "/v1/solve", SMALL, headers=headers)).status_code == 200
    own = {"origin": "http://service"}
    answer = await ask(app, "/v1/solve", SMALL, headers=own)
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers
    friendly = create_app(Settings(allowed_origins="http://evil.example, http://b"))
    answer = await ask(friendly, "/v1/solve", SMALL, headers=stranger)
    assert answer.headers["access-control-allow-origin"] == "http://evil.example"
    assert answer.headers["access-control-expose-headers"] == "retry-after"


async def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("DCELLS_SERVE_MAX_BODY", "3")
    refused(await ask(create_app(), "/v1/solve", SMALL), 413, "too-long")


# -- the rest --------------------------------------------------------------------------


async def test_metrics_count():
    app = create_app()
    await ask(app, "/v1/solve", SMALL)
    await ask(app, "/v1/count", "nonsense\n?")
    async with talking_to(app) as client:
        text = (await client.get("/metrics")).text
    for line in (
        'dcells_nodes_total{kind="solve"} 5.0',
        'dcells_covers_total{kind="solve"} 2.0',
        'dcells_searches_total{kind="solve",outcome="exhausted"} 1.0',
        'dcells_refusals_total{kind="count",status="422"} 1.0',
        'dcells_open_searches{kind="solve"} 0.0',
        "dcells_slots 0.0",
        "dcells_queue 0.0",
    ):
        assert line in text.splitlines()


async def test_page_is_served_and_guarded(app):
    async with talking_to(app) as client:
        page = await client.get("/")
        assert page.headers["content-type"].startswith("text/html")
        assert "default-src 'self'" in page.headers["content-security-policy"]
        assert (await client.get("/../app.py")).status_code == 404
        assert (await client.get("/%2e%2e/app.py")).status_code == 404


async def test_description_speaks_of_both_kinds_of_requests(app):
    async with talking_to(app) as client:
        description = (await client.get("/openapi.json")).json()
    solve = description["paths"]["/v1/solve"]["post"]
    assert {"text/plain", "application/json"} == set(solve["requestBody"]["content"])
    assert "application/x-ndjson" in solve["responses"]["200"]["content"]
    assert "application/problem+json" in solve["responses"]["422"]["content"]
    known = description["components"]["schemas"]

    def check(value):
        if isinstance(value, dict):
            if "$ref" in value:
                assert value["$ref"].rpartition("/")[2] in known
            value = list(value.values())
        if isinstance(value, list):
            for part in value:
                check(part)

    check(description)
