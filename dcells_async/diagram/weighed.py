"""Weights of options, and what they make of a family: the best covers, all weights."""

from __future__ import annotations

from array import array
from functools import partial
from heapq import heappop, heappush, nsmallest
from itertools import count, islice
from math import gcd
from sys import maxsize
from typing import TYPE_CHECKING, Any, TypeVar

from ..arguments import checked_count
from ..cover import Cover
from ..errors import CapacityError, PriceError
from ..kernels.arrays import zeros
from ..kernels.scales import Scales
from ..pricing import priced
from .counted import Counted
from .steps import Beat, at_once, paced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..pricing import Price
    from ..problem import Problem
    from .steps import Steps

__all__ = ["Weighed"]

_T = TypeVar("_T")

_BROADEST = 1 << 23
"""Bits of a dense histogram beyond which a sparse one is made."""

_ENTRY = 800
"""Bits that one entry of a sparse histogram takes."""

_SPARE = 1000
"""So many more beginnings of covers are kept than will be needed."""

_MOST_WEIGHTS = 1 << 20
"""More weights than this, under each of many nodes, would fill the memory."""


class Weighed(Counted):
    """A diagram whose covers can be weighed; see `Diagram`.

    Weights are given like prices to `Minimizer.minimize`: a function of the `Option`,
    one weight for each option as written, a mapping from option numbers (those missing
    weigh nothing), or, by default, the prices written in the problem. They are whole
    numbers of 64 bits, and so must be the weight of every cover.

    Covers come with their weight as ``cover.price``.
    """

    def max_weight(self, weights: Price = None) -> Cover:
        """Give the heaviest cover; of equal ones, that with the earliest options.

        Parameters
        ----------
        weights : callable, iterable, mapping, optional
            What each option weighs.

        Raises
        ------
        IndexError
            The family is empty.
        PriceError
            A weight, or the weight of some choice of options, exceeds 64 bits.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> diagram.max_weight([5, 2, 2]), diagram.max_weight([5, 2, 2]).price
        (<Cover of options 1>, 5)
        """
        return at_once(self._extreme(weights, heavy=True))

    def min_weight(self, weights: Price = None) -> Cover:
        """Give the lightest cover; otherwise like `max_weight`."""
        return at_once(self._extreme(weights, heavy=False))

    def heaviest(self, k: int, weights: Price = None) -> list[Cover]:
        """Give the k heaviest covers, the heaviest first; all if there are no more.

        Which of equally heavy ones are given is unspecified, but always the same.

        Parameters
        ----------
        k : int, >= 0
        weights : callable, iterable, mapping, optional
            As for `max_weight`.

        Raises
        ------
        PriceError
            As for `max_weight`.

        Notes
        -----
        A search that knows exactly what is still to come: after the table of
        `max_weight`, each further cover costs one way down.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> diagram = ZDD().diagram("a b\\na b\\na\\nb")
        >>> [cover.price for cover in diagram.heaviest(2, [5, 2, 2])]
        [5, 4]
        """
        return at_once(self._ranking(k, weights, heavy=True))

    def lightest(self, k: int, weights: Price = None) -> list[Cover]:
        """Give the k lightest covers, the lightest first; otherwise like `heaviest`."""
        return at_once(self._ranking(k, weights, heavy=False))

    def weight_histogram(self, weights: Price = None) -> dict[int, int]:
        """Give for each weight that occurs how many covers have it, weights ascending.

        Takes time and memory in proportion to the number of weights that occur, for
        each of the nodes.

        Parameters
        ----------
        weights : callable, iterable, mapping, optional
            As for `max_weight`.

        Raises
        ------
        PriceError
            As for `max_weight`.
        CapacityError
            There are too many different weights.

        Examples
        --------
        >>> from dcells_async import ZDD
        >>> ZDD().diagram("a b\\na b\\na\\nb").weight_histogram([5, 2, 2])
        {4: 1, 5: 1}
        """
        return at_once(self._spectrum(weights))

    def _spectrum(self, weights: Price) -> Steps[dict[int, int]]:
        if not self:
            return {}
        problem = priced(self._problem, weights)
        light = yield from self._scales(problem, heavy=False)
        heavy = yield from self._scales(problem, heavy=True)
        lightest = light.weights_below()[self._root]
        heaviest = heavy.weights_below()[self._root]
        amounts = _amounts(problem)
        step = gcd(*amounts)
        total = yield from self._counting()
        bits = total.bit_length()
        breadth = ((heaviest - lightest) // max(step, 1) + 1) * bits
        if step and breadth <= min(_BROADEST, _ENTRY * total):
            return (yield from self._dense(amounts, step, bits))
        sums = yield from self._fold({0: 1}, partial(_shifted, amounts))
        return dict(sorted(sums.items()))

    # -- the best ------------------------------------------------------------------

    def _scales(self, problem: Problem, *, heavy: bool) -> Steps[Scales]:
        """Weigh all nodes."""
        scales = Scales(*self._family(), _amounts(problem), heavy)
        yield from paced(scales.advance)
        if scales.fault >= 0:
            raise PriceError("the weights of some options add up to more than 64 bits")
        return scales

    def _extreme(self, weights: Price, *, heavy: bool) -> Steps[Cover]:
        if not self:
            word = "heaviest" if heavy else "lightest"
            raise IndexError(f"the family is empty: there is no {word} cover")
        problem = priced(self._problem, weights)
        scales = yield from self._scales(problem, heavy=heavy)
        return Cover(problem, scales.path())

    def _ranking(self, k: int, weights: Price, *, heavy: bool) -> Steps[list[Cover]]:
        k = checked_count("k", k, 0)
        if not self:
            return []
        problem = priced(self._problem, weights)
        scales = yield from self._scales(problem, heavy=heavy)
        best = scales.weights_below()
        ways = self._ways(_amounts(problem), best, -1 if heavy else 1, k)
        beat = Beat()
        covers: list[Cover] = []
        for found in islice(ways, min(k, maxsize)):
            covers.append(Cover(problem, found))
            if beat.is_over():
                yield
                beat.begin()
        return covers

    def _ways(
        self, weights: array[int], best: memoryview[int], sign: int, k: int
    ) -> Iterator[array[int]]:
        """Give the options of the k best covers, best first.

        The heap holds beginnings of ways, each with the weight of its best end. The
        best of all is followed to its end; wherever it might have gone the other way,
        that is a new beginning. Of these only as many can come to anything as there
        are covers still to be given; now and then all others are forgotten.
        """
        options, lows, highs = self._columns
        tick = count()
        # Options chosen so far, last first, as nested pairs: beginnings share them.
        heap: list[Any] = [(sign * best[self._root], next(tick), self._root, 0, None)]
        while heap:
            _, _, node, paid, chosen = heappop(heap)
            while node > 1:
                option, low, high = options[node], lows[node], highs[node]
                with_it = paid + weights[option]
                ends = sign * (with_it + best[high])
                if low == 0:
                    node, paid, chosen = high, with_it, (option, chosen)
                elif ends <= sign * (paid + best[low]):
                    other = sign * (paid + best[low])
                    heappush(heap, (other, next(tick), low, paid, chosen))
                    node, paid, chosen = high, with_it, (option, chosen)
                else:
                    start = (ends, next(tick), high, with_it, (option, chosen))
                    heappush(heap, start)
                    node = low
            found = array("i")
            while chosen is not None:
                option, chosen = chosen
                found.append(option)
            found.reverse()
            yield found
            k -= 1
            if len(heap) > 2 * (k + _SPARE):
                heap = nsmallest(k, heap)

    # -- all weights ---------------------------------------------------------------

    def _dense(
        self, amounts: array[int], step: int, bits: int
    ) -> Steps[dict[int, int]]:
        """Count the weights by one addition of long integers a node.

        A family is a polynomial in which the coefficient of x**w is the number of sets
        of weight w; for x one puts a power of two that no coefficient reaches
        (Kronecker substitution). Exponents are counted in steps, from the least.
        """

        def join(
            option: int, low: tuple[int, int] | None, high: tuple[int, int]
        ) -> tuple[int, int]:
            first, sums = high
            first += amounts[option] // step
            if low is None:
                return first, sums
            least = min(first, low[0])
            return least, (sums << (first - least) * bits) + (
                low[1] << (low[0] - least) * bits
            )

        first, sums = yield from self._fold((0, 1), join)
        size = -(-sums.bit_length() // 8)
        data = sums.to_bytes(size, "little")
        mask = (1 << bits) - 1
        histogram = {}
        for place in range(-(-sums.bit_length() // bits)):
            at = place * bits
            piece = int.from_bytes(data[at // 8 : (at + bits + 7) // 8], "little")
            if number := piece >> at % 8 & mask:
                histogram[(first + place) * step] = number
        return histogram

    def _fold(self, unit: _T, join: Callable[[int, _T | None, _T], _T]) -> Steps[_T]:
        """Compute something from the leaves up, and forget what is used up.

        Parameters
        ----------
        unit : object
            What node 1 comes to.
        join : callable
            Gives what a node comes to: from its option, its low child (None for node
            0) and its high child.
        """
        options, lows, highs = self._columns
        beat = Beat()
        parents = zeros(len(options))
        for node in range(2, len(options)):
            parents[lows[node]] += 1
            parents[highs[node]] += 1
            if beat.is_over():
                yield
                beat.begin()
        values: dict[int, _T] = {1: unit}
        for node in range(2, self._root + 1):
            low, high = lows[node], highs[node]
            values[node] = join(options[node], values.get(low), values[high])
            for child in (low, high):
                parents[child] -= 1
                if child > 1 and parents[child] == 0:
                    del values[child]
            if beat.is_over():
                yield
                beat.begin()
        return values[self._root]


def _amounts(problem: Problem) -> array[int]:
    """Give the price of each option, and one more number, so that it is never empty."""
    prices = problem.option_prices or bytes(8 * len(problem.options))
    return array("q", [*memoryview(prices).cast("B").cast("q"), 0])


def _shifted(
    amounts: array[int], option: int, low: dict[int, int] | None, high: dict[int, int]
) -> dict[int, int]:
    """Count the weights under a node from those under its children."""
    weight = amounts[option]
    sums = dict(low or {})
    for amount, number in high.items():
        total = amount + weight
        sums[total] = sums.get(total, 0) + number
    if len(sums) > _MOST_WEIGHTS:
        raise CapacityError(
            f"the covers have more than {_MOST_WEIGHTS:,} different weights; "
            f"round the weights of the options, and there are fewer"
        )
    return sums
