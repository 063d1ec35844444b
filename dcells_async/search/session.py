"""A search joined to its problem: slice by slice, kernel in, covers out."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..cover import Cover, Outcome, Stats
from ..errors import CapacityError, DiagramTooLarge, SearchError
from ..kernels.status import Status
from .finished import Finished
from .kernel import wanted
from .piece import Piece
from .stretch import Stretch
from .token import Token

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..layout import Layout
    from .kernel import Kernel
    from .token import Origin

__all__ = ["Session"]

_FEW_LEVELS = 100
_STEPS_A_LEVEL = 1000
"""An estimate takes a look at each level of the path. Where they are not few, it comes
after so many steps for each: else a deep search would do little but estimate."""


class Session:
    """One search on its way.

    Nothing here waits, sleeps or looks at a clock. One caller at a time advances
    a session; only `stop` may be called meanwhile, from any thread.

    Parameters
    ----------
    layout : Layout
        The problem as the kernel sees it.
    kernel : Kernel
        Prepared for this layout.
    limit : int, optional
        Stop for good after so many covers, those found before a token was made
        included.
    origin : Origin, optional
        What the search is of. The kernel is where its token says.
    sort : str
        If this is a part of a search, and its kernel not the engine's own: what the
        one that gave it away calls such kernels, who can make more of them (`heir`).
    position : float
        How far the kernel has come in the tree, if that is known.
    """

    def __init__(
        self,
        layout: Layout,
        kernel: Kernel,
        limit: int | None = None,
        origin: Origin | None = None,
        *,
        sort: str = "",
        position: float = 0.0,
    ) -> None:
        self.layout = layout
        self.sort = sort
        self.outcome = Outcome.RUNNING
        self._kernel = kernel
        self._limit = limit
        self._fraction = position
        self._lower_bound: int | None = None
        self._origin = origin
        self._blank: Token | None = None
        self._is_torn = False
        self._next_estimate = 0
        # The covers that were found before, and are to be given out first.
        self._backlog: deque[Cover] = deque()
        if origin is not None and origin.token is not None:
            token = origin.token
            self._fraction = token.stats.fraction
            self._lower_bound = token.stats.lower_bound
            self._backlog.extend(Cover(layout.problem, c) for c in token.pending)
        self._note()

    def advance(self, budget: int, want: int, keep: bool = True) -> list[Cover]:
        """Search on for `budget` steps, or until `want` covers are found.

        Returns
        -------
        list of Cover
            What was found; empty if not `keep`, which only counts.

        Raises
        ------
        CapacityError
            The search needs more memory than its engine allows; a
            `DiagramTooLarge` if that is for a diagram.
        """
        if self.outcome is not Outcome.RUNNING:
            return []
        if not keep:
            self._backlog.clear()
        kernel = self._kernel
        if self._limit is not None:
            want = wanted(want, self._limit - self.covers)
            if want <= 0:
                self._limited()
                return []
        if self._backlog:
            return self._left_over(want)
        try:
            status = kernel.advance(budget, want, keep)
        except OverflowError as error:
            raise CapacityError(str(error)) from None
        if status == Status.TOO_LARGE:
            raise self._too_large()
        covers = self.layout.covers(*kernel.take()) if keep else []
        if status == Status.DONE:
            self.outcome = Outcome.EXHAUSTED
        elif status == Status.STOPPED:
            self._is_torn = True
            self.outcome = Outcome.CANCELLED
        elif self._limit is not None and kernel.covers >= self._limit:
            self.outcome = Outcome.LIMITED
        self._note()
        return covers

    @property
    def covers(self) -> int:
        """How many covers were given out, or counted."""
        return self._kernel.covers - len(self._backlog)

    def _left_over(self, want: int) -> list[Cover]:
        backlog = self._backlog
        covers = [backlog.popleft() for _ in range(min(want, len(backlog)))]
        if self.covers == self._limit:
            self._limited()
        self._note()
        return covers

    def _limited(self) -> None:
        """End at the limit; the very last cover is the end in any case."""
        is_last = isinstance(self._kernel, Finished) and not self._backlog
        self.outcome = Outcome.EXHAUSTED if is_last else Outcome.LIMITED

    def end(self) -> None:
        """Let go of the kernel, after the end: its numbers are all that will matter."""
        self._kernel = Finished(replace(self.stats(0.0), covers=self._kernel.covers))

    def token(self, elapsed: float) -> Token:
        """Tell where the search stands, between two slices.

        The token knows of no covers that were given out.

        Raises
        ------
        SearchError
            The search was stopped in the midst of a step.
        """
        if self._is_torn:
            raise SearchError("the search was stopped within a slice, and cannot go on")
        assert self._origin is not None
        if self._blank is None:
            self._blank = Token.blank(self._origin, self.layout, self._kernel)
        is_over = isinstance(self._kernel, Finished)
        return replace(
            self._blank,
            stats=replace(self.stats(elapsed), covers=self._kernel.covers),
            pending=[cover.indices for cover in self._backlog],
            parts=[] if is_over or self.is_done else [self.stretch(1.0, ())],
        )

    @property
    def is_done(self) -> bool:
        """Whether all is searched."""
        return self.outcome is Outcome.EXHAUSTED

    # -- for a crew, see there -------------------------------------------------------

    @property
    def kernel(self) -> Kernel:
        """What searches."""
        return self._kernel

    def stretch(self, end: float, held: Iterable[Cover]) -> Stretch:
        """Tell where it stands, between two slices, as a part of a search."""
        state = b"" if self.is_done else self._kernel.save()
        self._estimate()
        covers = [cover.indices for cover in held]
        return Stretch(state, self.sort, self._fraction, end, covers)

    def best_prices(self, n: int) -> list[int]:
        """Give the n best prices that were found, or fewer."""
        kernel: Any = self._kernel
        if n == 1 or isinstance(kernel, Finished):
            best = kernel.best_price()
            return [] if best is None else [best]
        money = kernel.ledger
        return [money.podium[k] // money.scale for k in range(money.n_podium)]

    @property
    def position(self) -> float:
        """How far it has come in the whole tree, from 0 to 1, whosever that is."""
        return self._fraction

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split."""
        kernel: Any = self._kernel
        return bool(kernel.keeps_order)

    @property
    def settles(self) -> bool:
        """Whether it has proved that nothing is to be found in other parts either."""
        return getattr(self._kernel, "settles", False)

    @property
    def rests(self) -> bool:
        """Whether it cannot go on before other sessions are done."""
        return getattr(self._kernel, "rests", False)

    @property
    def yields(self) -> bool:
        """Whether there is something better to do, if it waits for a worker."""
        return getattr(self._kernel, "yields", False)

    @property
    def proved(self) -> int | None:
        """What it has proved that covers in other parts cost at least, too."""
        return getattr(self._kernel, "proved", None)

    def beat(self, price: int) -> None:
        """Look only for covers that cost less, from the next slice on."""
        kernel: Any = self._kernel
        kernel.beat(price)

    def dismiss(self) -> None:
        """Say that it is over, and that all it found has been taken."""
        if isinstance(self._kernel, Piece):
            self._kernel.dismiss()

    def split(self) -> Session | None:
        """Give the later part of what is left to another session, between two slices.

        None if there is nothing to give.
        """
        kernel: Any = self._kernel
        given: Kernel | None = kernel.split()
        if given is None:
            return None
        return Session(self.layout, given, sort=getattr(kernel, "heirs", self.sort))

    def _too_large(self) -> DiagramTooLarge:
        kernel: Any = self._kernel
        return DiagramTooLarge(
            kernel.nodes,
            kernel.diagram_nodes,
            kernel.signatures,
            kernel.memory,
            kernel.memory_limit,
        )

    def _note(self) -> None:
        # Read between slices only, so that the numbers belong together.
        kernel = self._kernel
        self.effort = kernel.updates + kernel.steps
        if self.effort >= self._next_estimate or self.outcome is not Outcome.RUNNING:
            self._estimate()
        self._best_price = kernel.best_price()
        # Only some kernels purge.
        self._purges = getattr(kernel, "purges", None)
        purged = getattr(kernel, "purged", -1)
        self.purged = purged if purged >= 0 else None
        # Only some remember.
        self._signatures = getattr(kernel, "signatures", None)
        self._hits = getattr(kernel, "hits", None)
        self._memory = getattr(kernel, "memory", None)
        self._has_given_up = getattr(kernel, "has_given_up", None)
        # Only a race has more than one engine.
        self._engine = getattr(kernel, "engine", None)
        self._why = getattr(kernel, "why", None)
        self._progress = (
            kernel.nodes,
            kernel.updates,
            self.covers,
            max(kernel.depth, 0),
        )

    def _estimate(self) -> None:
        """See how far the search has come in the tree, and what it has proved."""
        kernel = self._kernel
        many = max(kernel.depth - _FEW_LEVELS, 0)
        self._next_estimate = self.effort + _STEPS_A_LEVEL * many
        self._fraction = max(self._fraction, kernel.fraction())
        bound = kernel.lower_bound()
        if bound is not None and (
            self._lower_bound is None or bound > self._lower_bound
        ):
            self._lower_bound = bound

    def stop(self) -> None:
        """Make the running slice end soon, and the search with it."""
        self._kernel.stop()

    def stats(self, elapsed: float) -> Stats:
        """Give the statistics as of the last slice."""
        removed = self.layout.removed
        return Stats(
            *self._progress,
            elapsed=elapsed,
            fraction=self._fraction,
            best_price=self._best_price,
            lower_bound=self._lower_bound,
            signatures=self._signatures,
            hits=self._hits,
            memory=self._memory,
            options=self.layout.n_options,
            items=self.layout.n_items,
            purges=self._purges,
            purged=self.purged,
            memo_given_up=self._has_given_up,
            removed_options=removed[0] if removed else None,
            removed_items=removed[1] if removed else None,
            engine=self._engine,
            why=self._why,
        )
