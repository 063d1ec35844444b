"""Worker threads: searches by slices, blocking input with leave to run away."""

from __future__ import annotations

import os
from contextvars import ContextVar
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from anyio import to_thread
from anyio.lowlevel import RunVar

from .turns import Turns

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Leftovers", "leftovers", "n_cores", "run_blocking", "run_slice"]

_T = TypeVar("_T")

_turns: RunVar[Turns] = RunVar("dcells_async_turns")


class Leftovers:
    """Counts the blocking calls of a context, those that were left alone included.

    Attributes
    ----------
    n_running : int
    """

    def __init__(self) -> None:
        self.n_running = 0
        self._lock = Lock()

    def add(self, number: int) -> None:
        """Count more or fewer; from any thread."""
        with self._lock:
            self.n_running += number


leftovers: ContextVar[Leftovers | None] = ContextVar(
    "dcells_async_leftovers", default=None
)
"""Who wants to know of the blocking calls that are begun in this context."""


def n_cores() -> int:
    """Tell how many slices can run at a time."""
    return os.cpu_count() or 1


async def run_slice(slice_: Callable[[], _T]) -> _T:
    """Run a short piece of work in a worker thread, shielded from cancellation.

    All searches of an event loop take turns on as many threads as there are
    cores, by owners; see `Turns`. So they are out of the way of the application's
    blocking calls, and those out of theirs; since a slice gives its turn back
    after some milliseconds, any number of searches can be open.
    """
    try:
        turns = _turns.get()
    except LookupError:
        turns = Turns(n_cores())
        _turns.set(turns)
    return await turns.run(slice_)


async def run_blocking(call: Callable[[], _T]) -> _T:
    """Run a call that may block for long, such as a read from a pipe.

    It cannot be interrupted; on cancellation its thread is left alone, and ends
    as soon as the call returns. Until then `leftovers` counts it.
    """
    counted = leftovers.get()
    if counted is None:
        return await to_thread.run_sync(call, abandon_on_cancel=True)
    counted.add(1)
    begun = Lock()

    def watched() -> _T:
        if not begun.acquire(blocking=False):
            raise RuntimeError("it was cancelled first")
        try:
            return call()
        finally:
            counted.add(-1)

    try:
        return await to_thread.run_sync(watched, abandon_on_cancel=True)
    finally:
        # Cancelled before its thread had come to it, it is never begun.
        if begun.acquire(blocking=False):
            counted.add(-1)
