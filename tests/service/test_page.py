"""The page, in a real browser."""
# ruff: noqa: RUF001 - these are the page's own words

from __future__ import annotations

import json
import random
from functools import partial

import httpx
import pytest

pytest.importorskip("fastapi")

from browsing import BROWSER, FLAGS, Screen, needs_browser
from serving import Server

from dcells_async import Problem, verify
from dcells_async.tracing import trace
from dcells_async.tracing.links import Links

needs_browser()

pytestmark = pytest.mark.slow
"""The browser knows nothing of kernels: once is enough."""

KINDS = ["queens", "pentominoes", "sudoku", "langford", "edges", "dominoes", "raw"]

SUDOKU = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
SOLVED = (
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)


@pytest.fixture(scope="module")
def service():
    with Server("asyncio") as server:
        yield server


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=[*FLAGS])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def wide(browser):
    """A window where the files of the page are fetched once."""
    return browser.new_context(viewport={"width": 1000, "height": 900})


@pytest.fixture
def opened(service):
    """Opens the page; at the end nothing may have been complained of."""
    screens = []

    def open_(window, **how):
        screens.append(Screen(window.new_page(**how), service.url))
        return screens[-1]

    yield open_
    for screen in screens:
        screen.page.close()
        assert not screen.complaints


@pytest.fixture
def screen(opened, wide):
    return opened(wide)


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
        assert drawn > 10 or total in {"92", "8", "1"}
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


# -- for everybody ---------------------------------------------------------------------


def test_by_keys_alone(screen):
    keys = screen.page.keyboard
    keys.press("Tab")
    for _ in range(3):
        keys.press("ArrowRight")
    assert screen["#kinds :checked"].input_value() == "langford"
    keys.press("Tab")
    keys.type("3")
    keys.press("Tab")
    keys.press("Tab")
    assert screen["#tab-solve"].evaluate("it => it === document.activeElement")
    keys.press("Tab")
    keys.press("Enter")
    screen.until_status("The search is complete: 2 covers")
    # The button that was pressed keeps the focus, whatever it can do now.
    assert screen["#start"].evaluate("it => it === document.activeElement")
    keys.press("Shift+Tab")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert screen["#panel-dance"].is_visible()
    keys.press("ArrowRight")
    assert screen["#panel-solve"].is_visible()
    keys.press("End")
    assert screen["#panel-dance"].is_visible()
    keys.press("Home")
    assert screen["#panel-solve"].is_visible()
    assert screen["#tab-solve"].evaluate("it => it === document.activeElement")


def test_board_is_edited_by_keys_and_pointer(screen):
    screen.choose("pentominoes")
    screen.start_from("3 × 20")
    screen["#form .board button"].first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowLeft", "Space"):
        screen.page.keyboard.press(key)
    screen.page.get_by_label("row 3, column 20").click()
    holes = screen["#form .board [aria-pressed=false]"]
    names = holes.evaluate_all("all => all.map(it => it.ariaLabel)")
    assert names == ["row 1, column 1", "row 3, column 20"]
    for key, place in (("Home", "row 3, column 1"), ("End", "row 3, column 20")):
        screen.page.keyboard.press(key)
        assert screen.page.evaluate("document.activeElement.ariaLabel") == place
    assert "58 cells, and twelve pieces cover 60" in screen.text("form")
    screen.press("start")
    screen.until_status("The search is complete: 0 covers")


