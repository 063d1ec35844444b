# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Sparse sets: the data structure that all cell-dancing searches share.

Every item owns a *set* of the options that can still cover it. A set is a
stretch of one big array, ``cells``, whose first part is alive and whose rest is
dead. To delete a member, swap it with the last live one and shorten the live
part by one; to undo any number of deletions, write the old size back. Nothing
is ever moved back: that is the whole trick (Briggs and Torczon 1993; Knuth calls
an exact-cover search on it *dancing cells*, see his program SSXCC).

The arrays
----------
An item is known by the offset ``x`` of its first cell.

- ``cells[x - 2]``: the place of item x in ``items``;
- ``cells[x - 1]``: the size of its set, that is, the number of live members;
- ``cells[x], cells[x + 1], ...``: its members, live ones first. A member is a
  *node*: one item within one option. Offsets grow with item numbers, so that an
  item is primary just when ``x < second``.
- ``items[0 .. active - 1]``: the items still to be decided, permuted; the
  retired ones follow.
- ``node_item[n], node_cell[n], node_color[n]``: the item of node n, the cell
  where the node is found, and its color (0: none). The nodes of an option stand
  side by side; behind them stands a spacer whose ``node_item`` is minus their
  number, so that a walk steps back to the first, and whose ``node_cell`` is the
  number of the option.
- ``chosen[0 .. depth - 1]``: a node of each option on the current path.
- ``found, found_ends``: covers not yet taken, as option numbers, end to end.

