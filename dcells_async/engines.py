"""What a user holds: an engine is an algorithm with its knobs, and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, get_args

from .errors import MultiplicityError
from .kernels.mcc import MccKernel
from .kernels.xcc import XccKernel
from .pricing import Books, Bound, Price, TaxMethod, priced
from .search.climb import Climb
from .solving import Covers
from .stream.dance import Dance

if TYPE_CHECKING:
    from collections.abc import Callable

    from .cover import Cover
    from .dlx import Source
    from .layout import Layout
    from .problem import Problem
    from .search.kernel import Kernel

__all__ = ["MCC", "XCC", "Engine"]


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

    @abstractmethod
    def _kernel(self, layout: Layout) -> Kernel:
        """Make a kernel for a layout, or refuse it with a `ProblemError`."""

    def dance(
        self,
        source: Problem | Source,
        *,
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
        source : Problem or Source
            What to search.
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
            The time between pulses of the heartbeat.

        Raises
        ------
        ValueError
            A parameter is out of range.
        ProblemError, OSError
            On entering the block: the source is faulty, or cannot be read.

        Examples
        --------
        >>> import anyio
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
        return Dance(
            source,
            self._kernel,
            buffer=buffer,
            limit=limit,
            timeout=timeout,
            pulse_interval=pulse_interval,
            debug=self.debug,
        )

    def minimize(
        self,
        source: Problem | Source,
        price: Price = None,
        *,
        best: int = 1,
        bound: Bound | None = None,
        taxes: TaxMethod = "auto",
        buffer: int = 1024,
        limit: int | None = None,
        timeout: float | None = None,
        pulse_interval: float = 1.0,
    ) -> Dance:
        """Search for the cheapest covers, as an asynchronous stream of improvements.

        Each cover that comes has its ``cover.price``. With ``best=1`` prices fall
        strictly, and the last is the optimum if ``result.optimal``. In general the
        k cheapest covers that came are k cheapest covers; more may come.
        ``result.stats`` and the heartbeat tell the best price, a lower bound, and
        the gap between them, at any time.

        Parameters
        ----------
        source : Problem or Source
            What to search.
        price : callable, iterable, mapping, optional
            What each option costs: a function of the `Option`, called in a worker
            thread; prices in the order written; a mapping from option numbers,
            where those missing cost nothing. By default the prices written in the
            text (``|7`` behind an option). Whole numbers of 64 bits.
        best : int, >= 1, default 1
            How many cheapest covers are sought.
        bound : callable, optional
            Gives a lower bound of what is still to be paid, from a `Frame`. It runs
            in the worker thread at each node that the taxes leave in doubt, and
            must not overestimate, or the optimum may be missed. What it raises
            reaches the consumer.
        taxes : {"auto", "greedy", "lp"}, default "auto"
            How the built-in bound is made; see `dcells_async.pricing`. "lp" needs
            the extra ``lp``.
        buffer, limit, timeout, pulse_interval
            As for `dance`.

        Raises
        ------
        PriceError
            On entering the block: a price is no integer of 64 bits, or negative
            with no item of fixed multiplicity to absorb it.

        Examples
        --------
        >>> import anyio
        >>> async def main():
        ...     async with XCC().minimize("a b c\\na b |5\\nc |1\\na c |2\\nb |3") as result:
        ...         async for cover in result.solutions:
        ...             print(cover.price, cover.numbers)
        ...     print(result.optimal)
        >>> anyio.run(main)
        6 (1, 2)
        5 (3, 4)
        True
        """
        return Dance(
            source,
            self._least_cost_kernel(best, bound, taxes),
            buffer=buffer,
            limit=limit,
            timeout=timeout,
            pulse_interval=pulse_interval,
            debug=self.debug,
            price=partial(priced, price=price),
        )

    def cheapest(
        self,
        source: Problem | Source,
        price: Price = None,
        *,
        best: int = 1,
        bound: Bound | None = None,
        taxes: TaxMethod = "auto",
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Covers:
        """Search for the cheapest covers, synchronously; see `minimize`.

        Examples
        --------
        >>> with XCC().cheapest("a b\\na b\\na\\nb", [5, 1, 1]) as covers:
        ...     [cover.price for cover in covers][-1]
        2
        """
        return Covers(
            source,
            self._least_cost_kernel(best, bound, taxes),
            limit=limit,
            timeout=timeout,
            debug=self.debug,
            price=partial(priced, price=price),
        )

    def _least_cost_kernel(
        self, best: int, bound: Bound | None, taxes: TaxMethod
    ) -> Callable[[Layout], Kernel]:
        if best < 1:
            raise ValueError(f"best must be at least 1, not {best}")
        if taxes not in get_args(TaxMethod):
            raise ValueError(f"taxes are 'auto', 'greedy' or 'lp', not {taxes!r}")

        def make(layout: Layout) -> Kernel:
            books = Books(layout, best=best, bound=bound, taxes=taxes)

            def priced_kernel() -> Kernel:
                kernel = self._kernel(layout)
                kernel.open_ledger(books.ledger(kernel.max_depth))
                return kernel

            return Climb(priced_kernel) if best == 1 else priced_kernel()

        return make

    async def first(self, source: Problem | Source) -> Cover | None:
        """Give the first cover, or None if there is none.

        Examples
        --------
        >>> import anyio
        >>> anyio.run(XCC().first, "a b\\na b\\na")
        <Cover of options 1>
        """
        async with self.dance(source, limit=1) as result:
            async for cover in result.solutions:
                return cover
        return None

    async def count(self, source: Problem | Source) -> int:
        """Give the number of covers, without making any.

        Examples
        --------
        >>> import anyio
        >>> anyio.run(XCC().count, "a b\\na b\\na\\nb")
        2
        """
        return await self._count(source, None)

    async def is_unique(self, source: Problem | Source) -> bool:
        """Tell whether there is exactly one cover; stops at the second.

        Examples
        --------
        >>> import anyio
        >>> anyio.run(XCC().is_unique, "a b\\na b\\na\\nb")
        False
        """
        return await self._count(source, 2) == 1

    async def _count(self, source: Problem | Source, limit: int | None) -> int:
        dance = Dance(source, self._kernel, limit=limit, debug=self.debug, keep=False)
        async with dance as result:
            await result.wait()
            # An error of the search is in the channel: let it out.
            async for _ in result.solutions:
                pass
        return result.stats.covers

    def solve(
        self,
        source: Problem | Source,
        *,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Covers:
        """Search for all covers, synchronously: an iterator, best used with ``with``.

        Ctrl-C ends it at once; it needs no event loop, and must not be used on one
        that has other things to do.

        Parameters
        ----------
        source, limit, timeout
            As for `dance`.

        Examples
        --------
        >>> with XCC().solve("a b c\\na b\\nc\\na c\\nb") as covers:
        ...     [cover.numbers for cover in covers]
        [(1, 2), (3, 4)]
        >>> XCC().solve("a b c\\na b\\nc\\na c\\nb").count()
        2
        """
        return Covers(
            source, self._kernel, limit=limit, timeout=timeout, debug=self.debug
        )


@dataclass(frozen=True, kw_only=True)
class XCC(Engine):
    """Exact covering with colors, by Knuth's dancing cells.

    Branches on the primary item with the fewest options, ties to the leftmost, and
    tries them all. The choice for most problems, and the only order of covers that
    is the reference's.

    References
    ----------
    D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1; his program
    SSXCC.

    Examples
    --------
    >>> with XCC().solve("p q | x\\np x:A\\nq x:A\\nq x:B") as covers:
    ...     [cover.numbers for cover in covers]
    [(1, 2)]
    """

    def _kernel(self, layout: Layout) -> Kernel:
        for item in layout.problem.items:
            if item.low != 1 or item.high != 1:
                raise MultiplicityError(
                    f"item {item.label!r} has multiplicity {item.low}:{item.high}, "
                    f"and XCC covers every item once; MCC knows multiplicities"
                )
        return XccKernel(
            layout.n_items,
            layout.n_primary,
            layout.option_start,
            layout.option_item,
            layout.option_color,
        )


@dataclass(frozen=True, kw_only=True)
class MCC(Engine):
    """Exact covering with multiplicities and colors, by Knuth's dancing cells.

    Every primary item is covered as often as its bounds say: ``2|a`` exactly twice,
    ``1:3|a`` from once to three times, ``0:1|a`` at most once. An option is chosen
    at most once; to choose it twice, write it twice.

    Branches on one option of an item at a time: take it or never. Of the items, the
    one with the fewest options beyond those it needs comes first.

    Problems without multiplicities have the same covers as with `XCC`, in another
    order and somewhat later.

    References
    ----------
    D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithm M;
    the program SSMCC.

    Examples
    --------
    >>> with MCC().solve("2|a b c\\na b\\na c\\nb c") as covers:
    ...     [cover.numbers for cover in covers]
    [(1, 2)]
    """

    def _kernel(self, layout: Layout) -> Kernel:
        primary = layout.problem.items[: layout.n_primary]
        return MccKernel(
            layout.n_items,
            layout.n_primary,
            layout.option_start,
            layout.option_item,
            layout.option_color,
            array("i", [item.low for item in primary]),
            array("i", [item.high for item in primary]),
        )
