"""A part of a least-cost search that is given away: of its dive, or of a climb."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..kernels.arrays import pack, unpack

if TYPE_CHECKING:
    from ..kernels.ledger import Ledger
    from ..kernels.status import Status
    from .climb import Climb
    from .kernel import PricedKernel

__all__ = ["Piece"]


class Piece:
    """A kernel that is searched elsewhere, and whose end somebody waits for.

    Parameters
    ----------
    kernel : PricedKernel
        What was split off.
    owner : Climb
        Who gave it away.
    is_dive : bool
        Whether that tree is the whole search. Otherwise it is a climb, which says
        nothing about how much is done, or what covers cost beyond its ceiling.
    """

    keeps_order = False

    def __init__(self, kernel: PricedKernel, owner: Climb, *, is_dive: bool) -> None:
        self.kernel = kernel
        self._owner = owner
        self._is_dive = is_dive
        owner.given[is_dive].append(self)

    @property
    def nodes(self) -> int:
        """Nodes entered."""
        return self.kernel.nodes

    @property
    def updates(self) -> int:
        """Updates made."""
        return self.kernel.updates

    @property
    def covers(self) -> int:
        """Covers found."""
        return self.kernel.covers

    @property
    def steps(self) -> int:
        """Steps that are not updates."""
        return self.kernel.steps

    @property
    def depth(self) -> int:
        """Options on the path."""
        return self.kernel.depth

    @property
    def ledger(self) -> Ledger:
        """What is worth having."""
        return self.kernel.ledger

    @property
    def heirs(self) -> str:
        """What sort of kernel this is, and what is given away; see `Climb.heir`."""
        return "dive" if self._is_dive else "climb"

    def prepare(self) -> bool:
        """Prepare the kernel, where it is not part of a prepared one."""
        return self.kernel.prepare()

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Search on, as the kernel does."""
        return self.kernel.advance(budget, want, keep)

    def dismiss(self) -> None:
        """Say that it is done; what it found has been taken, and its price is known."""
        self._owner.take_back(self, is_dive=self._is_dive)

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found."""
        return self.kernel.take()

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self.kernel.stop()

    def split(self) -> Piece | None:
        """Give a part of this one to another worker, between two slices."""
        given = self.kernel.split()
        if given is None:
            return None
        return Piece(given, self._owner, is_dive=self._is_dive)

    @property
    def yields(self) -> bool:
        """Whether it would be better to search something else."""
        return self._owner.is_dive_favored is not self._is_dive

    def beat(self, price: int) -> None:
        """Let only covers be worth having that cost less; between two slices."""
        self.kernel.beat(price)

    def best_price(self) -> int | None:
        """Give the price of the cheapest cover found; None if there is none."""
        return self.kernel.best_price()

    def lower_bound(self) -> int | None:
        """Give what covers in this part cost at least; None if it does not tell."""
        return self.kernel.lower_bound() if self._is_dive else None

    def fraction(self) -> float:
        """Estimate how much is done up to where it is."""
        return self.kernel.fraction() if self._is_dive else 1.0

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        money = self.kernel.ledger
        return pack([array("q", [money.limit, money.refused]), self.kernel.save()])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        """
        numbers, state = unpack(data)
        limit, refused = array("q", numbers)
        self.kernel.load(state)
        self.kernel.ledger.cap(limit)
        self.kernel.ledger.refused = bool(refused)
