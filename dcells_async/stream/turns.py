"""Who gets the next core: owners of searches take turns, not searches.

All searches of one owner share what one owner gets. Where nobody says whose they are,
all belong to the same one, and take turns themselves.
"""

from __future__ import annotations

from collections import deque
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from anyio import CapacityLimiter, Event, to_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

__all__ = ["Turns", "owner"]

_T = TypeVar("_T")

owner: ContextVar[Hashable] = ContextVar("dcells_async_owner", default=None)
"""Whose the searches are that are begun in this context."""


class Turns:
    """So many pieces of work at a time, each in a worker thread.

    Parameters
    ----------
    cores : int, > 0
    """

    def __init__(self, cores: int) -> None:
        # Threads are limited by the turns; anyio wants a limiter all the same.
        self._limiter = CapacityLimiter(cores)
        self._free = cores
        self._lines: dict[Hashable, deque[Event]] = {}

    async def run(self, work: Callable[[], _T]) -> _T:
        """Do the work when it is its owner's turn; what has begun is not cancelled."""
        await self._take()
        try:
            return await to_thread.run_sync(work, limiter=self._limiter)
        finally:
            self._give_back()

    async def _take(self) -> None:
        if self._free:
            self._free -= 1
            return
        mine, turn = owner.get(), Event()
        self._lines.setdefault(mine, deque()).append(turn)
        try:
            await turn.wait()
        except BaseException:
            if turn.is_set():
                self._give_back()
            else:
                line = self._lines[mine]
                line.remove(turn)
                if not line:
                    del self._lines[mine]
            raise

    def _give_back(self) -> None:
        for mine, line in self._lines.items():
            # Whoever had a turn goes to the end.
            del self._lines[mine]
            line.popleft().set()
            if line:
                self._lines[mine] = line
            return
        self._free += 1
