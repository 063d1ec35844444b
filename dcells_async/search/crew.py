"""One search by several workers: the tree in parts, divided as they are needed.

It begins as one part, the whole tree. Whenever there are fewer parts than would keep
all workers busy, a part that has just had a slice gives half of what it has left to a
new one. (That is *work stealing*, R. D. Blumofe and C. E. Leiserson, Journal of the ACM
46, 1999; but the thief waits until the slice is over, and so no lock is needed inside a
search.) What it gives is taken as near to the root as possible, so that it lasts; no
prefix has to be chosen beforehand, and it does not matter where the work is.

Each part is a stretch of the tree in the order in which one worker would go through it:
what a part gives away comes behind all that it keeps. So the parts stand in a row, and
to give out their covers in that row, each part's when those before it are done, is the
order of one worker, provided that the kernel's own order does not depend on what was
searched before (`keeps_order`; if it does, such a part is not divided). Parts that are
ahead then keep what they find, up to a bound, and rest after that; the first one never
has to wait for others.

To divide a part means to copy a search. A part has to have done work that is many times
as long before it pays for another copy; a search that is over in no time is never
divided at all.

In a least-cost search, the parts tell each other what is to be beaten.
"""

from __future__ import annotations

from collections import deque
from contextlib import nullcontext
from dataclasses import replace
from heapq import heappush, heapreplace
from typing import TYPE_CHECKING, Any

from ..cover import Outcome, Stats
from ..errors import SearchError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ..cover import Cover
    from .session import Session
    from .token import Token

__all__ = ["Crew"]

_PARTS_A_WORKER = 2
"""Who is done with a part should find another one ready."""

_STEPS_AN_ENTRY = 40
"""A copy is paid for by so many steps for each entry of the problem. It takes as long
as four or five of them, if the search is on cells, and much less on bits."""


class _Part:
    """A stretch of the tree: its session, where it ends, and what it has found."""

    def __init__(self, session: Session, end: float) -> None:
        self.session = session
        self.end = end
        self.is_running = False
        # Steps done that no copy was made for yet.
        self.credit = 0
        self.held: list[Cover] = []

    @property
    def is_done(self) -> bool:
        return self.session.outcome is not Outcome.RUNNING

    @property
    def is_waiting(self) -> bool:
        """Whether a worker could go on with it."""
        return not (self.is_running or self.is_done or self.session.rests)


