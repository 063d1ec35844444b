"""What a user holds: an engine is an algorithm with its knobs, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from .arguments import checked_count
from .capacity import check_memory, default_memory_limit
from .engine import Engine
from .errors import CapacityError, MultiplicityError
from .kernels.bits import BitsKernel
from .kernels.clashes import LARGEST_TABLE, bytes_of_clashes
from .kernels.domains import bytes_of_pairs, bytes_of_rows
from .kernels.learning import LearningXcc, LearningXccdc
from .kernels.mcc import MccKernel
from .kernels.remains import Remains
from .kernels.xcc import XccKernel
from .kernels.xccdc import XccdcKernel
from .layout import multiplicities
from .minimizer import Minimizer, cheapest_kernel
from .search.lookout import Lookout
from .search.relay import Relay
from .start import restricted

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from .kernels.remains import Part
    from .layout import Layout
    from .pricing import Books, Bound, TaxMethod
    from .search.kernel import Kernel, PricedKernel
    from .start import Start

__all__ = ["MCC", "XCC", "XCCDC"]


XccKernelName = Literal["auto", "cells", "bits"]

Choice = Literal["mrv", "weighted", "failures"]
"""Which item to branch on; see `dcells_async.kernels.learning`."""

_LEAST_PATIENCE = 10_000
"""A search on cells goes on for so many steps, and another one for each byte of the
table to be made, before bits take over: about twice as long as it takes to make it."""

_INTERVAL = 200_000
"""A lookout looks that often, or somewhat less where there is more to look at."""


def _check_choice(choose: str) -> None:
    if choose not in get_args(Choice):
        names = ", ".join(map(repr, get_args(Choice)))
        raise ValueError(f"choose must be one of {names}, not {choose!r}")


def _refuse_multiplicities(layout: Layout, engine: str) -> None:
    for item in layout.problem.items:
        if item.low != 1 or item.high != 1:
            raise MultiplicityError(
                f"item {item.label!r} has multiplicity {item.low}:{item.high}, "
                f"and {engine} covers every item once; MCC knows multiplicities"
            )


@dataclass(frozen=True, kw_only=True)
class XCC(Minimizer):
    """Exact covering with colors: the choice for most problems.

    Branches on the primary item with the fewest options, ties to the leftmost, and
    tries them all. (`choose` has other rules.) It has two kernels for that, which find
    the same covers, each in an order of its own:

    - "cells" is Knuth's dancing cells, with the order of his program SSXCC and with
      its counters, to the unit: an update is a swap in the sparse sets;
    - "bits" keeps the options left as bits of words, and is two to six times as fast,
      or, where most options tried are refused at once, a hundred times; it is slower
      for large problems that fall into small ones. It needs a table of one bit for
      every two options. An update is an option tried.

    References
    ----------
    D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1; his program
    SSXCC. F. Boussemart, F. Hemery, C. Lecoutre and L. Sais (ECAI 2004) on weights;
    H. Li, M. Yin and Z. Li (CP 2021) on failures.

    Examples
    --------
    >>> with XCC().solve("p q | x\\np x:A\\nq x:A\\nq x:B") as covers:
    ...     [cover.numbers for cover in covers]
    [(1, 2)]
    >>> XCC(choose="weighted").solve("a b c\\na b\\nc\\na c\\nb").count()
    2
    """

    kernel: XccKernelName = "auto"
    """Which kernel searches.

    With "auto" a search begins on cells, and goes on on bits once it has taken longer
    than to make their table. Where that is too large, or its rows are too long to pay,
    bits do subtrees of the search, as soon as the options left fit (see
    `dcells_async.search.relay`). Its counters are the sums of both. On a problem
    that is compiled, a search with options given or struck out is on bits from the
    beginning. (Least-cost searches always are.)
    """

    choose: Choice = "mrv"
    """Which item to branch on.

    - "mrv": the one with the fewest options;
    - "weighted": the one with the least quotient of its options by its weight, which
      grows whenever it is the one to lose its last option ("dom/wdeg");
    - "failures": the least quotient by its rate of failures, that is, of attempts to
      branch on it at which another item lost its last option at once.

    The last two learn as they go. They can be many times better, or worse, where there
    are few covers or none, and hardly pay for finding many. They work on cells, so
    the kernel cannot be "bits", and with "auto" it stays "cells". Least-cost searches
    know no such choice, and refuse it.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_choice(self.choose)
        if self.kernel == "bits" and self.choose != "mrv":
            raise ValueError(
                f"choose={self.choose!r} works on cells: with kernel='bits' it can "
                f"only be 'mrv'"
            )
        if self.kernel not in get_args(XccKernelName):
            names = ", ".join(map(repr, get_args(XccKernelName)))
            raise ValueError(f"kernel must be one of {names}, not {self.kernel!r}")

    def _least_cost_kernel(
        self, best: int, bound: Bound | None, taxes: TaxMethod
    ) -> Callable[[Layout], Kernel]:
        if self.choose != "mrv":
            raise ValueError(
                f"choose={self.choose!r} is for searching all covers: a least-cost "
                f"search has a rule of its own"
            )
        return super()._least_cost_kernel(best, bound, taxes)

    def _priced_kernel(self, layout: Layout, books: Books) -> PricedKernel:
        _refuse_multiplicities(layout, "XCC")
        return cheapest_kernel(layout, books)

    def _begun(self, layout: Layout, start: Start) -> Generator[bool, None, Layout]:
        if not (self._may_be_on_bits and self._keeps_order) or layout.clashes is None:
            return (yield from restricted(layout, start))
        return layout.starting(start)

    @property
    def _may_be_on_bits(self) -> bool:
        return self.kernel != "cells" and self.choose == "mrv"

    @property
    def _keeps_order(self) -> bool:
        return not self.preprocess and self.seed is None

    def _kernel(self, layout: Layout) -> Kernel:
        if layout.start is not None:
            return _on_bits(layout)
        _refuse_multiplicities(layout, "XCC")
        size = bytes_of_clashes(layout.n_options, layout.n_primary)
        if self.kernel == "bits":
            if size > (limit := default_memory_limit()):
                raise CapacityError(
                    f"the table of XCC(kernel='bits') would take {size // 10**6:,} MB "
                    f"for {_size_of(layout)}, and may take {limit // 10**6:,} MB; "
                    f"kernel='auto' and kernel='cells' do without it"
                )
            return _on_bits(layout)
        tables = (
            layout.n_items,
            layout.n_primary,
            layout.option_start,
            layout.option_item,
            layout.option_color,
        )
        if self.choose != "mrv":
            return LearningXcc(*tables, self.choose == "failures")
        on_cells = XccKernel(*tables)
        if not self._may_be_on_bits:
            return on_cells
        remains = Remains(
            layout.n_items,
            layout.n_primary,
            layout.option_start,
            layout.option_item,
            layout.option_color,
            on_cells,
        )
        lookout = Lookout(
            remains,
            LARGEST_TABLE,
            patience=_LEAST_PATIENCE,
            interval=_INTERVAL + 10 * remains.n_entries,
            is_ready=layout.clashes is not None,
        )
        return Relay(on_cells, remains, partial(_on_bits_below, layout), lookout)


