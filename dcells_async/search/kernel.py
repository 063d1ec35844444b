"""What every search kernel offers to the layers above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from array import array

    from ..kernels.ledger import Ledger
    from ..kernels.status import Status

__all__ = ["EVER", "Kernel", "PricedKernel", "SharedKernel", "wanted"]

EVER = 1 << 60
"""Exactly so many covers are wanted by one who wants all, however many they are."""


def wanted(want: int, left: int) -> int:
    """Tell how many covers to ask for where there may be so many more.

    Parameters
    ----------
    want : int
        `EVER` for all of them.
    left : int

    Examples
    --------
    >>> wanted(3, 5), wanted(EVER, 5), wanted(EVER, 10**30) == 10**30
    (3, 5, True)
    """
    want = left if want == EVER else min(want, left)
    # A number that is not the sign for all: one more can be asked for later.
    return want - 1 if want == EVER else want


class Kernel(Protocol):
    """A resumable search on integers; each kernel's own file tells the details."""

    @property
    def nodes(self) -> int: ...
    @property
    def updates(self) -> int: ...
    @property
    def covers(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def steps(self) -> int: ...

    def prepare(self) -> bool: ...
    def advance(self, budget: int, want: int, keep: bool = True) -> Status: ...
    def take(self) -> tuple[array[int], array[int]]: ...
    def stop(self) -> None: ...
    def best_price(self) -> int | None: ...
    def lower_bound(self) -> int | None: ...
    def fraction(self) -> float: ...
    def save(self) -> bytes: ...
    def load(self, data: bytes) -> None: ...


class SharedKernel(Kernel, Protocol):
    """A kernel that can give a part of what it has still to search to another one."""

    @property
    def keeps_order(self) -> bool: ...

    def split(self) -> SharedKernel | None: ...


class PricedKernel(SharedKernel, Protocol):
    """A kernel that can look for the cheapest covers only."""

    @property
    def max_depth(self) -> int: ...
    @property
    def ledger(self) -> Ledger: ...

    def split(self) -> PricedKernel | None: ...
    def beat(self, price: int) -> None: ...