class Crew:
    """A search that several workers advance at the same time.

    Nothing here waits, sleeps or looks at a clock. `advance` is for worker threads, as
    many at once as there are workers; everything else for whoever looks after them.

    Parameters
    ----------
    session : Session
        The whole search, without a limit of its own.
    workers : int, >= 1
    limit : int, optional
        Stop for good after so many covers.
    best : int, optional
        In a least-cost search, how many cheapest covers are sought; 0 otherwise.
    ordered : bool
        Give the covers out in the order of a single worker.
    hold : int, covers
        How many covers may be kept back for the sake of the order.
    copy_steps : int, optional
        How many steps a part has to do for each new part that it makes.
    lock : context manager, optional
        What keeps workers in different threads out of each other's way. It can be
        entered again by who is in it, for a handler of Ctrl-C may be.

    Attributes
    ----------
    outcome : Outcome
        How the search stands, or how it ended.
    """

    purged = None

    def __init__(
        self,
        session: Session,
        workers: int,
        *,
        limit: int | None = None,
        best: int = 0,
        ordered: bool = False,
        hold: int = 1024,
        copy_steps: int | None = None,
        lock: AbstractContextManager[Any] | None = None,
    ) -> None:
        self.layout = session.layout
        self.outcome = Outcome.RUNNING
        self._workers = workers
        self._limit = limit
        self._best = best
        self._ordered = ordered
        self._hold = max(hold, 1)
        if copy_steps is None:
            copy_steps = _STEPS_AN_ENTRY * len(self.layout.option_item)
        self._copy_steps = copy_steps
        self._lock = lock if lock is not None else nullcontext()
        self._parts = [_Part(session, 1.0)]
        self._n_parts = 1
        self._past = Stats()
        self._fraction = 0.0
        self._lower_bound: int | None = None
        self._ready: deque[Cover] = deque()
        self._n_held = self._n_given = 0
        # The best prices so far, negative, the dearest of them first.
        self._podium: list[int] = []

    # -- in worker threads ----------------------------------------------------------

    def advance(self, budget: int, want: int, keep: bool = True) -> tuple[int, int]:
        """Search on for `budget` steps, or until `want` covers are found.

        Returns
        -------
        tuple of int
            The steps done, and the covers found: none and none if all there is to do
            is being done by others.

        Raises
        ------
        CapacityError
            As from `Session.advance`.
        """
        steps = found = 0
        while steps < budget and found < want:
            with self._lock:
                part = self._take(keep)
                if part is None:
                    break
                room = self._room_for(part, want - found, keep)
            session = part.session
            before = session.effort
            covers: list[Cover] = []
            given: list[_Part] = []
            try:
                counted = session.covers
                covers = session.advance(budget - steps, room, keep)
                found += session.covers - counted
                part.credit += session.effort - before
                given = self._divided(part)
            finally:
                with self._lock:
                    part.is_running = False
                    self._put_back(part, covers, given, keep)
            steps += max(session.effort - before, 1)
        return steps, found

    def _take(self, keep: bool) -> _Part | None:
        """Give a worker the first part that waits for one."""
        waiting = self._waiting(keep)
        if not waiting:
            return None
        part = waiting[0]
        part.is_running = True
        if self._best and len(self._podium) == self._best:
            part.session.beat(-self._podium[0])
        return part

    def _waiting(self, keep: bool) -> list[_Part]:
        """Give the parts that nobody works on, but for those that are to rest."""
        if self.outcome is not Outcome.RUNNING:
            return []
        # Those that are ahead have perhaps found enough for now.
        all_rest = keep and self._ordered and self._n_held >= self._hold
        parts = self._parts[:1] if all_rest else self._parts
        waiting = [part for part in parts if part.is_waiting]
        return sorted(waiting, key=_yields) if self._best else waiting

    def _room_for(self, part: _Part, want: int, keep: bool) -> int:
        if self._limit is not None:
            want = min(want, self._limit - self._n_given)
        if keep and self._ordered and part is not self._parts[0]:
            # What is left is shared among all that may be ahead.
            want = min(want, -(-(self._hold - self._n_held) // self._workers))
        return want

    def _divided(self, part: _Part) -> list[_Part]:
        """Make as many parts of what a part has left as are missing, and it can pay."""
        given: list[_Part] = []
        if self._ordered and not part.session.keeps_order:
            return given
        with self._lock:
            n_open = sum(not (p.is_done or _yields(p)) for p in self._parts)
        while (
            not part.is_done
            and n_open + len(given) < _PARTS_A_WORKER * self._workers
            and part.credit >= self._copy_steps
        ):
            other = part.session.split()
            if other is None:
                break
            part.credit -= self._copy_steps
            given.append(_Part(other, part.end))
            part.end = min(part.end, other.position)
        return given

    def _put_back(
        self, part: _Part, covers: list[Cover], given: list[_Part], keep: bool
    ) -> None:
        at = self._parts.index(part)
        # What was given last comes first.
        self._parts[at + 1 : at + 1] = reversed(given)
        self._n_parts += len(given)
        if self._best:
            covers = [cover for cover in covers if self._improves(cover.price)]
        part.held += covers
        self._n_held += len(covers)
        for known in list(self._parts) if self._ordered else [part]:
            self._n_held -= len(known.held)
            self._give_out(known.held)
            known.held = []
            if not known.is_done or known.is_running:
                break
            self._dismiss(known)
        if part in self._parts and part.is_done and not part.held:
            self._dismiss(part)
        if not keep:
            self._n_given = sum(p.session.covers for p in self._parts)
            self._n_given += self._past.covers
        if part.session.outcome is Outcome.CANCELLED:
            self._end(Outcome.CANCELLED)
        elif self._limit is not None and self._n_given >= self._limit:
            self._end(Outcome.LIMITED)
        elif not self._parts or part.session.settles:
            self._end(Outcome.EXHAUSTED)

    def _improves(self, price: int) -> bool:
        """Put a price on the podium; false if it is no improvement any more."""
        if len(self._podium) < self._best:
            heappush(self._podium, -price)
        elif price < -self._podium[0]:
            heapreplace(self._podium, -price)
        else:
            return False
        return True

    def _give_out(self, covers: list[Cover]) -> None:
        if self._limit is not None:
            covers = covers[: self._limit - self._n_given]
        self._ready.extend(covers)
        self._n_given += len(covers)

    def _dismiss(self, part: _Part) -> None:
        """Let go of a part that is done, and keep its figures."""
        self._past = _sum([self._past, part.session.stats(0.0)])
        part.session.dismiss()
        self._parts.remove(part)

    def _end(self, outcome: Outcome) -> None:
        if self.outcome is Outcome.RUNNING:
            self.outcome = outcome

    # -- for those who look after them ---------------------------------------------

    def n_waiting(self, keep: bool = True) -> int:
        """Tell for how many more workers there is something to do."""
        with self._lock:
            return len(self._waiting(keep))

    def collect(self) -> list[Cover]:
        """Give the covers that have become ready."""
        with self._lock:
            covers = list(self._ready)
            self._ready.clear()
        return covers

    def stop(self) -> None:
        """Make all running slices end soon, and the search with them."""
        with self._lock:
            self._end(Outcome.CANCELLED)
            for part in self._parts:
                part.session.stop()

    @property
    def covers(self) -> int:
        """How many covers were given out, or counted."""
        return self._n_given

    def end(self) -> None:
        """Let go of the kernels, after the end."""
        with self._lock:
            for part in [*self._parts]:
                self._dismiss(part)

    def token(self, elapsed: float) -> Token:
        """Refuse: the parts of a crew cannot be put away.

        Raises
        ------
        SearchError
            Always.
        """
        raise SearchError("a search by several workers has no tokens")

    def stats(self, elapsed: float) -> Stats:
        """Give the statistics, as of the last slice of each worker."""
        with self._lock:
            live = [part.session.stats(elapsed) for part in self._parts]
            total = _sum([self._past, *live])
            # Not those that are held back, nor those that came too late.
            covers = self._n_given
            if self._limit is not None:
                covers = min(covers, self._limit)
            left = sum(
                max(0.0, part.end - part.session.position)
                for part in self._parts
                if not part.is_done
            )
            if self.outcome is Outcome.EXHAUSTED:
                left = 0.0
            self._fraction = max(self._fraction, min(1.0, 1.0 - left))
            return replace(
                total,
                covers=covers,
                elapsed=elapsed,
                fraction=self._fraction,
                lower_bound=self._bound(total.best_price, live),
                options=self.layout.n_options,
                items=self.layout.n_items,
                parts=self._n_parts,
            )

    def _bound(self, best: int | None, live: list[Stats]) -> int | None:
        """What any cover costs at least, in whichever part it may be."""
        bounds = [stats.lower_bound for stats in live]
        least = min((bound for bound in bounds if bound is not None), default=best)
        proved = [part.session.proved for part in self._parts]
        known = [bound for bound in (least, *proved) if bound is not None]
        if self.outcome is Outcome.EXHAUSTED:
            known = [] if best is None else [best]
        if known:
            bound = max(known) if best is None else min(best, max(known))
            if self._lower_bound is None or bound > self._lower_bound:
                self._lower_bound = bound
        return self._lower_bound


def _yields(part: _Part) -> bool:
    return part.session.yields


def _sum(all_stats: list[Stats]) -> Stats:
    """Add up what parts have done; the prices are the best."""
    prices = [s.best_price for s in all_stats if s.best_price is not None]
    return Stats(
        nodes=sum(stats.nodes for stats in all_stats),
        updates=sum(stats.updates for stats in all_stats),
        covers=sum(stats.covers for stats in all_stats),
        depth=max(stats.depth for stats in all_stats),
        best_price=min(prices, default=None),
    )
