"""From a source to a session, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..dlx import Reading
from ..fingerprint import is_long_work, steps
from ..layout import Layout
from ..problem import Problem
from .finished import Finished
from .session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ..dlx import Source
    from .kernel import Kernel
    from .token import Origin

__all__ = ["Begin", "Make", "Opening"]

Begin: TypeAlias = "Callable[[Layout], Generator[bool, None, Layout]]"

Make: TypeAlias = "Callable[[], Problem]"
"""What makes a problem; it may take its time."""


class Opening:
    """Reads a source, lays the problem out, and prepares a kernel for it.

    Parameters
    ----------
    source : Problem, Source or callable
        What to search, or what makes it.
    make_kernel : callable
        Gives an engine's kernel for a layout; it may refuse the problem.
    limit : int, optional
        Passed on to the session.
    price : callable, optional
        Gives the problem its prices; it may take its time.
    begin : callable, optional
        Gives the layout a start, step by step.
    origin : Origin, optional
        What the search is of, and where it is to go on.
    """

    def __init__(
        self,
        source: Problem | Source | Make,
        make_kernel: Callable[[Layout], Kernel],
        limit: int | None = None,
        price: Callable[[Problem], Problem] | None = None,
        begin: Begin | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.problem = source if isinstance(source, Problem) else None
        self._make = source if callable(source) else None
        self._reading: Reading | None = None
        if not isinstance(source, Problem) and not callable(source):
            self._reading = Reading(source)
        self._make_kernel = make_kernel
        self._limit = limit
        self._price = price
        self._begin = begin
        self._origin = origin
        self._kernel: Kernel | None = None
        self._stopped = False

    def stop(self) -> None:
        """Make the running step end soon; callable from any thread."""
        self._stopped = True
        if self._reading is not None:
            self._reading.stop()
        if self._kernel is not None:
            self._kernel.stop()

    def release(self) -> None:
        """Let go of all but the problem."""
        self._reading = self._kernel = self._make = None

    def steps(self) -> Generator[bool, None, Session]:
        """Do the work; each yield tells whether the next step may block on input.

        Raises
        ------
        ProblemError
            The problem is faulty, or none for this engine.
        CheckpointError
            It is not the one that the search was of which is to go on.
        """
        if self._reading is not None:
            self.problem = Problem((yield from self._reading.steps()))
        elif self._make is not None:
            yield True
            made: object = self._make()
            if not isinstance(made, Problem):
                kind = type(made).__name__
                raise TypeError(f"what makes a problem has given {kind} instead")
            self.problem = made
        assert self.problem is not None
        if self._price is not None:
            yield True
            self.problem = self._price(self.problem)
        token = self._origin.token if self._origin is not None else None
        # Whoever asks for a token later does so on the event loop: there is no time
        # for long work then. What is short is left to those who ask.
        if token is not None or (self._origin and is_long_work(self.problem)):
            yield False
            digest = yield from steps(self.problem, with_prices=True)
            if token is not None:
                token.check(self.problem, digest.hex())
        layout = yield from Layout.steps(self.problem)
        if self._begin is not None:
            layout = yield from self._begin(layout)
        if token is not None and token.is_over:
            finished = Finished(token.stats)
            return Session(layout, finished, self._limit, self._origin)
        # Taxes may take a linear program, which cannot be cut short.
        yield self._price is not None
        self._kernel = self._make_kernel(layout)
        if self._stopped:
            self._kernel.stop()
        yield False
        if self._kernel.prepare() and token is not None and token.parts:
            yield False
            token.load(layout, self._kernel)
        return Session(layout, self._kernel, self._limit, self._origin)
