"""What a search gives out: covers, statistics, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .problem import Option, Problem

__all__ = ["Cover", "Outcome", "Pulse", "Stats"]


class Cover:
    """One exact cover: the options chosen, in the order the search chose them.

    Iterating gives each option as a tuple of display names, ``name`` or
    ``name:color``, in the order they were written. Names are made only then; a
    cover itself is a few option numbers, is immutable, and outlives its search.
    Covers are equal if they choose the same options of equal problems, in
    whatever order.

    Examples
    --------
    >>> from dcells_async import XCC
    >>> with XCC().solve("a b | x\\na x:1\\nb x:1") as covers:
    ...     cover = next(covers)
    >>> for option in cover:
    ...     print(*option)
    b x:1
    a x:1
    >>> cover.numbers, cover.lines
    ((2, 1), (3, 2))
    """

    __slots__ = ("_indices", "_problem")

    def __init__(self, problem: Problem, indices: Sequence[int]) -> None:
        self._problem = problem
        self._indices = indices

    @property
    def problem(self) -> Problem:
        """The problem that this covers."""
        return self._problem

    @property
    def indices(self) -> tuple[int, ...]:
        """Positions of the chosen options as written, from 0."""
        return tuple(self._indices)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the chosen options as written, from 1."""
        return tuple(index + 1 for index in self._indices)

    @property
    def lines(self) -> tuple[int, ...] | None:
        """Source lines of the chosen options, from 1; None without a text."""
        lines = self._problem.option_lines
        return None if lines is None else tuple(lines[k] for k in self._indices)

    @property
    def price(self) -> int:
        """The sum of the prices of the chosen options; 0 if there are no prices."""
        prices = self._problem.option_prices
        return sum(prices[index] for index in self._indices) if prices else 0

    @property
    def options(self) -> tuple[Option, ...]:
        """The chosen options, with the labels they were built from."""
        return tuple(self._problem.options[index] for index in self._indices)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self._problem.option_names(index) for index in self._indices)

    def __len__(self) -> int:
        return len(self._indices)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cover):
            return NotImplemented
        return sorted(self._indices) == sorted(other._indices) and (
            self._problem is other._problem or self._problem == other._problem
        )

    def __hash__(self) -> int:
        return hash(frozenset(self._indices))

    def __repr__(self) -> str:
        return f"<Cover of options {', '.join(map(str, self.numbers)) or 'none'}>"


class Outcome(Enum):
    """How a search stands, or how it ended."""

    RUNNING = "running"
    """It has not ended."""
    EXHAUSTED = "exhausted"
    """The whole tree was searched: there are no other covers than those found."""
    LIMITED = "limited"
    """It found as many covers as were asked for; there may be more."""
    TIMED_OUT = "timed out"
    """Its time ran out; there may be more covers."""
    CANCELLED = "cancelled"
    """The consumer left, or was cancelled; there may be more covers."""
    FAILED = "failed"
    """It raised an error."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """How far a search has come.

    Attributes
    ----------
    nodes, updates, covers : int
        Nodes of the search tree entered, updates of the sparse sets, covers found.
    depth : int
        Options on the current path.
    elapsed : float, seconds
        Since the search was opened, the reading of its problem included.
    fraction : float
        Estimated part of the tree that is done, from 0 to 1, never decreasing.
    best_price : int or None
        In a least-cost search, the price of the cheapest cover found so far.
    lower_bound : int or None
        In a least-cost search, what any cover costs at least; never decreasing.
    signatures, hits : int or None
        With `ZDD`, states of the search remembered, and how many came up again.
    memory : int, bytes, or None
        With `ZDD`, what the tables take.
    """

    nodes: int = 0
    updates: int = 0
    covers: int = 0
    depth: int = 0
    elapsed: float = 0.0
    fraction: float = 0.0
    best_price: int | None = None
    lower_bound: int | None = None
    signatures: int | None = None
    hits: int | None = None
    memory: int | None = None

    @property
    def gap(self) -> int | None:
        """How much cheaper than the best cover found another could be at most."""
        if self.best_price is None or self.lower_bound is None:
            return None
        return max(0, self.best_price - self.lower_bound)


@dataclass(frozen=True, slots=True)
class Stats(Pulse):
    """A `Pulse`, the size of the problem, and what only some engines count.

    Attributes
    ----------
    options, items : int
        Options that take part in the search, and items, secondary ones included.
    purges : int or None
        With `XCCDC`, the options purged so far, for whatever reason.
    purged : int or None
        With `XCCDC`, the options purged before the search; None until that is over,
        and if it showed that there is no cover.
    memo_given_up : bool or None
        With `ZDD`, whether states came up again so seldom that they are no longer
        remembered.
    removed_options, removed_items : int or None
        With ``preprocess=True``, how many went before the search; they are not among
        `options` and `items`.
    engine, why : str or None
        With `Auto`, which engine is ahead, or has won; and a sentence about that.
    parts : int or None
        With several workers, into how many parts the tree has been divided so far.
    """

    options: int = 0
    items: int = 0
    purges: int | None = None
    purged: int | None = None
    memo_given_up: bool | None = None
    removed_options: int | None = None
    removed_items: int | None = None
    engine: str | None = None
    why: str | None = None
    parts: int | None = None
