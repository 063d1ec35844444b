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

A token holds all parts in their row, with what they hold back. It is made while all
workers are between two slices: they wait there. Since each part can go on by itself, it
does not matter how many workers there are then.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from dataclasses import replace
from heapq import heapify, heappush, heapreplace
from typing import TYPE_CHECKING

from ..cover import Cover, Outcome, Stats
from ..errors import SearchError
from .door import Alone
from .kernel import EVER, wanted
from .part import Part, total
from .token import Token, damaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .door import Door
    from .session import Session
    from .token import Origin

__all__ = ["Crew"]

_PARTS_A_WORKER = 2
"""Who is done with a part should find another one ready."""

_STEPS_AN_ENTRY = 40
"""A copy is paid for by so many steps for each entry of the problem. It takes as long
as four or five of them, if the search is on cells, and much less on bits."""


class Crew:
    """A search that several workers advance at the same time.

    Nothing here sleeps or looks at a clock. `advance` is for worker threads, as many at
    once as there are workers; everything else for whoever looks after them.

    Parameters
    ----------
    sessions : sequence of Session
        The search, without a limit of its own; or those of the parts that the token of
        the origin tells of, in their row.
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
    origin : Origin, optional
        What the search is of; without, there are no tokens.
    door : Door, optional
        What keeps workers in different threads out of each other's way.

    Attributes
    ----------
    outcome : Outcome
        How the search stands, or how it ended.
    """

    purged = None

    def __init__(
        self,
        sessions: Sequence[Session],
        workers: int,
        *,
        limit: int | None = None,
        best: int = 0,
        ordered: bool = False,
        hold: int = 1024,
        copy_steps: int | None = None,
        origin: Origin | None = None,
        door: Door | None = None,
    ) -> None:
        self.layout = sessions[0].layout
        self.outcome = Outcome.RUNNING
        self._workers = workers
        self._limit = limit
        self._best = best
        self._keeps_row = ordered
        # Improvements are given out as they come.
        self._ordered = ordered and not best
        self._hold = max(hold, 1)
        if copy_steps is None:
            copy_steps = _STEPS_AN_ENTRY * len(self.layout.option_item)
        self._copy_steps = copy_steps
        self._lock = Alone() if door is None else door
        # The threads that are at a slice; and how many wait for them to pause.
        self._at_work: list[int] = []
        self._n_holding = 0
        self._is_torn = False
        self._origin = origin
        self._blank: Token | None = None
        self._parts = [Part(session) for session in sessions]
        self._n_parts = 1
        self._past = Stats()
        self._fraction = 0.0
        self._lower_bound: int | None = None
        # The covers to be given out next; and those that were, to be collected.
        self._backlog: deque[Cover] = deque()
        self._ready: deque[Cover] = deque()
        self._n_held = self._n_given = 0
        # The best prices so far, negative, the dearest of them first.
        self._podium: list[int] = []
        if origin is not None and origin.token is not None and origin.token.parts:
            self._take_up(origin.token)

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
                while self._n_holding:
                    self._lock.wait()
                if keep:
                    # To give out what was found before is a step, too.
                    given_out = self._give_out(want - found)
                    steps += given_out
                    found += given_out
                else:
                    self._forget()
                part = self._take(keep) if found < want else None
                if part is None:
                    break
                rest = EVER if want == EVER else want - found
                room = self._room_for(part, rest, keep)
            session = part.session
            before, counted = session.effort, session.covers
            covers: list[Cover] = []
            given: list[Part] = []
            try:
                covers = session.advance(budget - steps, room, keep)
                found += session.covers - counted
                part.credit += session.effort - before
                given = self._divided(part)
            except BaseException:
                self._is_torn = True
                raise
            finally:
                with self._lock:
                    part.is_running = False
                    if not keep:
                        self._n_given += session.covers - counted
                    self._put_back(part, covers, given)
                    self._at_work.remove(self._lock.me())
                    self._lock.notify_all()
            steps += max(session.effort - before, 1)
        return steps, found

    def _take(self, keep: bool) -> Part | None:
        """Give a worker the first part that waits for one."""
        self._judge()
        waiting = self._waiting(keep)
        if not waiting:
            return None
        part = waiting[0]
        part.is_running = True
        self._at_work.append(self._lock.me())
        if self._best and len(self._podium) == self._best:
            part.session.beat(-self._podium[0])
        return part

    def _waiting(self, keep: bool) -> list[Part]:
        """Give the parts that nobody works on, but for those that are to rest."""
        if self.outcome is not Outcome.RUNNING:
            return []
        # Those that are ahead have perhaps found enough for now.
        all_rest = keep and self._ordered and self._n_held >= self._hold
        parts = self._parts[:1] if all_rest else self._parts
        waiting = [part for part in parts if part.is_waiting]
        return sorted(waiting, key=_yields) if self._best else waiting

    def _room_for(self, part: Part, want: int, keep: bool) -> int:
        if self._limit is not None:
            want = wanted(want, self._limit - self._n_given)
        if keep and self._ordered and part is not self._parts[0]:
            # What is left is shared among all that may be ahead.
            want = min(want, -(-(self._hold - self._n_held) // self._workers))
        return want

    def _divided(self, part: Part) -> list[Part]:
        """Make as many parts of what a part has left as are missing, and it can pay."""
        given: list[Part] = []
        if self._workers == 1 or (self._keeps_row and not part.session.keeps_order):
            return given
        with self._lock:
            n_open = sum(not (p.is_done or p.yields) for p in self._parts)
        while (
            not part.is_done
            and n_open + len(given) < _PARTS_A_WORKER * self._workers
            and part.credit >= self._copy_steps
        ):
            other = part.session.split()
            if other is None:
                break
            part.credit -= self._copy_steps
            given.append(Part(other, part.end))
            part.end = min(part.end, other.position)
        return given

    def _put_back(self, part: Part, covers: list[Cover], given: list[Part]) -> None:
        at = self._parts.index(part)
        # What was given last comes first.
        self._parts[at + 1 : at + 1] = reversed(given)
        self._n_parts += len(given)
        if self._best:
            covers = [cover for cover in covers if self._improves(cover.price)]
        part.held += covers
        self._n_held += len(covers)
        self._release([*self._parts] if self._ordered else [part])
        self._give_out(len(self._backlog))
        if part in self._parts and part.is_done and not part.held:
            self._dismiss(part)
        if part.session.outcome is Outcome.CANCELLED:
            self._is_torn = True
            self._end(Outcome.CANCELLED)
        self._judge(is_settled=part.session.settles)

    def _judge(self, *, is_settled: bool = False) -> None:
        """Tell whether this is the end; the very last cover is, limit or not."""
        # Several that only count may count beyond the limit together.
        is_beyond = self._limit is not None and self._n_given > self._limit
        if not (self._backlog or is_beyond) and (is_settled or not self._parts):
            self._end(Outcome.EXHAUSTED)
        elif self._is_full:
            self._end(Outcome.LIMITED)

    def _improves(self, price: int) -> bool:
        """Put a price on the podium; false if it is no improvement any more."""
        if len(self._podium) < self._best:
            heappush(self._podium, -price)
        elif price < -self._podium[0]:
            heapreplace(self._podium, -price)
        else:
            return False
        return True

    def _release(self, parts: Iterable[Part]) -> None:
        """Put what parts hold into the backlog; in order, as far as their turn is."""
        for part in parts:
            self._n_held -= len(part.held)
            self._backlog.extend(part.held)
            part.held = []
            is_done = part.is_done and not part.is_running
            if is_done:
                self._dismiss(part)
            elif self._ordered:
                break

    @property
    def _is_full(self) -> bool:
        return self._limit is not None and self._n_given >= self._limit

    def _give_out(self, most: int) -> int:
        """Let covers of the backlog be collected, so many and none beyond the limit."""
        n = min(most, len(self._backlog))
        if self._limit is not None:
            n = max(0, min(n, self._limit - self._n_given))
        self._ready.extend([self._backlog.popleft() for _ in range(n)])
        self._n_given += n
        return n

    def _forget(self) -> None:
        """Drop the covers that were found and not collected: they are counted."""
        # What is found by slices that are running is counted when they are over, each
        # in its way: others may keep what they find.
        self._n_given += len(self._backlog) + self._n_held
        self._backlog.clear()
        self._ready.clear()
        for part in self._parts:
            part.held = []
        self._n_held = 0

    def _dismiss(self, part: Part) -> None:
        """Let go of a part that is done, and keep its figures."""
        self._past = total([self._past, part.session.stats(0.0)])
        part.session.dismiss()
        self._parts.remove(part)

    def _end(self, outcome: Outcome) -> None:
        if self.outcome is Outcome.RUNNING:
            self.outcome = outcome

    # -- for those who look after them ---------------------------------------------

    def n_waiting(self, keep: bool = True) -> int:
        """Tell for how many more workers there is something to do."""
        with self._lock:
            n = len(self._waiting(keep))
            is_running = self.outcome is Outcome.RUNNING
            return max(n, 1) if self._backlog and is_running else n

    def collect(self) -> list[Cover]:
        """Give the covers that have become ready."""
        with self._lock:
            covers = list(self._ready)
            self._ready.clear()
        return covers

    def stop(self) -> None:
        """Make all running slices end soon, and the search with them.

        They may be in the midst of a step then, and no token is made any more.
        """
        with self._lock:
            self._end(Outcome.CANCELLED)
            for part in self._parts:
                part.session.stop()

    def leave(self) -> None:
        """Let no slice begin any more."""
        with self._lock:
            self._end(Outcome.CANCELLED)

    @property
    def covers(self) -> int:
        """How many covers were collected, or counted."""
        with self._lock:
            return self._n_given - len(self._ready)

    def end(self) -> None:
        """Let go of the kernels, after the end."""
        with self._lock:
            for part in [*self._parts]:
                self._dismiss(part)

    def stats(self, elapsed: float) -> Stats:
        """Give the statistics, as of the last slice of each worker."""
        with self._lock:
            live = [part.session.stats(elapsed) for part in self._parts]
            sums = total([*live, self._past])
            # Not those that are held back, nor those that came too late.
            covers = self._n_given
            if self._limit is not None:
                covers = min(covers, self._limit)
            left = sum(part.left for part in self._parts)
            if self.outcome is Outcome.EXHAUSTED:
                left = 0.0
            self._fraction = max(self._fraction, min(1.0, 1.0 - left))
            removed = self.layout.removed
            return replace(
                sums,
                covers=covers,
                elapsed=elapsed,
                fraction=self._fraction,
                lower_bound=self._bound(sums.best_price, live),
                options=self.layout.n_options,
                items=self.layout.n_items,
                removed_options=removed[0] if removed else None,
                removed_items=removed[1] if removed else None,
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

    # -- tokens ----------------------------------------------------------------------

    def token(self, elapsed: float) -> Token:
        """Tell where the search stands; workers that are at a slice finish that first.

        The token knows of no covers that were collected.

        Raises
        ------
        SearchError
            The search has failed, or was stopped; or the caller is one of the workers.
        """
        with self._at_rest():
            if self._is_torn:
                raise SearchError("the search has failed or was stopped within a slice")
            assert self._origin is not None
            if self._blank is None:
                kernel = self._parts[0].session.kernel if self._parts else None
                self._blank = Token.blank(self._origin, self.layout, kernel)
            is_over = self.outcome is Outcome.EXHAUSTED
            covers = self._n_given + len(self._backlog)
            return replace(
                self._blank,
                stats=replace(self.stats(elapsed), covers=covers),
                pending=[cover.indices for cover in (*self._ready, *self._backlog)],
                prices=[-price for price in self._podium],
                parts=[] if is_over else [part.stretch() for part in self._parts],
            )

    @contextmanager
    def _at_rest(self) -> Iterator[None]:
        """Hold all workers up between two slices."""
        with self._lock:
            if self._lock.me() in self._at_work:
                # A handler of a signal, say. It would wait for itself.
                raise SearchError("no token can be made from within a slice")
            self._n_holding += 1
            try:
                while self._at_work:
                    self._lock.wait()
                yield
            finally:
                self._n_holding -= 1
                self._lock.notify_all()

    def _take_up(self, token: Token) -> None:
        """Go on where a token says; the kernels are there already."""
        stats = token.stats

        def covers_of(all_indices: Iterable[Sequence[int]]) -> list[Cover]:
            return [Cover(self.layout.problem, indices) for indices in all_indices]

        for part, stretch in zip(self._parts, token.parts, strict=True):
            part.end = stretch.end
            part.held = covers_of(stretch.held)
        self._n_held = sum(len(part.held) for part in self._parts)
        self._backlog.extend(covers_of(token.pending))
        self._n_given = token.taken
        self._n_parts = max(stats.parts or 1, len(self._parts))
        self._fraction, self._lower_bound = stats.fraction, stats.lower_bound
        live = total(part.session.stats(0.0) for part in self._parts)
        # What was done by parts that are no more.
        self._past = replace(
            stats,
            nodes=stats.nodes - live.nodes,
            updates=stats.updates - live.updates,
            covers=stats.covers + self._n_held - live.covers,
        )
        if min(self._past.nodes, self._past.updates) < 0:
            raise damaged("its parts have done more than all of them together")
        if self._past.covers < 0 and not self._best:
            raise damaged("its parts have found more than all of them together")
        if len(token.prices) > self._best:
            raise damaged("it has more prices to beat than covers are sought")
        prices = token.prices
        if self._best and not token.is_divided:
            prices = self._parts[0].session.best_prices(self._best)
        self._podium = [-price for price in prices]
        heapify(self._podium)
        if self._best and len(self._podium) == self._best:
            for part in self._parts:
                if not part.is_done:
                    part.session.beat(-self._podium[0])
        self._release([*self._parts])
        self._judge()


def _yields(part: Part) -> bool:
    return part.yields
