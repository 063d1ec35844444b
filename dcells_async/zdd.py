"""The engine that finds all covers at once."""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .arguments import checked_count
from .capacity import free_memory
from .cover import Outcome
from .diagram import Diagram
from .diagram.steps import at_once, paced, step_by_step
from .errors import CheckpointError, SearchError
from .kernels.tally import Tally
from .kernels.zdd import ZddKernel
from .search.token import Origin, named
from .solving import Covers
from .stream.dance import Dance
from .stream.once import Once

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import TracebackType
    from typing import Self

    from .cover import Stats
    from .diagram.steps import Steps
    from .dlx import Source
    from .layout import Layout
    from .problem import Problem
    from .stream.result import Heartbeat, Result

__all__ = ["ZDD", "Building"]

_PIECE = 1 << 16
"""So many options are given their numbers in a step."""


@dataclass(frozen=True, kw_only=True)
class ZDD:
    """All covers at once, as a diagram, by dancing cells with a memo.

    Where a search comes to a state that it has met before, what is left to be done is
    the same; so it is done once. Tilings, and other problems in which things hang
    together only with what is near, have diagrams of some thousand nodes for covers
    whose number has seventeen digits. Where states seldom come up again, it costs
    more than `XCC`.

    Accepts multiplicities. The diagram depends on the order of the options, not on
    the knobs; options are best grouped by their smallest item.

    Memory is bounded by `memory_limit`; what the finished `Diagram` takes, 12 bytes
    a node, comes on top.

    References
    ----------
    M. Nishino, N. Yasuda, S. Minato, M. Nagata, Dancing with decision diagrams: a
    combined approach to exact cover, AAAI 2017; D. E. Knuth's program DLX6.

    Examples
    --------
    >>> from dcells_async import ZDD
    >>> diagram = ZDD().diagram("a b c\\na b\\nc\\na c\\nb")
    >>> diagram.count(), diagram.nodes
    (2, 6)
    """

    mrv: bool = True
    """Branch on an item with the fewest options, ties to the first; False: on the
    first item.

    The first way has fewer nodes as a rule. But if each option stands where its
    smallest item does, as in tilings cell by cell, then with False the diagram comes
    out in order by itself, and `build` is several times faster; so it is on long and
    thin regions."""

    components: bool = False
    """Look every few levels whether the problem falls into independent parts, and
    solve these one by one. Costs some time where it does not."""

    memory_limit: int | None = None
    """How many bytes the tables may take, with what is saved along the path of the
    search; by default half of what is free. The smallest ones take 0.9 MB, and 16 bytes
    an item; with less the problem is refused as `DiagramTooLarge`."""

    debug: bool = False
    """Print the size of each problem, and at the end the totals, to stderr."""

    def build(
        self,
        source: Problem | Source,
        *,
        timeout: float | None = None,
        resume: bytes | None = None,
        pulse_interval: float = 1.0,
    ) -> Building:
        """Build the diagram of all covers.

        Await what this returns for the diagram; or open it with ``async with``, to
        listen to its heartbeat meanwhile. Leaving the block ends the search within
        some milliseconds, and leaves nothing behind.

        Parameters
        ----------
        source : Problem or Source
            What to search.
        timeout : float, seconds, optional
            End after so long, the reading of the problem included.
        resume : bytes, optional
            A token that `Building.checkpoint` gave: go on there.
        pulse_interval : float, seconds, > 0, default 1
            The time between pulses of the heartbeat, at least a millisecond.

        Raises
        ------
        ValueError
            A parameter is out of range.
        ProblemError, OSError
            When it is awaited or opened: the source is faulty, or cannot be read.
        CheckpointError
            The token is none, or damaged, or of another search or problem.
        DiagramTooLarge
            When it is awaited: it does not fit into the memory allowed.
        TimeoutError
            When it is awaited: the time ran out.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import ZDD
        >>> async def main():
        ...     diagram = await ZDD().build("a b c\\na b\\nc\\na c\\nb")
        ...     print(diagram.count())
        ...     async with ZDD().build("2|a\\na\\na\\na") as building:
        ...         async for pulse in building.heartbeat:
        ...             print(pulse.signatures)
        ...         diagram = await building
        ...         print(diagram.count())
        >>> anyio.run(main)
        2
        4
        3
        """
        work = _Work(self, ordered=True, resume=resume)
        return Building(work, source, timeout, pulse_interval)

    async def count(
        self,
        source: Problem | Source,
        *,
        timeout: float | None = None,
        resume: bytes | None = None,
    ) -> int:
        """Give the number of covers, exactly; faster than by `build`.

        Parameters
        ----------
        source, timeout, resume
            As for `build`.

        Raises
        ------
        ProblemError, OSError, DiagramTooLarge, TimeoutError
            As for `build`.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import ZDD
        >>> anyio.run(ZDD().count, "a b\\na b\\na\\nb")
        2
        """
        work = _Work(self, ordered=False, resume=resume)
        async with work.dance(source, timeout, 1.0) as result:
            await _ended(result)
        work.check(result.outcome)
        return await step_by_step(work.counting())

    def diagram(
        self,
        source: Problem | Source,
        *,
        timeout: float | None = None,
        resume: bytes | None = None,
    ) -> Diagram:
        """Give the diagram of all covers, synchronously.

        Parameters
        ----------
        source, timeout, resume
            As for `build`.

        Raises
        ------
        ProblemError, OSError, DiagramTooLarge, TimeoutError
            As for `build`.
        """
        work = _Work(self, ordered=True, resume=resume)
        work.run(source, timeout)
        return at_once(work.making())

    def tally(
        self,
        source: Problem | Source,
        *,
        timeout: float | None = None,
        resume: bytes | None = None,
    ) -> int:
        """Give the number of covers, synchronously; faster than by `diagram`.

        Parameters
        ----------
        source, timeout, resume
            As for `build`.

        Raises
        ------
        ProblemError, OSError, DiagramTooLarge, TimeoutError
            As for `build`.

        Examples
        --------
        Fifty times the same three ways:

        >>> from dcells_async import Problem, ZDD
        >>> problem = Problem.from_options([[n] for n in range(50) for _ in range(3)])
        >>> ZDD(components=True).tally(problem) == 3**50
        True
        """
        work = _Work(self, ordered=False, resume=resume)
        work.run(source, timeout)
        return at_once(work.counting())


