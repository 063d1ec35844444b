"""An iterator as a stream: advanced in a worker thread, as far as there is room."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio
from anyio.lowlevel import checkpoint

from .channel import Channel
from .interrupts import see_off, spare
from .threads import run_blocking, run_slice

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

__all__ = ["Flow"]

_T = TypeVar("_T")

_SLICE_S = 0.005


class Flow(Generic[_T]):
    """To be opened with ``async with``, which gives a `Channel`.

    Parameters
    ----------
    iterator : iterator
        What to advance. Its first step may block; the others should be short.
    buffer : int, >= 0
        How far it may run ahead of the consumer.
    """

    def __init__(self, iterator: Iterator[_T], buffer: int) -> None:
        self._iterator = iterator
        self._channel: Channel[_T] = Channel(buffer)
        self._scope = anyio.CancelScope()
        self._is_stopped = False

    async def __aenter__(self) -> Channel[_T]:
        """Begin."""
        await checkpoint()
        spare(Flow.__aexit__, Flow._pump)
        self._gone = anyio.Event()
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._pump)
        return self._channel

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_stopped = True
        self._channel.close()
        self._scope.cancel()
        interruption = await see_off(self._gone)
        # The pump raises nothing, so no group is made of the body's exception.
        await self._tasks.__aexit__(None, None, None)
        if interruption is not None:
            raise interruption

    async def _pump(self) -> None:
        is_first = is_more = True
        try:
            with self._scope:
                while is_more:
                    await self._channel.wait_for_room()
                    free = self._channel.room
                    run = run_blocking if is_first else run_slice
                    things, is_more, failure = await run(partial(self._take, free))
                    self._channel.deliver(things)
                    is_first = False
                self._channel.end(failure)
        finally:
            self._gone.set()

    def _take(self, free: int) -> tuple[list[_T], bool, BaseException | None]:
        """Advance, in a thread; exceptions are values, and so meet no task group."""
        begin = perf_counter()
        things: list[_T] = []
        try:
            while len(things) < free and not self._is_stopped:
                things.append(next(self._iterator))
                if perf_counter() - begin > _SLICE_S:
                    break
        except StopIteration:
            return things, False, None
        except BaseException as error:
            return things, False, error
        return things, True, None
