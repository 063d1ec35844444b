"""Long answers in short steps.

What takes a walk through all nodes is written as a generator, which yields every few
milliseconds and returns the answer. So it is asked in two ways: at once, where Ctrl-C
can come in at every yield; or on an event loop, each step in a worker thread, where a
cancellation can.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ..search.pace import Pace
from ..stream.threads import run_slice

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Beat", "Steps", "at_once", "paced", "step_by_step"]

T = TypeVar("T")

Steps: TypeAlias = Generator[None, None, T]

_STEP_S = 0.005

_MOST_NODES = 1 << 17
"""So many nodes a step at most, however quick: those to come may be slower."""


def paced(advance: Callable[[int], bool]) -> Steps[None]:
    """Go on until that was the last of it, some milliseconds a step.

    Parameters
    ----------
    advance : callable
        Goes on for so many nodes, and tells whether that was the last of it.
    """
    pace = Pace()
    while True:
        budget, begin = min(pace.budget(), _MOST_NODES), perf_counter()
        if advance(budget):
            return
        pace.learn(budget, 0, perf_counter() - begin)
        yield


class Beat:
    """Tells when a loop in Python has gone on for long enough without a yield."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin a step."""
        self._end = perf_counter() + _STEP_S

    def is_over(self) -> bool:
        """Tell whether it is time for a yield, and then a new beginning."""
        return perf_counter() >= self._end


def at_once(steps: Steps[T]) -> T:
    """Give the answer, in this thread."""
    while True:
        if (answer := _step(steps)) is not None:
            return answer[0]


async def step_by_step(steps: Steps[T]) -> T:
    """Give the answer, step by step in a worker thread."""
    try:
        while True:
            if (answer := await run_slice(partial(_step, steps))) is not None:
                return answer[0]
    finally:
        # A step that asyncio's own cancellation has left alone cannot be closed; it
        # ends by itself, and the generator with it.
        with suppress(ValueError):
            steps.close()


def _step(steps: Steps[T]) -> tuple[T] | None:
    """Take a step; what came out, if it was the last one."""
    try:
        next(steps)
    except StopIteration as end:
        return (end.value,)
    return None
