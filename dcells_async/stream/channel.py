"""A bounded channel that takes things in batches and gives them out singly."""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio.abc import ObjectReceiveStream
from anyio.lowlevel import checkpoint

from ..cover import Cover

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Channel", "CoverStream"]

_T = TypeVar("_T")

_TURN_S = 0.004
"""A consumer that never has to wait still lets others run this often."""


class Channel(ObjectReceiveStream[_T]):
    """What one producer makes, each thing given to one receiver.

    At most `buffer` things are made before somebody asks for them; with 0 the
    producer goes on only while somebody waits. Any number of tasks may receive.
    Receiving is cancelled without loss: a thing is either delivered or stays.

    Parameters
    ----------
    buffer : int, >= 0

    Attributes
    ----------
    expected : int
        How many things have been begun and not delivered yet; they take room too.

    Raises
    ------
    anyio.EndOfStream
        From `receive`: the producer has ended, and all it made is given out.
    anyio.ClosedResourceError
        From `receive`: the producer's ``async with`` block was left.
    """

    def __init__(self, buffer: int) -> None:
        self.expected = 0
        self._buffer = buffer
        self._ready: deque[_T] = deque()
        self._waiting = 0
        self._arrival = anyio.Event()
        self._demand: anyio.Event | None = None
        self._ended = False
        self._closed = False
        self._failure: BaseException | None = None
        self._turn = perf_counter()

    # -- the consumer's side -----------------------------------------------------

    async def receive(self) -> _T:
        """Give the next one, as soon as there is one."""
        while True:
            if not self._ready:
                self._check_open()
                await self._wait()
            elif perf_counter() - self._turn < _TURN_S:
                return self._pop()
            else:
                # Before anything is taken: a cancelled receiver loses nothing.
                await checkpoint()
                self._turn = perf_counter()

    async def __anext__(self) -> _T:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    def receive_nowait(self) -> _T:
        """Give the next one if it is at hand.

        Raises
        ------
        anyio.WouldBlock
            It is not.
        """
        if not self._ready:
            self._check_open()
            raise anyio.WouldBlock
        return self._pop()

    def at_hand(self, most: int) -> list[_T]:
        """Give what is there, up to so many at once; perhaps nothing."""
        things = [self._ready.popleft() for _ in range(min(most, len(self._ready)))]
        self._call_for_more()
        return things

    def allow(self, buffer: int) -> None:
        """Have at most so many made ahead, from now on."""
        self._buffer = buffer
        self._call_for_more()

    async def aclose(self) -> None:
        """Take no more, which stops the producer."""
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

    def _pop(self) -> _T:
        thing = self._ready.popleft()
        self._call_for_more()
        return thing

    def _call_for_more(self) -> None:
        if self._demand is not None and self.room >= self.much_room:
            self._demand.set()

    async def _wait(self) -> None:
        self._waiting += 1
        self._call_for_more()
        try:
            await self._arrival.wait()
        finally:
            self._waiting -= 1
        self._turn = perf_counter()

    # -- the producer's side -------------------------------------------------------

    @property
    def held(self) -> list[_T]:
        """What is made and not received, the next first."""
        return [*self._ready]

    @property
    def is_closed(self) -> bool:
        """Whether nobody will receive any more."""
        return self._closed

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for what is not there."""
        return self._waiting > len(self._ready)

    @property
    def room(self) -> int:
        """How much may be begun now."""
        return self._buffer + self._waiting - len(self._ready) - self.expected

    @property
    def much_room(self) -> int:
        """How much room is worth a hop to a thread: half of all.

        Who waits for room is woken then, and no sooner, or each hop would bring
        one thing.
        """
        return max(1, (self._buffer + 1) // 2)

    async def wait_for_room(self, least: int = 1) -> None:
        """Wait, if there is not `least` room, for much; or until it is over."""
        # What is much may be less by then; see `allow`.
        while self.room < min(least, self.much_room) and not (
            self._closed or self._ended
        ):
            # Several producers may wait for the same.
            if self._demand is None or self._demand.is_set():
                self._demand = anyio.Event()
            await self._demand.wait()

    def release(self, expected: int) -> None:
        """Give back room that was taken for what has come now, or does not come."""
        self.expected -= expected
        self._call_for_more()

    def deliver(self, things: Iterable[_T]) -> None:
        """Put things in; those who wait are woken."""
        if not self._closed:
            self._ready.extend(things)
        if self._ready:
            self._wake()

    def end(self, failure: BaseException | None = None) -> None:
        """Say that nothing will follow, and why if that is an error."""
        self._ended = True
        self._failure = failure
        self._wake()
        self._dismiss()

    def take_failure(self) -> BaseException | None:
        """Give the error that no receiver has met."""
        failure, self._failure = self._failure, None
        return failure

    def close(self) -> None:
        """Drop what is left; who waits or comes later gets an error."""
        self._closed = True
        self._ready.clear()
        self._wake()
        self._dismiss()

    def _dismiss(self) -> None:
        if self._demand is not None:
            self._demand.set()

    def _wake(self) -> None:
        self._arrival.set()
        self._arrival = anyio.Event()


class CoverStream(Channel[Cover]):
    """The covers of one search, each given to one receiver; see `Channel`."""
