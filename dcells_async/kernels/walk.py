# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""All sets of a diagram, one after the other, from any of them on.

A walk goes down from the root, low edges first, and writes down the options of the
high edges it has taken; at node 1 they are a set of the family. Then it turns back to
the last node where it went low and might have gone high, and goes high. Since every
node but node 0 leads to a set, it never meets a dead end: a set costs at most the steps
from the root to a sink, whatever the size of the family.

To begin with the set of rank k the walk is led down along that set, and takes note of
its turns on the way. So what was broken off can be taken up, and what is too long for
one can be divided among many.

The arrays:

- ``chosen[0 .. depth - 1]``: the options on the way to ``node``;
- ``turns[0 .. n_turns - 1]``: the nodes where the walk may turn yet, and
  ``turn_depth``: how many options were chosen there;
- ``numbers[o]``: what option o is called in the covers given out.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import copied, pack, unpack, zeros
from .family import Family
from .status import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any as Buffer

PAUSED = int(Status.PAUSED)
FULL = int(Status.FULL)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)

OVER = -1
"""The node where a walk is that has ended."""


@cython.cclass
class WalkKernel(Family):
    """A walk, resumable like any search.

    Parameters
    ----------
    numbers : array('i'), shape (n_options + 1,)
    first : sequence of int, or None
        The options of the set to begin with, ascending; None to end at once.
    start, total : int, of any size
        The rank of that set, and the number of all sets.

    Attributes
    ----------
    nodes, updates, covers : int
        Nodes entered, 0, and sets found.
    """

    def __init__(
        self,
        options: Buffer,
        lows: Buffer,
        highs: Buffer,
        root: int,
        n_options: int,
        numbers: array[int],
        first: Sequence[int] | None,
        start: int,
        total: int,
    ) -> None:
        Family.__init__(self, options, lows, highs, root, n_options)
        self.numbers = numbers
        self.first = first
        self.start = start
        self.total = total
        self.chosen = zeros(n_options + 1)
        self.turns = zeros(n_options + 1)
        self.turn_depth = zeros(n_options + 1)
        self.found = self.found_ends = zeros(1)
        self.n_found = self.n_found_ends = 0
        self.nodes = self.updates = self.covers = 0
        self.depth = self.n_turns = 0
        self.node = OVER
        self.keep = True
        self.stopping = False

    @property
    def steps(self) -> int:
        """The nodes entered: a budget is counted in them."""
        return self.nodes

    def prepare(self) -> bool:
        """Go to the first set, which takes no longer than its way is."""
        if self.first is None:
            return True
        self.node = self.root
        at = 0
        while self.node > 1:
            if at < len(self.first) and self.first[at] == self.options[self.node]:
                at += 1
                self.go_high()
            else:
                self.go_low()
        return True

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Walk on until something happens.

        Parameters
        ----------
        budget : int, steps, > 0
        want : int, > 0
            Return when so many sets were found.
        keep : bool
            Whether sets are written down for `take`, or only counted.

        Returns
        -------
        Status
            `PAUSED`, `FULL`, `DONE` or `STOPPED`.
        """
        # There may be more digits than a word has; so many covers there never are.
        target: cython.longlong = self.covers + min(want, 1 << 60)
        until: cython.longlong = self.nodes + budget
        status: cython.int
        self.keep = keep
        if keep:
            covers: int = max(1, min(want, 8192))
            room: int = max(min(covers * (self.n_options + 1), 65536), self.n_options)
            self.found = zeros(room + 1)
            self.found_ends = zeros(covers + 1)
            self.n_found = self.n_found_ends = 0
        with cython.nogil:
            status = self.run(until, target)
        return Status(status)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong, target: cython.longlong) -> cython.int:
        while self.node != OVER:
            if self.stopping:
                return STOPPED
            if self.node > 1:
                if self.nodes >= until:
                    return PAUSED
                if self.lows[self.node] != 0:
                    self.go_low()
                else:
                    self.go_high()
                continue
            self.covers += 1
            if self.keep and not self.record():
                target = self.covers
            self.turn_back()
            if self.covers == target and self.node != OVER:
                return FULL
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def go_low(self) -> cython.void:
        """Go on without the option of the node, which leaves a turn."""
        self.turns[self.n_turns] = self.node
        self.turn_depth[self.n_turns] = self.depth
        self.n_turns += 1
        self.nodes += 1
        self.node = self.lows[self.node]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def go_high(self) -> cython.void:
        """Go on with the option of the node."""
        self.chosen[self.depth] = self.options[self.node]
        self.depth += 1
        self.nodes += 1
        self.node = self.highs[self.node]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_back(self) -> cython.void:
        """Go back to the last turn and take it; or come to the end."""
        if self.n_turns == 0:
            self.node = OVER
            return
        self.n_turns -= 1
        self.node = self.turns[self.n_turns]
        self.depth = self.turn_depth[self.n_turns]
        self.go_high()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record(self) -> cython.bint:
        """Write the options down as a cover; false if the next might not fit."""
        k: cython.int
        for k in range(self.depth):
            self.found[self.n_found] = self.numbers[self.chosen[k]]
            self.n_found += 1
        self.found_ends[self.n_found_ends] = self.n_found
        self.n_found_ends += 1
        return (
            self.n_found_ends + 1 < len(self.found_ends)
            and len(self.found) - self.n_found > self.n_options
        )

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found: option numbers, and where each cover ends."""
        options = copied(self.found, self.n_found)
        ends = copied(self.found_ends, self.n_found_ends)
        self.found = self.found_ends = zeros(1)
        self.n_found = self.n_found_ends = 0
        return options, ends

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self.stopping = True

    def fraction(self) -> float:
        """Give the part of the family that is behind the walk."""
        return (self.start + self.covers) / self.total if self.total else 1.0

    def best_price(self) -> None:
        """Give nothing: a walk looks at no prices."""

    def lower_bound(self) -> None:
        """Give nothing: a walk looks at no prices."""

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        numbers = [self.n_nodes, self.nodes, self.covers]
        numbers += [self.node, self.depth, self.n_turns]
        return pack([array("q", numbers), *self._tables()])

    def load(self, data: bytes) -> None:
        """Take up a state that `save` gave for the same diagram.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to a diagram of another size.
        """
        blocks = unpack(data)
        tables = [memoryview(t).cast("B") for t in self._tables()]
        if list(map(len, blocks)) != [48, *map(len, tables)]:
            raise ValueError("this state belongs to another diagram")
        numbers = array("q", blocks[0])
        if numbers[0] != self.n_nodes:
            raise ValueError("this state belongs to another diagram")
        self.nodes, self.covers = numbers[1:3]
        self.node, self.depth, self.n_turns = numbers[3:]
        for table, block in zip(tables, blocks[1:], strict=True):
            table[:] = block

    def _tables(self) -> list[Buffer]:
        return [self.chosen, self.turns, self.turn_depth]
