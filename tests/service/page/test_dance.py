"""The dance, forward and backward."""
# ruff: noqa: RUF001 - these are the page's own words

from __future__ import annotations

import json
import random

import httpx
import pytest
from browsing import needs_browser

from dcells_async import Problem
from dcells_async.tracing import trace
from dcells_async.tracing.links import Links

needs_browser()

pytestmark = pytest.mark.slow
"""The browser knows nothing of kernels: once is enough."""

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
