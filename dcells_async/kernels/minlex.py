# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, cdivision=True, freethreading_compatible=True
"""The smallest number that a sudoku grid can be read as, many grids in a row.

A grid may be transposed, its bands, stacks, the rows of a band and the columns of a
stack be put in any order, and its digits be renamed: 2 * 6**8 arrangements times 9!
names. Read row by row with 0 for a blank, the smallest number is the *form*. It is
found depth first, cell by cell in reading order, by four ideas:

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
4. *Twins.* Of identical rows of a band (columns of a stack; bands or stacks that
   consist of the same lines) one is tried, and counts for all. Without this a blank
   grid would be read 3,359,232 times.

How many arrangements give the form is counted on the way: twins multiply, and so do
the orders of what is still a class at the end. By the orbit-stabilizer theorem this
is the number of arrangements that leave the grid as it is but for names.

The state of a search is a few integers, passed on by value; so nothing is undone:

- ``columns``: 4 bits for each position, the column that lies there; ``spots``: 4 bits
  for each column, its position;
- ``homes``: 7 bits for each digit, 9 * row + column of its home, or 127;
- ``seen``: how many digits have a home;
- ``cuts``: bit 3s + i, i < 2, is set if a class ends after column i of stack s; bit
  3s + 2 if one ends after stack s;
- ``placed``: a bit for each row that is used;
- ``ways``: how many arrangements of twins this one stands for.

Lines 0 to 8 of ``cells`` are the rows, 9 to 17 the columns; ``filled[line]`` has a bit
for each clue; ``twin[line]`` is the first line of its band that is the same.
"""

from __future__ import annotations

from array import array

import cython

from .status import Status

IDENTITY = 0x876543210
UNSEEN = (1 << 63) - 1
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
def swapped(
    order: cython.ulonglong, one: cython.int, other: cython.int
) -> cython.ulonglong:
    """Swap two of the 4-bit numbers."""
    change: cython.ulonglong = (order >> 4 * one ^ order >> 4 * other) & 15
    return order ^ (change << 4 * one) ^ (change << 4 * other)


