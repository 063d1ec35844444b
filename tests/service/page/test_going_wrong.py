"""Errors, tokens, and services that have gone or are none."""
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
