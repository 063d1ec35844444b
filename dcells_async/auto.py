"""The engine that lets the others race."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from .arguments import checked_count
from .capacity import free_memory
from .engines import MCC, XCC, XCCDC
from .kernels.zdd import ZddKernel
from .layout import multiplicities
from .minimizer import Minimizer
from .search.race import Race
from .search.racer import Entrant
from .search.unfolded import Unfolded

if TYPE_CHECKING:
    from collections.abc import Generator

    from .layout import Layout
    from .pricing import Books
    from .search.climb import Climb
    from .search.kernel import Kernel, PricedKernel
    from .start import Start

__all__ = ["Auto", "RacerName"]

RacerName = Literal["XCC", "XCCDC", "ZDD", "MCC"]

_MOST_MEMORY = 1 << 30
"""What a racer beside the first may take, unless the machine has less."""

_COSTS = {"XCC": 1, "MCC": 2, "ZDD": 3, "XCCDC": 3}
"""How long steps take, beside those of XCC, which take some nanoseconds."""

_STEPS_AT_LEAST = 400_000
_STEPS_PER_ENTRY = 10
"""The first racer runs alone for a millisecond or two, which is also what the others
take to get ready; that takes them longer if the problem is large."""


@dataclass(frozen=True, kw_only=True)
class Auto(Minimizer):
    """All engines for exact covering at once: a race, for those who cannot choose.

    `XCC` begins, and small problems are solved by it. If it takes longer, `XCCDC` and
    `ZDD` come in, and they take turns until one of them is at the end; who is ahead by
    the estimates gets most of the turns. With multiplicities it is `MCC` that begins,
    and `ZDD` that comes in. ``result.stats.engine`` tells which was the first, and
    ``result.stats.why`` what is to be said about that.

    It takes up to three times as long as the best of them alone, as a rule, and mostly
    less than twice; the others can take any number of times as long. The order of
    the covers is that of whoever finds the first; there is no clock in it, so it is
    the same each time, and on every machine whose memory suffices. Nodes and updates
    are those of all racers together.

    With several workers, one runs the race, and the search is divided among them once
    a racer goes on alone.

    Searches for the cheapest covers are those of `XCC`, or of `MCC` if there are
    multiplicities; there is no race. Nor is there one for a problem that is compiled
    and begins with options given or struck out, for such searches are short.

    Examples
    --------
    >>> import anyio
    >>> from dcells_async import Auto
    >>> anyio.run(Auto().count, "a b\\na b\\na\\nb")
    2
    >>> with Auto().solve("2|a b c\\na b\\na c\\nb c") as covers:
    ...     [cover.numbers for cover in covers]
    ...     covers.stats.engine, covers.stats.why
    [(1, 2)]
    ('MCC', 'MCC finished first; no other was begun')
    """

    racers: tuple[RacerName, ...] = get_args(RacerName)
    """Which engines may take part. With multiplicities these are MCC and ZDD, and
    without, all but MCC; an engine that is the only one is taken at its word."""

    memory_limit: int | None = None
    """How many bytes a racer beside the first may take before it drops out; by default
    a gigabyte, or half of the memory that is free if that is less."""

    def __post_init__(self) -> None:
        super().__post_init__()
        names = get_args(RacerName)
        if not self.racers or any(name not in names for name in self.racers):
            told = ", ".join(map(repr, names))
            raise ValueError(f"racers are some of {told}, not {self.racers!r}")
        if self.memory_limit is not None:
            checked_count("memory_limit", self.memory_limit, 0)

    def _begun(self, layout: Layout, start: Start) -> Generator[bool, None, Layout]:
        if "XCC" in self.racers and not _has_multiplicities(layout):
            first = XCC(preprocess=self.preprocess, seed=self.seed)
            return (yield from first._begun(layout, start))  # noqa: SLF001
        return (yield from super()._begun(layout, start))

    def _kernel(self, layout: Layout) -> Kernel:
        entrants = self._entrants(layout)
        if layout.start is not None:
            entrants = entrants[:1]
        entries = len(layout.option_item)
        return Race(entrants, _STEPS_AT_LEAST + _STEPS_PER_ENTRY * entries)

    def _entrants(self, layout: Layout) -> list[Entrant]:
        """Say who takes part, in order."""
        suited = (
            ("MCC", "ZDD") if _has_multiplicities(layout) else ("XCC", "ZDD", "XCCDC")
        )
        names = [name for name in suited if name in self.racers]
        # If none is, the first one says what is wrong.
        return [
            Entrant(
                name, partial(self._enter, name, layout), _COSTS[name], name == "ZDD"
            )
            for name in names or self.racers[:1]
        ]

    def _enter(self, name: str, layout: Layout) -> Kernel:
        if name == "ZDD":
            return self._diagram(layout)
        if name == "XCCDC":
            return XCCDC(memory_limit=self._memory())._kernel(layout)  # noqa: SLF001
        return (XCC() if name == "XCC" else MCC())._kernel(layout)  # noqa: SLF001

    def _diagram(self, layout: Layout) -> Unfolded:
        return Unfolded(
            ZddKernel(
                layout.n_items,
                layout.n_primary,
                layout.option_start,
                layout.option_item,
                layout.option_color,
                *multiplicities(layout),
                ordered=False,
                memory_limit=self._memory(),
            )
        )

    def _memory(self) -> int:
        if self.memory_limit is not None:
            return self.memory_limit
        return min(_MOST_MEMORY, free_memory() // 2)

    def _priced_kernel(self, layout: Layout, books: Books) -> PricedKernel:
        return _minimizer(layout)._priced_kernel(layout, books)  # noqa: SLF001

    def _climb(self, layout: Layout, books: Books) -> Climb:
        return _minimizer(layout)._climb(layout, books)  # noqa: SLF001


def _minimizer(layout: Layout) -> Minimizer:
    return MCC() if _has_multiplicities(layout) else XCC()


def _has_multiplicities(layout: Layout) -> bool:
    return any((item.low, item.high) != (1, 1) for item in layout.problem.items)
