"""The diagram of all covers, as its user holds it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..arguments import checked_count
from ..kernels.arrays import zeros
from ..kernels.sieve import Sieve
from ..kernels.walk import WalkKernel
from ..numerals import written
from ..solving import Covers
from ..stream.dance import Dance
from . import bridges, drawing, saving
from .awaitable import AwaitableDiagram
from .steps import at_once, paced
from .walking import Walk
from .weighed import Weighed

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from graphillion import setset
    from oxidd.zbdd import ZBDDFunction, ZBDDManager

    from ..cover import Cover
    from ..problem import Problem
    from .steps import Steps

__all__ = ["Diagram"]


class Diagram(Weighed):
    """All covers of a problem at once: a zero-suppressed decision diagram (ZDD).

    A diagram stands for as many covers as there are ways through it, which may be
    astronomically many, and answers questions about all of them in one walk through
    its nodes. It is made by `ZDD`, and never changes. What a question needs to know of
    every node is computed when it is first asked, and kept.

    The covers have an order: the first option that tells two of them apart is in the
    later one. Within a cover options ascend.

    Questions take some 10 to 100 ns a node. Those asked here are answered at once,
    for scripts and notebooks; Ctrl-C is let through every few milliseconds. On an
    event loop, ask `awaitable` about large diagrams. And `solutions` is a stream.

    Parameters
    ----------
    problem : Problem
        What the sets are covers of.
    options, lows, highs : sequence of int, shape (n,)
        The nodes: for each its option as in `Cover.indices`, its child for the sets
        without this option, and that for the sets with it. Children come before
        their parents, and options grow from parents to children. Nodes 0 and 1 are
        the empty family and the family of the empty set. No two nodes are equal (which
        is not checked), and none has node 0 as its high child.
    root : int
        The node that stands for all covers; nodes it does not reach are left out.

    Raises
    ------
    ValueError
        A node is out of order.
    CapacityError
        There are 2**31 nodes or more.

    References
    ----------
    S. Minato, Zero-suppressed BDDs for set manipulation in combinatorial problems,
    DAC 1993; D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4.

    Examples
    --------
    Two covers, option 1 alone and options 2 and 3, in three nodes and two sinks:

    >>> from dcells_async import Diagram, Problem
    >>> problem = Problem.from_dlx("a b\\na b\\na\\nb")
    >>> columns = [-1, -1, 2, 1, 0], [0, 0, 0, 0, 3], [0, 0, 1, 2, 1]
    >>> diagram = Diagram(problem, *columns, root=4)
    >>> diagram.count(), diagram.nodes
    (2, 5)
    >>> list(diagram)
    [<Cover of options 2, 3>, <Cover of options 1>]
    """

    @property
    def awaitable(self) -> AwaitableDiagram:
        """The same questions, each to be awaited: they leave the event loop free.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import ZDD
        >>> async def main():
        ...     diagram = await ZDD().build("a b\\na b\\na\\nb")
        ...     print(await diagram.awaitable.frequencies())
        >>> anyio.run(main)
        [1, 1, 1]
        """
        return AwaitableDiagram(self)

    # -- one after the other -------------------------------------------------------

    def solutions(
        self,
        start: int = 0,
        *,
        buffer: int = 1024,
        limit: int | None = None,
        timeout: float | None = None,
        pulse_interval: float = 1.0,
    ) -> Dance:
        """Go through the covers, as an asynchronous stream in their order.

        To be used with ``async with``, which gives a `Result`, like `Engine.dance`;
        nothing runs ahead of the consumer by more than the buffer, and nothing is left
        behind. Of the statistics, ``nodes`` are nodes entered, and ``fraction`` tells
        the part of the family that is behind.

        Parameters
        ----------
        start : int, >= 0, default 0
            The rank of the first cover: so a walk that was broken off is taken up, or
            one is divided among several. It costs one way down.
        buffer, limit, timeout, pulse_interval
            As for `Engine.dance`.

        Raises
        ------
        ValueError
            A parameter is out of range; or there are fewer covers than `start`, which
            is found out once they are counted, and told in the block.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> async def main():
        ...     async with diagram.solutions(start=1) as result:
        ...         async for cover in result.solutions:
        ...             print(cover.numbers)
        >>> anyio.run(main)
        (1,)
        """
        return Dance(
            self._problem,
            partial(Walk, self._walking(checked_count("start", start, 0))),
            buffer=buffer,
            limit=limit,
            timeout=timeout,
            pulse_interval=pulse_interval,
        )

    def covers(
        self, start: int = 0, *, limit: int | None = None, timeout: float | None = None
    ) -> Covers:
        """Go through the covers, synchronously: an iterator, best used with ``with``.

        Parameters
        ----------
        start, limit, timeout
            As for `solutions`.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> with diagram.covers(limit=1) as covers:
        ...     [cover.numbers for cover in covers]
        [(2, 3)]
        """
        start = checked_count("start", start, 0)
        if start > (total := self.count()):
            raise _too_far(start, total)
        walk = partial(Walk, self._walking(start))
        return Covers(self._problem, walk, limit=limit, timeout=timeout)

    def __iter__(self) -> Iterator[Cover]:
        return self.covers()

    def _walking(self, start: int) -> Steps[Callable[[array[int]], WalkKernel]]:
        total = yield from self._counting()
        if start > total:
            raise _too_far(start, total)
        first = self._covers_of([start])[0].indices if start < total else None
        return lambda numbers: WalkKernel(*self._family(), numbers, first, start, total)

    # -- parts ---------------------------------------------------------------------

    def restrict(self, use: Iterable[int] = (), avoid: Iterable[int] = ()) -> Diagram:
        """Give the diagram of those covers that use some options and avoid others.

        Parameters
        ----------
        use, avoid : iterable of int
            Option numbers, from 1. What is both to be used and to be avoided leaves no
            cover.

        Raises
        ------
        ValueError
            There is no such option.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> list(diagram.restrict(use=[2])), list(diagram.restrict(avoid=[2]))
        ([<Cover of options 2, 3>], [<Cover of options 1>])
        """
        return at_once(self._restricting(use, avoid))

    def _restricting(self, use: Iterable[int], avoid: Iterable[int]) -> Steps[Diagram]:
        n_options = len(self._problem.options)
        wish = zeros(n_options + 1)
        root = self._root
        for number in use:
            wish[self._option(number)] = 1
        for number in avoid:
            option = self._option(number)
            if wish[option] > 0:
                root = 0
            wish[option] = -1
        sieve = Sieve(*self._columns, root, n_options, wish)
        yield from paced(sieve.advance)
        return (yield from Diagram._made(self._problem, *sieve.result()))

    def _option(self, number: int) -> int:
        n_options = len(self._problem.options)
        if (
            not 1
            <= (number := checked_count("an option number", number, 1))
            <= n_options
        ):
            raise ValueError(f"option {number} does not exist: there are {n_options}")
        return number - 1

    # -- elsewhere -----------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the diagram to a file, with its problem if that can be written as text.

        The file is complete or not there at all. It takes 12 bytes a node. A file
        that is there already is replaced, with its permissions kept; a symbolic link
        is followed.

        Raises
        ------
        OSError
            It cannot be written; or what is there is no regular file, but a folder, a
            pipe or a device.
        """
        at_once(saving.save(self, path))

    @classmethod
    def load(cls, path: str | Path, problem: Problem | None = None) -> Diagram:
        """Read a diagram that `save` wrote.

        Parameters
        ----------
        path : str or Path
        problem : Problem, optional
            The problem it was made for. Needed if the problem could not be written as
            text, and useful if there is one at hand, since covers then have it.

        Raises
        ------
        ValueError
            The file is no diagram, or damaged, or of a later version, or belongs to
            another problem.
        CapacityError
            It has 2**31 nodes or more.
        OSError
            It cannot be read.
        """
        return at_once(cls._loading(path, problem))

    @classmethod
    def _loading(cls, path: str | Path, problem: Problem | None) -> Steps[Diagram]:
        parts = yield from saving.load(path, problem)
        return (yield from cls._made(*parts))

    def to_oxidd(self, manager: ZBDDManager | None = None) -> ZBDDFunction:
        """Give the family as a ``ZBDDFunction`` of OxiDD, for family algebra.

        Its variables are the options as written, from the top; needs the extra
        ``oxidd``.

        Parameters
        ----------
        manager : oxidd.zbdd.ZBDDManager, optional
            With no variables yet, or just one for each option; by default a new one
            with room for this diagram and nine times as much.
        """
        return bridges.to_oxidd(self, manager)

    def to_graphillion(self) -> setset:
        """Give the family as a ``setset`` of Graphillion, of option numbers from 1.

        Graphillion has one universe at a time: it becomes the options of this problem.
        Needs the extra ``graphillion``.
        """
        return bridges.to_graphillion(self)

    def to_dot(self) -> str:
        """Give a text that Graphviz draws: dashed edges go without the option.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> print(*diagram.restrict(use=[1]).to_dot().splitlines()[-3:], sep="\\n")
          2 -> 0 [style=dashed]
          2 -> 1
        }
        """
        return drawing.to_dot(self)

    def _repr_svg_(self) -> str | None:
        """Draw a small diagram for Jupyter; a large one is not drawn."""
        return drawing.to_svg(self)

    def __repr__(self) -> str:
        return (
            f"<Diagram of {self.nodes:,} nodes, {len(self._problem.options):,} options>"
        )


def _too_far(start: int, total: int) -> ValueError:
    return ValueError(
        f"start is {written(start)}, and there are {written(total)} covers"
    )