class _Work:
    """One search for a diagram, and what comes out of it."""

    def __init__(
        self, engine: ZDD, *, ordered: bool, resume: bytes | None = None
    ) -> None:
        self._engine = engine
        what = "a diagram of" if ordered else "the number of"
        self._origin = Origin.of(f"{what} all covers by {named(engine)}", resume)
        if self._origin.token is not None and self._origin.token.is_over:
            raise CheckpointError(
                "this token is of a diagram that is finished, which it does not hold; "
                "Diagram.save keeps it"
            )
        self._ordered = ordered
        self._layout: Layout
        self._kernel: ZddKernel | None = None
        self._found: tuple[array[int], array[int], array[int], int] | None = None
        limit = engine.memory_limit
        if limit is not None:
            limit = min(checked_count("memory_limit", limit, 0), sys.maxsize)
        self._limit = limit

    def dance(
        self, source: Problem | Source, timeout: float | None, pulse_interval: float
    ) -> Dance:
        return Dance(
            source,
            self._make,
            timeout=timeout,
            pulse_interval=pulse_interval,
            debug=self._engine.debug,
            keep=False,
            origin=self._origin,
        )

    def run(self, source: Problem | Source, timeout: float | None) -> None:
        covers = Covers(
            source,
            self._make,
            timeout=timeout,
            debug=self._engine.debug,
            origin=self._origin,
        )
        with covers:
            covers.count()
        self.check(covers.outcome)

    def check(self, outcome: Outcome) -> None:
        """Raise what is to be said of a search that did not come to its end."""
        if outcome is Outcome.TIMED_OUT:
            raise TimeoutError("the time ran out before the diagram was finished")
        if outcome is not Outcome.EXHAUSTED:
            raise SearchError("the search was ended before the diagram was finished")

    def making(self) -> Steps[Diagram]:
        """Make the diagram of what was found, step by step."""
        (options, lows, highs, root), kept = self._tables(), self._layout.kept
        if kept is not None:
            numbers = array("i", (-1, -1))
            for at in range(2, len(options), _PIECE):
                numbers.extend([kept[o] for o in options[at : at + _PIECE]])
                yield
            options = numbers
        problem = self._layout.problem
        made = Diagram._made(problem, options, lows, highs, root)  # noqa: SLF001
        return (yield from made)

    def counting(self) -> Steps[int]:
        """Count what was found, step by step."""
        tally = Tally(*self._tables(), self._layout.n_options)
        yield from paced(tally.advance)
        number: int = tally.number(tally.root)
        return number

    def drop(self) -> None:
        """Let go of the tables."""
        self._kernel = self._found = None

    def _tables(self) -> tuple[array[int], array[int], array[int], int]:
        """Give the nodes that were found, and let go of all else."""
        if self._found is None:
            kernel, self._kernel = self._kernel, None
            assert kernel is not None
            columns = (kernel.options_made, kernel.lows_made, kernel.highs_made)
            self._found = (*columns, kernel.root)
        return self._found

    def _make(self, layout: Layout) -> ZddKernel:
        primary = layout.problem.items[: layout.n_primary]
        self._layout = layout
        self._kernel = ZddKernel(
            layout.n_items,
            layout.n_primary,
            layout.option_start,
            layout.option_item,
            layout.option_color,
            array("i", [item.low for item in primary]),
            array("i", [item.high for item in primary]),
            mrv=self._engine.mrv,
            split=self._engine.components,
            ordered=self._ordered,
            memory_limit=free_memory() // 2 if self._limit is None else self._limit,
        )
        return self._kernel


