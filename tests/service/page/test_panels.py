"""Covers are watched and counted, and the dance goes forward and back."""
# ruff: noqa: RUF001 - these are the page's own words

from __future__ import annotations

import json
import random

import httpx
import pytest
from browsing import needs_browser

from dcells_async import Problem, verify
from dcells_async.tracing import trace
from dcells_async.tracing.links import Links

needs_browser()

pytestmark = pytest.mark.slow
"""The browser knows nothing of kernels: once is enough."""

SOLVED = (
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)


def test_each_kind_is_solved_and_drawn(screen):
    screen["#pace"].select_option("fast")
    for kind, example, number in [
        ("queens", None, 92),
        ("pentominoes", "3 × 20", 8),
        ("sudoku", None, 1),
        ("langford", None, 52),
        ("edges", None, 8),
        ("dominoes", "2 × 10", 89),
        ("raw", "with colors", 1),
    ]:
        screen.choose(kind)
        if example:
            screen.start_from(example)
        screen.press("start")
        covers = "1 cover" if number == 1 else f"{number} covers"
        screen.until_status(f"The search is complete: {covers}.")
        screen.until(
            "number => document.getElementById('gallery').children.length === number",
            min(number, 24),
        )
        screen.shoot(kind)
        assert screen.number("solve-covers") == number
        labels = screen.labels("gallery")
        assert labels[0].startswith(f"Cover {number}: ")
        check_told(kind, [label.partition(": ")[2] for label in labels])


def check_told(kind, told):
    """Look whether what is told of covers is right, where that is easily seen."""
    if kind == "queens":
        for line in told:
            columns = [*map(int, line.removeprefix("columns ").split())]
            for slope in (-1, 0, 1):
                assert len({x + slope * y for y, x in enumerate(columns)}) == 8
    if kind == "langford":
        for line in told:
            row = line.split()
            for k in range(1, 8):
                first = row.index(str(k))
                assert row.index(str(k), first + 1) == first + k + 1
    if kind == "sudoku":
        assert told == [SOLVED]


def test_covers_are_downloaded_as_they_were_found(screen):
    screen.choose("edges")
    screen["#pace"].select_option("fast")
    screen.press("start")
    screen.until_status("The search is complete")
    with screen.page.expect_download() as download:
        screen.press("download")
    lines = download.value.path().read_text("utf-8").splitlines()
    covers = [json.loads(line) for line in lines]
    assert [cover["cover"] for cover in covers] == [*range(1, 9)]
    problem = Problem.from_dlx(screen.orders[0][0]["problem"])
    for cover in covers:
        assert not verify(problem, cover["options"])
        names = [problem.option_names(number - 1) for number in cover["options"]]
        assert cover["names"] == [[*name] for name in names]


def test_what_is_downloaded_is_what_the_service_tells(screen, service):
    """A text with prices, comments, and a blank that is none to the format."""
    text = (
        "| one\n a\u00a0b\t c | d \n\na\u00a0b |5\n| two\nc d:\u00a0 |7\na\u00a0b c d\n"
    )
    screen.choose("raw")
    screen.page.get_by_role("textbox", name="Problem").fill(text)
    screen.press("start")
    screen.until_status("The search is complete: 2 covers")
    with screen.page.expect_download() as download:
        screen.press("download")
    lines = download.value.path().read_text("utf-8").splitlines()
    answer = httpx.post(f"{service.url}/v1/solve", content=text.encode())
    _, *covers, _ = map(json.loads, answer.text.splitlines())
    assert [json.loads(line) for line in lines] == covers
    assert ["c", "d:\u00a0"] in covers[0]["names"] + covers[1]["names"]


def test_pause_step_resume_and_cancel(screen, service):
    screen.choose("pentominoes")
    screen["#pace"].select_option("fast")
    screen.press("start")
    screen.until("() => document.getElementById('gallery').children.length === 24")
    screen.press("pause")
    screen.until(
        "() => document.getElementById('solve-rate').innerText.includes('still')"
    )
    before = service.nodes(), screen.number("solve-nodes")
    screen.page.wait_for_timeout(400)
    assert (service.nodes(), screen.number("solve-nodes")) == before
    screen.shoot("paused")
    for _ in range(3):
        covers = screen.number("solve-covers")
        screen.press("step")
        screen.until(STOOD, covers)
        screen.page.wait_for_timeout(50)
        assert screen.number("solve-covers") == covers + 1
    screen.press("pause")
    screen.until(
        "covers => +document.getElementById('solve-covers').innerText"
        ".replace(/\\D/g, '') > covers",
        covers + 100,
    )
    # The first of these had come before the pause.
    while service.nodes() <= before[0]:
        screen.page.wait_for_timeout(10)
    assert 0 < screen["#solve-progress"].evaluate("bar => bar.value") < 1
    screen.press("cancel")
    screen.until_status("was cancelled")
    assert service.n_open == 0


