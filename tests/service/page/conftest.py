"""A browser and a service for each file of tests.

Not for all: while the browser is open, an event loop runs, where others could not.
"""

from __future__ import annotations

import pytest
from browsing import BROWSER, FLAGS, Screen
from serving import Server


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
