"""Several kernels race for the end of one and the same search.

Which engine is the best for a problem is not to be seen from the problem. Domino
tilings of a board of 144 cells are counted in some milliseconds by a search that
remembers, and in centuries by one that does not; with pentominoes it is the other way
round. But all of them can rest between any two steps, so they may take turns, and then
what is lost is the share of those that lose; `turns` tells how that is kept small. Who
needs too much memory, or remembers and has found that of no use, drops out.

Counted covers are just a number, and whoever finishes first has it. Where covers are
given out, none may come twice. The first to find one *speaks*: its covers go out at
once. The others run on silently and keep theirs, for one of them may be at the end of
its tree a thousand times sooner; if so, it has all the covers, and those that have not
been given out yet come then. When the speaker has found a thousand, it goes on alone.
Should it drop out, another one speaks, but for what has been said.

There is no clock: turns go by steps, weighed by how long they take. So the covers,
their order and all counters are the same however a search is sliced, and wherever.

The idea of running algorithms side by side is that of portfolios (B. Huberman, R.
Lukose and T. Hogg, An economics approach to hard computational problems, Science 275,
1997).
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..errors import CapacityError
from ..kernels.arrays import pack, unpack
from ..kernels.status import Status
from .kernel import EVER, wanted
from .racer import Racer
from .shelf import Shelf
from .turns import Turns

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .kernel import Kernel
    from .racer import Entrant

__all__ = ["Race"]

_MOST_HELD = 1000
"""So many covers are kept for a race to go on."""


class Race:
    """Several kernels as one.

    Parameters
    ----------
    entrants : sequence of Entrant
        At least one; the first begins.
    patience : int, steps
        After so many of the first the others may come in.

    Attributes
    ----------
    nodes, updates : int
        Nodes entered, and updates made, by all racers, as of the last slice.
    steps : int
        What all has cost beyond the updates, in steps of the fastest.
    covers : int
        Covers given out; or, where they are only counted, the most that one has found.
    """

    def __init__(self, entrants: Sequence[Entrant], patience: int) -> None:
        self._racers = [Racer(entrant) for entrant in entrants]
        self._turns = Turns(patience)
        self.covers = 0
        # Those that take part, and those of them that have a kernel.
        self._running = [*self._racers]
        self._begun = self._racers[:1]
        self._current = self._ahead = self._racers[0]
        self._current.make()
        self._speaker: Racer | None = None
        self._winner: Racer | None = None
        self._event = "began"
        self._is_stopped = False
        # Whether covers were only counted of late; and ever, before others were given.
        self._was_counting = self._is_blind = False
        # Nodes, updates and cost of those that have left.
        self._past = [0, 0, 0]
        self.nodes = self.updates = self.steps = 0
        # What to hand over next; what has been said while others listen; and that
        # part of it which was said by one that has left since.
        self._found, self._said, self._lost = Shelf(), Shelf(), Shelf()

    # -- what all come to ------------------------------------------------------------

    @property
    def depth(self) -> int:
        """Options on the path of the one that is ahead."""
        kernel = self._ahead.kernel
        return -1 if kernel is None else kernel.depth

    @property
    def engine(self) -> str:
        """Who is ahead, or has won."""
        return self._ahead.name

    @property
    def why(self) -> str:
        """A sentence about why that is so."""
        told = [
            f"{racer.name} {racer.reason or _standing(racer)}"
            for racer in self._racers
            if racer is not self._ahead and (racer.reason or racer.kernel is not None)
        ]
        if not told and len(self._racers) > 1:
            told = ["no other was begun"]
        return "; ".join([f"{self._ahead.name} {self._event}", *told])

    def fraction(self) -> float:
        """Give the estimate of the one that is ahead."""
        return 1.0 if self._winner is not None else self._ahead.fraction

    def best_price(self) -> int | None:
        """Give None: prices do not count."""
        return None

    def lower_bound(self) -> int | None:
        """Give None: prices do not count."""
        return None

    def _add_up(self) -> None:
        # Once for a slice: it is read more often than that.
        self.nodes, self.updates, cost = self._past
        for racer in self._begun:
            assert racer.kernel is not None
            self.nodes += racer.kernel.nodes
            self.updates += racer.kernel.updates
            cost += racer.cost
        self.steps = cost - self.updates

    def _cost(self) -> int:
        return self._past[2] + sum([racer.cost for racer in self._begun])

    # -- the search ------------------------------------------------------------------

    def prepare(self) -> bool:
        """Prepare the first kernel; false if `stop` was called meanwhile."""
        kernel = self._current.kernel
        return kernel is not None and kernel.prepare()

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Search on until something happens; see `kernels.search.Search`."""
        status = self._advance(budget, want, keep)
        self._add_up()
        return status

    def _advance(self, budget: int, want: int, keep: bool) -> Status:
        if keep and self._was_counting and self.covers and self._winner is None:
            # Of what was counted nothing is known but for how much it was.
            self._is_blind = True
            self._go_on_alone(self._speaker or max(self._begun, key=_covers_of))
        self._was_counting = not keep
        until = self._cost() + budget
        target = None if want == EVER else self.covers + want
        if not keep and self._winner is None:
            if self._speaker is not None and target is not None:
                # How many more it finds is a question about its own covers.
                self._go_on_alone(self._speaker)
            self._count(target)
        if keep and self._speaker is not None and self._speaker.shelf:
            return self._hand_out(self._speaker, self._room(target), keep)
        while self._winner is None:
            left = until - self._cost()
            if self._is_stopped:
                return Status.STOPPED
            if left <= 0:
                return Status.PAUSED
            if self._current.reason or self._current.cost >= self._turns.end:
                self._take_turns()
            covers = self.covers
            if not self._is_enough(target) and self._enter(self._current):
                status = self._run(self._current, left, target, keep)
                if status == Status.STOPPED:
                    return status
            if self._is_enough(target) or (keep and self.covers > covers):
                return Status.DONE if self._is_all_given() else Status.FULL
        return self._hand_out(self._winner, self._room(target), keep)

    def _is_enough(self, target: int | None) -> bool:
        return target is not None and self.covers >= target

    def _room(self, target: int | None) -> int:
        """Tell how many covers are missing to so many, or to all."""
        return EVER if target is None else target - self.covers

    def _enter(self, racer: Racer) -> bool:
        """See that a racer has its kernel; false if it cannot have one, or stopped."""
        if racer.kernel is not None:
            return True
        try:
            return self._make(racer)
        except (CapacityError, OverflowError, MemoryError):
            if len(self._running) == 1:
                raise
            self._leave(racer, "needed too much memory")
            return False

    def _make(self, racer: Racer) -> bool:
        # Known before it is prepared, so that it can be stopped while it is.
        kernel = racer.make()
        self._begun.append(racer)
        if self._is_stopped:
            kernel.stop()
        return kernel.prepare()

    def _run(self, racer: Racer, left: int, target: int | None, keep: bool) -> Status:
        """Let a racer go on, and see what has come of it."""
        is_alone = len(self._running) == 1
        cost = left if is_alone else min(left, self._turns.end - racer.cost)
        try:
            status = racer.advance(cost, self._want(racer, target, keep), keep)
        except (OverflowError, MemoryError):
            if is_alone:
                raise
            status = Status.TOO_LARGE
        if keep:
            self._collect(racer, self._room(target))
        else:
            self._count(target)
        if status == Status.TOO_LARGE and len(self._running) == 1:
            raise CapacityError(f"{racer.name} needs more memory than it may take")
        if status == Status.TOO_LARGE:
            self._leave(racer, "needed too much memory")
        elif status == Status.DONE:
            self._finish(racer, keep)
        elif len(racer.shelf) > _MOST_HELD and racer is not self._speaker:
            self._leave(racer, "found too many covers to be kept")
        return status

    def _want(self, racer: Racer, target: int | None, keep: bool) -> int:
        """Say after how many covers a racer has to return."""
        want = self._room(target)
        if not keep and target is not None:
            # Each counts for itself, up to the same number; which is not the sign.
            return wanted(EVER, max(1, target - racer.covers))
        if not keep:
            return EVER
        if len(self._running) == 1:
            return want
        if self._speaker is None:
            return 1
        held = self._said if racer is self._speaker else racer.shelf
        most = _MOST_HELD + 1 - len(held)
        return min(want, most) if racer is self._speaker else most

    def _count(self, target: int | None) -> None:
        """See how many covers there are at least: as many as any of them found."""
        racer = max(self._begun, key=_covers_of)
        if target is not None and racer.covers >= target:
            self.covers = target
            self._ahead, self._event = racer, "found enough covers first"
        else:
            self.covers = max(self.covers, racer.covers)

    def _collect(self, racer: Racer, room: int) -> None:
        """Give out, or put away, what a racer has found."""
        assert racer.kernel is not None
        found, ends = racer.kernel.take()
        if self._speaker is None and ends:
            self._speaker = self._ahead = racer
            self._event = "found a cover first"
        if racer is not self._speaker:
            racer.shelf.add(found, ends)
            return
        if self._lost or racer.shelf:
            # It speaks for another, who has left.
            racer.shelf.add(found, ends)
            racer.shelf = racer.shelf.without(self._lost)
            found, ends = racer.shelf.take(room)
        self._give(found, ends)
        if len(self._said) > _MOST_HELD:
            self._go_on_alone(racer)

    def _give(self, found: array[int], ends: array[int]) -> None:
        self.covers += len(ends)
        self._found.add(found, ends)
        if self._winner is None and len(self._running) > 1:
            self._said.add(found, ends)

    def _take_turns(self) -> None:
        self._current.note()
        for racer in self._running[1:]:
            kernel: Any = racer.kernel
            if getattr(kernel, "has_given_up", False):
                self._leave(racer, "met too few states again to remember them")
        self._current, leader = self._turns.next(self._running, self._cost())
        if self._speaker is None:
            self._ahead, self._event = leader, "is expected to finish first"

    def _leave(self, racer: Racer, reason: str) -> None:
        """Let a racer drop out."""
        kernel = racer.kernel
        if kernel is not None:
            totals = (kernel.nodes, kernel.updates, racer.cost)
            self._past = [a + b for a, b in zip(self._past, totals, strict=True)]
        if racer is self._speaker:
            self._lost.add(self._said.found, self._said.ends)
            self._speaker = None
        self._running = [other for other in self._running if other is not racer]
        self._begun = [other for other in self._begun if other is not racer]
        racer.leave(reason)

    def _go_on_alone(self, racer: Racer) -> None:
        self._speaker = self._ahead = self._current = racer
        self._event = "found a cover first, and then so many that it went on alone"
        for other in self._running:
            if other is not racer:
                self._leave(other, _standing(other))
        self._said = Shelf()

    # -- the end ---------------------------------------------------------------------

    def _finish(self, racer: Racer, keep: bool) -> None:
        """Note who has won; what it found, and was not said, is still to come."""
        self._winner = self._ahead = racer
        self._event = "finished first"
        for other in self._begun:
            if other is not racer:
                self._leave(other, _standing(other))
        if racer is not self._speaker:
            racer.shelf = racer.shelf.without(self._said)
        if not keep:
            racer.shelf = Shelf()
        if not keep or self._is_blind:
            self.covers = racer.covers

    def _is_all_given(self) -> bool:
        return self._winner is not None and not self._winner.shelf

    def _hand_out(self, racer: Racer, want: int, keep: bool) -> Status:
        """Give out what a racer has kept."""
        found, ends = racer.shelf.take(want)
        if keep:
            self._give(found, ends)
        else:
            self.covers += len(ends)
        return Status.DONE if self._is_all_given() else Status.FULL

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found: option numbers, and where each cover ends."""
        return self._found.take()

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self._is_stopped = True
        for racer in self._racers:
            # Once: the search may let go of it meanwhile.
            if (kernel := racer.kernel) is not None:
                kernel.stop()

    # -- sharing ---------------------------------------------------------------------

    def _alone(self) -> Kernel | None:
        """Give the kernel of the only one left, if its search is all there is to do."""
        is_alone = len(self._running) == 1 and self._winner is None
        return self._running[0].kernel if is_alone else None

    @property
    def keeps_order(self) -> bool:
        """Whether covers come in the same order however the search is split."""
        return bool(getattr(self._alone(), "keeps_order", False))

    def split(self) -> Kernel | None:
        """Give a part of what is left to another kernel; nothing during the race."""
        split = getattr(self._alone(), "split", None)
        return None if split is None else split()

    @property
    def heirs(self) -> str:
        """What sort of kernel is given away; see `heir`."""
        return self._running[0].name

    def heir(self, sort: str) -> Kernel:
        """Make a kernel of the sort that a racer has given away, to be prepared.

        Raises
        ------
        ValueError
            No racer is of that sort.
        """
        for racer in self._racers:
            if racer.name == sort:
                return racer.another()
        raise ValueError(f"nobody in this race is called {sort!r}")

    # -- saving ----------------------------------------------------------------------

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        places = [
            -1 if racer is None else self._racers.index(racer)
            for racer in (self._current, self._ahead, self._speaker, self._winner)
        ]
        flags = self._was_counting + 2 * self._is_blind
        numbers = [*places, flags, *self._past]
        own: list[Any] = [array("q", [*numbers, *self._turns.marks()])]
        # There may be more covers than fit into a word.
        covers = self.covers.to_bytes(self.covers.bit_length() // 8 + 1, "little")
        own += [covers, self._event.encode()]
        own += [self._said.found, self._said.ends, self._lost.found, self._lost.ends]
        return pack([pack(own), *(racer.save() for racer in self._racers)])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to another problem.
        """
        own, *states = unpack(data)
        numbers, covers, event, said, said_ends, lost, lost_ends = unpack(own)
        n = len(self._racers)
        *places, flags = array("q", numbers)[:5]
        if len(states) != n or len(numbers) != 80 or not _are_places(places, n):
            raise ValueError("this is no state of such a race")
        for racer, state in zip(self._racers, states, strict=True):
            if racer.begins(state) and racer.kernel is None:
                self._make(racer)
            racer.load(state)
        current, ahead, speaker, winner = places
        self._current, self._ahead = self._racers[current], self._racers[ahead]
        self._speaker = None if speaker < 0 else self._racers[speaker]
        self._winner = None if winner < 0 else self._racers[winner]
        self._was_counting, self._is_blind = bool(flags & 1), bool(flags & 2)
        self.covers = int.from_bytes(covers, "little")
        self._past = [*array("q", numbers)[5:8]]
        self._turns.remark(array("q", numbers)[8:])
        self._event = event.decode()
        self._said, self._lost = Shelf(said, said_ends), Shelf(lost, lost_ends)
        self._running = [racer for racer in self._racers if not racer.reason]
        self._begun = [racer for racer in self._racers if racer.kernel is not None]
        self._add_up()


def _covers_of(racer: Racer) -> int:
    return racer.covers


def _standing(racer: Racer) -> str:
    if racer.kernel is None:
        return "was not begun"
    return f"was at {100 * racer.fraction:.2g} % by its own estimate"


def _are_places(places: Sequence[int], n: int) -> bool:
    return min(places[:2]) >= 0 and all(-1 <= place < n for place in places)
