# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Scan a text in the DLX format into integer arrays.

A pass over the bytes *measures* the text: it counts lines and tokens, so that
the arrays can be made in the right size, and finds the first byte that is no
UTF-8. A second pass takes the text line by line and token by token. Both can
rest anywhere, need no Python object, and let other threads run.

The format, in short: a line that starts with ``|`` is a comment; the first other
line names the items, primary ones first, then ``|``, then secondary ones; each
further line is an option, a list of items, secondary ones perhaps with
``:color``. A primary item may carry bounds, ``high|name`` or ``low:high|name``;
an option may carry prices, ``|n``, which add up. White space is that of ASCII.

What comes out (entries are the item references of all options, end to end):

- ``node_item[e], node_color[e]``: item and color of entry e; colors are numbered
  from 1, and 0 means none;
- ``option_start[o]``: the first entry of option o; ``option_line[o]``: its line;
- ``option_price[o]``: the sum of its prices; shape (0,) if there are none;
- ``low[i], high[i]``: the bounds of item i.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import copied, enlarged, zeros
from .names import NameTable
from .status import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PAUSED = int(Status.PAUSED)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)
FAULTY = int(Status.FAULTY)

# Where the scan is: counting, at the start of a line, or inside one.
MEASURE = 0
LINE = 1
COMMENT = 2
ITEMS = 3
OPTION = 4
OVER = 5

FAULTS = (
    "fine",
    "no items",
    "second bar",
    "illegal name",
    "repeated item",
    "no number",
    "huge bound",
    "upper zero",
    "low above high",
    "secondary bound",
    "empty name",
    "empty item",
    "unknown item",
    "repeated in option",
    "colored primary",
    "empty color",
    "no price",
    "huge price",
    "nul",
    "not utf8",
)
"""The name of each fault code."""

FINE, NO_ITEMS, SECOND_BAR, ILLEGAL_NAME, REPEATED_ITEM = 0, 1, 2, 3, 4
NO_NUMBER, HUGE_BOUND, UPPER_ZERO, LOW_ABOVE_HIGH = 5, 6, 7, 8
SECONDARY_BOUND, EMPTY_NAME, EMPTY_ITEM, UNKNOWN_ITEM = 9, 10, 11, 12
REPEATED_IN_OPTION, COLORED_PRIMARY, EMPTY_COLOR = 13, 14, 15
NO_PRICE, HUGE_PRICE, NUL, NOT_UTF8 = 16, 17, 18, 19
HUGE_NUMBER = HUGE_PRICE
# No faults: a table is too small, and the token waits until it is not.
FEW_ITEMS, FEW_MARKS, FEW_COLORS, FEW_PRICES, FEW_BARE = 101, 102, 103, 104, 105

BIGGEST = 0x7FFFFFFFFFFFFFFF