STOOD = """covers =>
    +document.getElementById('solve-covers').innerText.replace(/\\D/g, '') > covers
    && document.getElementById('pause').innerText === 'Resume'"""


def test_stepping_from_the_start_finds_no_more_than_is_seen(screen, service):
    screen.press("step")
    screen.until(STOOD, 0)
    screen.until(
        "() => document.getElementById('solve-rate').innerText.includes('still')"
    )
    assert screen.number("solve-covers") == 1
    assert "Board 1: columns" in screen.text("solve-status")
    screen["#limit"].evaluate("it => it.closest('details').open = true")
    screen["#limit"].fill("2")
    screen.press("start")
    screen.until_status("ended at its limit: 2 covers")


def test_other_problem_ends_the_search(screen, service):
    screen.choose("dominoes")
    screen.press("start")
    screen.until("() => document.getElementById('gallery').children.length > 0")
    screen.choose("queens")
    screen.until_status("was cancelled")
    assert service.n_open == 0


STOPPED = {"type": "end", "error": {"title": "It was stopped first", "status": 503}}


def test_cancelled_before_it_began_is_no_error(screen):
    def answer(socket):
        socket.on_message(
            lambda text: "cancel" in text and socket.send(json.dumps(STOPPED))
        )

    screen.page.route_web_socket("**/v1/solve", answer)
    screen.press("start", "cancel")
    screen.until_status("The search was cancelled: 0 covers")
    assert screen["#error"].is_hidden()


def test_what_is_shown_of_an_earlier_problem_says_so(screen):
    screen["#pace"].select_option("fast")
    rows = screen.page.get_by_label("Rows")
    rows.fill("4")
    for panel, button, status in [
        ("solve", "start", "The search is complete: 2 covers"),
        ("count", "count", "There are 2 covers"),
    ]:
        screen.press(f"tab-{panel}", button)
        screen.until_status(status)
        assert screen[f"#{panel}-old"].is_hidden()
    screen.press("tab-dance", "watch")
    screen.until_status("The dance has begun")
    rows.fill("5")
    assert screen["#dance"].is_hidden()
    assert screen.text("dance-status") == ""
    for panel, button in (("solve", "start"), ("count", "count")):
        screen.press(f"tab-{panel}")
        assert screen[f"#{panel}-old"].is_visible()
        screen.press(button)
        screen.until_status("10 covers")
        assert screen[f"#{panel}-old"].is_hidden()


def test_after_an_error_no_status_stands_beside_it(screen):
    screen.page.get_by_label("Rows").fill("4")
    screen["#limit"].evaluate("it => it.closest('details').open = true")
    for panel, button in (("solve", "start"), ("count", "count"), ("dance", "watch")):
        screen.press(f"tab-{panel}", button)
        screen.until("id => document.getElementById(id).innerText", f"{panel}-status")
        screen["#limit"].fill("0")
        screen.press(button)
        screen["#error"].get_by_text("End after so many covers").wait_for()
        assert screen.text(f"{panel}-status") == ""
        screen["#limit"].fill("")


def test_counting_with_frequencies(screen):
    screen.press("tab-count")
    for kind, example, total, pictures in [
        ("queens", None, "92", 1),
        ("pentominoes", "3 × 20", "8", 13),
        ("sudoku", "many solutions", "286", 1),
        ("dominoes", "8 × 8", "12,988,816", 1),
        ("raw", None, "1", 0),
    ]:
        screen.choose(kind)
        if example:
            screen.start_from(example)
        screen.press("count")
        screen.until_status("There is one" if total == "1" else f"There are {total} c")
        screen.shoot(f"{kind}-count")
        assert screen.text("count-total") == total
        assert screen["#heat svg"].count() == pictures
        drawn = screen["#drawn svg"].count()
        assert 1 <= drawn <= 12
        # Twelve are drawn by lot, and some may be drawn twice.
        assert drawn > 5 or total in {"92", "8", "1"}
        if kind == "dominoes":
            # Of two dominoes that can lie in a corner, each does in half of all covers.
            assert "50.0 %" in screen["#heat title"].all_text_contents()


def test_counting_is_cancelled(screen, service):
    screen.choose("pentominoes")
    screen.start_from("12 × 12")
    screen.page.get_by_label("Use each piece").select_option("any")
    screen.press("tab-count", "count")
    screen.until("() => document.getElementById('count-visited').innerText !== '–'")
    screen.press("count-cancel")
    screen.until_status("cancelled")
    while service.n_open:
        screen.page.wait_for_timeout(10)


# -- the dance -------------------------------------------------------------------------

WALK = """async to => {
    const click = id => document.getElementById(id).click();
    const seen = [];
    const look = () => seen.push([
        document.getElementById('dance-text').innerText,
        document.getElementById('dance-picture').innerHTML,
        document.getElementById('dance-writes').innerText,
    ]);
    const able = id => document.getElementById(id).ariaDisabled !== 'true';
    look();
    while (able(to)) { click(to); look(); }
    return seen;
}"""


