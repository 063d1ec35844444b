"""What the consumer of a search holds.

It is on two sides of a wall: the consumer takes covers from the channel, looks at the
numbers, and may ask for a token at any moment, from any thread; the pump (``dance.py``)
runs the slices of the search, and delivers what they found.
"""

from __future__ import annotations

from dataclasses import fields, replace
from threading import RLock
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

import anyio
from anyio.lowlevel import checkpoint

from ..cover import Outcome, Pulse, Stats
from ..errors import SearchError
from ..search.crew import Crew
from ..search.token import Token
from .channel import CoverStream
from .interrupts import see_off

if TYPE_CHECKING:
    from ..cover import Cover
    from ..problem import Problem
    from ..search.opening import Opening
    from ..search.session import Session
    from ..search.token import Origin

__all__ = ["Heartbeat", "Result"]

_SHORTEST_PULSE_S = 0.001
"""Pulses that come faster would leave the event loop no time for anything else."""


class Heartbeat:
    """How far the search has come, every so often, for whoever listens.

    It ends with the search, the final numbers last. Nothing is stored: a pulse
    that nobody waits for is not made.
    """

    def __init__(self, result: Result, interval: float) -> None:
        self._result = result
        self._interval = max(interval, _SHORTEST_PULSE_S)
        self._is_over = False

    def __aiter__(self) -> Heartbeat:
        return self

    async def __anext__(self) -> Pulse:
        if self._is_over:
            await checkpoint()
            raise StopAsyncIteration
        with anyio.move_on_after(self._interval):
            await self._result.wait()
            self._is_over = True
        stats = self._result.stats
        return Pulse(*(getattr(stats, field.name) for field in fields(Pulse)))


