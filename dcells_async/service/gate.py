"""Who may search now, who waits, and who is turned away."""

from __future__ import annotations

import math
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from .faults import Fault

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .settings import Settings

__all__ = ["Gate"]


class _Place:
    """A place in the queue."""

    def __init__(self, client: str) -> None:
        self.client = client
        self.called = anyio.Event()


class Gate:
    """Lets in a limited number of searches, and of each client.

    A place that falls free goes to whoever has the fewest searches open, of those to
    whoever came first. So a client with any number of endless searches leaves room
    for others, and is the last to get more.

    Parameters
    ----------
    settings : Settings
        Its ``max_open``, ``max_open_per_client``, ``max_waiting``, ``wait_seconds``.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open: Counter[str] = Counter()
        self._queue: list[_Place] = []
        self.is_closed = False

    @property
    def n_open(self) -> int:
        """How many are in."""
        return self._open.total()

    @property
    def n_waiting(self) -> int:
        """How many wait outside."""
        return len(self._queue)

    @asynccontextmanager
    async def slot(self, client: str) -> AsyncIterator[None]:
        """Be in, while in the block.

        Raises
        ------
        Fault
            With status 503 if there was no place in time, 429 if the client has too
            many itself; both tell when to try again.
        """
        await self.enter(client)
        try:
            yield
        finally:
            self.leave(client)

    def close(self) -> None:
        """Let nobody in any more, and send those away who wait."""
        self.is_closed = True
        for place in self._queue:
            place.called.set()

    async def enter(self, client: str) -> None:
        """Take a place, as `slot` does, until `leave`."""
        if not self.is_closed and self._has_room(client):
            self._open[client] += 1
            return
        if self.is_closed or self.n_waiting >= self._settings.max_waiting:
            raise self._refusal(client)
        place = _Place(client)
        self._queue.append(place)
        try:
            with anyio.move_on_after(self._settings.wait_seconds):
                await place.called.wait()
        except BaseException:
            # It may have been called in the same moment.
            if place not in self._queue:
                self.leave(client)
            raise
        finally:
            if is_left := place in self._queue:
                self._queue.remove(place)
        if is_left:
            raise self._refusal(client)

    def _has_room(self, client: str) -> bool:
        return (
            self.n_open < self._settings.max_open
            and self._open[client] < self._settings.max_open_per_client
        )

    def leave(self, client: str) -> None:
        """Give a place back."""
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]
        able = [place for place in self._queue if self._has_room(place.client)]
        if able and not self.is_closed:
            place = min(able, key=lambda place: self._open[place.client])
            self._queue.remove(place)
            self._open[place.client] += 1
            place.called.set()

    def _refusal(self, client: str) -> Fault:
        headers = {"retry-after": str(max(1, math.ceil(self._settings.wait_seconds)))}
        if self.is_closed:
            return Fault(
                503, "closing", "The service is shutting down", headers=headers
            )
        most = self._settings.max_open_per_client
        if self._open[client] >= most:
            return Fault(
                429,
                "too-many",
                "You have too many searches open",
                f"there may be {most}",
                headers=headers,
            )
        return Fault(
            503,
            "busy",
            "Too many searches are open",
            f"there may be {self._settings.max_open}",
            headers=headers,
        )
