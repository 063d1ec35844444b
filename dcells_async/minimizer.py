"""What engines that know about prices can do besides: find the cheapest covers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, get_args

from .arguments import checked_count
from .engine import Engine
from .kernels.cheapest import CheapestKernel
from .layout import multiplicities
from .pricing import Books, Bound, Price, TaxMethod, priced
from .search.climb import Climb
from .search.team import Team
from .search.token import Origin, named
from .solving import Covers
from .stream.dance import Dance
from .stream.threads import n_cores

if TYPE_CHECKING:
    from collections.abc import Callable

    from .dlx import Source
    from .layout import Layout
    from .problem import Problem
    from .search.kernel import Kernel, PricedKernel
    from .search.opening import Make

__all__ = ["MOST_BEST", "MOST_WORKERS", "Minimizer", "cheapest_kernel"]

MOST_BEST = 10_000_000
"""So many prices are kept at most: there is a place for each from the beginning."""

MOST_WORKERS = 10_000
"""Each is a thread."""


@dataclass(frozen=True, kw_only=True)
class Minimizer(Engine):
    """An engine that can also look for the cheapest covers."""

    workers: int | None = 1
    """How many threads work on a search at the same time; None for all cores.

    They divide the search tree among themselves as they go along, so the covers are
    the same, in another order. Kernels run without the interpreter lock, where they
    are compiled: on two cores, a search that takes long is nearly twice as fast. (Of
    the many problems of a `fan_out`, each has one worker: there are enough of them.)
    """
    ordered: bool = False
    """Whether the covers come in the order of a single worker, however many there are.

    Only a search on bits can be divided then (see `XCC.kernel`); others, those for the
    cheapest covers too, go on with one worker. Covers of parts that are ahead are kept
    back until it is their turn, at most as many as the buffer holds.
    """

    # How many times the other's share of the time the favored side of a climb gets.
    _lean: ClassVar[int] = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.workers is not None:
            checked_count("workers", self.workers, 1, MOST_WORKERS)

    def _team(self, best: int = 0) -> Team | None:
        workers = n_cores() if self.workers is None else self.workers
        # One worker goes on in order with what several have left.
        return Team(workers, self.ordered or workers == 1, best)

    @abstractmethod
    def _priced_kernel(self, layout: Layout, books: Books) -> PricedKernel:
        """Make a kernel that looks for the cheapest covers only."""

    def _climb(self, layout: Layout, books: Books) -> Climb:
        """Make a search from both sides for the one cheapest cover."""
        return Climb(
            partial(self._priced_kernel, layout, books),
            partial(cheapest_kernel, layout, books),
            lean=self._lean,
        )

    def minimize(
        self,
        source: Problem | Source | Make,
        price: Price = None,
        *,
        best: int = 1,
        bound: Bound | None = None,
        taxes: TaxMethod = "auto",
        resume: bytes | None = None,
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
        source : Problem, Source or callable
            What to search, or a function without parameters that makes the problem on
            entering the block, in a worker thread; see `dance`.
        price : callable, iterable, mapping, optional
            What each option costs: a function of the `Option`, called in a worker
            thread; prices in the order written; a mapping from option numbers,
            where those missing cost nothing. By default the prices written in the
            text (``|7`` behind an option). Whole numbers of 64 bits.
        best : int, from 1 to 10,000,000, default 1
            How many cheapest covers are sought.
        bound : callable, optional
            Gives a lower bound of what is still to be paid, from a `Frame`. It runs
            in the worker thread at each node that the taxes leave in doubt, and
            must not overestimate, or the optimum may be missed. What it raises
            reaches the consumer.
        taxes : {"auto", "greedy", "lp"}, default "auto"
            How the built-in bound is made; see `dcells_async.pricing`. "lp" needs
            the extra ``lp``, and cannot be stopped while it solves its linear program;
            "auto" lets go of one that takes more than some seconds' work, for "greedy".
        buffer, limit, timeout, pulse_interval, resume
            As for `dance`.

        Raises
        ------
        PriceError
            On entering the block: a price is no integer of 64 bits, or negative
            with no item of fixed multiplicity to absorb it.

        Examples
        --------
        >>> import anyio
        >>> from dcells_async import XCC
        >>> async def main():
        ...     text = "a b c\\na b |5\\nc |1\\na c |2\\nb |3"
        ...     async with XCC().minimize(text) as result:
        ...         async for cover in result.solutions:
        ...             print(cover.price, cover.numbers)
        ...     print(result.optimal)
        >>> anyio.run(main)
        6 (1, 2)
        5 (3, 4)
        True
        """
        origin = self._least_cost_origin(best, bound, taxes, resume)
        return Dance(
            source,
            self._least_cost_kernel(best, bound, taxes),
            buffer=buffer,
            limit=limit,
            timeout=timeout,
            pulse_interval=pulse_interval,
            debug=self.debug,
            price=partial(priced, price=price),
            begin=self._begin(origin, with_items=False),
            team=self._team(best),
            origin=origin,
        )

    def cheapest(
        self,
        source: Problem | Source,
        price: Price = None,
        *,
        best: int = 1,
        bound: Bound | None = None,
        taxes: TaxMethod = "auto",
        resume: bytes | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Covers:
        """Search for the cheapest covers, synchronously; see `minimize`.

        Examples
        --------
        >>> from dcells_async import XCC
        >>> with XCC().cheapest("a b\\na b\\na\\nb", [5, 1, 1]) as covers:
        ...     [cover.price for cover in covers][-1]
        2
        """
        origin = self._least_cost_origin(best, bound, taxes, resume)
        return Covers(
            source,
            self._least_cost_kernel(best, bound, taxes),
            limit=limit,
            timeout=timeout,
            debug=self.debug,
            price=partial(priced, price=price),
            begin=self._begin(origin, with_items=False),
            team=self._team(best),
            origin=origin,
        )

    def _least_cost_origin(
        self, best: int, bound: Bound | None, taxes: TaxMethod, resume: bytes | None
    ) -> Origin:
        search = f"the {best} cheapest covers by {named(self)} with taxes={taxes!r}"
        if bound is not None:
            search += " and a bound of the caller's"
        return Origin.of(search, resume)

    def _least_cost_kernel(
        self, best: int, bound: Bound | None, taxes: TaxMethod
    ) -> Callable[[Layout], Kernel]:
        checked_count("best", best, 1, MOST_BEST)
        if taxes not in get_args(TaxMethod):
            raise ValueError(f"taxes are 'auto', 'greedy' or 'lp', not {taxes!r}")

        def make(layout: Layout) -> Kernel:
            books = Books(layout, best=best, bound=bound, taxes=taxes)
            if best == 1:
                return self._climb(layout, books)
            return self._priced_kernel(layout, books)

        return make


def cheapest_kernel(layout: Layout, books: Books) -> PricedKernel:
    """Make a kernel that levies taxes as it goes."""
    return CheapestKernel(
        layout.n_items,
        layout.option_start,
        layout.option_item,
        layout.option_color,
        *multiplicities(layout),
        books.ledger(),
    )
