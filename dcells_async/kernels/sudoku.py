# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Sudokus of 9 by 9, many in a row: exact cover on bitsets.

A sudoku is an exact cover of 324 items (each cell; each digit in each row, column
and box) by 729 placements of a digit in a cell. The placements still possible are
a set of 729 bits here, and a cover is sought as ever: while some item has one option
left, take it; if one has none, go back; else branch on an item with few.

The bits lie in 27 words, one for each digit and *band* of three rows: bit 9r + c
is the cell in row r of the band and column c. Within a band, three neighboring cells
of a row that share a box are a *minirow*; there are 3 by 3 of them, and a digit goes
to three, one in each row and one in each box. So of the 512 sets of minirows in
which a digit may still be, a table tells which minirows belong to one of the six
ways to do so. The same table serves the other way round: in the three boxes below
one another, a digit goes to three *minicolumns*, one in each column and one in each
box. Applying both until nothing changes does, for one digit, all that its row,
column and box items can do: an item with one option left needs no case of its own,
as it leaves one minirow and one minicolumn, whose choice clears all others away;
and on the way, what solvers call locked candidates comes for free.

Between digits there are but the cells:

- a digit alone in its row is *taken*: no other digit may be in that cell;
- a cell with one digit left (found for 27 cells at once, by counting to two in
  bits) takes it.

Where neither helps, the search branches on a cell with two digits, if there is one,
in two: the digit is there, or it is not. The second way needs no choice to be
remembered: its state is the first one's less one bit, and waits one level below.

The arrays
----------
- ``frames``: 40 words for each level of the search. Word 4d + b are the places of
  digit d in band b; word 36 + b the cells of band b that are taken.
- ``dirty[level]``: a bit for each digit of which places were lost since it was
  settled last.
- ``rows[x]``: of a row x of 9 cells, its nonempty minirows (3 bits), and above
  them x again, if it is a single cell.
- ``allowed[m]``: of 9 minirows m, those in some way to place the digit; and
  ``locks[m]``: the same as 27 cells.
- ``keep[i]``: the cells of a band in which a digit may be that is also in cell i.
- ``place[w % 37]``: the number of the only bit of w; the powers of two differ in
  this remainder.

