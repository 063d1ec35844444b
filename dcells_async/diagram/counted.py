"""What the numbers of sets under the nodes are good for: ranks, draws, frequencies."""

from __future__ import annotations

import sys
from array import array
from operator import index
from random import Random
from typing import TYPE_CHECKING

from ..arguments import checked_count
from ..cover import Cover
from ..kernels.arrays import limbs_of
from ..kernels.spread import Spread
from ..kernels.tally import Tally
from ..numerals import written
from .nodes import Nodes
from .steps import Beat, at_once, paced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..problem import Problem
    from .steps import Steps

__all__ = ["Counted"]

_BUNCH = 256
"""So many draws are made at a time,"""

_EFFORT = 1 << 20
"""unless they take more than so many limbs to be looked at."""


class Counted(Nodes):
    """A diagram that knows how many sets there are under each node; see `Diagram`."""

    _tally: Tally | None = None
    _total: int | None = None

    def count(self) -> int:
        """Give the number of covers, exactly, whatever its size.

        The first call walks through the nodes once (some 10 ns each), and keeps for
        each the number of sets under it, which takes from 12 bytes a node.
        """
        return at_once(self._counting())

    def _counting(self) -> Steps[int]:
        tally = yield from self._tallying()
        if self._total is None:
            self._total = tally.number(self._root)
        return self._total

    def _tallying(self) -> Steps[Tally]:
        if self._tally is None:
            tally = Tally(*self._family())
            yield from paced(tally.advance)
            self._tally = tally
        return self._tally

    def __len__(self) -> int:
        """Give the number of covers, if a Python length can be so large.

        Raises
        ------
        OverflowError
            There are more than ``sys.maxsize`` covers: `count` has no such limit.
        """
        total = self.count()
        if total > sys.maxsize:
            raise OverflowError("there are too many covers for len(); ask count()")
        return total

    def __bool__(self) -> bool:
        return self._root != 0

    # -- ranks -------------------------------------------------------------------

    def rank(self, cover: Cover | Iterable[int]) -> int:
        """Give the place of a cover in the order of the family, from 0.

        That is the order of `solutions`: the first option that tells two covers
        apart is in the later one.

        Parameters
        ----------
        cover : Cover, or iterable of int
            A cover, or option numbers from 1, in any order.

        Raises
        ------
        ValueError
            It is not in the family.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> diagram.rank([1]), diagram.rank([3, 2])
        (1, 0)
        """
        return at_once(self._ranking_of(cover))

    def _ranking_of(self, cover: Cover | Iterable[int]) -> Steps[int]:
        way = self._way(cover)
        if way is None:
            raise ValueError(f"{cover!r} is not in this family")
        tally = yield from self._tallying()
        lows = self._columns[1]
        rank: int = sum(tally.number(lows[node]) for node in way)
        return rank

    def __contains__(self, cover: object) -> bool:
        """Tell whether a `Cover`, or some option numbers, are in the family."""
        return self._way(cover) is not None

    contains = __contains__

    def unrank(self, rank: int) -> Cover:
        """Give the cover of a rank.

        Raises
        ------
        IndexError
            There are not so many covers.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> diagram.unrank(1)
        <Cover of options 1>
        """
        return at_once(self._unranking(rank))

    def _unranking(self, rank: int) -> Steps[Cover]:
        rank = checked_count("rank", rank, 0)
        total = yield from self._counting()
        if rank >= total:
            raise IndexError(
                f"there is no cover of rank {written(rank)}: {written(total)} in all"
            )
        return self._covers_of([rank])[0]

    def _way(self, cover: object) -> list[int] | None:
        """Give the nodes where the way to a cover goes high; None if there is none."""
        wanted = self._indices(cover)
        if wanted is None:
            return None
        options, lows, highs = self._columns
        node = self._root
        at = 0
        way = []
        while node > 1:
            if at < len(wanted) and options[node] == wanted[at]:
                way.append(node)
                at += 1
                node = highs[node]
            else:
                node = lows[node]
        return way if node == 1 and at == len(wanted) else None

    def _indices(self, cover: object) -> list[int] | None:
        """Give the options of a cover, from 0 and ascending."""
        if isinstance(cover, Cover):
            is_ours = cover.problem is self._problem or _unpriced(
                cover.problem
            ) == _unpriced(self._problem)
            return sorted(cover.indices) if is_ours else None
        try:
            return sorted(index(number) - 1 for number in cover)  # type: ignore[attr-defined]
        except TypeError:
            raise TypeError(
                f"a cover is a Cover, or option numbers, and not {cover!r}"
            ) from None

    def _covers_of(self, ranks: list[int]) -> list[Cover]:
        """Give the covers of some ranks, which must be there, once all is counted."""
        assert self._tally is not None
        width = self._width()
        found, ends = self._tally.unrank(limbs_of(ranks, width), width)
        begin = 0
        covers = []
        for end in ends:
            covers.append(Cover(self._problem, found[begin:end]))
            begin = end
        return covers

    def _width(self) -> int:
        """Give the number of limbs of a rank."""
        assert self._total is not None
        return max(1, -(-self._total.bit_length() // 32))

    # -- draws -------------------------------------------------------------------

    def random(self, rng: Random | None = None) -> Cover:
        """Draw a cover at random, all being equally likely.

        A draw costs a way from the root to a sink.

        Parameters
        ----------
        rng : random.Random, optional
            Where the chance comes from; by default the operating system.

        Raises
        ------
        IndexError
            The family is empty.
        TypeError
            There is no chance in what was given: a seed goes through ``Random(seed)``.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> from random import Random
        >>> diagram.random(Random(7)) in diagram
        True
        """
        return self.sample(1, rng)[0]

    def sample(self, n: int, rng: Random | None = None) -> list[Cover]:
        """Draw n covers at random, independently: the same one may come again.

        Parameters
        ----------
        n : int, >= 0
        rng : random.Random, optional
            As for `random`, which gives the same covers, one by one.

        Raises
        ------
        IndexError
            The family is empty.
        TypeError
            There is no chance in what was given: a seed goes through ``Random(seed)``.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> from random import Random
        >>> [len(cover) for cover in diagram.sample(6, Random(1))]
        [2, 2, 1, 2, 1, 1]
        """
        return at_once(self._sampling(n, rng))

    def _sampling(self, n: int, rng: Random | None) -> Steps[list[Cover]]:
        n = checked_count("n", n, 0)
        draw = _drawing(rng)
        if not self:
            raise IndexError("the family is empty: there is no cover to draw")
        total = yield from self._counting()
        longest = self._width() * max(1, len(self._problem.options))
        covers: list[Cover] = []
        while len(covers) < n:
            bunch = min(_BUNCH, n - len(covers), max(1, _EFFORT // longest))
            covers += self._covers_of([draw(total) for _ in range(bunch)])
            yield
        return covers

    # -- options -----------------------------------------------------------------

    def frequencies(self) -> list[int]:
        """Give for each option, as written, how many covers use it.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> diagram.frequencies()
        [1, 1, 1]
        """
        return at_once(self._using())

    def _using(self) -> Steps[list[int]]:
        tally = yield from self._tallying()
        spread = Spread(tally)
        yield from paced(spread.make_room)
        yield from paced(spread.advance)
        beat = Beat()
        found = []
        for option in range(len(self._problem.options)):
            found.append(spread.number(option))
            if beat.is_over():
                yield
                beat.begin()
        return found


def _drawing(rng: Random | None) -> Callable[[int], int]:
    """Give what draws numbers below another one."""
    draw = getattr(Random() if rng is None else rng, "randrange", None)
    if not callable(draw):
        raise TypeError(
            f"rng must be a random.Random, not {rng!r}; for a seed, give Random(seed)"
        )
    drawn: Callable[[int], int] = draw
    return drawn


def _unpriced(problem: Problem) -> Problem:
    """Give a problem without its prices, which have no part in what is a cover."""
    return problem.with_prices(array("q")) if problem.option_prices else problem