class Result:
    """What the consumer of a search holds.

    Attributes
    ----------
    solutions : CoverStream
        The covers, in the order in which they are found.
    outcome : Outcome
        How the search stands, or how it ended. It speaks of the search: covers may
        still wait in the channel when it is `EXHAUSTED`.
    """

    def __init__(
        self,
        opening: Opening,
        buffer: int,
        pulse_interval: float,
        origin: Origin | None = None,
    ) -> None:
        self.solutions = CoverStream(buffer)
        self.outcome = Outcome.RUNNING
        self._opening = opening
        self._pulse_interval = pulse_interval
        self._session: Session | Crew | None = None
        self._start = monotonic()
        self._stats: Stats | None = None
        self._over = anyio.Event()
        self._origin = origin
        # Held by a slice; what is found in it is coming until it is in the channel.
        # (Entered again by a handler of Ctrl-C that reads `taken`.)
        self._slicing = RLock()
        self._coming: list[Cover] = []
        self._is_left = False
        token = None if origin is None else origin.token
        self._begun_at = Stats() if token is None else token.stats
        self._taken = 0 if token is None else token.taken

    @property
    def problem(self) -> Problem | None:
        """The problem being searched; None if the time ran out while reading it."""
        return self._opening.problem

    @property
    def heartbeat(self) -> Heartbeat:
        """A stream of pulses, a new one each time; see `Heartbeat`."""
        return Heartbeat(self, self._pulse_interval)

    @property
    def stats(self) -> Stats:
        """The statistics, at most one slice of some milliseconds old."""
        if self._stats is not None:
            return self._stats
        elapsed = self._elapsed
        if self._session is None:
            return replace(self._begun_at, elapsed=elapsed)
        return self._session.stats(elapsed)

    @property
    def _elapsed(self) -> float:
        return self._begun_at.elapsed + monotonic() - self._start

    @property
    def optimal(self) -> bool:
        """Whether it is proved that there is nothing else to be found.

        In a least-cost search: that no cover is cheaper than those found (none of
        them, if none was found).
        """
        return self.outcome is Outcome.EXHAUSTED

    @property
    def is_over(self) -> bool:
        """Whether the search has ended."""
        return self._over.is_set()

    @property
    def is_exhausted(self) -> bool:
        """Whether all is searched, be it that the pump has not noticed yet."""
        if self._session is None:
            return self.outcome is Outcome.EXHAUSTED
        return self._session.outcome is Outcome.EXHAUSTED

    @property
    def taken(self) -> int:
        """How many covers were received, those before a token was made included."""
        if self._session is None or self._is_left:
            return self._taken
        with self._slicing:
            waiting = len(self.solutions.held) + len(self._coming)
            return self._session.covers - waiting

    async def wait(self) -> None:
        """Wait until the search has ended."""
        await self._over.wait()

    def checkpoint(self) -> bytes:
        """Give a token, with which the search can go on later, or elsewhere.

        It can be made at any moment within the ``async with`` block, also when the
        search has ended; the search itself just goes on. To continue, hand it to the
        same method of an equal engine, with the same problem, as ``resume``. The
        position is the consumer's: what was received does not come again, and covers
        that waited in the channel do. See ``docs/checkpoints.md``.

        Returns
        -------
        bytes
            For this version of the library, on any machine of the same byte order.

        Raises
        ------
        SearchError
            The search has failed; or the block was left, and with it all covers that
            were not received; or this is a walk through a diagram.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import XCC
        >>> async def main():
        ...     text = "a b c\\na b\\nc\\na c\\nb"
        ...     async with XCC().dance(text) as result:
        ...         print(await result.solutions.receive())
        ...         token = result.checkpoint()
        ...     async with XCC().dance(text, resume=token) as result:
        ...         async for cover in result.solutions:
        ...             print(cover)
        >>> anyio.run(main)
        <Cover of options 1, 2>
        <Cover of options 3, 4>
        """
        if self._is_left:
            raise SearchError(
                "the block of the search was left, and the covers not received are "
                "lost; a token has to be made within (in a finally, if need be)"
            )
        if self.outcome is Outcome.FAILED:
            raise SearchError("the search has failed, and cannot go on")
        # A slice is some milliseconds, and nobody can begin another meanwhile.
        with self._slicing:
            pending = [*self.solutions.held, *self._coming]
            elapsed = self.stats.elapsed
            token = Token.of(self._origin, self._session, elapsed, pending)
        return token.to_bytes()

    # -- the pump's side -----------------------------------------------------------

    def run_slice(
        self, session: Session, budget: int, want: int, keep: bool
    ) -> tuple[int, float]:
        """Run a slice, in a thread: give its steps and seconds; covers are coming."""
        with self._slicing:
            begin, before = perf_counter(), session.effort
            self._coming = session.advance(budget, want, keep)
            return session.effort - before, perf_counter() - begin

    def deliver(self) -> int:
        """Put the covers of the last slice into the channel; give how many."""
        covers, self._coming = self._coming, []
        if isinstance(self._session, Crew):
            covers = self._session.collect()
        self.solutions.deliver(covers)
        return len(covers)

    def leave(self) -> None:
        """Say that the block is left: no token will be made any more."""
        self._taken = self.taken
        self._is_left = True
        if self.is_over:
            self._session = None

    def begin(self, session: Session | Crew) -> None:
        """Take up the session, once it is open."""
        self._session = session

    def finish(self, outcome: Outcome, failure: BaseException | None) -> None:
        """Say how the search ended; the covers found so far can still be taken."""
        self.outcome = outcome
        self._stats = self.stats
        self.deliver()
        # The search and its tables go now, unless it may go on by a token.
        if outcome is Outcome.FAILED or self._is_left:
            self._session = None
        elif outcome is Outcome.EXHAUSTED and self._session is not None:
            self._session.end()
        self._opening.release()
        self.solutions.end(failure)
        self._over.set()

    async def seen_off(self) -> BaseException | None:
        """Wait until the search has ended, whatever interrupts that."""
        return await see_off(self._over)
