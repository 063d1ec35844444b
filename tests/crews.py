"""A crew in one thread: who works on what, and for how long, is drawn by lot."""

from __future__ import annotations

from dcells_async import Outcome
from dcells_async.layout import Layout
from dcells_async.search.crew import Crew
from dcells_async.search.session import Session


def crew_of(make_kernel, problem, workers, **options):
    """Put a crew to work that divides its parts at every opportunity."""
    layout = Layout.of(problem)
    kernel = make_kernel(layout)
    assert kernel.prepare()
    session = Session(layout, kernel)
    return Crew([session], workers, **{"copy_steps": 0, **options})


def work(crew, draws, keep=True):
    """Let workers have slices until the search is over; give what comes of each.

    While one works, others are in the midst of a slice with some parts.
    """
    while crew.outcome is Outcome.RUNNING:
        others = [part for part in crew._parts if not part.is_done]
        others = [part for part in others if draws.random() < 0.6]
        for part in others:
            part.is_running = True
        crew.advance(draws.choice([1, 5, 30, 200]), draws.choice([1, 2, 1000]), keep)
        for part in others:
            part.is_running = False
        for part in crew._parts:
            assert part.session._kernel.sanity() == ""
        yield crew.collect()


def numbers(slices):
    """Give the option numbers of the covers, in the order in which they came."""
    return [cover.numbers for covers in slices for cover in covers]


def as_sets(found):
    """Forget all order: covers as sorted option numbers, sorted."""
    return sorted(tuple(sorted(cover)) for cover in found)
