"""Who gets the next core: owners of searches take turns, not searches.

All searches of one owner share what one owner gets. Where nobody says whose they are,
all belong to the same one, and take turns themselves.
"""

from __future__ import annotations

from collections import deque
from contextvars import ContextVar
from time import thread_time
from typing import TYPE_CHECKING, TypeVar

from anyio import CapacityLimiter, Event, to_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

__all__ = ["Turns", "owner"]

_T = TypeVar("_T")

_HOP_S = 0.0001
"""What a turn costs besides: the event loop's time for the hop to the thread."""

_SLICE_S = 0.005
"""What a turn will take, as long as it is not known."""

_MOST_RESTING = 64

owner: ContextVar[Hashable] = ContextVar("dcells_async_owner", default=None)
"""Whose the searches are that are begun in this context."""


class _Ticket:
    """A place in an owner's line."""

    def __init__(self) -> None:
        self.news = Event()
        self.is_granted = False


class Turns:
    """So many pieces of work at a time, each in a worker thread.

    The next core is for whoever has used least time, of those who wait (start-time
    fair queueing). Who comes, or comes back after a rest, begins where the others are.

    A core that falls free is not given away at once. Somebody who waits is called, and
    deals it out as soon as the event loop gets to that; by then whoever gave the core
    back may be there with more work. Else an owner of a single search would always come
    too late, and on two cores get a third of what an owner of ten gets.

    Parameters
    ----------
    cores : int, > 0
    """

    def __init__(self, cores: int) -> None:
        # Threads are limited by the turns; anyio wants a limiter all the same.
        self._limiter = CapacityLimiter(cores)
        self._cores = self._free = cores
        self._lines: dict[Hashable, deque[_Ticket]] = {}
        self._used: dict[Hashable, float] = {}
        # What the one who had the last turn had used before.
        self._level = 0.0

    async def run(self, work: Callable[[], _T]) -> _T:
        """Do the work when it is its owner's turn; what has begun is not cancelled."""
        mine, seconds = owner.get(), _HOP_S - _SLICE_S
        await self._take(mine)

        def timed() -> _T:
            nonlocal seconds
            begin = thread_time()
            try:
                return work()
            finally:
                seconds += thread_time() - begin

        try:
            return await to_thread.run_sync(timed, limiter=self._limiter)
        finally:
            self._charge(mine, seconds)
            self._free += 1
            if self._free == self._cores and not self._lines:
                # All begin anew; nobody has to be remembered.
                self._used.clear()
                self._level = 0.0
            self._call()

    async def _take(self, mine: Hashable) -> None:
        self._used[mine] = max(self._used.get(mine, 0.0), self._level)
        if self._free and mine not in self._lines and self._is_least(mine):
            self._grant(mine)
            return
        ticket = _Ticket()
        self._lines.setdefault(mine, deque()).append(ticket)
        try:
            while not ticket.is_granted:
                await ticket.news.wait()
                if not ticket.is_granted:
                    ticket.news = Event()
                    self._deal()
        except BaseException:
            if ticket.is_granted:
                self._charge(mine, -_SLICE_S)
                self._free += 1
            else:
                self._leave(mine, ticket)
            # It may be the one that was called.
            self._call()
            raise

    def _is_least(self, mine: Hashable) -> bool:
        return all(self._used[mine] <= self._used[other] for other in self._lines)

    def _least(self) -> Hashable:
        return min(self._lines, key=self._used.__getitem__)

    def _call(self) -> None:
        """Have somebody deal out what is free."""
        if self._free and self._lines:
            self._lines[self._least()][0].news.set()

    def _deal(self) -> None:
        while self._free and self._lines:
            mine = self._least()
            ticket = self._lines[mine][0]
            self._leave(mine, ticket)
            self._grant(mine)
            ticket.is_granted = True
            ticket.news.set()

    def _leave(self, mine: Hashable, ticket: _Ticket) -> None:
        line = self._lines[mine]
        line.remove(ticket)
        if not line:
            del self._lines[mine]

    def _charge(self, mine: Hashable, seconds: float) -> None:
        self._used[mine] = self._used.get(mine, self._level) + seconds

    def _grant(self, mine: Hashable) -> None:
        self._free -= 1
        self._level = max(self._level, self._used[mine])
        # In advance, lest an owner with a slice under way seem to have used less.
        self._charge(mine, _SLICE_S)
        if len(self._used) > 2 * len(self._lines) + _MOST_RESTING:
            # Those below the level would begin there anyhow.
            self._used = {
                other: used
                for other, used in self._used.items()
                if used > self._level or other in self._lines
            }
