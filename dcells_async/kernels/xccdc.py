# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""XCCDC: exact covers with colors, by dancing cells with domain consistency.

The problem is that of ``xcc.py``: choose options such that every primary item is
covered exactly once, and every secondary item at most once, or by options that
agree on its color. The search of ``xcc.py`` notices an item that has no option
left. This one also notices an option that would leave some item without one, and
gets rid of it, at every node: it keeps the domains *consistent*, as ``domains.py``
explains. Nodes cost more and are fewer, sometimes by a factor of thousands; in a
puzzle with a single solution, a first pass alone may purge whatever is not in it.

Branching is binary: choose an item, *include* its first option, and if nothing
more is to be found with it, *drop* that option and choose again, for much may
have changed. A *stage* is what happens between two inclusions, and makes one or
more tries; stages are the levels of the path.

- D1. [Witness.] Before the search, find the first witnesses of every option in
  turn, or purge it. Then D6, and if all goes well D2. This is the *first pass*.
- D2. [Enter.] Begin a visit to a new stage.
- D3. [Choose.] Count a node. Choose an active primary item. If there is none, the
  path is a cover: go a stage back, to D5. If it has several options, save the
  sizes of the active items.
- D4. [Include.] Retire the items of its first option, and purge what is not
  compatible with that. Then D6, and if all goes well D2, a stage further on.
- D5. [Drop.] If the item of this stage had one option, go a stage back and repeat
  this. Else restore the sizes, and purge the option that was tried. Then D6, and
  if all goes well D3.
- D6. [Settle.] Find new witnesses for the options in the queue, or purge them,
  until the queue is empty.
- D7. [Undo.] A purge was impossible: let all holes revert. A try that fails so is
  dropped (D5); after a drop there is nothing left at this stage (D5, a stage
  back); and if the first pass fails, there is no cover.

An item is chosen for its size, ties going to the leftmost; but the first of size 1
that is met among the active items, in the order in which they lie, is taken at
once. Beyond ``domains.py`` the arrays are, for a stage s:

- ``degree[s]``: how many options the item chosen had.
- ``trail_at[s]``: how long the trail was when the sizes were saved.
- ``left[s]``: the part of the stage that remains after its tries, for `fraction`.

Counts of nodes, updates and purges are those of Knuth's program XCCDC to the unit,
and so is the order of the covers. An update is one swap, be it of an option in a
set or of an item among the active ones. Purges are the options removed, for
whatever reason; an option included is not removed. Besides updates, a step of the
budget is a look at a pair in a stack, at an option that may be a witness, at an
option that may have to go, or at an active item.

Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, and 4C
(in preparation), section 7.2.2.3, on consistency; his program XCCDC (2023), after
C. Solnon. What is ours: the recursion is a state machine that can rest between
any two purges, in the first pass too, and the way of keeping the domains.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import zeros
from .checking import fault_of_sets
from .domains import Domains
from .status import Status
from .vetting import Vetting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any as Buffer

PAUSED = int(Status.PAUSED)
FULL = int(Status.FULL)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)

# Where the machine rests: before another turn of D1, D6 or D7; before D2, D3,
# another turn of D4, or D5.
WITNESS = 0
SETTLE = 1
UNDO = 2
ENTER = 3
CHOOSE = 4
INCLUDE = 5
BACK = 6

# What is to be settled or undone: the first pass, an inclusion, a drop.
PASS = 0
TRY = 1
DROP = 2


