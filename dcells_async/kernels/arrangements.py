# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, cdivision=True, freethreading_compatible=True
"""The arrangements of a sudoku grid, row by row, and how many are the best.

A grid may be transposed, its bands and stacks, the rows of a band and the columns of a
stack be put in any order: 2 * 6**8 arrangements. Here the next row is chosen, and the
best are counted at the end; how a row is read, and its columns are ordered thereby, is
the affair of a subclass, see `minlex`.

Of twin rows and bands one is tried, and counts for all. Columns that need not be told
apart are left in any order, and all their orders count. By the orbit-stabilizer
theorem, the number of arrangements that give one and the same result is the number of
those that leave the grid as it is.

The state of a search is a few integers, passed on by value; so nothing is undone:

- ``columns``: 4 bits for each position, the column that lies there; ``spots``: 4 bits
  for each column, its position;
- ``homes``: 7 bits for each digit, 9 * row + column of the place where it was met
  first, or 127;
- ``seen``: how many digits have a home;
- ``cuts``: columns that can be told apart are in different classes, and so are stacks.
  Bit 3s + i, i < 2, is set if a class ends after column i of stack s; bit 3s + 2 if one
  ends after stack s;
- ``placed``: a bit for each row that is used;
- ``ways``: how many arrangements this one stands for.
"""

from __future__ import annotations

from array import array

import cython

from .twins import Grid

IDENTITY = 0x876543210
UNSEEN = (1 << 63) - 1


@cython.cclass
class Arrangements(Grid):
    """The search through the orders of rows.

    Parameters
    ----------
    text : bytes, 81 for each grid
        The digits, row by row; any other character is a blank.

    Attributes
    ----------
    counts : array('q')
        For each grid how many arrangements are the best.
    maps : bytearray, 19 for each grid
        One of them: 1 if the grid is transposed, then for each row of the result, and
        for each column, which one of the (transposed) grid it is.
    at : int
        The number of the grid at hand.
    nodes : int
        How often a row was begun, or columns were chosen among.
    """

    def __init__(self, text: bytes) -> None:
        Grid.__init__(self, text)
        n_grids = len(text) // 81
        self.counts = array("q", bytes(8 * n_grids))
        self.found = self.counts
        self.maps = bytearray(19 * n_grids)
        self.arrangement = self.maps
        self.lines = bytearray(9)
        self.stopping = False
        self.nodes = 0
        self.at = 0
        self.limit = 0
        self.turn = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self, limit: cython.int) -> cython.void:
        """Go through the arrangements of the first `limit` cells, a row or more."""
        self.limit = limit
        self.found[self.at] = 0
        self.turn = 0
        self.choose(0, IDENTITY, IDENTITY, UNSEEN, 0, 0, 0, 1)
        self.turn = 1
        self.choose(0, IDENTITY, IDENTITY, UNSEEN, 0, 0, 0, 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(
        self,
        place: cython.int,
        columns: cython.ulonglong,
        spots: cython.ulonglong,
        homes: cython.ulonglong,
        cuts: cython.int,
        seen: cython.int,
        placed: cython.int,
        ways: cython.longlong,
    ) -> cython.void:
        """Try each row that may come next."""
        if self.stopping:
            return
        if place == self.limit:
            self.leaf(columns, cuts, ways)
            return
        start: cython.int = 0
        last: cython.int = 2
        band: cython.int
        line: cython.int
        n_bands: cython.int = 1
        n_lines: cython.int
        self.nodes += 1
        if place % 27 != 0:
            start = self.lines[place // 9 - 1] // 3
            last = start
        for band in range(start, last + 1):
            if place % 27 == 0:
                n_bands = self.band_twins(band, placed)
                if n_bands == 0:
                    continue
            for line in range(3 * band, 3 * band + 3):
                n_lines = self.line_twins(line, placed)
                if n_lines == 0:
                    continue
                self.lines[place // 9] = line
                self.read(
                    place,
                    columns,
                    spots,
                    homes,
                    cuts,
                    seen,
                    placed | 1 << line,
                    ways * n_bands * n_lines,
                )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def band_twins(self, band: cython.int, placed: cython.int) -> cython.int:
        """Count the twins of a band that are left; 0 if it is not the first of them."""
        base: cython.int = 18 + 3 * self.turn
        other: cython.int
        n_twins: cython.int = 0
        if placed >> 3 * band & 7:
            return 0
        for other in range(3):
            if (
                self.twin[base + other] == self.twin[base + band]
                and placed >> 3 * other & 7 == 0
            ):
                if other < band:
                    return 0
                n_twins += 1
        return n_twins

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def line_twins(self, line: cython.int, placed: cython.int) -> cython.int:
        """Count the twins of a row that are left; 0 if it is not the first of them."""
        base: cython.int = 9 * self.turn
        first: cython.int = line // 3 * 3
        other: cython.int
        n_twins: cython.int = 0
        if placed >> line & 1:
            return 0
        for other in range(first, first + 3):
            if (
                self.twin[base + other] == self.twin[base + line]
                and placed >> other & 1 == 0
            ):
                if other < line:
                    return 0
                n_twins += 1
        return n_twins

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def read(
        self,
        place: cython.int,
        columns: cython.ulonglong,
        spots: cython.ulonglong,
        homes: cython.ulonglong,
        cuts: cython.int,
        seen: cython.int,
        placed: cython.int,
        ways: cython.longlong,
    ) -> cython.void:
        """Read on in a row, and then `choose` the next one; subclasses know how."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leaf(
        self, columns: cython.ulonglong, cuts: cython.int, ways: cython.longlong
    ) -> cython.void:
        """Count an arrangement that is as good as the best, and keep the first."""
        start: cython.int = 19 * self.at
        i: cython.int
        size: cython.int = 1
        if self.found[self.at] == 0:
            self.arrangement[start] = self.turn
            for i in range(9):
                self.arrangement[start + 1 + i] = self.lines[i]
                self.arrangement[start + 10 + i] = columns >> 4 * i & 15
        for i in range(9):
            if i % 3 == 0:
                size = 1
            if i % 3 < 2:
                size = 1 if cuts >> i & 1 else size + 1
                ways *= size
        size = 1
        for i in range(2):
            size = 1 if cuts >> (3 * i + 2) & 1 else size + 1
            ways *= size
        self.found[self.at] += ways
