"""A browser for tests of the page: Debian's Chromium, or whatever is there."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)

SHOTS = os.environ.get("DCELLS_ASYNC_SHOTS")
"""Where to keep pictures of the page, to be looked at."""

HANG_MS = 20_000


class Screen:
    """The page in a browser, and what a person does there."""

    def __init__(self, page, url):
        self.page = page
        self.complaints = []
        self.orders = []
        page.set_default_timeout(HANG_MS)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", self._failed)
        page.on("websocket", self._connected)
        page.goto(url)

    def _heard(self, message):
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # the page may let go of an answer
            self.complaints.append(f"{request.url}: {request.failure}")

    def _connected(self, socket):
        """Note what is asked for over a WebSocket, in its first message."""
        sent = []
        self.orders.append(sent)
        socket.on("framesent", lambda frame: sent.append(json.loads(frame)))

    def __getitem__(self, selector):
        return self.page.locator(selector)

    def choose(self, kind):
        # The radio is there for the keys; the pointer meets its label.
        self[f"#kinds label:has([value={kind}])"].click()

    def start_from(self, name):
        self.page.get_by_label("Start from").select_option(name)

    def press(self, *ids):
        for name in ids:
            self[f"#{name}"].click()

    def text(self, name):
        return self[f"#{name}"].inner_text()

    def number(self, name):
        """A number as the page shows it."""
        return int(re.sub(r"\D", "", self.text(name)))

    def until(self, condition, argument=None):
        """Wait for something in the page to be so, and give it."""
        return self.page.wait_for_function(condition, arg=argument).json_value()

    def until_status(self, text):
        self.until(
            "text => [...document.querySelectorAll('[role=status]')].some("
            "it => it.checkVisibility() && it.innerText.includes(text))",
            text,
        )

    def labels(self, gallery):
        """What pictures are called for those who do not see them."""
        return self[f"#{gallery} svg"].evaluate_all(
            "all => all.map(it => it.getAttribute('aria-label'))"
        )

    def shoot(self, name):
        if SHOTS:
            folder = Path(SHOTS)
            folder.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=folder / f"{name}.png", full_page=True)


def needs_browser():
    """Leave a file of tests out where there is no browser or nothing to drive it."""
    pytest.importorskip("playwright")
    if BROWSER is None:
        pytest.skip("there is no Chromium", allow_module_level=True)
