"""What all engines can do: dance, solve, count."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .arguments import checked_count
from .reducing import reducing
from .search.token import Origin, named
from .shuffling import shuffled
from .solving import Covers
from .start import checked_start, restricted
from .stream.dance import Dance

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from .cover import Cover
    from .dlx import Source
    from .layout import Layout
    from .problem import Problem
    from .search.kernel import Kernel
    from .search.opening import Begin, Make
    from .search.team import Team
    from .start import Start

__all__ = ["Engine"]


@dataclass(frozen=True, kw_only=True)
class Engine(ABC):
    """What all engines can do.

    Engines keep no state of a search: one object can be shared, and dance any
    number of times at once.

    Every method takes a *source*: a `Problem`, or DLX text as ``str`` or
    ``bytes``, a path, an open file, or an iterable of lines. A text is read off
    the event loop.
    """

    debug: bool = False
    """Print the size of each problem, and at the end the totals, to stderr."""

    preprocess: bool = False
    """Remove what can be in no cover, before the search.

    Options whose use would starve some item, as long as there are any, and then items
    that make no difference any more; see `dcells_async.reducing`. The covers are the
    same, in another order maybe, and ``stats`` tell how much has gone. With options
    given or struck out, that comes first. Least-cost searches leave the items alone.
    """

    seed: int | None = None
    """Try the options in a random order, which this number, >= 0, determines.

    The covers are the same, and which of them come first is different from seed to
    seed, though the same everywhere for one. That is no fair sample: some covers are
    easier to find than others, by far. (`ZDD` draws all with equal chances.)
    """

    def __post_init__(self) -> None:
        if self.seed is not None:
            checked_count("seed", self.seed, 0)

    @abstractmethod
    def _kernel(self, layout: Layout) -> Kernel:
        """Make a kernel for a layout, or refuse it with a `ProblemError`."""

    def _begun(self, layout: Layout, start: Start) -> Generator[bool, None, Layout]:
        """Give a layout its start, step by step."""
        return restricted(layout, start)

    def _team(self) -> Team | None:
        """Tell who is to work on a search; None for a single worker."""
        return None

    def _origin(
        self, given: Iterable[int], without: Iterable[int], resume: bytes | None
    ) -> Origin:
        return Origin.of(f"all covers by {named(self)}", resume, given, without)

    def _begin(self, origin: Origin, *, with_items: bool = True) -> Begin | None:
        """Give what goes before the search, if anything does.

        Without `with_items` all items stay, for those who number them.
        """
        given, without = origin.given, origin.without
        if not given and not without and not self.preprocess and self.seed is None:
            return None

        def begin(layout: Layout) -> Generator[bool, None, Layout]:
            if given or without:
                start = checked_start(layout.problem, given, without)
                layout = yield from self._begun(layout, start)
            if self.preprocess:
                layout = yield from reducing(layout, with_items=with_items)
            if self.seed is not None:
                layout = yield from shuffled(layout, self.seed)
            return layout

        return begin

    def dance(
        self,
        source: Problem | Source | Make,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
        resume: bytes | None = None,
        buffer: int = 1024,
        limit: int | None = None,
        timeout: float | None = None,
        pulse_interval: float = 1.0,
    ) -> Dance:
        """Search for all covers, as an asynchronous stream.

        To be used with ``async with``, which gives a `Result`. Leaving the block,
        by whatever way, ends the search within some milliseconds and leaves
        nothing behind.

        Parameters
        ----------
        source : Problem, Source or callable
            What to search, or a function without parameters that makes the problem on
            entering the block, in a worker thread. A generator function may do so
            step by step: its yields are of False, and there it can be stopped.
        given : iterable of int, optional
            Numbers of options that every cover is to have; they come first in each.
        without : iterable of int, optional
            Numbers of options that none is to have.
        resume : bytes, optional
            A token that `Result.checkpoint` gave for an equal search: go on there. What
            was given or struck out then is so still. `limit` counts the covers from the
            beginning of it all, and so do the statistics; `timeout` begins anew.
        buffer : int, covers, >= 0, default 1024
            How far the search may run ahead of the consumer. When the channel is
            full the search rests, and holds no thread. With 0 it goes on only
            while somebody waits for a cover.
        limit : int, covers, > 0, optional
            End after so many covers.
        timeout : float, seconds, optional
            End after so long, the reading of the problem included. What was found
            can still be taken.
        pulse_interval : float, seconds, > 0, default 1
            The time between pulses of the heartbeat, at least a millisecond.

        Raises
        ------
        ValueError
            A parameter is out of range.
        ProblemError, OSError
            On entering the block: the source is faulty, or cannot be read.
        CheckpointError
            The token is none, or damaged, or of another search; of another problem: on
            entering the block.
        GivenError
            On entering the block: a number is none of an option, or options that are
            given clash.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import XCC
        >>> async def main():
        ...     async with XCC().dance("a b c\\na b\\nc\\na c\\nb") as result:
        ...         async for cover in result.solutions:
        ...             print(cover.numbers)
        ...     print(result.outcome.value, result.stats.nodes)
        >>> anyio.run(main)
        (1, 2)
        (3, 4)
        exhausted 5
        """
        origin = self._origin(given, without, resume)
        return Dance(
            source,
            self._kernel,
            buffer=buffer,
            limit=limit,
            timeout=timeout,
            pulse_interval=pulse_interval,
            debug=self.debug,
            begin=self._begin(origin),
            team=self._team(),
            origin=origin,
        )

    async def first(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
    ) -> Cover | None:
        """Give the first cover, or None if there is none.

        Parameters
        ----------
        source, given, without
            As for `dance`.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import XCC
        >>> anyio.run(XCC().first, "a b\\na b\\na")
        <Cover of options 1>
        """
        dance = self.dance(source, given=given, without=without, limit=1)
        async with dance as result:
            async for cover in result.solutions:
                return cover
        return None

    async def count(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
    ) -> int:
        """Give the number of covers, without making any.

        Parameters
        ----------
        source, given, without
            As for `dance`.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import XCC
        >>> anyio.run(XCC().count, "a b\\na b\\na\\nb")
        2
        """
        return await self._counted(self.counting(source, given=given, without=without))

    async def is_unique(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
    ) -> bool:
        """Tell whether there is exactly one cover; stops at the second.

        Parameters
        ----------
        source, given, without
            As for `dance`.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import XCC
        >>> anyio.run(XCC().is_unique, "a b\\na b\\na\\nb")
        False
        """
        counting = self.counting(source, given=given, without=without, limit=2)
        return await self._counted(counting) == 1

    def counting(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
        resume: bytes | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        pulse_interval: float = 1.0,
    ) -> Dance:
        """Count the covers, without making any, and tell how far that is.

        To be used with ``async with``, like `dance`; ``result.solutions`` stays empty,
        and ``result.stats.covers`` counts.

        Parameters
        ----------
        source, given, without, resume, limit, timeout, pulse_interval
            As for `dance`.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import XCC
        >>> async def main():
        ...     async with XCC().counting("a b\\na b\\na\\nb", timeout=60) as result:
        ...         await result.wait()
        ...     print(result.stats.covers, result.outcome.value)
        >>> anyio.run(main)
        2 exhausted
        """
        origin = self._origin(given, without, resume)
        return Dance(
            source,
            self._kernel,
            limit=limit,
            timeout=timeout,
            pulse_interval=pulse_interval,
            debug=self.debug,
            keep=False,
            begin=self._begin(origin),
            team=self._team(),
            origin=origin,
        )

    async def _counted(self, counting: Dance) -> int:
        async with counting as result:
            await result.wait()
            # An error of the search is in the channel: let it out.
            async for _ in result.solutions:
                pass
        return result.stats.covers

    def solve(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
        resume: bytes | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Covers:
        """Search for all covers, synchronously: an iterator, best used with ``with``.

        Ctrl-C ends it at once; it needs no event loop, and must not be used on one
        that has other things to do.

        Parameters
        ----------
        source, given, without, resume, limit, timeout
            As for `dance`.

        Examples
        --------
        >>> from dcells_async import XCC
        >>> with XCC().solve("a b c\\na b\\nc\\na c\\nb") as covers:
        ...     [cover.numbers for cover in covers]
        [(1, 2), (3, 4)]
        >>> XCC().solve("a b c\\na b\\nc\\na c\\nb").count()
        2
        >>> XCC().solve("a b c\\na b\\nc\\na c\\nb", given=[4]).first()
        <Cover of options 4, 3>
        """
        origin = self._origin(given, without, resume)
        return Covers(
            source,
            self._kernel,
            limit=limit,
            timeout=timeout,
            debug=self.debug,
            begin=self._begin(origin),
            team=self._team(),
            origin=origin,
        )