Sources: the items and options are those of Knuth, TAOCP 7.2.2.1. To keep a sudoku
by digits and bands is an old idea of the solvers' forums.
"""

from __future__ import annotations

from array import array

import cython

from .status import Status

BAND = (1 << 27) - 1
ROW = 511
COLUMN = 0o1001001
FRAME = 40
TAKEN = 36
DEEPEST = 82
"""A sudoku has 81 cells to branch on, and one level is the first."""

INVALID = -1
"""The count of a puzzle that has a wrong character, or clues that clash."""


def _tables() -> tuple[array[int], ...]:
    """Make the tables told of above, and in their order."""
    rows = [
        sum(1 << k for k in range(3) if x >> 3 * k & 7)
        | (x << 3 if x.bit_count() == 1 else 0)
        for x in range(512)
    ]
    ways = [
        1 << a | 8 << b | 64 << c
        for a in range(3)
        for b in range(3)
        for c in range(3)
        if a != b and a != c and b != c
    ]
    allowed = [0] * 512
    for m in range(512):
        for way in ways:
            if m & way == way:
                allowed[m] |= way
    locks = [sum(7 << 3 * k for k in range(9) if m >> k & 1) for m in allowed]
    keep = [
        1 << i
        | sum(
            1 << j
            for j in range(27)
            if j // 9 != i // 9 and j % 9 != i % 9 and j % 9 // 3 != i % 9 // 3
        )
        for i in range(27)
    ]
    place = [0] * 37
    for i in range(27):
        place[(1 << i) % 37] = i
    return tuple(array("I", table) for table in (rows, allowed, locks, keep, place))


_ROWS, _ALLOWED, _LOCKS, _KEEP, _PLACE = _tables()


@cython.cclass
class SudokuBlock:
    """Some puzzles, solved one after the other.

    Parameters
    ----------
    text : bytes, 81 for each puzzle
        The digits, and a dot, a zero or an asterisk for an empty cell; row by row.
    limit : int, > 0
        After so many solutions of a puzzle go on to the next.

    Attributes
    ----------
    counts : array('q')
        For each puzzle the solutions found, or `INVALID`.
    solutions : bytearray, 81 for each puzzle
        The first solution of each, in digits; as given where there is none.
    at : int
        How many puzzles are done with.
    nodes : int
        How often it was attempted to settle a puzzle: once, and after each choice.
    """

    def __init__(self, text: bytes, limit: int = 2) -> None:
        self.text = text
        self.n = len(text) // 81
        self.limit = limit
        self.counts = array("q", bytes(8 * self.n))
        self.found = self.counts
        self.solutions = bytearray(text)
        self.grids = self.solutions
        self.frames = array("I", bytes(4 * FRAME * DEEPEST))
        self.dirty = array("i", bytes(4 * DEEPEST))
        self.rows = _ROWS
        self.allowed = _ALLOWED
        self.locks = _LOCKS
        self.keep = _KEEP
        self.place = _PLACE
        self.stopping = False
        self.nodes = 0
        self.at = 0
        self.level = -1

    def advance(self, budget: int) -> Status:
        """Go on for about `budget` nodes, without the interpreter's lock."""
        steps: cython.longlong = budget
        with cython.nogil:
            self.work(steps)
        if self.stopping:
            return Status.STOPPED
        return Status.DONE if self.at == self.n else Status.PAUSED

    def stop(self) -> None:
        """Make `advance` return soon; any thread may call this."""
        self.stopping = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def work(self, budget: cython.longlong) -> cython.void:
        end: cython.longlong = self.nodes + budget
        is_open: cython.bint
        while self.nodes < end and self.at < self.n and not self.stopping:
            if self.level < 0:
                if not self.lay():
                    self.found[self.at] = INVALID
                    self.at += 1
                    continue
                self.level = 0
            self.nodes += 1
            is_open = self.settle()
            if is_open:
                self.branch(FRAME * self.level)
            else:
                self.level -= 1
                if self.found[self.at] >= self.limit:
                    self.level = -1
                if self.level < 0:
                    self.at += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay(self) -> cython.bint:
        """Put the clues of a puzzle on the board; false if that cannot be done."""
        given: cython.int = TAKEN
        start: cython.int = 81 * self.at
        i: cython.int
        k: cython.int
        band: cython.int
        character: cython.int
        bit: cython.uint
        for i in range(FRAME):
            self.frames[i] = BAND if i < TAKEN and i & 3 != 3 else 0
        for i in range(81):
            character = self.text[start + i]
            if 49 <= character <= 57:
                band = i // 27
                k = i % 27
                bit = 1
                bit <<= k
                # A clue clears its cell for the other digits when all are known.
                self.frames[given + band] |= bit
                if self.frames[4 * (character - 49) + band] & bit == 0:
                    return False
                self.assign(0, character - 49, band, bit)
            elif character != 46 and character != 48 and character != 42:
                return False
        for i in range(TAKEN):
            self.frames[i] &= ~self.frames[given + (i & 3)]
        for i in range(81):
            character = self.text[start + i]
            if 49 <= character <= 57:
                bit = 1
                bit <<= i % 27
                self.frames[4 * (character - 49) + i // 27] |= bit
        self.dirty[0] = ROW
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self) -> cython.bint:
        """Do all that is forced; true if a choice is to be made after that.

        A solution is noted here.
        """
        base: cython.int = FRAME * self.level
        digit: cython.int
        left: cython.int
        while True:
            while self.dirty[self.level] != 0:
                for digit in range(9):
                    if self.dirty[self.level] >> digit & 1:
                        if not self.settle_digit(base, digit):
                            return False
            left = self.singles(base)
            if left < 0:
                return False
            if self.dirty[self.level] == 0:
                break
        if left > 0:
            return True
        if self.found[self.at] == 0:
            self.write(base)
        self.found[self.at] += 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle_digit(self, base: cython.int, digit: cython.int) -> cython.bint:
        """Leave a digit only places that its minirows and minicolumns allow.

        False if it has none left somewhere.
        """
        here: cython.int = base + 4 * digit
        a: cython.uint = self.frames[here]
        b: cython.uint = self.frames[here + 1]
        c: cython.uint = self.frames[here + 2]
        x: cython.uint
        y: cython.uint
        z: cython.uint
        left: cython.uint
        middle: cython.uint
        right: cython.uint
        before: cython.uint
        new: cython.uint
        other: cython.int
        band: cython.int
        while True:
            a &= self.locks[
                (self.rows[a & ROW] & 7)
                | (self.rows[a >> 9 & ROW] & 7) << 3
                | (self.rows[a >> 18] & 7) << 6
            ]
            b &= self.locks[
                (self.rows[b & ROW] & 7)
                | (self.rows[b >> 9 & ROW] & 7) << 3
                | (self.rows[b >> 18] & 7) << 6
            ]
            c &= self.locks[
                (self.rows[c & ROW] & 7)
                | (self.rows[c >> 9 & ROW] & 7) << 3
                | (self.rows[c >> 18] & 7) << 6
            ]
            if a == 0 or b == 0 or c == 0:
                return False
            x = (a | a >> 9 | a >> 18) & ROW
            y = (b | b >> 9 | b >> 18) & ROW
            z = (c | c >> 9 | c >> 18) & ROW
            left = self.allowed[(x & 7) | (y & 7) << 3 | (z & 7) << 6]
            middle = self.allowed[(x >> 3 & 7) | (y & 56) | (z & 56) << 3]
            right = self.allowed[x >> 6 | (y >> 6) << 3 | (z >> 6) << 6]
            if left == 0 or middle == 0 or right == 0:
                return False
            left = left | (middle << 9) | (right << 18)
            # Bits 0-2 of each nine are for the first band, and so on.
            x ^= (left & 7) | (left >> 6 & 56) | (left >> 12 & 448)
            y ^= (left >> 3 & 7) | (left >> 9 & 56) | (left >> 15 & 448)
            z ^= (left >> 6 & 7) | (left >> 12 & 56) | (left >> 18 & 448)
            if x | y | z == 0:
                break
            a &= ~(x * COLUMN)
            b &= ~(y * COLUMN)
            c &= ~(z * COLUMN)
        self.frames[here] = a
        self.frames[here + 1] = b
        self.frames[here + 2] = c
        self.dirty[self.level] &= ~(1 << digit)
        for band in range(3):
            before = self.frames[here + band]
            new = (
                self.rows[before & ROW] >> 3
                | self.rows[before >> 9 & ROW] >> 3 << 9
                | self.rows[before >> 18] >> 3 << 18
            ) & ~self.frames[base + TAKEN + band]
            if new != 0:
                self.frames[base + TAKEN + band] |= new
                for other in range(9):
                    before = self.frames[base + 4 * other + band]
                    if before & new and other != digit:
                        self.frames[base + 4 * other + band] = before & ~new
                        self.dirty[self.level] |= 1 << other
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def singles(self, base: cython.int) -> cython.int:
        """Give each cell with one digit left that digit.

        Returns -1 if a cell has none, else 1 or 0: whether some have several.
        """
        one: cython.uint
        two: cython.uint
        word: cython.uint
        alone: cython.uint
        cell: cython.uint
        digit: cython.int
        band: cython.int
        left: cython.int = 0
        for band in range(3):
            one = 0
            two = 0
            for digit in range(9):
                word = self.frames[base + 4 * digit + band]
                two |= one & word
                one |= word
            if one != BAND:
                return -1
            if two != 0:
                left = 1
            alone = ~(two | self.frames[base + TAKEN + band]) & BAND
            digit = 0
            while alone != 0:
                word = self.frames[base + 4 * digit + band] & alone
                alone &= ~word
                while word != 0:
                    cell = word & (~word + 1)
                    word ^= cell
                    self.assign(base, digit, band, cell)
                    self.dirty[self.level] |= 1 << digit
                    self.frames[base + TAKEN + band] |= cell
                digit += 1
        return left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def branch(self, base: cython.int) -> cython.void:
        """Choose a cell of few digits; put one there, above, and forbid it, below."""
        one: cython.uint
        two: cython.uint
        three: cython.uint
        four: cython.uint
        word: cython.uint
        cell: cython.uint = 0
        digit: cython.int
        band: cython.int
        chosen: cython.int = 0
        size: cython.int = 5
        i: cython.int
        for band in range(3):
            one = 0
            two = 0
            three = 0
            four = 0
            for digit in range(9):
                word = self.frames[base + 4 * digit + band]
                four |= three & word
                three |= two & word
                two |= one & word
                one |= word
            if two & ~three:
                chosen = band
                cell = two & ~three
                break
            if size > 3 and three & ~four:
                size = 3
                chosen = band
                cell = three & ~four
            elif size > 4 and four:
                size = 4
                chosen = band
                cell = four
        cell &= ~cell + 1
        digit = 0
        while self.frames[base + 4 * digit + chosen] & cell == 0:
            digit += 1
        for i in range(FRAME):
            self.frames[base + FRAME + i] = self.frames[base + i]
        self.frames[base + 4 * digit + chosen] ^= cell
        self.dirty[self.level] = 1 << digit
        self.level += 1
        base += FRAME
        self.dirty[self.level] = 0
        for i in range(9):
            if self.frames[base + 4 * i + chosen] & cell:
                self.frames[base + 4 * i + chosen] &= ~cell
                self.dirty[self.level] |= 1 << i
        self.frames[base + 4 * digit + chosen] |= cell
        self.frames[base + TAKEN + chosen] |= cell
        self.assign(base, digit, chosen, cell)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def assign(
        self, base: cython.int, digit: cython.int, band: cython.int, cell: cython.uint
    ) -> cython.void:
        """Clear a digit from the row, the column and the box of a cell."""
        i: cython.int = self.place[cell % 37]
        here: cython.int = base + 4 * digit
        column: cython.uint = COLUMN << (i % 9)
        mine: cython.uint = self.frames[here + band] & self.keep[i]
        self.frames[here] &= ~column
        self.frames[here + 1] &= ~column
        self.frames[here + 2] &= ~column
        self.frames[here + band] = mine

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def write(self, base: cython.int) -> cython.void:
        start: cython.int = 81 * self.at
        digit: cython.int
        band: cython.int
        word: cython.uint
        cell: cython.uint
        for digit in range(9):
            for band in range(3):
                word = self.frames[base + 4 * digit + band]
                while word != 0:
                    cell = word & (~word + 1)
                    word ^= cell
                    self.grids[start + 27 * band + self.place[cell % 37]] = 49 + digit
