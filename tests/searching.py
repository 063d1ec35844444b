"""Running a kernel by hand, in whatever variant, slices and all."""

from __future__ import annotations

from typing import NamedTuple

from dcells_async.layout import Layout

EVER = 1 << 60

PAUSED, FULL, DONE, STOPPED = 0, 1, 2, 3


class Run(NamedTuple):
    """All covers of a search in order, as option numbers, and its counters."""

    covers: list
    nodes: int
    updates: int


def prepared(make, problem, *further, **knobs):
    """Make a kernel for a problem, and prepare it."""
    layout = Layout.of(problem)
    kernel = make(
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
        *further,
        **knobs,
    )
    assert kernel.prepare()
    return kernel


def kernel_of(module, problem):
    """Prepare a kernel of the given ``xcc`` or ``bits`` module for a problem."""
    make = module.XccKernel if hasattr(module, "XccKernel") else module.BitsKernel
    return prepared(make, problem)


def finish(kernel, problem, budget=EVER, want=EVER):
    """Search to the end; give the covers in order, and both counters."""
    found = [c for part in slices(kernel, problem, budget, want) for c in part]
    assert kernel.sanity() == ""
    return found, kernel.nodes, kernel.updates


def slices(kernel, problem, budget=EVER, want=EVER):
    """Search on to the end; after each slice give the covers that it brought."""
    layout = Layout.of(problem)
    status = PAUSED
    while status not in (DONE, STOPPED):
        status = kernel.advance(budget, want)
        yield [cover.numbers for cover in layout.covers(*kernel.take())]


def run(module, problem, budget=EVER, want=EVER):
    """Search from beginning to end."""
    kernel = kernel_of(module, problem)
    covers = [
        cover for found in slices(kernel, problem, budget, want) for cover in found
    ]
    assert len(covers) == kernel.covers
    assert kernel.sanity() == ""
    return Run(covers, kernel.nodes, kernel.updates)


def count(module, problem):
    """Search from beginning to end without a cover being made."""
    kernel = kernel_of(module, problem)
    assert kernel.advance(EVER, EVER, False) == DONE
    return kernel.covers