class Building:
    """A diagram on its way: awaited for the diagram, or opened with ``async with``.

    Any number of tasks may await it. It ends with the block, or, if there is none,
    with the first of them: should that be cancelled, the others get a `SearchError`.

    Attributes
    ----------
    result : Result
        How the search stands; without covers, for they come out together.
    """

    def __init__(
        self,
        work: _Work,
        source: Problem | Source,
        timeout: float | None,
        pulse_interval: float,
    ) -> None:
        self._work = work
        self._dance = work.dance(source, timeout, pulse_interval)
        self._result: Result | None = None
        self._diagram: Once[Diagram] | None = None

    @property
    def result(self) -> Result:
        """How the search stands."""
        if self._result is None:
            raise RuntimeError("a building has to be opened first, with async with")
        return self._result

    @property
    def heartbeat(self) -> Heartbeat:
        """A stream of pulses, a new one each time; it ends with the search."""
        return self.result.heartbeat

    @property
    def stats(self) -> Stats:
        """The statistics, at most one slice of some milliseconds old."""
        return self.result.stats

    @property
    def outcome(self) -> Outcome:
        """How the search stands, or how it ended."""
        return self.result.outcome

    def checkpoint(self) -> bytes:
        """Give a token, with which the building can go on; see `Result.checkpoint`.

        It holds all that the search has come to know: some twenty bytes for every
        state, and twelve for every node.

        Raises
        ------
        SearchError
            The diagram is finished, and can be saved itself; or as for a `Result`.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import ZDD
        >>> async def main():
        ...     async with ZDD().build("a b\\na b\\na\\nb", timeout=0) as building:
        ...         await building.result.wait()
        ...         token = building.checkpoint()
        ...     print((await ZDD().build("a b\\na b\\na\\nb", resume=token)).count())
        >>> anyio.run(main)
        2
        """
        token = self.result.checkpoint()
        if self.result.is_exhausted:
            raise SearchError("the diagram is finished: it can be saved itself")
        return token

    async def __aenter__(self) -> Self:
        if self._diagram is not None:
            raise RuntimeError("a building can be opened only once")
        self._diagram = Once()
        failure: Exception | None = SearchError("the search was ended before it began")
        try:
            self._result = await self._dance.__aenter__()
            failure = None
        except Exception as error:
            failure = error
            raise
        finally:
            self._diagram.begin(failure)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await self._dance.__aexit__(exc_type, exc_value, traceback)
        finally:
            if self.outcome is not Outcome.EXHAUSTED:
                self._work.drop()

    def __await__(self) -> Generator[object, None, Diagram]:
        return self._build().__await__()

    async def _build(self) -> Diagram:
        if self._diagram is None:
            async with self:
                return await self._build()
        return await self._diagram.get(self._finish)

    async def _finish(self) -> Diagram:
        assert self._result is not None
        await _ended(self._result)
        self._work.check(self._result.outcome)
        diagram = await step_by_step(self._work.making())
        self._work.drop()
        return diagram


async def _ended(result: Result) -> None:
    """Wait for the end of a search that gives out no covers, and let its error out."""
    await result.wait()
    if not result.solutions.is_closed:
        async for _ in result.solutions:
            pass
