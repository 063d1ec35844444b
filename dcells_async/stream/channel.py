"""A bounded channel that takes covers in batches and gives them out singly."""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING

import anyio
from anyio.abc import ObjectReceiveStream
from anyio.lowlevel import checkpoint

from ..cover import Cover

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CoverStream"]

_TURN_S = 0.004
"""A consumer that never has to wait still lets others run this often."""


class CoverStream(ObjectReceiveStream[Cover]):
    """The covers of one search, each given to one receiver.

    At most `buffer` covers are found before somebody asks for them; with 0 the
    search goes on only while somebody waits. Any number of tasks may receive.
    Receiving is cancelled without loss: a cover is either delivered or stays.

    Raises
    ------
    anyio.EndOfStream
        From `receive`: the search has ended, and all its covers are given out.
    anyio.ClosedResourceError
        From `receive`: the search's ``async with`` block was left.
    """

    def __init__(self, buffer: int) -> None:
        self._buffer = buffer
        self._covers: deque[Cover] = deque()
        self._waiting = 0
        self._arrival = anyio.Event()
        self._demand: anyio.Event | None = None
        self._ended = False
        self._closed = False
        self._failure: BaseException | None = None
        self._turn = perf_counter()

    # -- the consumer's side -----------------------------------------------------

    async def receive(self) -> Cover:
        """Give the next cover, as soon as there is one."""
        while True:
            if not self._covers:
                self._check_open()
                await self._wait()
            elif perf_counter() - self._turn < _TURN_S:
                return self._pop()
            else:
                # Before a cover is taken: a cancelled receiver loses none.
                await checkpoint()
                self._turn = perf_counter()

    async def __anext__(self) -> Cover:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    def receive_nowait(self) -> Cover:
        """Give the next cover if one is at hand.

        Raises
        ------
        anyio.WouldBlock
            None is.
        """
        if not self._covers:
            self._check_open()
            raise anyio.WouldBlock
        return self._pop()

    async def aclose(self) -> None:
        """Take no more covers, which stops the search."""
        self.close()
        await checkpoint()

    def _check_open(self) -> None:
        if self._closed:
            raise anyio.ClosedResourceError
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        if self._ended:
            raise anyio.EndOfStream

    def _pop(self) -> Cover:
        cover = self._covers.popleft()
        # Half empty is soon enough, or a hop to the search would bring one cover.
        if self._demand is not None and len(self._covers) * 2 <= self._buffer:
            self._demand.set()
        return cover

    async def _wait(self) -> None:
        self._waiting += 1
        if self._demand is not None:
            self._demand.set()
        try:
            await self._arrival.wait()
        finally:
            self._waiting -= 1
        self._turn = perf_counter()

    # -- the search's side ---------------------------------------------------------

    @property
    def is_closed(self) -> bool:
        """Whether nobody will receive any more."""
        return self._closed

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for a cover that is not there."""
        return self._waiting > len(self._covers)

    @property
    def room(self) -> int:
        """How many covers may be found now."""
        return self._buffer + self._waiting - len(self._covers)

    async def wait_for_room(self) -> None:
        """Wait until there is room, and worth a slice, or the stream is closed."""
        while self.room <= 0 and not self._closed:
            self._demand = anyio.Event()
            await self._demand.wait()
        self._demand = None

    def deliver(self, covers: Iterable[Cover]) -> None:
        """Put covers in; those who wait are woken."""
        self._covers.extend(covers)
        if self._covers:
            self._wake()

    def end(self, failure: BaseException | None = None) -> None:
        """Say that no cover will follow, and why if that is an error."""
        self._ended = True
        self._failure = failure
        self._wake()

    def take_failure(self) -> BaseException | None:
        """Give the error that no receiver has met."""
        failure, self._failure = self._failure, None
        return failure

    def close(self) -> None:
        """Drop what is left; who waits or comes later gets an error."""
        self._closed = True
        self._covers.clear()
        self._wake()
        if self._demand is not None:
            self._demand.set()

    def _wake(self) -> None:
        self._arrival.set()
        self._arrival = anyio.Event()
