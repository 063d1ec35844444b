"""Prices of options, and the taxes that tell in advance what is still to be paid.

Taxes are a feasible solution of the *dual* of a linear program: choose how much
of each option to take, at least price, such that every item is covered as often
as it has to be. Let t(i) be numbers such that for every option o

    sum of t(i) over the items i of o  <=  price(o),

and for secondary items t(i) <= 0. Then a cover costs at least the sum of the
t(i): add the inequalities of the chosen options, and count on the left how often
each item is covered. The same holds for what remains of a cover, with the items
that remain; that is the *tax due*. So any such numbers are sound, and the search
is right whatever they are; the larger their sum, the less is to be searched.

- *Greedy* taxes (Knuth, DLX5) take the items in turn, and tax each by the least
  that its options have left.
- *LP* taxes are the best there are: the optimum of the linear program, found by
  HiGHS. It works in floating point, so its numbers are scaled and rounded down.
  Rounding down keeps the inequalities, for all options at once; where the solver
  had overdrawn one by its tolerance, one of the items is given the difference
  back. Then every net cost is at least 0 exactly, in integers, and the proof above
  holds without a word about floating point.

By default taxes are LP ones for 100 to 20,000 options where HiGHS is installed, and
greedy ones otherwise. As a linear program that is being solved cannot be stopped, it
then gets so many iterations, by its size, as take some seconds; where they are not
enough, taxes are greedy, too. Asked for by name, it is solved to the end.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .errors import PriceError
from .frame import Frame
from .kernels.ledger import Ledger
from .kernels.sweep import SweptLedger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .layout import Layout
    from .problem import Option, Problem

__all__ = ["Books", "Bound", "Price", "TaxMethod", "Taxes", "priced", "taxes_for"]

Price: TypeAlias = "Callable[[Option], int] | Iterable[int] | Mapping[int, int] | None"
"""What options cost: a function of the option, a sequence in the order written, a
mapping from option numbers (those missing cost 0), or None for the prices written
in the problem."""

Bound: TypeAlias = "Callable[[Frame], float]"
"""Gives, from a frame, what is still to be paid at least."""

TaxMethod: TypeAlias = Literal["auto", "greedy", "lp"]

_MOST = 1 << 61
"""No sum along a path may reach this."""

_MOST_WORK = 1 << 29
"""So many looks at entries, all in each iteration, LP taxes by default may take.

That is two seconds or so. Most problems need less than a tenth; dominoes on a hundred
by a hundred cells, three quarters.
"""

_FINEST = 1 << 20
"""The scale of LP taxes: far finer than the solver's own tolerance deserves."""


def priced(problem: Problem, price: Price) -> Problem:
    """Give the problem with these prices in place of those written in it.

    Raises
    ------
    PriceError
        A price is no integer of 64 bits, or there are too few or too many.
    """
    n_options = len(problem.options)
    prices: Iterable[Any]
    if price is None:
        prices = problem.option_prices or [0] * n_options
    elif callable(price):
        dropped = set(problem.dropped)
        prices = (
            0 if option.number in dropped else price(option)
            for option in problem.options
        )
    elif isinstance(price, Mapping):
        strangers = [key for key in price if not _is_number(key, n_options)]
        if strangers:
            raise PriceError(f"a price for option {strangers[0]!r}, which is none")
        prices = (price.get(number, 0) for number in range(1, n_options + 1))
    else:
        prices = price
    column = array("q")
    for number, amount in enumerate(prices, 1):
        column.append(_checked(amount, number))
    if len(column) != n_options:
        raise PriceError(f"{len(column)} prices for {n_options} options")
    return problem.with_prices(column)


def _is_number(key: object, n_options: int) -> bool:
    return isinstance(key, int) and 1 <= key <= n_options


