"""The synchronous twin, for scripts: the same search, driven by the caller's thread.

There is no event loop, and no thread unless the engine has several workers, so it works
anywhere, also within a running loop (which it blocks). Slices of some milliseconds let
Ctrl-C through at once.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

from .arguments import checked_count, checked_seconds
from .cover import Outcome, Stats
from .errors import SearchError
from .report import Report
from .search.crew import Crew
from .search.kernel import EVER
from .search.opening import Opening
from .search.pace import Pace
from .search.team import Team
from .search.token import Token
from .together import Together
from .turnstile import Turnstile

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import TracebackType
    from typing import Self

    from .cover import Cover
    from .dlx import Source
    from .layout import Layout
    from .problem import Problem
    from .search.kernel import Kernel
    from .search.opening import Begin
    from .search.session import Session
    from .search.token import Origin

__all__ = ["Covers"]

_HOLD = 1024
"""So many covers of later parts may wait for their turn, if the order matters."""


class Covers:
    """The covers of a problem, found as they are asked for.

    An iterator and a context manager; leaving the block ends the search. The
    problem is read at the first use, or on entering the block.

    Parameters
    ----------
    source : Problem or Source
        What to search.
    make_kernel : callable
        Gives the engine's kernel for a layout.
    limit : int, covers, > 0, optional
        How many covers to look for.
    timeout : float, seconds, optional
        How long to look, from the first use on.
    debug : bool
        Print what `Report` tells.
    price : callable, optional
        Gives the problem its prices.
    begin : callable, optional
        Gives the layout a start.
    team : Team, optional
        Who is to work on it; by default, one worker.
    origin : Origin, optional
        What the search is of, and where it is to go on; without, there are no tokens.

    Attributes
    ----------
    outcome : Outcome
        How the search stands, or how it ended.
    """

    def __init__(
        self,
        source: Problem | Source,
        make_kernel: Callable[[Layout], Kernel],
        *,
        limit: int | None = None,
        timeout: float | None = None,
        debug: bool = False,
        price: Callable[[Problem], Problem] | None = None,
        begin: Begin | None = None,
        team: Team | None = None,
        origin: Origin | None = None,
    ) -> None:
        if limit is not None:
            limit = checked_count("limit", limit, 1)
        if timeout is not None:
            timeout = checked_seconds("timeout", timeout, may_be_zero=True)
        self.outcome = Outcome.RUNNING
        self._opening = Opening(
            source, make_kernel, limit, price, begin, origin, team, _HOLD, Turnstile()
        )
        self._team = team or Team()
        self._origin = origin
        token = None if origin is None else origin.token
        self._begun_at = Stats() if token is None else token.stats
        self._taken = 0 if token is None else token.taken
        self._is_text = self._opening.problem is None
        self._timeout = timeout
        self._report = Report(debug, ignores_prices=price is None)
        self._session: Session | Crew | None = None
        self._together: Together | None = None
        self._failure: Exception | None = None
        self._is_stopped = False
        self._steps: Generator[bool, None, Session | Crew] | None = None
        self._may_block = True
        self._pace = Pace()
        self._found: deque[Cover] = deque()
        self._is_closed = self._is_torn = self._is_advancing = False
        self._start: float | None = None
        self._stats: Stats | None = None

    @property
    def problem(self) -> Problem | None:
        """The problem being searched; None before it is read."""
        return self._opening.problem

    @property
    def stats(self) -> Stats:
        """The statistics so far."""
        if self._stats is not None:
            return self._stats
        elapsed = self._begun_at.elapsed
        if self._start is not None:
            elapsed += monotonic() - self._start
        # Once: a progress bar may read this from another thread.
        session = self._session
        if session is None:
            return replace(self._begun_at, elapsed=elapsed)
        return session.stats(elapsed)

    @property
    def optimal(self) -> bool:
        """Whether it is proved that there is nothing else to be found."""
        return self.outcome is Outcome.EXHAUSTED

    @property
    def taken(self) -> int:
        """How many covers were given out, those before a token was made included."""
        if self._session is not None:
            return self._session.covers - len(self._found)
        return self._taken

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Cover:
        while not self._found:
            if not self._advance():
                raise StopIteration
        return self._found.popleft()

    def close(self) -> None:
        """End the search; covers not yet taken are dropped."""
        self._taken = self.taken
        self._found.clear()
        self._finish(Outcome.CANCELLED)
        self._is_closed = True
        self._session = None

    def checkpoint(self) -> bytes:
        """Give a token, with which the search can go on later, or elsewhere.

        It can be made at any moment before the search is closed, also when it has
        ended; the search itself just goes on. To continue, hand it to the same method
        of an equal engine, with the same problem, as ``resume``. Covers that were
        given out or counted do not come again. See ``docs/checkpoints.md``.

        Returns
        -------
        bytes
            For this version of the library, on any machine of the same byte order.

        Raises
        ------
        SearchError
            The search was closed, and with it all that was found and not taken; or it
            has failed, or was stopped; or this is called from within a slice, as by a
            handler of a signal; or it is a walk through a diagram.

        Examples
        --------
        >>> from dcells_async import XCC
        >>> text = "a b c\\na b\\nc\\na c\\nb"
        >>> with XCC().solve(text) as covers:
        ...     print(next(covers))
        ...     token = covers.checkpoint()
        <Cover of options 1, 2>
        >>> list(XCC().solve(text, resume=token))
        [<Cover of options 3, 4>]
        """
        if self._is_closed:
            raise SearchError("the search was closed: a token has to be made before")
        if self._is_torn:
            raise SearchError("the search has failed, and cannot go on")
        if self._is_advancing:
            raise SearchError(
                "a handler of a signal struck within a slice, where no token can be "
                "made; let it note that one is wanted"
            )
        elapsed = self.stats.elapsed
        return Token.of(self._origin, self._session, elapsed, self._found).to_bytes()

    def first(self) -> Cover | None:
        """Give the next cover, or None if there is no further one."""
        return next(self, None)

    def count(self) -> int:
        """Search to the end, and count the covers without making them.

        If the time runs out, the outcome says so, and there are at least so many.

        Raises
        ------
        SearchError
            The search was closed before.
        """
        while self._advance(keep=False):
            pass
        if self.outcome is Outcome.CANCELLED:
            raise SearchError("the search was closed before it had counted all covers")
        return self.stats.covers

    def is_unique(self) -> bool:
        """Tell whether there is exactly one cover; stops at the second.

        Raises
        ------
        TimeoutError
            The time ran out before that was known.
        SearchError
            A limit, or the end of the block, ended the search before that.
        """
        while self.stats.covers < 2 and self._advance(keep=False, want=1):
            pass
        if self.stats.covers < 2 and self.outcome is not Outcome.EXHAUSTED:
            blame = TimeoutError if self.outcome is Outcome.TIMED_OUT else SearchError
            raise blame("not known whether there is exactly one cover")
        return self.stats.covers == 1

    # -- in steps, for those who have other things to do between -------------------

    @property
    def may_block(self) -> bool:
        """Whether the next step may wait for input."""
        return self._may_block and self.outcome is Outcome.RUNNING

    def step(self, *, keep: bool = True) -> list[Cover]:
        """Go on for some milliseconds, reading or searching; give the covers found.

        Parameters
        ----------
        keep : bool, default True
            False to count the covers, and make none.

        The last step is the one after which `outcome` is no longer `RUNNING`. Such
        covers do not come again by iteration.

        Raises
        ------
        ProblemError, OSError, CapacityError
            As from the first use of the iterator.
        """
        if self._session is None:
            self._read_on()
        else:
            self._advance(keep)
        found, self._found = list(self._found), deque()
        return found

    def stop(self) -> None:
        """Make the running step end soon, and be the last; for other threads."""
        self._is_stopped = True
        self._opening.stop()

    def _open(self) -> Session | Crew | None:
        while self._session is None and self._read_on():
            pass
        return self._session

    def _read_on(self) -> bool:
        """Take a step towards the session; false if there is none to come."""
        if self._failure is not None:
            raise self._failure
        if self.outcome is not Outcome.RUNNING:
            return False
        if self._steps is None:
            self._start = monotonic()
            self._steps = self._opening.steps()
        if self._is_late():
            self._finish(Outcome.TIMED_OUT)
            return False
        try:
            self._may_block = next(self._steps)
        except StopIteration as end:
            self._session = end.value
            if isinstance(end.value, Crew):
                self._together = Together(end.value, self._team.workers)
            self._may_block = False
        except BaseException as error:
            if self._is_stopped and isinstance(error, SearchError):
                # That it was stopped while it was read is no fault of the problem.
                self._finish(Outcome.CANCELLED)
                return False
            self._fail(error)
            raise
        if self._session is not None:
            self._report.opened(self._session.layout)
            if self._is_text and self.problem is not None:
                self.problem.warn()
        return True

    def _advance(self, keep: bool = True, want: int | None = None) -> bool:
        """Run a slice; false if the search has ended."""
        session = self._open()
        if session is None or self.outcome is not Outcome.RUNNING:
            if not keep:
                # What was found and not taken is counted, and does not come again.
                self._found.clear()
            return False
        if self._is_late():
            self._finish(Outcome.TIMED_OUT)
            return False
        self._is_advancing = True
        try:
            if self._together is not None:
                covers = self._together.advance(keep, want)
            else:
                assert not isinstance(session, Crew)
                covers = self._slice(session, keep, want)
        except BaseException as error:
            self._fail(error)
            raise
        if not keep:
            self._found.clear()
        self._found.extend(covers)
        self._is_advancing = False
        self._report.advanced(session.purged)
        self._finish(session.outcome)
        return True

    def _slice(self, session: Session, keep: bool, want: int | None) -> list[Cover]:
        begin, before = perf_counter(), session.effort
        if want is None:
            want = self._pace.want(1 << 30, waiting=True) if keep else EVER
        covers = session.advance(self._pace.budget(), want, keep)
        steps = session.effort - before
        self._pace.learn(steps, len(covers), perf_counter() - begin)
        return covers

    def _is_late(self) -> bool:
        return (
            self._timeout is not None
            and self._start is not None
            and monotonic() - self._start >= self._timeout
        )

    def _fail(self, error: BaseException) -> None:
        # After Ctrl-C a search cannot go on: what the slice had found is lost.
        self._is_torn = True
        if isinstance(error, Exception):
            self._failure = error
        self._finish(Outcome.FAILED if self._failure else Outcome.CANCELLED)

    def _finish(self, outcome: Outcome) -> None:
        if self.outcome is Outcome.RUNNING and outcome is not Outcome.RUNNING:
            self.outcome = outcome
            if self._together is not None:
                if outcome in {Outcome.CANCELLED, Outcome.FAILED}:
                    self._opening.stop()
                self._together.see_off()
            self._stats = self.stats
            if self._session is not None:
                self._report.ended(self._stats)
            # The search and its tables go now, unless it may go on by a token.
            if self._is_torn:
                self._session = None
            elif self._session is not None and outcome is Outcome.EXHAUSTED:
                self._session.end()
            self._steps = self._together = None
            self._opening.release()
