"""Worker threads: searches by slices, blocking input with leave to run away."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from anyio import to_thread
from anyio.lowlevel import RunVar

from .turns import Turns

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["n_cores", "run_blocking", "run_slice"]

_T = TypeVar("_T")

_turns: RunVar[Turns] = RunVar("dcells_async_turns")


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
    as soon as the call returns.
    """
    return await to_thread.run_sync(call, abandon_on_cancel=True)
