"""Least-cost search from both sides: diving from above, climbing from below.

A plain branch and bound *dives*: it finds covers early and improves on them, but
searches a great deal at prices that turn out to be too high. A *climber* does the
opposite. It searches only for covers below a ceiling just above the lower bound;
with so little to spare, the sweep takes nearly all options away, and the search is
soon over. If there was none, the ceiling is a proved lower bound, and is raised.
When there is one at last, it is the optimum, nearly nothing above it was searched,
and the same search proves it. (The idea is that of iterative deepening: R. E. Korf,
Artificial Intelligence 27, 1985.)

How much that saves depends on how well the taxes foresee the price. On cyclic Latin
squares with random prices they foresee most of it, and climbing searches an eighth
of the nodes; on random set partitioning they foresee a fifth, every climb searches
nearly everything, and diving is better. So two kernels take turns. They share what
they know of the price, whoever ends first ends the search, and the shares of the
time lean to the side that the bound speaks for.

To other workers (see `dcells_async.search.crew`) parts are given of the side that is
favored. A dive or a climb is over when all parts of it are; until then, who is done
with the rest does the other thing.

Turns are counted in steps, so that the covers, their order and all counters do not
depend on how the search is sliced.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..kernels.arrays import pack, unpack
from ..kernels.status import Status
from .piece import Piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from .kernel import PricedKernel

__all__ = ["Climb"]

_NO_LIMIT = 1 << 62

_TURN = 20_000
"""The first turn, in steps; the others grow with what was done."""


class Climb:
    """Two kernels with ledgers, as one kernel that finds the cheapest cover.

    Parameters
    ----------
    dive, climb : callable
        Make a diver and a climber, each with a podium of one and a ledger of its own.
    lean : int, >= 1
        How many times the other's share of the steps the favored side gets.

    Attributes
    ----------
    given : dict of bool to list of Piece
        What was given away of the dive (true), and of the climb that is on its way, and
        is not done.
    """

    def __init__(
        self,
        dive: Callable[[], PricedKernel],
        climb: Callable[[], PricedKernel],
        *,
        lean: int,
    ) -> None:
        self._make = {True: dive, False: climb}
        self._diver = dive()
        self._climber = climb()
        self._lean = lean
        self.ledger = self._diver.ledger
        self.max_depth = self._diver.max_depth
        self._is_diving = True
        self._is_over = False
        # Which sides have searched all that they kept, and what they gave away.
        self._is_done = {True: False, False: False}
        self.given: dict[bool, list[Piece]] = {True: [], False: []}
        # Whether those of the climb that are back gave anything up, and from where on.
        self._has_refused, self._ceiling = False, _NO_LIMIT
        self._to_beat: int | None = None
        self._is_stopped = False
        self._turn_ends = {True: _TURN, False: _TURN}
        # Nodes, updates, steps and covers of the climbers that are done with.
        self._past = [0, 0, 0, 0]
        self._found, self._ends = array("i"), array("i")
        # Totals below the floor are proved not to exist, but for those found.
        self._floor = self.ledger.due
        self._margin = max(self.ledger.scale, abs(self._floor) // 32)
        self._climber.ledger.cap(self._floor + self._margin)

    # -- what both come to -----------------------------------------------------------

    @property
    def nodes(self) -> int:
        """Nodes entered by both."""
        return self._past[0] + self._diver.nodes + self._climber.nodes

    @property
    def updates(self) -> int:
        """Updates made by both."""
        return self._past[1] + self._diver.updates + self._climber.updates

    @property
    def steps(self) -> int:
        """Steps of both that are not updates."""
        return self._past[2] + self._diver.steps + self._climber.steps

    @property
    def covers(self) -> int:
        """Covers found, each cheaper than the one before."""
        return self._past[3] + self._diver.covers + self._climber.covers

    @property
    def depth(self) -> int:
        """Options on the path of the one whose turn it is."""
        return -1 if self._is_over else self._current.depth

    def fraction(self) -> float:
        """Estimate the part of the dive that is done; the climb may end first."""
        return 1.0 if self._is_over else self._diver.fraction()

    def best_price(self) -> int | None:
        """Give the price of the cheapest cover found; None if there is none."""
        prices = [self._diver.best_price(), self._climber.best_price(), self._to_beat]
        return min((price for price in prices if price is not None), default=None)

    def lower_bound(self) -> int | None:
        """Give what any cover costs at least."""
        if self._is_over:
            return self.best_price()
        proved = self.proved
        dive = self._diver.lower_bound()
        best = self.best_price()
        bound = proved if dive is None else max(proved, dive)
        return bound if best is None else min(bound, best)

    @property
    def proved(self) -> int:
        """What any cover costs at least that was not found, whoever looks for it."""
        return -(-self._floor // self.ledger.scale)

    # -- the search --------------------------------------------------------------------

    def prepare(self) -> bool:
        """Prepare both kernels, once, before the first `advance`."""
        return self._diver.prepare() and self._climber.prepare()

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Search on, as the kernels do."""
        until = self.updates + self.steps + budget
        target = self.covers + want
        self._finish()
        while not self._is_over and not self.rests:
            spent = self.updates + self.steps
            if spent >= until:
                return Status.PAUSED
            kernel = self._current
            mine = kernel.updates + kernel.steps
            turn = self._turn_ends[self._is_diving] - mine
            status = kernel.advance(
                max(1, min(until - spent, turn)), target - self.covers, keep
            )
            self._collect(kernel, keep)
            if status == Status.STOPPED:
                return status
            if status == Status.DONE:
                self._is_done[self._is_diving] = True
                self._finish()
                if self._is_done[self._is_diving]:
                    self._take_turns()
            elif kernel.updates + kernel.steps >= self._turn_ends[self._is_diving]:
                self._take_turns()
            if self.covers >= target and not self._is_over:
                return Status.FULL
        return Status.DONE if self._is_over else Status.PAUSED

    @property
    def _current(self) -> PricedKernel:
        return self._diver if self._is_diving else self._climber

    def _collect(self, kernel: PricedKernel, keep: bool) -> None:
        """Take over what a kernel found, and let the other know the price."""
        other = self._climber if kernel is self._diver else self._diver
        if kernel.ledger.best is not None:
            other.ledger.cap((kernel.ledger.best - 1) * self.ledger.scale + 1)
        if keep:
            options, ends = kernel.take()
            self._ends.extend(len(self._found) + end for end in ends)
            self._found += options

    @property
    def rests(self) -> bool:
        """Whether there is nothing to do before others are done with their parts."""
        return all(self._is_done[side] and self._is_lent(side) for side in self.given)

    @property
    def yields(self) -> bool:
        """Whether it would be better to help others with their parts."""
        return self._is_done[self.is_dive_favored]

    @property
    def settles(self) -> bool:
        """Whether nothing is to be found any more, by others either."""
        return self._is_over

    def _is_lent(self, side: bool) -> bool:
        return bool(self.given[side])

    def _finish(self) -> None:
        """Draw the conclusion from a search that has ended, if one has."""
        if self._is_done[True] and not self._is_lent(True):
            self._is_over = True
        elif self._is_done[False] and not self._is_lent(False):
            self._finish_climb()

    def _finish_climb(self) -> None:
        best = self.best_price()
        money = self._climber.ledger
        if not (money.refused or self._has_refused):
            self._is_over = True
            return
        self._floor = max(self._floor, min(money.limit, self._ceiling))
        if best is not None and (best - 1) * self.ledger.scale < self._floor:
            self._is_over = True
            return
        self._margin += self._margin // 2 + 1
        self._climb_again()

    def _climb_again(self) -> None:
        done, cap = self._climber, self._diver.ledger.limit
        for k, count in enumerate((done.nodes, done.updates, done.steps, done.covers)):
            self._past[k] += count
        self._turn_ends[False] -= done.updates + done.steps
        self._is_done[False] = False
        self._has_refused, self._ceiling = False, _NO_LIMIT
        self._climber = self._make[False]()
        self._climber.ledger.cap(min(cap, self.ledger.due + self._margin))
        self._climber.prepare()
        if self._is_stopped:
            self._climber.stop()
        if self._turn_ends[False] <= 0:
            self._take_turns()

    def _take_turns(self) -> None:
        """Let the other go on, for longer the more was done, unless it waits."""
        if not self._is_done[not self._is_diving]:
            self._is_diving = not self._is_diving
        kernel = self._current
        turn = max(_TURN, (self.updates + self.steps) // 4)
        if self.is_dive_favored != self._is_diving:
            turn //= self._lean
        self._turn_ends[self._is_diving] = kernel.updates + kernel.steps + turn

    @property
    def is_dive_favored(self) -> bool:
        """Whether the taxes at the root foresee too little for a climb to be short."""
        best = self.best_price()
        return best is None or 2 * self.ledger.due < best * self.ledger.scale

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split."""
        return False

    def split(self) -> Piece | None:
        """Give a part of the favored side to another worker, between two slices."""
        side = self.is_dive_favored
        given = (self._diver if side else self._climber).split()
        return None if given is None else Piece(given, self, is_dive=side)

    @property
    def heirs(self) -> str:
        """What sort of kernel is given away; see `heir`."""
        return "dive" if self.is_dive_favored else "climb"

    def heir(self, sort: str) -> Piece:
        """Make a piece of the sort that was given away, to be prepared.

        Raises
        ------
        ValueError
            Nothing of that sort is given away.
        """
        if sort not in {"dive", "climb"}:
            raise ValueError(f"no part of a least-cost search is a {sort!r}")
        side = sort == "dive"
        return Piece(self._make[side](), self, is_dive=side)

    def take_back(self, piece: Piece, *, is_dive: bool) -> None:
        """Take note that a piece is done; its owner may be in the midst of a slice."""
        if piece not in self.given[is_dive]:
            return
        if not is_dive:
            self._has_refused = self._has_refused or piece.ledger.refused
            self._ceiling = min(self._ceiling, piece.ledger.limit)
        # The last thing: from here on, the owner may draw its conclusions.
        self.given[is_dive].remove(piece)

    def beat(self, price: int) -> None:
        """Let only covers be worth having that cost less; between two slices."""
        if self._to_beat is None or price < self._to_beat:
            self._to_beat = price
        self._diver.beat(price)
        self._climber.beat(price)

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found."""
        found, ends = self._found, self._ends
        self._found, self._ends = array("i"), array("i")
        return found, ends

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        numbers = [int(self._is_diving), int(self._is_over)]
        numbers += [self._turn_ends[True], self._turn_ends[False], *self._past]
        numbers += [self._floor, self._margin]
        ledgers = (self._diver.ledger, self._climber.ledger)
        numbers += [ledger.limit for ledger in ledgers]
        numbers += [ledger.refused for ledger in ledgers]
        numbers += [self._is_done[True], self._is_done[False]]
        numbers += [self._has_refused, self._ceiling]
        to_beat = [] if self._to_beat is None else [self._to_beat]
        numbers += [len(to_beat), *(to_beat or [0])]
        return pack([array("q", numbers), self._diver.save(), self._climber.save()])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        """
        numbers, *states = unpack(data)
        if len(states) != 2 or len(numbers) != 8 * 20:
            raise ValueError("this is no state of a least-cost search")
        diving, over, dive_end, climb_end, *rest = array("q", numbers)
        self._is_diving, self._is_over = bool(diving), bool(over)
        self._turn_ends = {True: dive_end, False: climb_end}
        self._past, (self._floor, self._margin) = rest[:4], rest[4:6]
        limits, refusals = rest[6:8], rest[8:10]
        self._is_done = {True: bool(rest[10]), False: bool(rest[11])}
        self._has_refused, self._ceiling = bool(rest[12]), rest[13]
        self._to_beat = rest[15] if rest[14] else None
        if self._margin <= 0:
            raise ValueError("this is no state of a least-cost search")
        self._climber = self._make[False]()
        self._climber.prepare()
        pair = (self._diver, self._climber)
        for kernel, state, limit, refused in zip(
            pair, states, limits, refusals, strict=True
        ):
            kernel.load(state)
            kernel.ledger.cap(limit)
            kernel.ledger.refused = bool(refused)

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self._is_stopped = True
        self._diver.stop()
        self._climber.stop()
