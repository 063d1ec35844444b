"""One answer for all who wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import anyio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["Once"]

_T = TypeVar("_T")


class Once(Generic[_T]):
    """An answer, or a failure, that any number of tasks wait for.

    One of them works it out. Should that one be cancelled, the next one does.
    """

    def __init__(self) -> None:
        self._begun = anyio.Event()
        self._turn = anyio.Lock()
        self._answer: _T | None = None
        self._failure: Exception | None = None

    def begin(self, failure: Exception | None = None) -> None:
        """Let the work begin, or fail at once."""
        self._failure = failure
        self._begun.set()

    async def get(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Wait for the answer, or raise the failure.

        Parameters
        ----------
        work : callable
            Gives the answer, which is not None; asked once, and not before `begin`.
        """
        await self._begun.wait()
        async with self._turn:
            if self._answer is None and self._failure is None:
                try:
                    self._answer = await work()
                except Exception as error:
                    self._failure = error
        if self._failure is not None:
            raise self._failure
        assert self._answer is not None
        return self._answer
