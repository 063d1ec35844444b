"""Things from an iterator that may block, taken as soon as they are there.

A worker thread advances the iterator. It cannot be interrupted; but who waits for it
may leave at any time and come back later: what has come meanwhile is kept.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator
from functools import partial
from itertools import islice
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio
from anyio import CapacityLimiter, from_thread, to_thread

from ..errors import SearchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Ahead"]

_T = TypeVar("_T")

_PATIENCE_S = 0.001
"""Nothing waits longer for its next to come, once it has come itself."""


class Ahead(Generic[_T]):
    """What an iterator gives, for one task at a time.

    Parameters
    ----------
    begin : callable
        Gives the iterator; called when something is wanted, in a worker thread.
    """

    def __init__(self, begin: Callable[[], Iterator[_T]]) -> None:
        self._begin = begin
        self._iterator: Iterator[_T] | None = None
        self._ready: deque[_T] = deque()
        self._is_over = self._is_closed = False
        self._failure: BaseException | None = None
        self._inside = Lock()
        self._arrival: anyio.Event | None = None
        self._limiter: CapacityLimiter | None = None

    async def take(self, most: int) -> list[_T]:
        """Give up to `most` things, at least one; none if there are no more.

        Cancelling loses nothing.

        Raises
        ------
        BaseException
            What the iterator raised, once, behind all that it gave before. If that
            says that it was cancelled, a `SearchError` says so.
        """
        # Threads that are stuck in some input must not use up those of others.
        limiter = self._limiter = self._limiter or CapacityLimiter(math.inf)
        while not self._ready and not self._is_over:
            with anyio.move_on_after(_PATIENCE_S):
                await to_thread.run_sync(
                    partial(self._fetch, most), abandon_on_cancel=True, limiter=limiter
                )
            # First the event, then the look: the thread does it the other way round.
            # Where no thread is inside, the patience ended before it began.
            self._arrival = anyio.Event()
            try:
                if not self._ready and not self._is_over and self._inside.locked():
                    await self._arrival.wait()
            finally:
                self._arrival = None
        if isinstance(self._failure, anyio.get_cancelled_exc_class()):
            # Nobody has cancelled us.
            cause, self._failure = self._failure, SearchError("the input was cancelled")
            self._failure.__cause__ = cause
        return self._taken(most)

    def take_now(self, most: int) -> list[_T]:
        """Do the same in this thread."""
        if not self._ready and not self._is_over:
            self._fetch(most)
        return self._taken(most)

    async def aclose(self) -> None:
        """Give no more; close the iterator, if it is a generator.

        If a thread is in it, that will do so.
        """
        self._is_over = self._is_closed = True
        self._failure = None
        self._ready.clear()
        self._wake()
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(self._close, limiter=CapacityLimiter(1))

    def _taken(self, most: int) -> list[_T]:
        if self._is_closed:
            # A thread that was in the iterator may have left something.
            self._ready.clear()
            self._failure = None
        ready = self._ready
        taken = [ready.popleft() for _ in range(min(most, len(ready)))]
        if not taken and self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        return taken

    def _fetch(self, most: int) -> None:
        """Advance the iterator, unless a thread is in it already."""
        if not self._inside.acquire(blocking=False):
            return
        try:
            # A thread may begin so late that others were sent for the same.
            if not self._ready and not self._is_over:
                self._advance(most)
        except BaseException as failure:
            self._failure = failure
            self._is_over = True
        finally:
            self._inside.release()
            # After the lock: who wants to close meanwhile, leaves it to us.
            if self._is_closed:
                self._close()
        self._tell()

    def _advance(self, most: int) -> None:
        """Take up to `most` things, or fewer if that takes long."""
        end = monotonic() + _PATIENCE_S
        count = 0
        if self._iterator is None:
            self._iterator = self._begin()
        for thing in islice(self._iterator, most):
            if self._is_closed:
                return
            self._ready.append(thing)
            count += 1
            if self._arrival is not None:
                self._tell()
            if monotonic() > end:
                return
        if count < most:
            self._is_over = True

    def _close(self) -> None:
        """Close a generator, unless a thread is in it, which will do that."""
        if self._inside.acquire(blocking=False):
            try:
                if isinstance(self._iterator, Generator):
                    self._iterator.close()
            finally:
                self._inside.release()

    def _tell(self) -> None:
        """Wake who waits, if there is somebody."""
        if self._arrival is not None:
            try:
                from_thread.run_sync(self._wake)
            except RuntimeError:
                # The event loop has gone, and so has who waited.
                self._arrival = None

    def _wake(self) -> None:
        if self._arrival is not None:
            self._arrival.set()