def _checked(amount: Any, number: int) -> int:
    try:
        whole = int(amount)
    except (TypeError, ValueError, OverflowError):
        raise PriceError(f"price {amount!r} of option {number} is no number") from None
    if whole != amount:
        raise PriceError(
            f"price {amount!r} of option {number} is not integral; "
            f"multiply all prices by a power of ten, say, and round them"
        )
    if not -(1 << 63) <= whole < 1 << 63:
        raise PriceError(f"price {amount!r} of option {number} exceeds 64 bits")
    return whole


@dataclass(frozen=True, slots=True)
class Taxes:
    """Taxes on all items, in units of 1/scale; secondary items pay at most 0."""

    of_item: list[int]
    scale: int
    method: str


def taxes_for(layout: Layout, prices: array[int], method: TaxMethod) -> Taxes:
    """Find taxes by the method named."""
    if method == "lp":
        return _lp(layout, prices)
    if method == "auto" and _is_worth_lp(layout):
        try:
            return _lp(layout, prices, _MOST_WORK)
        except ImportError:
            pass
    return _greedy(layout, prices)


def _is_worth_lp(layout: Layout) -> bool:
    return 100 <= layout.n_options <= 20_000


def _fixed(layout: Layout) -> list[bool]:
    """Tell for each item whether it is covered a known number of times."""
    return [item.primary and item.low == item.high for item in layout.problem.items]


def _greedy(layout: Layout, prices: array[int]) -> Taxes:
    left = list(prices)
    owners: list[list[int]] = [[] for _ in range(layout.n_items)]
    start, entries = layout.option_start, layout.option_item
    for o in range(layout.n_options):
        for item in entries[start[o] : start[o + 1]]:
            owners[item].append(o)
    taxes = [0] * layout.n_items
    for item, is_fixed in enumerate(_fixed(layout)):
        if is_fixed and owners[item]:
            taxes[item] = tax = min(left[o] for o in owners[item])
            for o in owners[item]:
                left[o] -= tax
    return Taxes(taxes, 1, "greedy")


def _lp(layout: Layout, prices: array[int], work: int | None = None) -> Taxes:
    try:
        import highspy  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(
            "taxes by linear programming need more: pip install 'dcells-async[lp]'"
        ) from error
    duals = _duals(layout, prices, work, highspy)
    if duals is None:
        return _greedy(layout, prices)
    scale = _FINEST
    most = max(map(abs, prices), default=0) * (layout.n_options + 1)
    while scale > 1 and most * scale >= _MOST >> 1:
        scale >>= 1
    taxes = [math.floor(dual * scale) for dual in duals]
    start, entries = layout.option_start, layout.option_item
    for o in range(layout.n_options):
        items = entries[start[o] : start[o + 1]]
        overdrawn = sum(taxes[item] for item in items) - prices[o] * scale
        if overdrawn > 0:
            taxes[items[0]] -= overdrawn
    return Taxes(taxes, scale, "lp")