PASTE = """text => {
    const data = new DataTransfer();
    data.setData("text", text);
    document.activeElement.dispatchEvent(new ClipboardEvent(
        "paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""

GRID = """() => [...document.querySelectorAll('.sudoku input')]
    .map(it => it.value || '.').join('')"""


def test_sudoku_is_typed_and_pasted(screen):
    screen.choose("sudoku")
    screen.start_from("empty")
    screen.page.get_by_label("row 1, column 1", exact=True).focus()
    screen.page.keyboard.type("a9")
    screen.page.keyboard.press("ArrowRight")
    screen.page.keyboard.type("7")
    assert screen.page.evaluate(GRID) == "97" + "." * 79
    screen.press("start")
    screen.page.get_by_label("row 1, column 1", exact=True).focus()
    screen.page.evaluate(PASTE, f"1: {SUDOKU}")
    assert screen.text("error-text").startswith("Sudoku: “:” is neither a digit")
    assert screen.page.evaluate(GRID) == "97" + "." * 79
    screen.page.evaluate(PASTE, "\n".join(ROWS))
    assert screen.page.evaluate(GRID) == SUDOKU
    assert screen["#error"].is_hidden()
    # One stop for the Tab key, in spite of its 81 cells.
    screen.page.keyboard.press("Tab")
    assert screen.page.evaluate("document.activeElement.tagName") == "SUMMARY"
    # As keyboards of phones paste.
    screen.start_from("empty")
    screen.page.get_by_label("row 5, column 5").fill(SUDOKU)
    assert screen.page.evaluate(GRID) == SUDOKU


ROWS = [SUDOKU[at : at + 9] for at in range(0, 81, 9)]


def ruled(empty, rule):
    lines = [
        " | ".join(" ".join(row[at : at + 3]) for at in (0, 3, 6)).replace(".", empty)
        for row in ROWS
    ]
    return "\n".join([*lines[:3], rule, *lines[3:6], rule, *lines[6:]])


def test_sudoku_texts_are_read_as_81_cells_or_not_at_all(screen):
    columns = [row.replace(".", " ") for row in ROWS]
    good = [
        SUDOKU + "\n",
        "\r\n".join(ROWS),
        "# Easy 50\n" + SUDOKU,
        ruled(".", "------+-------+------"),
        ruled("-", "------+-------+------"),
        ruled("0", "---------------------"),
        ruled("_", "├───────┼───────┼──────┤").replace("|", "│"),
        "\n".join(ROWS).replace(".", "-"),
        SUDOKU.replace(".", "x"),
        SUDOKU.replace(".", " "),
        "\n".join(columns),
        "\n".join(row.rstrip() for row in columns) + "\n",
        "\n".join("\t".join(row).replace(".", "") for row in ROWS),
        "\n".join(",".join(row).replace(".", "") for row in ROWS),
    ]
    bad = [
        SUDOKU[1:],
        SUDOKU + ".",
        SUDOKU * 2,
        f"1: {SUDOKU}",
        f"{SUDOKU} easy",
        "12",
        "\n".join(ROWS[1:]),
        "\n".join([ROWS[0] + ROWS[1][:1], ROWS[1][1:], *ROWS[2:]]),
        ruled(" ", "------+-------+------"),
    ]
    read = screen.page.evaluate(
        """async texts => {
            const url = `${document.baseURI}puzzles/sudoku-text.js`;
            const { marksOf } = await import(url);
            const read = text => { try { return marksOf(text); } catch { return 0; } };
            return texts.map(read);
        }""",
        good + bad,
    )
    assert read[: len(good)] == [SUDOKU] * len(good)
    assert read[len(good) :] == [0] * len(bad)


def test_what_is_wrong_is_told_and_markup_stays_text(screen):
    screen.choose("raw")
    box = screen.page.get_by_role("textbox", name="Problem")
    evil = "<img/src=x/onerror=alert(1)>"
    box.fill(f"a b\na {evil}\n")
    screen.press("start")
    screen["#error"].wait_for()
    assert evil in screen.text("error")
    assert "dlx" not in screen.text("error").lower().replace("dlx format", "")
    assert "^" in screen.text("error-place")
    screen.shoot("error")
    box.fill(f"a {evil}\na {evil}\n")
    screen.press("start")
    screen.until_status("The search is complete: 1 cover")
    screen.press("tab-dance", "watch")
    screen["#dance-steps li"].first.wait_for()
    assert not screen["img"].count()
    assert screen["#error"].is_hidden()
    screen.page.get_by_label("Start from").select_option("with colors")
    screen.choose("queens")
    screen.page.get_by_label("Rows").fill("0")
    screen.press("tab-solve", "start")
    assert screen.text("error-text") == "Rows: a whole number from 1 to 40"


NAMELESS = """() => [...document.querySelectorAll(
        'button, input, select, textarea, progress, [role=img]'
    )].filter(it => !(it.labels?.length || it.ariaLabel || it.innerText.trim()))
    .map(it => it.outerHTML.slice(0, 80))"""

FAINT = """() => {
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
    const parts = color => color.match(/[\\d.]+/g).map(Number);
    const ground = it => {
        for (; it; it = it.parentElement) {
            const color = parts(getComputedStyle(it).backgroundColor);
            if (color.length === 3 || color[3] === 1) return color;
        }
    };
    return [...document.querySelectorAll('body *:not(svg *)')]
        .filter(it => it.checkVisibility() && [...it.childNodes].some(
            node => node.nodeType === 3 && node.data.trim()))
        .map(it => {
            const pair = [light(parts(getComputedStyle(it).color)), light(ground(it))];
            const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
            return [contrast, it.outerHTML.slice(0, 80)];
        })
        .filter(([contrast]) => contrast < 4.5);
}"""


def test_narrow_screens_light_and_dark(opened, browser):
    little = {"viewport": {"width": 360, "height": 740}, "reduced_motion": "reduce"}
    screen = opened(browser, **little)
    assert screen["#pace"].input_value() == "slow"
    for kind in KINDS:
        screen.choose(kind)
        screen.press("tab-solve", "start")
        screen.until("() => document.getElementById('gallery').children.length > 0")
        assert_fits(screen, kind)
    screen.press("tab-count", "count")
    screen.until_status("There ")
    assert_fits(screen, "count")
    screen.press("tab-dance", "watch")
    screen["#dance-steps li"].first.wait_for()
    screen.press("dance-forward", "dance-forward", "dance-forward")
    assert_fits(screen, "dance")
    screen.choose("pentominoes")
    screen.page.get_by_label("row 1, column 1", exact=True).click()
    screen.page.emulate_media(forced_colors="active")
    for chosen, other in (
        ("#kinds :checked + span", "#kinds :not(:checked) + span"),
        (".board [aria-pressed=true]", ".board [aria-pressed=false]"),
    ):
        ground = "it => getComputedStyle(it).backgroundColor"
        assert screen[chosen].first.evaluate(ground) != screen[other].first.evaluate(
            ground
        )


def assert_fits(screen, name):
    assert screen.page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert not screen.page.evaluate(NAMELESS)
    for scheme in ("light", "dark"):
        screen.page.emulate_media(color_scheme=scheme)
        assert not screen.page.evaluate(FAINT)
        screen.shoot(f"{name}-{scheme}")


def test_a_token_is_asked_for_and_given(browser):
    with Server("asyncio", token="secret") as server:
        screen = Screen(browser.new_page(), server.url)
        screen.press("start")
        screen["#error"].get_by_text("A bearer token is wanted").wait_for()
        screen["summary"].click()
        assert screen["#token"].get_attribute("type") == "password"
        screen["#token"].fill("secret")
        screen.press("start")
        screen.until("() => document.getElementById('gallery').children.length > 0")
        assert screen["#error"].is_hidden()
        screen.press("cancel")
        screen.press("tab-count", "count")
        screen.until_status("There are 92 covers")
        screen.page.close()
        assert not screen.complaints


def answered(body, route):
    route.fulfill(body=body)


def test_what_answers_badly_is_told(opened, wide):
    """Answers that are cut off, and those of another program altogether."""
    screen = opened(wide)
    screen.press("tab-count")
    for body, message in [
        ('{"type": "start"}\n', "The connection to the service was lost"),
        ("<html>\n</html>\n", "What answers is not the service"),
        ("5\n", "What answers is not the service"),
    ]:
        screen.page.route("**/v1/zdd", partial(answered, body))
        screen.press("count")
        screen["#error"].get_by_text(message).wait_for()
        assert screen.text("count-status") == ""
    screen.page.route_web_socket("**/v1/solve", lambda socket: socket.send("<html>"))
    screen.press("tab-solve", "start")
    screen["#error"].get_by_text("What answers is not the service").wait_for()


def test_connection_that_is_lost_leaves_what_came(opened, wide):
    screen = opened(wide)
    sockets = []

    def pass_on(socket):
        socket.connect_to_server()
        sockets.append(socket)

    screen.page.route_web_socket("**/v1/*", pass_on)
    screen.press("start")
    screen.until("() => document.getElementById('gallery').children.length > 0")
    sockets.pop().close()
    screen["#error"].get_by_text("The connection to the service was lost").wait_for()
    assert screen.text("solve-status").startswith("The search broke off: ")
    screen.press("tab-dance", "watch")
    screen.until_status("The dance has begun")
    screen["#dance-steps li"].nth(5).wait_for()
    sockets.pop().close()
    screen["#error"].get_by_text("The connection to the service was lost").wait_for()
    screen["#dance-at"].press("End")
    assert screen.text("dance-text").endswith("– the search broke off")
    screen.press("dance-first")
    assert screen.text("dance-text") == "This is how it begins."


def test_service_that_has_gone(browser):
    with Server("asyncio") as server:
        screen = Screen(browser.new_page(), server.url)
        screen.press("start")
        screen.until("() => document.getElementById('gallery').children.length > 0")
        server.call(server.service.close)
        screen.until_status("The search was ended (the service is shutting down)")
    for panel, button in (("solve", "start"), ("count", "count"), ("dance", "watch")):
        screen.press(f"tab-{panel}", button)
        screen["#error"].get_by_text("The service cannot be reached").wait_for()
        assert screen.text(f"{panel}-status") == ""
    assert all("ERR_CONNECTION" in it for it in screen.complaints)
    screen.page.close()


def test_a_token_goes_as_utf_8(screen):
    sent = screen.page.evaluate(
        """async token => {
            let sent;
            globalThis.fetch = async (_, { headers }) => {
                sent = new Headers(headers).get("authorization");
                throw new TypeError();
            };
            const { recordsOf } = await import(`${document.baseURI}api.js`);
            await recordsOf("v1/zdd", {}, token).next().catch(() => {});
            return sent;
        }""",
        "sécret €",
    )
    assert sent.encode("latin-1").decode() == "Bearer sécret €"


def test_files_are_what_browsers_take(service):
    answer = httpx.get(f"{service.url}/puzzles/queens.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    etag = {"if-none-match": answer.headers["etag"]}
    assert httpx.get(answer.url, headers=etag).status_code == 304
