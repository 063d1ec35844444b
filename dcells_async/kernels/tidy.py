# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Nodes put in order: checked, and those left out that the root does not reach.

Three walks. The first one, upwards, looks for a node that is *out of order*: its option
does not exist, or a child is not below it, or has an option no later than its own, or
the high child is node 0. The second one, from the root down, marks what is reached.
And the third one, upwards again, moves that to its place, if there is anything to be
left out at all.

Both sinks stay, whatever is reached.

- ``places[v]``: first 1 if node v is reached, then its new place and 1; else 0.
"""

from __future__ import annotations

import cython

from .arrays import pages
from .family import Family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Buffer

CHECKING, MARKING, PLACING, MOVING = range(4)


@cython.cclass
class Tidy(Family):
    """Arrays to be put in order, which themselves are left as they are.

    Attributes
    ----------
    fault : int
        The first node that is out of order, or -1.
    n_kept : int
        How many nodes are left, both sinks included.
    reaches_nothing : bool
        Whether some node that is reached has node 0 as its low child.
    """

    def __init__(
        self,
        options: Buffer,
        lows: Buffer,
        highs: Buffer,
        root: int,
        n_options: int,
    ) -> None:
        Family.__init__(self, options, lows, highs, root, n_options)
        self.places = pages(self.n_nodes)
        self.new_options = self.new_lows = self.new_highs = pages(1)
        self.fault = -1
        self.n_kept = 0
        self.reaches_nothing = False
        self.stage = CHECKING
        self.at = 2

    def advance(self, nodes: int) -> bool:
        """Go on for so many nodes; whether that was the last of it."""
        n: cython.int = min(nodes, self.n_nodes)
        if self.stage == CHECKING:
            with cython.nogil:
                self.check(n)
            if self.fault < 0 and self.at == self.n_nodes:
                self.places[0] = self.places[1] = self.places[self.root] = 1
                self.stage = MARKING
            return self.fault >= 0
        if self.stage == MARKING:
            with cython.nogil:
                self.mark(n)
            if self.at == 2:
                self.stage = PLACING
                self.at = 0
            return False
        if self.stage == PLACING:
            with cython.nogil:
                self.place(n)
            if self.at < self.n_nodes:
                return False
            if self.n_kept == self.n_nodes:
                return True
            self.new_options = pages(self.n_kept)
            self.new_lows = pages(self.n_kept)
            self.new_highs = pages(self.n_kept)
            self.new_options[0] = self.new_options[1] = -1
            self.stage = MOVING
            self.at = 2
            return False
        with cython.nogil:
            self.move(n)
        return self.at == self.n_nodes

    def result(self) -> tuple[memoryview, memoryview, memoryview, int]:
        """Give the new arrays and the root, where some nodes were left out."""
        return (
            memoryview(self.new_options),
            memoryview(self.new_lows),
            memoryview(self.new_highs),
            self.places[self.root] - 1,
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def check(self, nodes: cython.int) -> cython.void:
        v: cython.int
        option: cython.int
        low: cython.int
        high: cython.int
        end: cython.int = self.at + min(nodes, self.n_nodes - self.at)
        for v in range(self.at, end):
            option = self.options[v]
            low = self.lows[v]
            high = self.highs[v]
            if option < 0 or option >= self.n_options:
                self.fault = v
                return
            if low < 0 or low >= v or high < 1 or high >= v:
                self.fault = v
                return
            if self.level(low) <= option or self.level(high) <= option:
                self.fault = v
                return
        self.at = end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark(self, nodes: cython.int) -> cython.void:
        v: cython.int
        end: cython.int = max(2, self.at - nodes)
        for v in range(self.at - 1, end - 1, -1):
            if self.places[v] != 0:
                self.places[self.lows[v]] = 1
                self.places[self.highs[v]] = 1
                if self.lows[v] == 0:
                    self.reaches_nothing = True
        self.at = end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, nodes: cython.int) -> cython.void:
        v: cython.int
        end: cython.int = self.at + min(nodes, self.n_nodes - self.at)
        for v in range(self.at, end):
            if self.places[v] != 0:
                self.n_kept += 1
                self.places[v] = self.n_kept
        self.at = end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self, nodes: cython.int) -> cython.void:
        v: cython.int
        to: cython.int
        end: cython.int = self.at + min(nodes, self.n_nodes - self.at)
        for v in range(self.at, end):
            to = self.places[v] - 1
            if to >= 0:
                self.new_options[to] = self.options[v]
                self.new_lows[to] = self.places[self.lows[v]] - 1
                self.new_highs[to] = self.places[self.highs[v]] - 1
        self.at = end
