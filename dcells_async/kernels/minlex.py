# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, cdivision=True, freethreading_compatible=True
"""The smallest number that a sudoku grid can be read as, many grids in a row.

A grid may be arranged in 2 * 6**8 ways, and its digits be renamed in 9! ways. Read row
by row with 0 for a blank, the smallest number is the *form*. It is found depth first,
cell by cell in reading order, by four ideas:

1. *Names follow.* The first digit that is met is 1, the next new one is 2, and so on.
2. *Nothing is settled early.* Columns that cannot be told apart yet form a class and
   lie side by side. In the next row the blank ones among them go first, and the class
   falls in two. If all others are new and different, whatever their order, they read
   n, n + 1, ...: they stay a class, and a digit's name is known by where the column
   at which it was met, its *home*, will lie. When such a digit is read again, it gets
   the least name that it can have, and that settles its home. Only where several
   columns give the same least value the search branches. Stacks that are blank so far
   form classes likewise.
3. *What exceeds the best is left* at the very cell where it does, and what falls
   below it is the best from there on. First this is done for the top row alone,
   which drops most of the 18 rows that could be there.
4. *Twins*, which are found by `twins`: one is tried, and counts for all.

The order of rows, and the state of a search, are told in `arrangements`.
"""

from __future__ import annotations

import cython

from .arrangements import Arrangements
from .status import Status

