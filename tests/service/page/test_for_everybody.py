"""Keys, small screens, what people paste, and how they are told what is wrong."""
# ruff: noqa: RUF001 - these are the page's own words

from __future__ import annotations

from functools import partial

import httpx
import pytest
from browsing import Screen, needs_browser
from serving import Server

needs_browser()

pytestmark = pytest.mark.slow
"""The browser knows nothing of kernels: once is enough."""

KINDS = ["queens", "pentominoes", "sudoku", "langford", "edges", "dominoes", "raw"]

SUDOKU = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)


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