@cython.cclass
class DlxScanner:
    """A resumable scan of one text.

    Parameters
    ----------
    text : bytes or bytearray
        The whole text, without a byte order mark.

    Attributes
    ----------
    fault : int
        What is wrong, an index into `FAULTS`; 0 as long as nothing is.
    fault_start, fault_end : int
        The bytes at fault.
    n_bare : int
        Options met without a primary item.
    line, line_start : int
        The line being scanned, from 1, and its first byte.
    """

    def __init__(self, text: bytes | bytearray) -> None:
        self.text = text
        self.end = len(text)
        self.limit = self.end
        self.items = NameTable(text)
        self.colors = NameTable(text)
        self.n_primary = -1
        self.state = MEASURE
        self.stopping = self.in_token = self.has_primary = False
        self.position = self.line_start = self.fault_start = self.fault_end = 0
        self.n_tokens = self.n_entries = self.number = 0
        self.n_lines = self.n_options = self.n_bare = self.fault = 0
        self.line = 1
        self.low = zeros(self.items.capacity())
        self.high = zeros(self.items.capacity())
        self.bare = zeros(self.items.capacity())
        self.mentioned = zeros(0)
        self.arrays: list[array[int]] = []

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self.stopping = True

    def advance(self, budget: int) -> Status:
        """Scan on, about `budget` bytes.

        Returns
        -------
        Status
            `PAUSED`, `DONE`, `STOPPED`, or `FAULTY`, with the fault told by the
            attributes.

        Raises
        ------
        OverflowError
            There are more entries or lines than 32-bit indices can count.
        """
        until: cython.longlong
        status: cython.int
        while True:
            until = self.position + budget
            with cython.nogil:
                status = self.run(until)
            if status != GROW:
                return Status(status)
            self._grow()

    def _grow(self) -> None:
        if not self.arrays:
            if max(self.n_tokens, self.n_lines) >= 0x7FFFFFF0:
                raise OverflowError("more entries than 32-bit indices can count")
            entries, lines = self.n_tokens + 1, self.n_lines + 2
            self.arrays = [zeros(entries), zeros(entries), zeros(lines), zeros(lines)]
            self.arrays.append(array("q", [0]))
            self.node_item, self.node_color = self.arrays[0], self.arrays[1]
            self.option_start, self.option_line = self.arrays[2], self.arrays[3]
            self.option_price = self.arrays[4]
        elif self.fault == FEW_ITEMS:
            self.items.grow()
            self.low = enlarged(self.low, self.items.capacity())
            self.high = enlarged(self.high, self.items.capacity())
        elif self.fault == FEW_MARKS:
            self.mentioned = zeros(self.items.count)
        elif self.fault == FEW_COLORS:
            self.colors.grow()
        elif self.fault == FEW_BARE:
            self.bare = enlarged(self.bare, 2 * len(self.bare))
        elif self.fault == FEW_PRICES:
            self.arrays[4] = array("q", bytes(8 * (self.n_lines + 2)))
            self.option_price = self.arrays[4]
        self.fault = FINE

    def take(self) -> tuple[array[int], array[int], array[int], array[int], array[int]]:
        """Hand over, after `DONE`, the arrays in the order told above."""
        item, color, start, line, price = self.arrays
        self.node_item = self.node_color = zeros(1)
        self.option_start = self.option_line = zeros(1)
        self.option_price = array("q", [0])
        self.arrays = []
        has_colors = self.colors.count > 0
        del item[self.n_entries :]
        del color[self.n_entries if has_colors else 0 :]
        del start[self.n_options + 1 :]
        del line[self.n_options :]
        del price[self.n_options if len(price) > 1 else 0 :]
        return item, color, start, line, price

    def bounds(self) -> Iterator[tuple[int, int]]:
        """Give lower and upper bound of every item."""
        for i in range(self.items.count):
            yield self.low[i], self.high[i]

    def dropped(self) -> array[int]:
        """Give the numbers, from 1, of the options without a primary item."""
        return copied(self.bare, self.n_bare)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong) -> cython.int:
        start: cython.longlong
        fault: cython.int
        if self.state == MEASURE:
            if self.measure(until) == PAUSED:
                return STOPPED if self.stopping else PAUSED
            self.state = LINE
            self.position = 0
            return GROW
        while self.state != OVER:
            if self.stopping:
                return STOPPED
            if self.position >= until:
                return PAUSED
            while self.position < self.limit and self.is_blank(self.position):
                self.position += 1
            if self.position == self.limit and self.limit < self.end:
                fault = NOT_UTF8 if self.text[self.limit] else NUL
                self.blame(fault, self.limit, self.limit + 1)
                return FAULTY
            if self.position == self.limit or self.text[self.position] == 10:
                if self.n_bare == len(self.bare):
                    self.fault = FEW_BARE
                    return GROW
                self.end_line()
                continue
            if self.state == LINE:
                self.begin_line()
            start = self.position
            while self.position < self.limit and not (
                self.is_blank(self.position) or self.text[self.position] == 10
            ):
                self.position += 1
            if self.position == self.limit and self.limit < self.end:
                continue
            if self.state == ITEMS:
                fault = self.scan_item(start, self.position)
            elif self.state == OPTION:
                fault = self.scan_entry(start, self.position)
            else:
                fault = FINE
            if fault >= FEW_ITEMS:
                self.position = start
                return GROW
            if fault != FINE:
                return FAULTY
        if self.n_primary < 0:
            self.blame(NO_ITEMS, self.limit, self.limit)
            return FAULTY
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_blank(self, at: cython.longlong) -> cython.bint:
        """White space within a line; a line feed is not."""
        byte: cython.int = self.text[at]
        return byte == 32 or (byte <= 13 and byte >= 9 and byte != 10)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def measure(self, until: cython.longlong) -> cython.int:
        """Count lines and tokens up to `until`, or up to what is no UTF-8."""
        byte: cython.int
        length: cython.int
        while self.position < self.end:
            if self.stopping or self.position >= until:
                return PAUSED
            byte = self.text[self.position]
            if byte == 32 or (byte <= 13 and byte >= 9):
                self.in_token = False
                self.n_lines += byte == 10
                self.position += 1
                continue
            length = 1 if 0 < byte < 128 else self.length_of(self.position)
            if length == 0:
                self.limit = self.position
                break
            if not self.in_token:
                self.in_token = True
                self.n_tokens += 1
            self.position += length
        return DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def length_of(self, at: cython.longlong) -> cython.int:
        """Give the length of a character's UTF-8 code, 0 if it is none.

        The second byte's range excludes overlong codes, surrogates, and what lies
        beyond U+10FFFF (The Unicode Standard, table 3-7).
        """
        byte: cython.int = self.text[at]
        least: cython.int = 0x80
        most: cython.int = 0xBF
        length: cython.int
        k: cython.int
        if 0xC2 <= byte <= 0xDF:
            length = 2
        elif 0xE0 <= byte <= 0xEF:
            length = 3
            if byte == 0xE0:
                least = 0xA0
            elif byte == 0xED:
                most = 0x9F
        elif 0xF0 <= byte <= 0xF4:
            length = 4
            if byte == 0xF0:
                least = 0x90
            elif byte == 0xF4:
                most = 0x8F
        else:
            return 0
        if at + length > self.end:
            return 0
        for k in range(1, length):
            byte = self.text[at + k]
            if byte < least or byte > most:
                return 0
            least = 0x80
            most = 0xBF
        return length

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_line(self) -> cython.void:
        if self.text[self.position] == 124:  # |
            self.state = COMMENT
        elif self.n_primary < 0:
            self.state = ITEMS
        else:
            self.state = OPTION
            self.option_line[self.n_options] = self.line

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def end_line(self) -> cython.void:
        if self.state == ITEMS and self.n_primary < 0:
            self.n_primary = self.items.count
        elif self.state == OPTION:
            self.n_options += 1
            if not self.has_primary:
                self.bare[self.n_bare] = self.n_options
                self.n_bare += 1
            self.has_primary = False
            self.option_start[self.n_options] = self.n_entries
        if self.position == self.limit:
            self.state = OVER
        else:
            self.state = LINE
            self.position += 1
            self.line += 1
            self.line_start = self.position

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scan_item(self, start: cython.longlong, stop: cython.longlong) -> cython.int:
        """Take a token of the item line: a bar, or an item with or without bounds."""
        at: cython.longlong
        name: cython.longlong = start
        known: cython.int = self.items.count
        fault: cython.int
        if self.items.is_full():
            self.fault = FEW_ITEMS
            return FEW_ITEMS
        if self.text[start] == 124 and stop == start + 1:
            if self.n_primary >= 0:
                return self.blame(SECOND_BAR, start, stop)
            self.n_primary = known
            return FINE
        self.low[known] = self.high[known] = 1
        for at in range(start, stop):
            if self.text[at] == 124:
                if self.n_primary >= 0:
                    return self.blame(SECONDARY_BOUND, start, stop)
                fault = self.scan_bounds(start, at, known)
                if fault != FINE:
                    return fault
                name = at + 1
                break
        if name == stop:
            return self.blame(EMPTY_NAME, start, stop)
        for at in range(name, stop):
            if self.text[at] == 124 or self.text[at] == 58:
                return self.blame(ILLEGAL_NAME, at, at + 1)
        if self.items.add(name, stop) != known:
            return self.blame(REPEATED_ITEM, name, stop)
        return FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scan_bounds(
        self, start: cython.longlong, bar: cython.longlong, item: cython.int
    ) -> cython.int:
        """Take ``high`` or ``low:high`` before the bar."""
        colon: cython.longlong = start
        at: cython.longlong = start
        fault: cython.int
        while colon < bar and self.text[colon] != 58:
            colon += 1
        if colon < bar:
            fault = self.scan_bound(start, colon)
            if fault != FINE:
                return self.blame(fault, start, colon)
            self.low[item] = self.number
            at = colon + 1
        fault = self.scan_bound(at, bar)
        if fault != FINE:
            return self.blame(fault, at, bar)
        if self.number == 0:
            return self.blame(UPPER_ZERO, start, bar)
        self.high[item] = self.number
        if at == start:
            self.low[item] = self.number
        if self.low[item] > self.high[item]:
            return self.blame(LOW_ABOVE_HIGH, start, bar)
        return FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scan_bound(self, start: cython.longlong, stop: cython.longlong) -> cython.int:
        """Read one bound, at least nought and within 31 bits, into `number`."""
        fault: cython.int = self.scan_number(start, stop)
        if fault == FINE and self.number < 0:
            return NO_NUMBER
        if fault == HUGE_NUMBER or self.number > 0x7FFFFFFF:
            return HUGE_BOUND
        return fault

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scan_entry(self, start: cython.longlong, stop: cython.longlong) -> cython.int:
        """Take a token of an option: an item, perhaps with a color, or a price."""
        colon: cython.longlong = start
        item: cython.int
        color: cython.int = 0
        if self.text[start] == 124:
            return self.scan_price(start, stop)
        if len(self.mentioned) < self.items.count:
            self.fault = FEW_MARKS
            return FEW_MARKS
        if self.colors.is_full():
            self.fault = FEW_COLORS
            return FEW_COLORS
        while colon < stop and self.text[colon] != 58:
            colon += 1
        if colon == start:
            return self.blame(EMPTY_ITEM, start, stop)
        item = self.items.find(start, colon)
        if item < 0:
            return self.blame(UNKNOWN_ITEM, start, colon)
        if self.mentioned[item] == self.n_options + 1:
            return self.blame(REPEATED_IN_OPTION, start, colon)
        self.mentioned[item] = self.n_options + 1
        if item < self.n_primary:
            self.has_primary = True
        if colon < stop:
            if item < self.n_primary:
                return self.blame(COLORED_PRIMARY, start, stop)
            if colon + 1 == stop:
                return self.blame(EMPTY_COLOR, start, stop)
            color = self.colors.add(colon + 1, stop) + 1
        self.node_item[self.n_entries] = item
        self.node_color[self.n_entries] = color
        self.n_entries += 1
        return FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scan_price(self, start: cython.longlong, stop: cython.longlong) -> cython.int:
        """Add ``|n`` to the price of the option."""
        fault: cython.int = self.scan_number(start + 1, stop)
        price: cython.longlong
        if len(self.option_price) == 1:
            self.fault = FEW_PRICES
            return FEW_PRICES
        if fault != FINE:
            return self.blame(
                NO_PRICE if fault == NO_NUMBER else HUGE_PRICE, start, stop
            )
        price = self.option_price[self.n_options]
        if (self.number > 0 and price > BIGGEST - self.number) or (
            self.number < 0 and price < -BIGGEST - self.number
        ):
            return self.blame(HUGE_PRICE, start, stop)
        self.option_price[self.n_options] = price + self.number
        return FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scan_number(self, start: cython.longlong, stop: cython.longlong) -> cython.int:
        """Read a decimal number, perhaps signed, of up to 63 bits into `number`."""
        at: cython.longlong = start
        digit: cython.int
        negative: cython.bint = at < stop and self.text[at] == 45
        self.number = 0
        if at < stop and (self.text[at] == 45 or self.text[at] == 43):
            at += 1
        if at == stop:
            return NO_NUMBER
        while at < stop:
            digit = self.text[at] - 48
            if digit < 0 or digit > 9:
                return NO_NUMBER
            if self.number > (BIGGEST - digit) // 10:
                return HUGE_NUMBER
            self.number = self.number * 10 + digit
            at += 1
        if negative:
            self.number = -self.number
        return FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def blame(
        self, fault: cython.int, start: cython.longlong, stop: cython.longlong
    ) -> cython.int:
        self.fault = fault
        self.fault_start = start
        self.fault_end = stop
        return fault