Invariants (``sanity`` checks just these)
-----------------------------------------
1. ``items`` is a permutation, and ``cells[x - 2]`` is its inverse.
2. The cells of an item hold exactly its nodes, and ``node_cell`` is the inverse.
3. Sizes lie between nought and the number of the item's nodes.
"""

from __future__ import annotations

from array import array

import cython

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any as Buffer

_PIECE = bytes(1 << 20)


def zeros(n: int) -> array[int]:
    """Give n zeros, made piecewise so that other threads run in between."""
    numbers = array("i")
    for _ in range(4 * n // len(_PIECE)):
        numbers.frombytes(_PIECE)
        with cython.nogil:
            pass
    numbers.frombytes(_PIECE[: 4 * n % len(_PIECE)])
    return numbers


def copied(numbers: Buffer, n: int) -> array[int]:
    """Give a copy of the first n of `numbers`."""
    copy = array("i")
    copy.frombytes(memoryview(numbers).cast("B")[: 4 * n])
    return copy


def enlarged(numbers: Buffer, n: int) -> array[int]:
    """Give a copy of `numbers` with zeros at its end, n numbers in all."""
    more = copied(numbers, len(numbers))
    more.extend(zeros(n - len(more)))
    return more


def pack(buffers: Sequence[Buffer]) -> bytes:
    """Put arrays end to end, their lengths in bytes first."""
    blocks = [bytes(buffer) for buffer in buffers]
    lengths = array("q", [len(blocks), *map(len, blocks)])
    return b"".join([lengths.tobytes(), *blocks])


def unpack(data: bytes) -> list[bytes]:
    """Take apart what `pack` put together; a `ValueError` if that is damaged."""
    count = array("q", data[:8])[0] if len(data) >= 8 else -1
    lengths = array("q", data[8 : 8 + 8 * count]) if 0 <= 8 * count <= len(data) else []
    at = 8 + 8 * count
    if len(lengths) != count or at + sum(lengths) != len(data):
        raise ValueError("this is no saved state")
    blocks = []
    for length in lengths:
        blocks.append(data[at : at + length])
        at += length
    return blocks


@cython.cclass
class SparseSets:
    """The sets of all items, and what every search on them has to keep.

    Parameters
    ----------
    n_items, n_primary : int
        Items are numbered from 0, primary ones first.
    option_start : array('i'), shape (n_options + 1,)
        Option o has the entries ``option_start[o]`` to ``option_start[o + 1]``.
    option_item : array('i'), shape (n_entries,)
        The item of each entry.
    option_color : array('i'), shape (n_entries,), or shape (0,)
        The color of each entry, 0 for none; empty if there is no color at all.
    max_depth : int
        More options than this are never chosen together.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        max_depth: int,
    ) -> None:
        n_entries: int = len(option_item)
        self.n_items = n_items
        self.n_options = len(option_start) - 1
        self.max_depth = max_depth
        self.second = n_primary
        self.active = n_items
        self.colored = len(option_color) > 0
        self.stopping = False
        self.updates = self.nodes = self.covers = self.depth = 0
        self.node_item = zeros(n_entries + self.n_options + 1)
        self.node_cell = zeros(n_entries + self.n_options + 1)
        self.node_color = zeros(n_entries + self.n_options if self.colored else 1)
        self.cells = zeros(2 * n_items + n_entries + 1)
        self.items = zeros(n_items + 1)
        self.chosen = zeros(max_depth + 1)
        self.found = self.found_ends = zeros(1)
        self.n_found = self.n_found_ends = 0
        self.option_start = option_start
        self.option_item = option_item if n_entries else zeros(1)
        self.option_color = option_color if self.colored else zeros(1)

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        with cython.nogil:
            self.build()
        self.option_start = self.option_item = self.option_color = zeros(1)
        return not self.stopping

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def build(self) -> cython.void:
        # `items` first counts the entries of each item, then holds its offset.
        i: cython.int
        k: cython.int
        o: cython.int
        x: cython.int = 2
        node: cython.int = 0
        length: cython.int
        n_primary: cython.int = self.second
        for k in range(self.option_start[self.n_options]):
            self.items[self.option_item[k]] += 1
        for i in range(self.n_items):
            length = self.items[i]
            if i == n_primary:
                self.second = x
            self.items[i] = x
            self.cells[x - 2] = i
            x += length + 2
        if n_primary == self.n_items:
            self.second = x
        for o in range(self.n_options):
            if self.stopping:
                return
            length = self.option_start[o + 1] - self.option_start[o]
            for k in range(self.option_start[o], self.option_start[o + 1]):
                x = self.items[self.option_item[k]]
                self.node_item[node] = x
                self.node_cell[node] = x + self.cells[x - 1]
                if self.colored:
                    self.node_color[node] = self.option_color[k]
                self.cells[x + self.cells[x - 1]] = node
                self.cells[x - 1] += 1
                node += 1
            self.node_item[node] = -length
            self.node_cell[node] = o
            node += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_starved(self) -> cython.bint:
        """Tell whether some active primary item has no option left."""
        k: cython.int
        for k in range(self.active):
            if self.items[k] < self.second and self.cells[self.items[k] - 1] == 0:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def retire(self, item: cython.int) -> cython.void:
        """Take an item out of the active ones: it is decided on this path."""
        place: cython.int = self.cells[item - 2]
        last: cython.int
        self.active -= 1
        last = self.items[self.active]
        self.items[place] = last
        self.cells[last - 2] = place
        self.items[self.active] = item
        self.cells[item - 2] = self.active
        self.updates += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def record(self) -> cython.bint:
        """Write the path down as a cover; false if the next might not fit."""
        stage: cython.int
        node: cython.int
        for stage in range(self.depth):
            node = self.chosen[stage]
            while self.node_item[node] >= 0:
                node += 1
            self.found[self.n_found] = self.node_cell[node]
            self.n_found += 1
        self.found_ends[self.n_found_ends] = self.n_found
        self.n_found_ends += 1
        return (
            self.n_found_ends + 1 < len(self.found_ends)
            and len(self.found) - self.n_found > self.max_depth
        )

    def make_room(self, want: int) -> None:
        """Provide for up to `want` covers in a slice, within reason."""
        covers: int = max(1, min(want, 8192))
        room: int = max(min(covers * self.max_depth, 65536), self.max_depth)
        self.found = zeros(room + 1)
        self.found_ends = zeros(covers + 1)
        self.n_found = self.n_found_ends = 0

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

    def sanity(self) -> str:
        """Name the first invariant that does not hold; empty if all do."""
        offsets = sorted(self.items[k] for k in range(self.n_items))
        for k in range(self.n_items):
            if self.cells[self.items[k] - 2] != k:
                return f"item {self.items[k]} is not where it says"
        ends = [*offsets[1:], len(self.cells) + 1]
        for x, end in zip(offsets, ends, strict=False):
            if not 0 <= self.cells[x - 1] <= end - 2 - x:
                return f"item {x} has size {self.cells[x - 1]}"
            for cell in range(x, end - 2):
                node = self.cells[cell]
                if self.node_item[node] != x or self.node_cell[node] != cell:
                    return f"cell {cell} of item {x} holds node {node} of another"
        return ""