def _on_bits_below(layout: Layout, part: Part, path: list[int]) -> BitsKernel:
    """Make a search of what is left behind a path; of everything, if there is none."""
    return BitsKernel(
        part.n_items,
        part.n_primary,
        part.option_start,
        part.option_item,
        part.option_color,
        None if path else layout.clashes,
        above=path,
        kept=part.kept if path else None,
    )


def _on_bits(layout: Layout) -> BitsKernel:
    start = layout.start
    return BitsKernel(
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
        layout.clashes,
        layout.ours(start.given) if start is not None else (),
        layout.ours(start.without) if start is not None else (),
    )


def _size_of(layout: Layout) -> str:
    return f"{layout.n_options:,} options and {layout.n_primary:,} primary items"


@dataclass(frozen=True, kw_only=True)
class MCC(Minimizer):
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

    # Its dive and its climb are as different as can be, and neither is favored: which
    # packings are found at all depends on the order in which things are tried.
    _lean: ClassVar[int] = 1

    def _priced_kernel(self, layout: Layout, books: Books) -> PricedKernel:
        kernel = self._kernel(layout)
        kernel.open_ledger(books.swept_ledger(kernel.max_depth))
        return kernel

    def _kernel(self, layout: Layout) -> MccKernel:
        return MccKernel(
            layout.n_items,
            layout.n_primary,
            layout.option_start,
            layout.option_item,
            layout.option_color,
            *multiplicities(layout),
        )


_MOST_ROWS = 64 << 20
"""A larger table of clashes would take too long to fill to be of use."""


@dataclass(frozen=True, kw_only=True)
class XCCDC(Engine):
    """Exact covering with colors, keeping the domains consistent.

    At every node it removes the options that would leave some item without any. A
    node costs more than with `XCC`, and there are fewer, from a few times to some
    thousand times: it pays for puzzles with one solution or few, where one thing
    follows from another, and seldom for counting many.

    The covers are those of `XCC`, in another order. Statistics tell, in addition,
    how many options were purged, and how many of them before the search. It takes
    four to seven bytes for every option and primary item.

    References
    ----------
    D. E. Knuth's program XCCDC, after C. Solnon; The Art of Computer Programming
    4C, section 7.2.2.3, on consistency.

    Examples
    --------
    >>> with XCCDC().solve("a b c\\na b\\nc\\na c\\nb\\nb c") as covers:
    ...     [cover.numbers for cover in covers]
    ...     covers.stats.purged
    [(1, 2), (3, 4)]
    1
    """

    choose: Choice = "mrv"
    """Which item to branch on: as with `XCC`. Here, an attempt fails also if an item
    loses its last option by what follows."""

    memory_limit: int | None = None
    """How many bytes a search may take; by default half of the machine's memory.

    A problem that needs more is refused with a `CapacityError` before any of it is
    allocated.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_choice(self.choose)

    def _kernel(self, layout: Layout) -> Kernel:
        _refuse_multiplicities(layout, "XCCDC")
        if self.memory_limit is None:
            limit = default_memory_limit()
        else:
            limit = checked_count("memory_limit", self.memory_limit, 0)
        size = _size_of(layout)
        pairs = bytes_of_pairs(layout.n_primary, layout.n_options)
        if pairs < 0:
            raise CapacityError(f"XCCDC cannot number the pairs of {size}; try XCC")
        sets = 40 * (len(layout.option_item) + layout.n_options)
        check_memory("XCCDC", sets + pairs, limit, size)
        rows = bytes_of_rows(layout.n_options)
        with_rows = rows <= min(_MOST_ROWS, limit - sets - pairs)
        tables = (
            layout.n_items,
            layout.n_primary,
            layout.option_start,
            layout.option_item,
            layout.option_color,
        )
        room = limit - sets - rows * with_rows
        if self.choose != "mrv":
            return LearningXccdc(*tables, self.choose == "failures", with_rows, room)
        return XccdcKernel(*tables, with_rows, room)
