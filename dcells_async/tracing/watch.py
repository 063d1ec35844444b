"""Watching a search step by step, by iteration of either kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..arguments import checked_count
from ..errors import MultiplicityError
from ..problem import Problem
from ..stream.flow import Flow
from .cells import Cells
from .links import Links

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from ..dlx import Source
    from ..stream.channel import Channel
    from .step import Step

__all__ = ["Trace", "WayName", "check_watchable", "trace"]

WayName: TypeAlias = Literal["links", "cells"]

_WAYS = {"links": Links, "cells": Cells}


class Trace:
    """The steps of a search, to be iterated over, anew each time; see `trace`."""

    def __init__(self, source: Problem | Source, way: WayName, buffer: int) -> None:
        self._source = source
        self._way = way
        self._buffer = buffer
        self._flow: Flow[Step] | None = None

    def __iter__(self) -> Iterator[Step]:
        problem = self._source
        if not isinstance(problem, Problem):
            problem = self._source = Problem.from_dlx(problem)
        check_watchable(problem)
        yield from _WAYS[self._way](problem).steps()

    async def __aenter__(self) -> Channel[Step]:
        """Begin to search.

        Raises
        ------
        RuntimeError
            It is being watched in such a way already.
        """
        if self._flow is not None:
            raise RuntimeError("a trace is streamed to one consumer at a time")
        self._flow = Flow(iter(self), self._buffer)
        try:
            return await self._flow.__aenter__()
        except BaseException:
            self._flow = None
            raise

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        flow, self._flow = self._flow, None
        assert flow is not None
        await flow.__aexit__(exc_type, exc_value, traceback)


def check_watchable(problem: Problem) -> None:
    """Refuse a problem that the searches to be watched cannot solve.

    Raises
    ------
    MultiplicityError
        It has multiplicities.
    """
    for item in problem.items:
        if item.low != 1 or item.high != 1:
            raise MultiplicityError(
                f"item {item.label!r} has multiplicity {item.low}:{item.high}, "
                f"and the searches to be watched cover every item once"
            )


def trace(
    source: Problem | Source, way: WayName = "links", *, buffer: int = 64
) -> Trace:
    """Watch how the search goes, for teaching and for checking other searches.

    The searches are small and in plain Python; they share nothing with the kernels
    that solve problems in earnest. Both branch on the item with the fewest options,
    the leftmost of several, and find all covers.

    Iterate over the trace, or open it with ``async with`` for a stream of the same
    steps, each made when there is room for it.

    Parameters
    ----------
    source : Problem or Source
        A problem without multiplicities; prices are not looked at.
    way : {"links", "cells"}, default "links"
        Dancing links, where undoing goes backwards through all that was done, or
        dancing cells, where it restores sizes.
    buffer : int, steps, >= 0, default 64
        How far the search may run ahead of an asynchronous consumer. With 0 it
        takes each step when it is waited for.

    Raises
    ------
    ValueError
        There is no such way.
    ProblemError, OSError
        On iteration: the source is faulty, cannot be read, or has multiplicities.

    Examples
    --------
    >>> for step in trace("a b\\na\\na b"):
    ...     print("  " * step.depth + str(step))
    choose b: 1 option, no item has fewer
      try option 2: a b
      cover b
      cover a
      hide option 1: a
      solution: 2
      unhide option 1: a
      uncover a
      uncover b
    """
    if way not in get_args(WayName):
        raise ValueError(f"ways are 'links' and 'cells', not {way!r}")
    return Trace(source, way, checked_count("buffer", buffer, 0))
