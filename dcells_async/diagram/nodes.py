"""What a diagram is made of: checked, compact, and never changed."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ..errors import CapacityError
from ..kernels.arrays import copied
from ..kernels.tidy import Tidy
from .steps import at_once, paced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from ..problem import Problem
    from .steps import Steps

__all__ = ["MOST_NODES", "Column", "Nodes"]

MOST_NODES = 1 << 31
"""A diagram has fewer nodes than this."""

Column: TypeAlias = "array[int] | memoryview[int]"
"""Numbers of 32 bits."""

_C = TypeVar("_C", bound="Sequence[int]")


class Nodes:
    """The nodes of a diagram; see `Diagram`.

    Parameters
    ----------
    problem : Problem
        What the sets are covers of.
    options, lows, highs : sequence of int, shape (n,)
        For each node its option, as in `Cover.indices`, and its children.
    root : int

    Raises
    ------
    ValueError
        A node is out of order.
    CapacityError
        There are 2**31 nodes or more.
    """

    def __init__(
        self,
        problem: Problem,
        options: Sequence[int],
        lows: Sequence[int],
        highs: Sequence[int],
        root: int,
    ) -> None:
        at_once(self._begin(problem, (options, lows, highs), root, _copy))

    @classmethod
    def _made(
        cls,
        problem: Problem,
        options: Column,
        lows: Column,
        highs: Column,
        root: int,
    ) -> Steps[Self]:
        """Make one step by step, of columns that nobody else will write to."""
        made = cls.__new__(cls)
        columns = options, lows, highs
        yield from made._begin(problem, columns, root, _same)  # noqa: SLF001
        return made

    def _begin(
        self,
        problem: Problem,
        columns: tuple[_C, _C, _C],
        root: int,
        take: Callable[[_C], Column],
    ) -> Steps[None]:
        options, lows, highs = columns
        n = len(options)
        if len(lows) != n or len(highs) != n:
            raise ValueError(
                f"{n} options, {len(lows)} low and {len(highs)} high children "
                f"are no nodes: there must be as many of each"
            )
        if n < 2:
            raise ValueError(f"a diagram begins with its two sinks, and has {n} nodes")
        if n >= MOST_NODES:
            raise CapacityError(f"{n:,} nodes are too many for indices of 32 bits")
        if not 0 <= root < n:
            raise ValueError(f"the root is node {root}, and there are {n}")
        self._problem = problem
        self._columns: tuple[Column, Column, Column] = (
            take(options),
            take(lows),
            take(highs),
        )
        self._root = root
        tidy = Tidy(*self._family())
        yield from paced(tidy.advance)
        if tidy.fault >= 0:
            raise ValueError(self._blame(tidy.fault))
        if tidy.n_kept < n:
            *kept, self._root = tidy.result()
            self._columns = (kept[0], kept[1], kept[2])
        self._nodes = tidy.n_kept - (not tidy.reaches_nothing) if root > 1 else 1

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Leave out what was computed from the nodes: it is large, and soon made."""
        columns = (copied(column, len(column)) for column in self._columns)
        return type(self), (self._problem, *columns, self._root)

    def _blame(self, node: int) -> str:
        """Say what is wrong with a node."""
        option, low, high = (column[node] for column in self._columns)
        n_options = len(self.problem.options)
        if not 0 <= option < n_options:
            return f"node {node} has option {option}, and there are {n_options}"
        for name, child in (("low", low), ("high", high)):
            if not 0 <= child < node:
                return f"node {node} has {child} as its {name} child, not one below it"
        if high == 0:
            return f"node {node} has the empty family as its high child"
        return f"node {node} has option {option}, and a child with one no later"

    @property
    def problem(self) -> Problem:
        """The problem whose covers these are."""
        return self._problem

    @property
    def options(self) -> memoryview[int]:
        """The option of each node, from 0; -1 for the two sinks."""
        return memoryview(self._columns[0]).toreadonly()

    @property
    def lows(self) -> memoryview[int]:
        """The child of each node for the sets without its option."""
        return memoryview(self._columns[1]).toreadonly()

    @property
    def highs(self) -> memoryview[int]:
        """The child of each node for the sets with its option."""
        return memoryview(self._columns[2]).toreadonly()

    @property
    def root(self) -> int:
        """The node of the whole family."""
        return self._root

    @property
    def nodes(self) -> int:
        """How many nodes the root reaches, itself and the sinks included.

        The empty family has one node, and so has the family of the empty set.
        """
        return self._nodes

    def _family(self) -> tuple[Column, Column, Column, int, int]:
        """Give what every kernel on diagrams begins with."""
        return (*self._columns, self._root, len(self._problem.options))


def _copy(column: Sequence[int]) -> Column:
    # Kernels look at the numbers once, and rely on them ever after: so they must be
    # out of the caller's reach.
    try:
        return array("i", column)
    except (OverflowError, TypeError) as error:
        raise ValueError(f"options and nodes are numbers of 32 bits: {error}") from None


def _same(column: Column) -> Column:
    return column
