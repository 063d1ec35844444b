"""What a user holds: an engine is an algorithm with its knobs, and nothing else."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import MultiplicityError
from .kernels.mcc import MccKernel
from .kernels.xcc import XccKernel
from .minimizer import Minimizer

if TYPE_CHECKING:
    from .layout import Layout
    from .search.kernel import PricedKernel

__all__ = ["MCC", "XCC"]


@dataclass(frozen=True, kw_only=True)
class XCC(Minimizer):
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

    def _kernel(self, layout: Layout) -> PricedKernel:
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

    def _kernel(self, layout: Layout) -> PricedKernel:
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