WHOLE = 81


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def head(spot: cython.int, cuts: cython.int) -> cython.int:
    """Give the first position of a column's class."""
    place: cython.int = spot % 3
    cuts >>= spot - place
    if place == 0 or cuts >> (place - 1) & 1:
        return spot
    if place == 1 or cuts & 1:
        return spot - 1
    return spot - 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clues(filled: cython.int, column: cython.int) -> cython.int:
    """Count the clues that a row has in the stack of a column."""
    filled >>= column // 3 * 3
    return (filled & 1) + (filled >> 1 & 1) + (filled >> 2 & 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def swapped(
    order: cython.ulonglong, one: cython.int, other: cython.int
) -> cython.ulonglong:
    """Swap two of the 4-bit numbers."""
    change: cython.ulonglong = (order >> 4 * one ^ order >> 4 * other) & 15
    return order ^ (change << 4 * one) ^ (change << 4 * other)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def inverted(order: cython.ulonglong) -> cython.ulonglong:
    """Give the positions of columns for the columns at positions."""
    spots: cython.ulonglong = 0
    spot: cython.ulonglong
    for spot in range(9):
        spots |= spot << 4 * (order & 15)
        order >>= 4
    return spots


@cython.cclass
class MinlexBlock(Arrangements):
    """The forms of some grids, one after the other.

    Parameters
    ----------
    text : bytes, 81 for each grid
        The digits, row by row; any other character is a blank.

    Attributes
    ----------
    forms : bytearray, 81 for each grid
        The smallest number, in digits, 0 for a blank. The other results are those of
        `Arrangements`.
    """

    def __init__(self, text: bytes) -> None:
        Arrangements.__init__(self, text)
        self.n = len(text) // 81
        self.forms = bytearray(81 * self.n)
        self.form = self.forms
        self.best = bytearray(81)
        self.known = 0

    def advance(self, budget: int) -> Status:
        """Finish grids until `budget` nodes are spent, without the interpreter's lock.

        It takes a few milliseconds more at most: a grid is not left half done.
        """
        steps: cython.longlong = budget
        with cython.nogil:
            self.work(steps)
        if self.stopping:
            return Status.STOPPED
        return Status.DONE if self.at == self.n else Status.PAUSED

    def stop(self) -> None:
        """Make `advance` return at once; any thread may call this."""
        self.stopping = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def work(self, budget: cython.longlong) -> cython.void:
        end: cython.longlong = self.nodes + budget
        i: cython.int
        while self.nodes < end and self.at < self.n:
            self.lay(81 * self.at)
            self.known = 0
            self.search(9)
            self.search(WHOLE)
            if self.stopping:
                return
            for i in range(81):
                self.form[81 * self.at + i] = 48 + self.best[i]
            self.at += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def meet(self, place: cython.int, value: cython.int) -> cython.bint:
        """Compare with the best; false if this is more."""
        if place < self.known and value >= self.best[place]:
            return value == self.best[place]
        self.best[place] = value
        self.known = place + 1
        self.found[self.at] = 0
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def name(
        self,
        home: cython.int,
        column: cython.int,
        spot: cython.int,
        spots: cython.ulonglong,
        cuts: cython.int,
    ) -> cython.int:
        """Give the least name that a digit can have, if `column` is to lie at `spot`.

        That column goes first in its class; one in which the digit was met moves up.
        """
        first: cython.int = head(spots >> 4 * (home % 9) & 15, cuts)
        if first == spot and home % 9 != column:
            first += 1
        return self.best[home - home % 9 + first]

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
        """Read on in a row, from the cell `place` on, and then `choose` the next."""
        row: cython.int = 9 * (place // 9)
        spot: cython.int = place - row
        line: cython.int = 9 * self.turn + self.lines[place // 9]
        filled: cython.int = self.filled[line]
        end: cython.int
        blank: cython.int
        i: cython.int
        j: cython.int
        column: cython.int
        digit: cython.int
        home: cython.int
        value: cython.int
        least: cython.int
        digits: cython.int
        is_double: cython.bint
        wide: cython.ulonglong
        line *= 9
        while spot < 9:
            blank = spot
            if spot < 6 and cuts >> (spot // 3 * 3 + 2) & 1 == 0:
                # A class of stacks, nothing but blanks so far: the blank ones first.
                end = 9 if spot == 3 or cuts >> 5 & 1 == 0 else 6
                for i in range(spot, end, 3):
                    column = columns >> 4 * i & 15
                    if clues(filled, column) == 0:
                        for j in range(3):
                            columns = swapped(columns, i + j, blank + j)
                        blank += 3
                if blank == spot:
                    self.order_stacks(
                        row + spot, end, columns, homes, cuts, seen, placed, ways
                    )
                    return
                spots = inverted(columns)
                if blank < 9:
                    cuts |= 1 << blank - 1
                while spot < blank:
                    if not self.meet(row + spot, 0):
                        return
                    spot += 1
                continue
            end = spot + 1
            while end % 3 != 0 and cuts >> end - 1 & 1 == 0:
                end += 1
            if end == spot + 1:
                # A column of its own.
                column = columns >> 4 * spot & 15
                digit = self.cells[line + column]
                value = 0
                if digit:
                    home = homes >> 7 * digit - 7 & 127
                    if home == 127:
                        seen += 1
                        value = seen
                        wide = 127 - row - column
                        homes ^= wide << 7 * digit - 7
                    else:
                        i = spots >> 4 * (home % 9) & 15
                        j = head(i, cuts)
                        value = self.best[home - home % 9 + j]
                        if i != j:
                            column = columns >> 4 * j & 15
                            columns = swapped(columns, i, j)
                            spots = swapped(spots, home % 9, column)
                        if j % 3 < 2:
                            cuts |= 1 << j
                if not self.meet(row + spot, value):
                    return
                spot += 1
                continue
            # A class of columns: the blank ones first.
            for i in range(spot, end):
                column = columns >> 4 * i & 15
                if filled >> column & 1 == 0:
                    if i != blank:
                        j = columns >> 4 * blank & 15
                        columns = swapped(columns, i, blank)
                        spots = swapped(spots, column, j)
                    blank += 1
            if blank > spot:
                if blank < end:
                    cuts |= 1 << blank - 1
                while spot < blank:
                    if not self.meet(row + spot, 0):
                        return
                    spot += 1
                continue
            least = seen + 1
            digits = 0
            is_double = False
            for i in range(spot, end):
                column = columns >> 4 * i & 15
                digit = self.cells[line + column]
                if digits >> digit & 1:
                    is_double = True
                digits |= 1 << digit
                home = homes >> 7 * digit - 7 & 127
                if home != 127:
                    value = self.name(home, column, spot, spots, cuts)
                    if value < least:
                        least = value
            if least <= seen or is_double:
                if row + spot >= self.known or least <= self.best[row + spot]:
                    self.order_columns(
                        row + spot,
                        end,
                        least,
                        columns,
                        spots,
                        homes,
                        cuts,
                        seen,
                        placed,
                        ways,
                    )
                return
            for i in range(spot, end):
                column = columns >> 4 * i & 15
                digit = self.cells[line + column]
                wide = 127 - row - column
                homes ^= wide << 7 * digit - 7
                seen += 1
                if not self.meet(row + i, seen):
                    return
            spot = end
        self.choose(row + 9, columns, spots, homes, cuts, seen, placed, ways)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def order_stacks(
        self,
        place: cython.int,
        end: cython.int,
        columns: cython.ulonglong,
        homes: cython.ulonglong,
        cuts: cython.int,
        seen: cython.int,
        placed: cython.int,
        ways: cython.longlong,
    ) -> cython.void:
        """Try each stack of a class that may come first: the fewest clues make it."""
        spot: cython.int = place % 9
        filled: cython.int = self.filled[9 * self.turn + self.lines[place // 9]]
        least: cython.int = 3
        value: cython.int
        n_twins: cython.int
        i: cython.int
        j: cython.int
        new_columns: cython.ulonglong
        for i in range(spot, end, 3):
            value = clues(filled, columns >> 4 * i & 15)
            if value < least:
                least = value
        for i in range(spot, end, 3):
            if clues(filled, columns >> 4 * i & 15) != least:
                continue
            n_twins = self.cross_twins(columns, spot, end, i, 3)
            if n_twins == 0:
                continue
            new_columns = columns
            for j in range(3):
                new_columns = swapped(new_columns, i + j, spot + j)
            self.read(
                place,
                new_columns,
                inverted(new_columns),
                homes,
                cuts | 1 << spot + 2,
                seen,
                placed,
                ways * n_twins,
            )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def order_columns(
        self,
        place: cython.int,
        end: cython.int,
        least: cython.int,
        columns: cython.ulonglong,
        spots: cython.ulonglong,
        homes: cython.ulonglong,
        cuts: cython.int,
        seen: cython.int,
        placed: cython.int,
        ways: cython.longlong,
    ) -> cython.void:
        """Try each column of a class that may come first: in which `least` is read."""
        spot: cython.int = place % 9
        line: cython.int = 81 * self.turn + 9 * self.lines[place // 9]
        column: cython.int
        other: cython.int
        home: cython.int
        value: cython.int
        n_twins: cython.int
        i: cython.int
        self.nodes += 1
        for i in range(spot, end):
            column = columns >> 4 * i & 15
            home = homes >> 7 * self.cells[line + column] - 7 & 127
            value = seen + 1
            if home != 127:
                value = self.name(home, column, spot, spots, cuts)
            if value != least:
                continue
            n_twins = self.cross_twins(columns, spot, end, i, 1)
            if n_twins == 0:
                continue
            other = columns >> 4 * spot & 15
            self.read(
                place,
                swapped(columns, i, spot),
                swapped(spots, column, other),
                homes,
                cuts | 1 << spot,
                seen,
                placed,
                ways * n_twins,
            )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cross_twins(
        self,
        columns: cython.ulonglong,
        spot: cython.int,
        end: cython.int,
        chosen: cython.int,
        width: cython.int,
    ) -> cython.int:
        """Count the twins of a column, or of a stack (width 3), in its class.

        The class is at `spot` up to `end`. 0 if the chosen one is not the first.
        """
        base: cython.int = 9 - 9 * self.turn if width == 1 else 21 - 3 * self.turn
        first: cython.int = self.twin[base + (columns >> 4 * chosen & 15) // width]
        n_twins: cython.int = 0
        while spot < end:
            if self.twin[base + (columns >> 4 * spot & 15) // width] == first:
                if spot < chosen:
                    return 0
                n_twins += 1
            spot += width
        return n_twins