def _duals(
    layout: Layout, prices: array[int], work: int | None, highspy: Any
) -> list[float] | None:
    """Solve the linear program; None if it has no solution, or takes more work."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = layout.n_options, layout.n_items
    lp.col_cost_ = [float(price) for price in prices]
    lp.col_lower_ = [0.0] * layout.n_options
    lp.col_upper_ = [highspy.kHighsInf] * layout.n_options
    colored = {
        item
        for item, color in zip(layout.option_item, layout.option_color, strict=False)
        if color
    }
    lower, upper = [], []
    for number, item in enumerate(layout.problem.items):
        is_free = number in colored
        lower.append(float(item.low) if item.primary else -highspy.kHighsInf)
        upper.append(highspy.kHighsInf if is_free else float(item.high))
    lp.row_lower_, lp.row_upper_ = lower, upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = list(layout.option_start)
    lp.a_matrix_.index_ = list(layout.option_item)
    lp.a_matrix_.value_ = [1.0] * len(layout.option_item)
    # The public class registers callbacks at once, and that makes HiGHS greet us on
    # standard output before it can be told not to.
    solver = getattr(highspy, "_Highs", highspy.Highs)()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    # It compares all pairs of options that have the same items: twenty thousand take
    # a quarter of a minute. No problem we know is solved faster with it.
    solver.setOptionValue("presolve", "off")
    if work is not None:
        most = work // max(1, len(layout.option_item))
        solver.setOptionValue("simplex_iteration_limit", most)
    solver.passModel(lp)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    duals = list(solver.getSolution().row_dual)
    for number, item in enumerate(layout.problem.items):
        if not item.primary:
            duals[number] = 0.0 if number in colored else min(0.0, duals[number])
    return duals


class Books:
    """All that the ledgers of one least-cost search have in common.

    Parameters
    ----------
    layout : Layout
        Of a problem that has prices.
    best : int, >= 1
        How many cheapest covers are sought.
    bound : callable, optional
        The caller's own lower bound.
    taxes : {"auto", "greedy", "lp"}
        How taxes are found.

    Raises
    ------
    PriceError
        Sums of prices could exceed 64 bits; or a price is negative and no item of
        fixed multiplicity is there to absorb it.
    """

    def __init__(
        self, layout: Layout, *, best: int, bound: Bound | None, taxes: TaxMethod
    ) -> None:
        written = layout.problem.option_prices
        kept = layout.kept if layout.kept is not None else range(layout.n_options)
        prices = array("q", (written[o] if written else 0 for o in kept))
        deepest = min(layout.n_options, sum(item.high for item in layout.problem.items))
        if max(map(abs, prices), default=0) * (deepest + 1) >= _MOST >> 1:
            raise PriceError("the prices are so large that a sum could exceed 64 bits")
        _check_negative(layout, prices, kept)
        levied = taxes_for(layout, prices, taxes)
        start, entries = layout.option_start, layout.option_item
        self._start = start
        self._scale = levied.scale
        self._prices = array("q", (price * levied.scale for price in prices))
        self._shares = array(
            "q",
            (
                sum(levied.of_item[item] for item in entries[start[o] : start[o + 1]])
                for o in range(layout.n_options)
            ),
        )
        # No item is covered more often than it has options (if it needs more, there is
        # no cover, whatever is due): so the sum is not larger than prices can be.
        owned = Counter(entries)
        self._due = sum(
            tax * min(item.low if tax >= 0 and item.primary else item.high, owned[i])
            for i, (tax, item) in enumerate(
                zip(levied.of_item, layout.problem.items, strict=True)
            )
        )
        self._best = best
        self._bound = bound and partial(_asked, bound, layout)

    def ledger(self) -> Ledger:
        """Open a ledger for a kernel that levies taxes as it goes."""
        return Ledger(*self._figures())

    def swept_ledger(self, depth: int) -> SweptLedger:
        """Open one for a kernel that sweeps, and chooses at most `depth` options."""
        return SweptLedger(*self._figures(), self._start, depth)

    def _figures(self) -> tuple[array[int], array[int], int, int, int, Any]:
        shares, due = self._shares, self._due
        return self._prices, shares, due, self._scale, self._best, self._bound


def _asked(bound: Bound, layout: Layout, kernel: Any) -> int:
    frame = Frame(layout, kernel)
    try:
        rest = bound(frame)
    finally:
        frame.close()
    if isinstance(rest, float) and math.isinf(rest):
        return _MOST if rest > 0 else -_MOST
    return math.ceil(rest)


def _check_negative(
    layout: Layout, prices: array[int], kept: array[int] | range
) -> None:
    """Refuse a negative price that no tax can absorb: such options have no bound."""
    fixed = _fixed(layout)
    start, entries = layout.option_start, layout.option_item
    for o, price in enumerate(prices):
        if price < 0 and not any(
            fixed[item] for item in entries[start[o] : start[o + 1]]
        ):
            raise PriceError(
                f"option {kept[o] + 1} has the negative price {price}, and no item of "
                f"fixed multiplicity to absorb it"
            )
