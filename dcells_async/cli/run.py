"""A search from its opening to its last line of output."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..cover import Outcome
from ..errors import SearchError
from .interrupts import LateError, alarm, on_interrupt
from .outlet import Outlet
from .progress import bar_for
from .statuses import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from ..cover import Stats
    from ..problem import Option, Problem
    from ..solving import Covers
    from .formats import Format
    from .keeping import Keeper
    from .questions import Question

__all__ = ["Ending", "Run"]


@dataclass(frozen=True)
class Ending:
    """How a run ended.

    Attributes
    ----------
    outcome : Outcome
    stats : Stats
    problem : Problem or None
        None if it was not read to its end.
    status : int
        The exit status.
    is_complete : bool
        Whether all output was written.
    """

    outcome: Outcome
    stats: Stats
    problem: Problem | None
    status: int
    is_complete: bool


class Run:
    """One search, and where its covers go.

    Parameters
    ----------
    covers : Covers
        The search, not opened yet, limited as the question says.
    question : Question
        What is asked.
    keeper : Keeper, optional
        Keeps tokens of the search.
    """

    def __init__(
        self, covers: Covers, question: Question, keeper: Keeper | None = None
    ) -> None:
        self._covers = covers
        self._question = question
        self._keeper = keeper
        self._taken = 0
        self._is_interrupted = False
        self._outlet: Outlet

    def go(
        self,
        stream: BinaryIO,
        make_format: Callable[[Sequence[Option], bool], Format],
        *,
        timeout: float | None,
        progress: bool | None,
    ) -> Ending:
        """Read the problem, search, and write.

        Parameters
        ----------
        stream : binary file
            Where to write.
        make_format : callable
            Makes what to write, as the types of formats do.
        timeout : float, seconds, optional
            How long the reading may take; the search has its own.
        progress : bool, optional
            Whether to show a bar; by default, only on a terminal.

        Raises
        ------
        ProblemError, OSError
            The problem is faulty, or cannot be read.
        OutputError, BrokenPipeError
            The output cannot be written.
        """
        covers, question = self._covers, self._question
        with ExitStack() as stack:
            early = self._open(stack, timeout)
            bar = bar_for(progress, lambda: covers.stats)
            self._outlet = outlet = Outlet(stream, bar, covers.close)
            with on_interrupt(self._interrupt), outlet:
                problem = covers.problem
                options = problem.options if problem else ()
                form = make_format(options, question.lists_covers)
                outlet.put(form.begin())
                self._taken = covers.taken
                if early is None and self._keeper is not None:
                    self._search_and_keep(form, self._keeper)
                elif early is None:
                    self._search(form)
                outcome = early or covers.outcome
                stats = replace(
                    covers.stats, covers=max(covers.stats.covers, self._taken)
                )
                answer = question.answer(outcome, stats.covers)
                outlet.put(form.end(answer, outcome, stats))
        status = question.status(outcome, stats.covers)
        if not outlet.complete:
            status = INTERRUPTED
        return Ending(outcome, stats, problem, status, outlet.complete)

    def _open(self, stack: ExitStack, timeout: float | None) -> Outcome | None:
        """Open the search; give the outcome if that was the end of it."""
        try:
            with alarm(timeout):
                stack.enter_context(self._covers)
        except LateError:
            return Outcome.TIMED_OUT
        except KeyboardInterrupt:
            return Outcome.CANCELLED
        return None

    def _search(self, form: Format) -> None:
        covers, outlet = self._covers, self._outlet
        if not self._question.lists_covers:
            try:
                covers.count()
            except SearchError:
                # Ctrl-C closed it: what is known by now is told all the same.
                if not self._is_interrupted:
                    raise
            return
        for number, cover in enumerate(covers, 1 + self._taken):
            self._taken = number
            outlet.put(form.cover(number, cover))
            if self._is_interrupted:
                # What was found by then still comes.
                covers.stop()

    def _search_and_keep(self, form: Format, keeper: Keeper) -> None:
        """Do the same in steps, with tokens in between and at the end."""
        covers, outlet = self._covers, self._outlet
        keep = self._question.lists_covers
        while covers.outcome is Outcome.RUNNING and not self._is_interrupted:
            for cover in covers.step(keep=keep):
                self._taken += 1
                outlet.put(form.cover(self._taken, cover))
            keeper.keep_if_due(covers.checkpoint, outlet)
        keeper.keep(covers.checkpoint(), outlet)
        covers.close()

    def _interrupt(self) -> None:
        """End the search with everything that was found so far.

        Closing drops the covers that were found but not taken yet. If there are
        such, the loop that takes them ends the search; else it may not come round for
        long.
        """
        self._is_interrupted = True
        self._outlet.hurry()
        if self._keeper is not None:
            # Its loop comes round every few milliseconds.
            return
        lists_covers = self._question.lists_covers
        if not lists_covers or self._taken >= self._covers.stats.covers:
            self._covers.close()