@pytest.mark.parametrize("example", ["Knuth’s small one", "with colors"])
def test_the_dance_goes_forward_and_back_to_the_start(screen, example):
    screen.choose("raw")
    screen.start_from(example)
    screen.press("tab-dance")
    for way in ("links", "cells"):
        screen["#way"].select_option(way)
        screen.press("watch")
        screen.until_status("The dance has begun")
        screen.until(
            "() => document.getElementById('dance-step').innerText.match(/^0 of \\d+$/)"
        )
        screen.shoot(f"dance-{way}")
        steps = [*trace(screen.orders[-1][0]["problem"], way)]
        there = screen.page.evaluate(WALK, "dance-forward")
        assert [text for text, *_ in there[1:-1]] == [*map(str, steps[:-1])]
        assert there[-1][0] == f"{steps[-1]} – the search is complete"
        assert screen.text("dance-status") == "The dance is at its end."
        assert any("size[" in writes for *_, writes in there)
        assert any("down[" in writes for *_, writes in there) == (way == "links")
        back = screen.page.evaluate(WALK, "dance-back")
        assert back == there[::-1]
        assert screen.text("dance-text") == "This is how it begins."


def test_the_dance_plays_by_itself_and_jumps(screen):
    screen.page.get_by_label("Rows").fill("5")
    screen.press("tab-dance", "watch")
    screen["#dance-steps li"].first.wait_for()
    screen["#dance-speed"].select_option("80")
    screen.press("dance-play")
    screen.until("() => document.getElementById('dance-at').value > 5")
    screen.press("dance-play")
    at = screen["#dance-at"].input_value()
    screen.page.wait_for_timeout(200)
    assert screen["#dance-at"].input_value() == at
    screen.shoot("dance-queens")
    # Beyond what had come at first: more is asked for on the way.
    screen["#dance-at"].press("End")
    screen.until("() => document.getElementById('dance-at').max > 100")
    screen["#dance-at"].press("End")
    assert int(screen["#dance-at"].input_value()) > 100
    screen.press("dance-first")
    assert screen.text("dance-text") == "This is how it begins."
    screen.choose("sudoku")
    screen.press("watch")
    screen["#error"].get_by_text("too many to be watched").wait_for()


REPLAY = """async dances => {
    const { Journal } = await import(`${document.baseURI}dance/journal.js`);
    const { Links } = await import(`${document.baseURI}dance/links.js`);
    return dances.map(([start, ...steps]) => {
        const journal = new Journal();
        const links = new Links(start, journal);
        const copy = () => [links.prev, links.next, links.up, links.down, links.size]
            .map(it => [...it]);
        const seen = [copy()];
        for (const step of steps) { journal.add(step, links); seen.push(copy()); }
        return seen;
    });
}"""


@pytest.mark.filterwarnings("ignore::dcells_async.DlxWarning")
def test_pointers_are_those_that_the_search_writes(screen, service):
    texts = [some_problem(random.Random(seed)) for seed in range(15)]
    dances = []
    with httpx.Client() as client:
        for text in texts:
            answer = client.post(f"{service.url}/v1/trace", content=text)
            *records, end = map(json.loads, answer.text.splitlines())
            assert end["type"] == "end"
            dances.append(records)
    for text, seen in zip(texts, screen.page.evaluate(REPLAY, dances), strict=True):
        assert seen == pointers(Problem.from_dlx(text)), text


def pointers(problem):
    """The pointers after each step; the page has no spacers between its options."""
    links = Links(problem)
    n_items = len(problem.items)
    heads = range(n_items + 1)
    nodes = [*heads, *(n for n, top in enumerate(links.top) if n > n_items and top > 0)]
    number = {node: at for at, node in enumerate(nodes)}

    def copied():
        columns = ([number[side[n]] for n in nodes] for side in (links.up, links.down))
        return [[*links.left], [*links.right], *columns, links.size[1:]]

    return [copied(), *(copied() for _ in links.steps())]


def some_problem(chance):
    """A small problem with colors, now and then with an option that is dropped."""
    primary = [f"p{k}" for k in range(chance.randint(1, 5))]
    secondary = [f"s{k}" for k in range(chance.randint(1, 3))]
    lines = [" ".join([*primary, "|", *secondary])]
    for _ in range(chance.randint(1, 9)):
        items = chance.sample(primary, chance.randint(0, min(3, len(primary))))
        for item in chance.sample(secondary, chance.randint(0, len(secondary))):
            color = chance.choice(["", ":A", ":B"])
            items.append(item + color)
        if items:
            chance.shuffle(items)
            lines.append(" ".join(items))
    return "\n".join(lines) + "\n"
