"""From a source to a session, or the sessions of a crew, step by step."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, TypeAlias

from ..cover import Outcome, Stats
from ..dlx import Reading
from ..errors import SearchError
from ..fingerprint import is_long_work, steps
from ..kernels.bits import BitsKernel
from ..layout import Layout
from ..problem import Problem
from .climb import Climb
from .crew import Crew
from .finished import Finished
from .race import Race
from .relay import Relay
from .session import Session
from .team import Team
from .token import damaged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..dlx import Source
    from .door import Door
    from .kernel import Kernel
    from .stretch import Stretch
    from .token import Origin

__all__ = ["Begin", "Make", "Opening"]

Begin: TypeAlias = "Callable[[Layout], Generator[bool, None, Layout]]"

Make: TypeAlias = "Callable[[], Problem | Generator[bool, None, Problem]]"
"""What makes a problem: at once, in whatever time that takes, or step by step."""


class Opening:
    """Reads a source, lays the problem out, and prepares a kernel for it.

    Parameters
    ----------
    source : Problem, Source or callable
        What to search, or what makes it.
    make_kernel : callable
        Gives an engine's kernel for a layout; it may refuse the problem.
    limit : int, optional
        After so many covers the search is to end.
    price : callable, optional
        Gives the problem its prices; it may take its time.
    begin : callable, optional
        Gives the layout a start, step by step.
    origin : Origin, optional
        What the search is of, and where it is to go on.
    team : Team, optional
        Who is to work on it; by default, one worker. Where several did before, it takes
        a crew to go on, be it of one.
    hold : int, covers
        How many a crew may keep back for the sake of the order.
    door : Door, optional
        For a crew in several threads.
    """

    def __init__(
        self,
        source: Problem | Source | Make,
        make_kernel: Callable[[Layout], Kernel],
        limit: int | None = None,
        price: Callable[[Problem], Problem] | None = None,
        begin: Begin | None = None,
        origin: Origin | None = None,
        team: Team | None = None,
        hold: int = 1024,
        door: Door | None = None,
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
        self._team = team or Team()
        self._hold = hold
        self._door = door
        self._crew: Crew | None = None
        self._kernel: Kernel | None = None
        self._stopped = False

    def stop(self) -> None:
        """Make the running step end soon; callable from any thread."""
        self._stopped = True
        if self._reading is not None:
            self._reading.stop()
        if self._kernel is not None:
            self._kernel.stop()
        if self._crew is not None:
            self._crew.stop()

    def release(self) -> None:
        """Let go of all but the problem."""
        self._reading = self._kernel = self._make = self._crew = None

    def steps(self) -> Generator[bool, None, Session | Crew]:
        """Do the work; each yield tells whether the next step may block on input.

        Raises
        ------
        ProblemError
            The problem is faulty, or none for this engine.
        CheckpointError
            It is not the one that the search was of which is to go on.
        SearchError
            It was stopped meanwhile.
        """
        self.problem = yield from self._found()
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
        kernel = self._make_kernel(layout)
        is_alone = self._team.workers == 1 and not (token and token.is_divided)
        if token is not None and token.parts:
            token.check_form(layout, kernel)
        if is_alone or token is None or not token.parts:
            yield from self._prepared(kernel, token.parts if token else ())
        if is_alone:
            return Session(layout, kernel, self._limit, self._origin)
        if token is None or not token.parts:
            sessions = [Session(layout, kernel)]
        else:
            sessions = yield from self._sessions(layout, kernel, token.parts)
        self._crew = Crew(
            sessions,
            self._team.workers,
            limit=self._limit,
            best=self._team.best,
            ordered=self._team.ordered,
            hold=self._hold,
            origin=self._origin,
            door=self._door,
        )
        return self._crew

    def _found(self) -> Generator[bool, None, Problem]:
        """Read the problem, or have it made, if it is not there yet."""
        if self._reading is not None:
            return Problem((yield from self._reading.steps()))
        if self._make is None:
            assert self.problem is not None
            return self.problem
        yield True
        made: object = self._make()
        if isinstance(made, Generator):
            # Unlike a call, it can be stopped half-way.
            made = yield from made
        if not isinstance(made, Problem):
            kind = type(made).__name__
            raise TypeError(f"what makes a problem has given {kind} instead")
        return made

    def _prepared(
        self, kernel: Kernel, parts: Sequence[Stretch]
    ) -> Generator[bool, None, None]:
        """Prepare a kernel, and bring it to where a part stands, if there is one.

        A kernel that was stopped meanwhile stands nowhere, and nobody is to get it.
        """
        self._kernel = kernel
        if self._stopped:
            kernel.stop()
        yield False
        if not kernel.prepare():
            raise SearchError("the search was stopped before it had begun")
        if parts:
            yield False
            try:
                kernel.load(parts[0].state)
            except (ValueError, OverflowError) as error:
                if not self._stopped:
                    raise damaged(str(error)) from error
            if self._stopped:
                raise SearchError("the search was stopped before it could go on")

    def _sessions(
        self, layout: Layout, root: Kernel, parts: Sequence[Stretch]
    ) -> Generator[bool, None, list[Session]]:
        """Bring all parts of a search to where they stand, each with its kernel.

        The root is the engine's own, and not prepared: it takes up the first part, or,
        if that is of another sort, just makes kernels for the others.
        """
        sessions: list[Session] = []
        first: Kernel | None = None
        for part in parts:
            if not part.state:
                session = Session(layout, Finished(Stats()))
                session.outcome = Outcome.EXHAUSTED
                sessions.append(session)
                continue
            kernel = root
            if first is not None or part.sort:
                try:
                    kernel = self._heir(layout, root, first, part.sort)
                except ValueError as error:
                    raise damaged(str(error)) from error
            yield from self._prepared(kernel, [part])
            first = first or kernel
            session = Session(layout, kernel, sort=part.sort, position=part.position)
            sessions.append(session)
        return sessions

    def _heir(
        self, layout: Layout, root: Kernel, first: Kernel | None, sort: str
    ) -> Kernel:
        """Make a kernel like one that was given away."""
        if isinstance(root, (Climb, Race)):
            return root.heir(sort)
        if sort:
            raise ValueError(f"no part of such a search is a {sort!r}")
        if isinstance(first, BitsKernel):
            return first.twin()
        kernel = self._make_kernel(layout)
        if isinstance(kernel, Relay) and isinstance(first, Relay):
            kernel.share(first)
        return kernel
