"""Weights of options, and what they make of a family: the best covers, all weights."""

from __future__ import annotations

from array import array
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import gcd
from typing import TYPE_CHECKING, Any, TypeVar

from ..arguments import checked_count
from ..cover import Cover
from ..errors import CapacityError, PriceError
from ..kernels.scales import Scales
from ..pricing import priced
from .counted import Counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..pricing import Price
    from ..problem import Problem

__all__ = ["Weighed"]

_T = TypeVar("_T")

_BROADEST = 1 << 23
"""Bits of a dense histogram beyond which a sparse one is made."""

_ENTRY = 800
"""Bits that one entry of a sparse histogram takes."""

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
        """
        return self._extreme(weights, heavy=True)

    def min_weight(self, weights: Price = None) -> Cover:
        """Give the lightest cover; otherwise like `max_weight`."""
        return self._extreme(weights, heavy=False)

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
        """
        return self._ranking(k, weights, heavy=True)

    def lightest(self, k: int, weights: Price = None) -> list[Cover]:
        """Give the k lightest covers, the lightest first; otherwise like `heaviest`."""
        return self._ranking(k, weights, heavy=False)

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
        """
        if not self:
            return {}
        problem = priced(self._problem, weights)
        lightest = self._scales(problem, heavy=False)[1][self._root]
        heaviest = self._scales(problem, heavy=True)[1][self._root]
        amounts = _amounts(problem)
        step = gcd(*amounts)
        bits = self._total.bit_length()
        breadth = ((heaviest - lightest) // max(step, 1) + 1) * bits
        if step and breadth <= min(_BROADEST, _ENTRY * self._total):
            return self._dense(amounts, step, bits)
        sums = self._fold({0: 1}, partial(_shifted, amounts))
        return dict(sorted(sums.items()))

    # -- the best ------------------------------------------------------------------

    def _scales(self, problem: Problem, *, heavy: bool) -> tuple[Any, array[int]]:
        """Weigh all nodes; the scales, and the best weight under each."""
        weights = _amounts(problem)
        best = array("q", [0]) * len(self._columns[0])
        scales = Scales(*self._family(), weights, best, heavy)
        if scales.fill() >= 0:
            raise PriceError("the weights of some options add up to more than 64 bits")
        return scales, best

    def _extreme(self, weights: Price, *, heavy: bool) -> Cover:
        if not self:
            word = "heaviest" if heavy else "lightest"
            raise IndexError(f"the family is empty: there is no {word} cover")
        problem = priced(self._problem, weights)
        scales, _ = self._scales(problem, heavy=heavy)
        return Cover(problem, scales.path())

    def _ranking(self, k: int, weights: Price, *, heavy: bool) -> list[Cover]:
        k = checked_count("k", k, 0)
        if not self:
            return []
        problem = priced(self._problem, weights)
        _, best = self._scales(problem, heavy=heavy)
        ways = self._ways(_amounts(problem), best, -1 if heavy else 1)
        return [Cover(problem, found) for found, _ in zip(ways, range(k), strict=False)]

    def _ways(
        self, weights: array[int], best: array[int], sign: int
    ) -> Iterator[array[int]]:
        """Give the options of all covers, best first.

        The heap holds beginnings of ways, each with the weight of its best end. The
        best of all is followed to its end; wherever it might have gone the other way,
        that is a new beginning.
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

    # -- all weights ---------------------------------------------------------------

    def _dense(self, amounts: array[int], step: int, bits: int) -> dict[int, int]:
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

        first, sums = self._fold((0, 1), join)
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

    def _fold(self, unit: _T, join: Callable[[int, _T | None, _T], _T]) -> _T:
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
        parents = array("i", [0]) * len(options)
        for children in (lows, highs):
            for child in children[2:]:
                parents[child] += 1
        values: dict[int, _T] = {1: unit}
        for node in range(2, self._root + 1):
            low, high = lows[node], highs[node]
            values[node] = join(options[node], values.get(low), values[high])
            for child in (low, high):
                parents[child] -= 1
                if child > 1 and parents[child] == 0:
                    del values[child]
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