@cython.cclass
class MinlexBlock:
    """The forms of some grids, one after the other.

    Parameters
    ----------
    text : bytes, 81 for each grid
        The digits, row by row; any other character is a blank.

    Attributes
    ----------
    forms : bytearray, 81 for each grid
        The smallest number, in digits, 0 for a blank.
    counts : array('q')
        For each grid how many of the 3,359,232 arrangements give its form.
    maps : bytearray, 19 for each grid
        One of them: 1 if the grid is transposed, then for each row of the form, and
        for each column, which one of the (transposed) grid it is.
    at : int
        How many grids are done with.
    nodes : int
        How often a row was begun, or columns were chosen among.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.n = len(text) // 81
        self.forms = bytearray(81 * self.n)
        self.form = self.forms
        self.counts = array("q", bytes(8 * self.n))
        self.found = self.counts
        self.maps = bytearray(19 * self.n)
        self.arrangement = self.maps
        self.best = bytearray(81)
        self.cells = bytearray(162)
        self.filled = array("i", bytes(4 * 18))
        self.twin = bytearray(24)
        self.lines = bytearray(9)
        self.stopping = False
        self.nodes = 0
        self.at = 0
        self.limit = self.known = self.turn = 0

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
            self.lay()
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
    def lay(self) -> cython.void:
        """Take up a grid, and find its twins."""
        i: cython.int
        j: cython.int
        digit: cython.int
        for i in range(18):
            self.filled[i] = 0
        for i in range(81):
            digit = self.text[81 * self.at + i]
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
                if self.twin[18 + j] == j and self.kin(i, j):
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
    def kin(self, band: cython.int, other: cython.int) -> cython.bint:
        """Tell whether two bands, or stacks, consist of the same lines."""
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self, limit: cython.int) -> cython.void:
        """Find the least first `limit` cells."""
        self.limit = limit
        self.found[self.at] = 0
        self.turn = 0
        self.choose(0, IDENTITY, IDENTITY, UNSEEN, 0, 0, 0, 1)
        self.turn = 1
        self.choose(0, IDENTITY, IDENTITY, UNSEEN, 0, 0, 0, 1)

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
            # Bits 3s and 3s + 1 cut columns, bit 3s + 2 cuts stacks.
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
        band: cython.int
        start: cython.int = 0
        last: cython.int = 2
        other: cython.int
        line: cython.int
        kin: cython.int
        twins: cython.int
        tried: cython.int
        bands: cython.int = 0
        base: cython.int = 9 * self.turn
        self.nodes += 1
        if place % 27 != 0:
            start = self.lines[place // 9 - 1] // 3
            last = start
        for band in range(start, last + 1):
            kin = 1
            if place % 27 == 0:
                if placed >> 3 * band & 7:
                    continue
                if bands >> self.twin[18 + 3 * self.turn + band] & 1:
                    continue
                bands |= 1 << self.twin[18 + 3 * self.turn + band]
                for other in range(band + 1, 3):
                    if (
                        placed >> 3 * other & 7 == 0
                        and self.twin[18 + 3 * self.turn + other]
                        == self.twin[18 + 3 * self.turn + band]
                    ):
                        kin += 1
            tried = 0
            for line in range(3 * band, 3 * band + 3):
                if placed >> line & 1 or tried >> self.twin[base + line] - base & 1:
                    continue
                tried |= 1 << self.twin[base + line] - base
                twins = kin
                for other in range(line + 1, 3 * band + 3):
                    if (
                        placed >> other & 1 == 0
                        and self.twin[base + other] == self.twin[base + line]
                    ):
                        twins += kin
                self.lines[place // 9] = line
                self.read(
                    place,
                    columns,
                    spots,
                    homes,
                    cuts,
                    seen,
                    placed | 1 << line,
                    ways * twins,
                )

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
        """Read on in a row, from the cell `place` on."""
        row: cython.int = 9 * (place // 9)
        base: cython.int = 9 * self.turn
        line: cython.int = base + self.lines[place // 9]
        filled: cython.int = self.filled[line]
        spot: cython.int = place - row
        end: cython.int
        i: cython.int
        j: cython.int
        column: cython.int
        digit: cython.int
        home: cython.int
        value: cython.int
        least: cython.int
        first: cython.int
        n_blank: cython.int
        twins: cython.int
        tried: cython.int
        digits: cython.int
        new_columns: cython.ulonglong
        new_spots: cython.ulonglong
        line *= 9
        while spot < 9:
            if spot < 6 and cuts >> (spot // 3 * 3 + 2) & 1 == 0:
                # A class of stacks, blank so far; spot is the first of it.
                end = 9 if spot == 3 or cuts >> 5 & 1 == 0 else 6
                least = 3
                n_blank = 0
                for i in range(spot, end, 3):
                    column = columns >> 4 * i & 15
                    value = filled >> column // 3 * 3 & 7
                    value = (value & 1) + (value >> 1 & 1) + (value >> 2)
                    if value < least:
                        least = value
                    if value == 0:
                        for j in range(3):
                            column = columns >> 4 * (i + j) & 15
                            columns = swapped(columns, i + j, spot + 3 * n_blank + j)
                        n_blank += 1
                if n_blank > 0:
                    end = spot + 3 * n_blank
                    if end < 9:
                        cuts |= 1 << end - 1
                    while spot < end:
                        if not self.meet(row + spot, 0):
                            return
                        spot += 1
                    for i in range(9):
                        column = columns >> 4 * i & 15
                        new_spots = 15
                        spots &= ~(new_spots << 4 * column)
                        new_spots = i
                        spots |= new_spots << 4 * column
                    continue
                tried = 0
                for i in range(spot, end, 3):
                    column = columns >> 4 * i & 15
                    value = filled >> column // 3 * 3 & 7
                    value = (value & 1) + (value >> 1 & 1) + (value >> 2)
                    first = self.twin[21 - 3 * self.turn + column // 3]
                    if value != least or tried >> first & 1:
                        continue
                    tried |= 1 << first
                    twins = 1
                    for j in range(i + 3, end, 3):
                        column = columns >> 4 * j & 15
                        if self.twin[21 - 3 * self.turn + column // 3] == first:
                            twins += 1
                    new_columns = columns
                    new_spots = spots
                    for j in range(3):
                        column = columns >> 4 * (i + j) & 15
                        digit = columns >> 4 * (spot + j) & 15
                        new_columns = swapped(new_columns, i + j, spot + j)
                        new_spots = swapped(new_spots, column, digit)
                    self.read(
                        row + spot,
                        new_columns,
                        new_spots,
                        homes,
                        cuts | 1 << spot + 2,
                        seen,
                        placed,
                        ways * twins,
                    )
                return
            end = spot + 1
            while end % 3 != 0 and cuts >> end - 1 & 1 == 0:
                end += 1
            if end == spot + 1:
                column = columns >> 4 * spot & 15
                digit = self.cells[line + column]
                value = 0
                if digit:
                    home = homes >> 7 * digit - 7 & 127
                    if home == 127:
                        seen += 1
                        value = seen
                        new_columns = 127 - row - column
                        homes ^= new_columns << 7 * digit - 7
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
            n_blank = 0
            for i in range(spot, end):
                column = columns >> 4 * i & 15
                if filled >> column & 1 == 0:
                    j = spot + n_blank
                    if i != j:
                        digit = columns >> 4 * j & 15
                        columns = swapped(columns, i, j)
                        spots = swapped(spots, column, digit)
                    n_blank += 1
            if n_blank > 0:
                if spot + n_blank < end:
                    cuts |= 1 << spot + n_blank - 1
                end = spot + n_blank
                while spot < end:
                    if not self.meet(row + spot, 0):
                        return
                    spot += 1
                continue
            least = 10
            digits = 0
            twins = 0
            for i in range(spot, end):
                column = columns >> 4 * i & 15
                digit = self.cells[line + column]
                if digits >> digit & 1:
                    twins = 1
                digits |= 1 << digit
                home = homes >> 7 * digit - 7 & 127
                value = seen + 1
                if home != 127:
                    j = head(spots >> 4 * (home % 9) & 15, cuts)
                    # The column itself goes first, and its class moves up.
                    if j == spot and home % 9 != column:
                        j += 1
                    value = self.best[home - home % 9 + j]
                if value < least:
                    least = value
            if least > seen and twins == 0:
                for i in range(spot, end):
                    column = columns >> 4 * i & 15
                    digit = self.cells[line + column]
                    new_columns = 127 - row - column
                    homes ^= new_columns << 7 * digit - 7
                    seen += 1
                    if not self.meet(row + i, seen):
                        return
                spot = end
                continue
            if row + spot < self.known and least > self.best[row + spot]:
                return
            self.nodes += 1
            tried = 0
            for i in range(spot, end):
                column = columns >> 4 * i & 15
                digit = self.cells[line + column]
                home = homes >> 7 * digit - 7 & 127
                value = seen + 1
                if home != 127:
                    j = head(spots >> 4 * (home % 9) & 15, cuts)
                    if j == spot and home % 9 != column:
                        j += 1
                    value = self.best[home - home % 9 + j]
                first = self.twin[9 - base + column] - 9 + base
                if value != least or tried >> first & 1:
                    continue
                tried |= 1 << first
                twins = 1
                for j in range(i + 1, end):
                    column = columns >> 4 * j & 15
                    if self.twin[9 - base + column] - 9 + base == first:
                        twins += 1
                column = columns >> 4 * i & 15
                digit = columns >> 4 * spot & 15
                self.read(
                    row + spot,
                    swapped(columns, i, spot),
                    swapped(spots, column, digit),
                    homes,
                    cuts | 1 << spot,
                    seen,
                    placed,
                    ways * twins,
                )
            return
        self.choose(row + 9, columns, spots, homes, cuts, seen, placed, ways)
