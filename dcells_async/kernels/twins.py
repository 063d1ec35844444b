# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, cdivision=True, freethreading_compatible=True
"""A sudoku grid, its lines, and which of them are the same.

Lines 0 to 8 are the rows from the top, 9 to 17 the columns from the left. Three lines
side by side are a band: 0 to 2 of rows, 3 to 5 of columns, which others call stacks.

*Twins* are lines of one band that hold the same in the same places, and bands that
consist of the same lines, in whatever order. Whoever looks for an order of the lines
need try but one of them. Without that a blank grid, all of whose lines are twins, would
be arranged in 3,359,232 ways.
"""

from __future__ import annotations

from array import array

import cython


@cython.cclass
class Grid:
    """Grids, one at a time.

    Parameters
    ----------
    text : bytes, 81 for each grid
        The digits, row by row; any other character is a blank.

    Attributes
    ----------
    cells : bytearray, 162
        The digits of one line after the other, 0 for a blank; each is in it twice.
    filled : array('i'), 18
        For each line a bit for each clue, by its place in the line.
    twin : bytearray, 24
        For each line the first of its band that is the same, maybe itself. Then for
        each band the first in its direction that consists of the same lines.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.cells = bytearray(162)
        self.filled = array("i", bytes(4 * 18))
        self.twin = bytearray(24)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay(self, start: cython.int) -> cython.void:
        """Take up the grid that starts there in the text, and find its twins."""
        i: cython.int
        j: cython.int
        digit: cython.int
        for i in range(18):
            self.filled[i] = 0
        for i in range(81):
            digit = self.text[start + i]
            digit = digit - 48 if 49 <= digit <= 57 else 0
            self.cells[i] = digit
            self.cells[81 + i % 9 * 9 + i // 9] = digit
            if digit:
                self.filled[i // 9] |= 1 << i % 9
                self.filled[9 + i % 9] |= 1 << i // 9
        for i in range(18):
            self.twin[i] = i
            for j in range(i // 3 * 3, i):
                if self.twin[j] == j and self.alike(i, j):
                    self.twin[i] = j
        for i in range(6):
            self.twin[18 + i] = i
            for j in range(i // 3 * 3, i):
                if self.twin[18 + j] == j and self.akin(i, j):
                    self.twin[18 + i] = j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def alike(self, line: cython.int, other: cython.int) -> cython.bint:
        """Tell whether two lines are the same."""
        i: cython.int
        if self.filled[line] != self.filled[other]:
            return False
        for i in range(9):
            if self.cells[9 * line + i] != self.cells[9 * other + i]:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def akin(self, band: cython.int, other: cython.int) -> cython.bint:
        """Tell whether two bands consist of the same lines."""
        i: cython.int
        j: cython.int
        here: cython.int
        there: cython.int
        for i in range(3 * band, 3 * band + 3):
            here = 0
            there = 0
            for j in range(3):
                if self.alike(i, 3 * band + j):
                    here += 1
                if self.alike(i, 3 * other + j):
                    there += 1
            if here != there:
                return False
        return True
