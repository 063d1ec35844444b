"""A crew in one thread: who works on what, and for how long, is drawn by lot."""

from __future__ import annotations

from dcells_async import Outcome
from dcells_async.layout import Layout
from dcells_async.search.crew import Crew
from dcells_async.search.opening import Opening
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


def opened(engine, problem, token=None, *, team, limit=None, hold=1024):
    """Open a search for a team, at its beginning or where a token says."""
    if team.best:
        origin = engine._least_cost_origin(team.best, None, "auto", token)
        make = engine._least_cost_kernel(team.best, None, "auto")
    else:
        origin, make = engine._origin((), (), token), engine._kernel
    begin = engine._begin(origin, with_items=not team.best)
    opening = Opening(problem, make, limit, None, begin, origin, team, hold)
    steps = opening.steps()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def some_work(search, draws, slices, keep=True):
    """Do some slices, others being at work meanwhile; give covers that came of them."""
    found = []
    for _ in range(slices):
        if search.outcome is not Outcome.RUNNING:
            break
        budget, want = draws.choice([1, 5, 30, 200]), draws.choice([1, 2, 1000])
        if isinstance(search, Session):
            found += search.advance(budget, want, keep)
            continue
        others = [part for part in search._parts if not part.is_done]
        others = [part for part in others if draws.random() < 0.5]
        for part in others:
            part.is_running = True
        search.advance(budget, want, keep)
        for part in others:
            part.is_running = False
        if draws.random() < 0.6:
            found += search.collect()
    return found


def in_pieces(open_, draws, n, keep=True):
    """Cut a search n times, with some covers not taken; give all covers, and the end.

    `open_` is called with a token, or None, and a number of workers.
    """
    found, token = [], None
    for _ in range(n):
        search = open_(token, draws.randint(1, 4))
        more = some_work(search, draws, draws.randint(0, 12), keep)
        taken = draws.randint(0, len(more))
        found += more[:taken]
        left = [cover.indices for cover in more[taken:]]
        token = search.token(0.0).with_pending(left).to_bytes()
    search = open_(token, draws.randint(1, 4))
    while search.outcome is Outcome.RUNNING:
        found += some_work(search, draws, 5, keep)
    if isinstance(search, Crew):
        found += search.collect()
    return found, search