@cython.cclass
class XccdcKernel(Domains):
    """The search for exact covers with domain consistency, resumable throughout.

    The first five parameters are those of `SparseSets`, the others those of
    `Domains`; depth is bounded by the number of primary items.

    Attributes
    ----------
    purged : int
        Options that the first pass has purged; -1 until it has succeeded.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        with_rows: bool = True,
        pool_limit: int = 1 << 62,
        header: int = 2,
    ) -> None:
        levels: int = min(n_primary, len(option_start) - 1)
        Domains.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            levels,
            with_rows,
            pool_limit,
            header,
        )
        self.state, self.phase, self.purged = WITNESS, PASS, -1
        self.cursor = self.node = self.held = 0
        self.degree = zeros(levels + 1)
        self.trail_at = zeros(levels + 1)
        self.left = array("d", bytes(8 * (levels + 1)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong, target: cython.longlong) -> cython.int:
        is_possible: cython.bint = True
        while self.depth >= 0:
            if self.stopping:
                return STOPPED
            if self.updates + self.steps >= until:
                return PAUSED
            if self.n_free < self.reserve:
                return GROW
            if self.firing >= 0:
                self.fire()
            elif self.state == SETTLE:
                if self.queue_front == self.queue_rear:
                    self.settled()
                else:
                    is_possible = self.settle(self.dequeue())
            elif self.state == INCLUDE:
                is_possible = self.include_next()
            elif self.state == UNDO:
                if self.queue_front != self.queue_rear:
                    self.revert(self.dequeue())
                else:
                    self.state = BACK
                    if self.phase != TRY:
                        self.depth -= 1
            elif self.state == BACK:
                if self.degree[self.depth] == 1:
                    self.depth -= 1
                else:
                    is_possible = self.drop()
            elif self.state == ENTER:
                self.stamp += 1
                self.visit[self.depth] = self.stamp
                self.left[self.depth] = 1.0
                self.state = CHOOSE
            elif self.state == CHOOSE:
                if 2 * self.active > len(self.saved) - self.saved_at[self.depth]:
                    return GROW
                self.choose()
                if self.state == BACK:
                    self.covers += 1
                    if self.keep and not self.record():
                        target = self.covers
                    self.depth -= 1
                    if self.covers >= target and self.depth >= 0:
                        return FULL
            elif self.n_begun < self.n_options:
                is_possible = self.witness(self.n_begun)
            else:
                self.state = SETTLE
            if not is_possible:
                self.fail()
                is_possible = True
        return STOPPED if self.stopping else DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settled(self) -> cython.void:
        """End D6: go on to where it was needed for."""
        if self.phase == DROP:
            self.state = CHOOSE
            return
        if self.phase == TRY:
            self.depth += 1
        else:
            self.purged = self.purges
            self.begin_rows()
        self.state = ENTER

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fail(self) -> cython.void:
        """Begin D7: a purge was impossible, since `dead_end` would lose its last."""
        self.state = UNDO

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self) -> cython.void:
        """D3, and the beginning of D4; on to D5 if there is nothing to choose."""
        x: cython.int
        self.nodes += 1
        x = self.choose_item()
        if x == 0:
            self.state = BACK
            return
        self.degree[self.depth] = self.cells[x - 1]
        self.chosen[self.depth] = self.cells[x]
        if self.cells[x - 1] > 1:
            self.trail_at[self.depth] = self.n_trail
            self.save_sizes()
        else:
            self.saved_at[self.depth + 1] = self.saved_at[self.depth]
        self.age = 2 * self.depth + 1
        self.phase = TRY
        self.state = INCLUDE
        self.held = self.active
        self.node = self.first[self.option_of[self.cells[x]]]
        while self.node_item[self.node] > 0:
            x = self.node_item[self.node]
            # A secondary item retired earlier has its color already.
            if self.cells[x - 2] < self.active:
                self.retire(x)
                self.updates += 1
            self.node += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_item(self) -> cython.int:
        """Give the first item met of size 1, else the smallest and leftmost, or 0."""
        k: cython.int
        x: cython.int
        size: cython.int
        best: cython.int = 0
        best_size: cython.int = 0x7FFFFFFF
        self.steps += self.active
        for k in range(self.active):
            x = self.items[k]
            if x < self.second:
                size = self.cells[x - 1]
                if size == 1:
                    return x
                if size < best_size or (size == best_size and x < best):
                    best = x
                    best_size = size
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def include_next(self) -> cython.bint:
        """D4, one cell: items from the last to the first, each set from its end.

        The sets of items at places below `held` are live: the active ones, and
        those that this inclusion has retired.
        """
        option: cython.int = self.option_of[self.chosen[self.depth]]
        x: cython.int = self.node_item[self.node]
        other: cython.int
        if x > 0 and self.cursor >= x:
            other = self.cells[self.cursor]
            self.cursor -= 1
            self.steps += 1
            if other == self.node or self.agrees(self.node, other):
                return True
            return self.purge(self.option_of[other], self.held)
        self.node -= 1
        if self.node >= self.first[option]:
            x = self.node_item[self.node]
            self.cursor = x - 1
            if self.cells[x - 2] < self.held:
                self.cursor += self.cells[x - 1]
            return True
        self.node += 1
        while self.node_item[self.node] > 0:
            # The option itself is out, too: nothing is to be found in these sets.
            x = self.node_item[self.node]
            if x < self.second:
                self.cells[x - 1] = 0
            self.node += 1
        self.bury(option)
        self.state = SETTLE
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop(self) -> cython.bint:
        """D5, for an item that had several options."""
        stage: cython.int = self.depth
        self.restore_sizes()
        self.wake(self.trail_at[stage])
        self.left[stage] -= self.left[stage] / self.degree[stage]
        self.age = 2 * stage
        self.phase = DROP
        self.state = SETTLE
        return self.purge(self.option_of[self.chosen[stage]], self.active)

    def fraction(self) -> float:
        """Estimate the part of the tree that is done, between 0 and 1.

        A try with one of d options is worth a d-th of what its stage has left. It
        never decreases.
        """
        done = 0.0
        share = 1.0
        if self.depth < 0:
            return 1.0
        if self.purged < 0:
            return 0.0
        for stage in range(self.depth + (self.state != ENTER)):
            done += share * (1.0 - self.left[stage])
            share *= self.left[stage] / max(self.degree[stage], 1)
        return min(done + share if self.state == BACK else done, 1.0)

    def sanity(self) -> str:
        """Name the first invariant that does not hold; empty if all do."""
        is_broken = self.state in (UNDO, BACK) or self.firing >= 0 or self.depth < 0
        return "" if is_broken else Domains.sanity(self)

    def _fault(self, items: array[int], places: array[int]) -> str:
        fault: str = fault_of_sets(self, items, places)
        if fault or self.depth < 0:
            return fault
        fault = self._fault_of_registers()
        if fault:
            return fault
        purging = self.state in (WITNESS, SETTLE, INCLUDE)
        tries = self.state in (SETTLE, UNDO) and self.phase == TRY
        levels: int = self.depth + (self.state in (INCLUDE, BACK) or tries)
        if levels > self.max_depth:
            return "the path is longer than it can be"
        whole: bool = self.state not in (UNDO, BACK)
        including: bool = self.state == INCLUDE
        oldest: int = self.age if purging else 2 * self.depth
        vetting = Vetting(
            self,
            self.degree,
            self.trail_at,
            levels,
            whole,
            including,
            self.held if including else self.active,
            oldest if whole else 2 * self.max_depth,
        )
        fault = vetting.fault()
        if not fault and including and not self._is_inside():
            fault = "it is nowhere in the option that it includes"
        return fault

    def _fault_of_registers(self) -> str:
        """See that the numbers tell one place to go on from."""
        if not WITNESS <= self.state <= BACK or not PASS <= self.phase <= DROP:
            return "it rests nowhere"
        purging = self.state in (WITNESS, SETTLE, INCLUDE)
        if (self.state == WITNESS and self.phase != PASS) or (
            self.state == INCLUDE and self.phase != TRY
        ):
            return "it rests nowhere"
        if purging and self.phase == PASS and self.depth != 0:
            return "the first pass is not at the root"
        if purging and self.age != (-1, 2 * self.depth + 1, 2 * self.depth)[self.phase]:
            return "options that go have another age"
        if not -1 <= self.firing < (self.n_options if purging else 0):
            return "an option fires that cannot"
        begun = 0 if self.state in (WITNESS, UNDO) else self.n_options
        if not begun <= self.n_begun <= self.n_options:
            return "options have not yet begun"
        if self.n_forced or not -1 <= self.purged <= self.purges:
            return "it has counted wrong"
        if not all(0.0 <= part <= 1.0 for part in self.left):
            return "a part of the tree is none"
        return ""

    def _is_inside(self) -> bool:
        """Tell whether D4 is at a cell of a set of the option that is included."""
        nodes = self._nodes(self.option_of[self.chosen[self.depth]])
        if self.node == nodes.stop:
            return True  # at the spacer behind them, to begin with
        if self.node not in nodes:
            return False
        x: int = self.node_item[self.node]
        live = self.cells[x - 1] if self.cells[x - 2] < self.held else 0
        return bool(self.cursor < x + live)

    def _registers(self) -> list[int]:
        return [
            *super()._registers(),
            self.purged,
            self.phase,
            self.cursor,
            self.node,
            self.held,
        ]

    def _restore(self, registers: Iterator[int]) -> None:
        super()._restore(registers)
        self.purged = next(registers)
        self.phase = next(registers)
        self.cursor = next(registers)
        self.node = next(registers)
        self.held = next(registers)

    def _tables(self) -> list[Buffer]:
        return [*super()._tables(), self.degree, self.trail_at, self.left]
