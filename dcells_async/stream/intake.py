"""Reading problems ahead, from whatever can be iterated over.

An ordinary iterator may block, so it is advanced in a worker thread, many steps a
hop; but what it gave before it blocks is there at once. An asynchronous one is
advanced in a task of its own. Generators are closed in the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Generator
from functools import partial
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar, cast

import anyio
from anyio import from_thread
from anyio.lowlevel import checkpoint

from ..errors import SearchError
from .threads import run_blocking, run_slice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .channel import Channel

__all__ = ["Intake"]

_T = TypeVar("_T")

_HOP_S = 0.002
"""No hop to the thread takes another step after so long."""

_PATIENCE_S = 0.003
"""A hop that is longer under way has met a step that blocks."""


class Intake:
    """What has been read and not been taken up yet, and who waits for it.

    Parameters
    ----------
    problems : iterable or asynchronous iterable
        The input; it may be endless.

    Attributes
    ----------
    pending : deque of (index, problem)
        Threads may take from its left end.
    is_over : bool
        Whether nothing more will come.
    failure : BaseException or None
        What the input raised, if that was its end.
    """

    def __init__(self, problems: Iterable[object] | AsyncIterable[object]) -> None:
        self.pending: deque[tuple[int, object]] = deque()
        self.is_over = False
        self.failure: BaseException | None = None
        self._problems = problems
        self._scope = anyio.CancelScope()
        self._iterator: Iterator[object] | None = None
        self._read = 0
        self._is_fetching = self._is_stopped = self._is_urgent = False
        self._is_released = False
        self._inside = Lock()
        self._parked: list[anyio.Event] = []

    async def run(self, room: Channel[_T]) -> None:
        """Read on whenever there is room in the channel that the answers go to."""
        is_async = isinstance(self._problems, AsyncIterable)
        is_cancelled = False
        try:
            with self._scope:
                await (self._run_async if is_async else self._run_threads)(room)
        except anyio.get_cancelled_exc_class():
            is_cancelled = True
        except BaseException as error:
            self.failure = error
        if is_cancelled:
            # If it was not us who were cancelled, the input says it was, which is no
            # end of it. Our task ends here in any case.
            self.failure = SearchError("the input was cancelled")
        self.is_over = True
        self._wake()

    def stop(self) -> None:
        """Read no more; to be called after the channel was closed or ended."""
        self._is_stopped = True
        # A generator that rests at a yield can be closed in peace.
        if self._is_fetching:
            self._scope.cancel()

    def release(self) -> None:
        """Let go of the input, once `run` has ended."""
        self._is_released = True
        self._problems, self._iterator = (), None
        self.pending.clear()

    async def wait(self) -> None:
        """Wait until something is pending, or nothing will be."""
        arrival = anyio.Event()
        self._parked.append(arrival)
        try:
            with anyio.move_on_after(_PATIENCE_S):
                await arrival.wait()
                return
            # First the flag, then the look: the thread does it the other way round.
            self._is_urgent = True
            if not self.pending:
                await arrival.wait()
        finally:
            if arrival in self._parked:
                self._parked.remove(arrival)

    def _wake(self) -> None:
        """Wake as many of those who wait as there is work for."""
        for _ in range(len(self._parked) if self.is_over else len(self.pending)):
            if self._parked:
                self._parked.pop().set()
        self._is_urgent = self._is_urgent and bool(self._parked)

    def _accept(self, problem: object) -> None:
        self.pending.append((self._read, problem))
        self._read += 1
        if self._is_released:
            # A thread was left alone in the input, and nobody comes for its last find.
            self.pending.clear()

    # -- an asynchronous iterable --------------------------------------------------

    async def _run_async(self, room: Channel[_T]) -> None:
        assert isinstance(self._problems, AsyncIterable)
        iterator = aiter(self._problems)
        turn = perf_counter()
        try:
            while True:
                await room.wait_for_room()
                if perf_counter() - turn > _HOP_S:
                    await checkpoint()
                    turn = perf_counter()
                if self._is_stopped:
                    return
                self._is_fetching = True
                try:
                    problem = await anext(iterator)
                except StopAsyncIteration:
                    return
                finally:
                    self._is_fetching = False
                room.expected += 1
                self._accept(problem)
                self._wake()
        finally:
            if isinstance(iterator, AsyncGenerator):
                await iterator.aclose()

    # -- an ordinary iterable --------------------------------------------------------

    async def _run_threads(self, room: Channel[_T]) -> None:
        is_more = True
        try:
            while is_more:
                await room.wait_for_room(room.much_room)
                if self._is_stopped:
                    return
                free, before = room.room, self._read
                room.expected += free
                self._is_fetching = True
                try:
                    # A cancel leaves the thread alone in the input.
                    is_more, error = await run_blocking(partial(self._fetch, free))
                finally:
                    self._is_fetching = False
                room.expected -= free - (self._read - before)
                self._wake()
                if isinstance(error, anyio.get_cancelled_exc_class()):
                    raise SearchError("the input was cancelled") from error
                if error is not None:
                    raise error
        finally:
            self._is_stopped = True
            if isinstance(self._iterator, Generator):
                with anyio.CancelScope(shield=True):
                    error = await run_slice(partial(self._close, self._iterator))
                if error is not None:
                    raise error

    def _fetch(self, free: int) -> tuple[bool, BaseException | None]:
        """Take some steps; tell whether there may be more, and what was raised.

        Exceptions are values here, so that none of them meets a task group.
        """
        begin = perf_counter()
        iterator = self._iterator
        try:
            with self._inside:
                if iterator is None:
                    iterator = iter(cast("Iterable[object]", self._problems))
                    self._iterator = iterator
                for _ in range(free):
                    problem = next(iterator, self)
                    if problem is self:
                        return False, None
                    self._accept(problem)
                    if self._is_stopped or perf_counter() - begin > _HOP_S:
                        break
                    if self._is_urgent:
                        from_thread.run_sync(self._wake)
        except BaseException as error:
            return False, error
        finally:
            # Once more after the lock: who wants to close meanwhile, leaves it to us.
            if self._is_stopped:
                self._close(iterator)
        return True, None

    def _close(self, iterator: object) -> BaseException | None:
        """Close a generator, unless a thread is left in it, which will do that."""
        if isinstance(iterator, Generator) and self._inside.acquire(blocking=False):
            try:
                iterator.close()
            except BaseException as error:
                return error
            finally:
                self._inside.release()
        return None
