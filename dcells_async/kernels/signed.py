# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""What tells states apart, what item is next, and whether a state falls into parts.

The *signature* of a state says which options are live. They follow from which primary
items are active, which secondary ones a live option still mentions, and which of those
have which color. (When no live option mentions a secondary item, its color no longer
matters.) Of an item that may be covered several times it also says how often, and of
the one being decided option by option, which option is next.

Each item has a share of 124 random bits, and so has, after some mixing, each color or
need it may have; the signature is the sum, without carry, of the shares of all that
counts. So it changes with an item by one operation (A. L. Zobrist, 1970): where all
items are primary and to be covered once, it is not even taken, but kept up to date
whenever an item retires.

The *choice* depends on the state alone: if it depended on the order in which the items
happen to stand, there would be more states.

Beyond ``states.py``, ``cells[x - 9 .. x - 6]`` is the share of item x, 4 times 31 bits,
and ``cells[x - 5]`` a stamp; and the arrays are:

- ``current[l]``: the item that must be branched on at level l, or 0;
- ``offsets``: the items from left to right;
- ``rank[l]``: the place in it of the item that level l has branched on, if it is to
  be the leftmost one;
- ``starved_at[l], starved_at[l + 1]``: level l has starved these in ``starved``;
- ``members``: the items of the part at hand;
- ``walked[o]``: the last stamp for which option o was walked through.

Source: D. E. Knuth's program DLX6 for the signature of the items; colors that no longer
matter, and bounds, are ours.
"""

from __future__ import annotations

import cython

from .arrays import zeros
from .diagrams import GOLDEN, M63, MIX, STIR
from .states import States

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

COMPILED: bool = cython.compiled

HEADER = 9


# The numbers of SplitMix64 (Vigna 2015), as they are.
SEED = 20261130
STRIDE = 0x9E3779B97F4A7C15
FIRST_MIX = 0xBF58476D1CE4E5B9
LAST_MIX = 0x94D049BB133111EB
M64 = 0xFFFFFFFFFFFFFFFF


@cython.cclass
class SignedStates(States):
    """States with a signature.

    Parameters
    ----------
    n_items, n_primary, option_start, option_item, option_color, max_depth, low, high
        Those of the states.
    mrv : bool
        Branch on an item with the fewest options, not on the leftmost.
    all_colors : bool
        Keep in the signature the colors that no longer matter.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        max_depth: int,
        low: array[int],
        high: array[int],
        mrv: bool,
        all_colors: bool,
    ) -> None:
        States.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            max_depth,
            HEADER,
            low,
            high,
        )
        self.mrv = mrv
        self.all_colors = all_colors
        self.simple = not self.multiple and n_items == n_primary
        self.current = zeros(max_depth + 2)
        self.offsets = zeros(1)
        self.rank = zeros(max_depth + 2)
        self.starved_at = zeros(max_depth + 3)
        self.members = zeros(n_items + 1)
        self.walked = zeros(self.n_options + 1)
        self.stamp = self.n_members = 0
        self.first = self.second_key = 0

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        prepared: bool = States.prepare(self)
        self.offsets = zeros(self.n_items + 1)
        if prepared:
            with cython.nogil:
                self.give_shares()
        return prepared and not self.stopping

    # -- the signature -----------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def give_shares(self) -> cython.void:
        """Give each item its share of random bits, always the same."""
        k: cython.int
        x: cython.int
        word: cython.int
        state: cython.ulonglong = SEED
        z: cython.ulonglong
        for k in range(self.n_items):
            if self.stopping:
                return
            x = self.items[k]
            self.offsets[k] = x
            for word in range(4):
                state = (state + STRIDE) & M64
                z = ((state ^ (state >> 30)) * FIRST_MIX) & M64
                z = ((z ^ (z >> 27)) * LAST_MIX) & M64
                self.cells[x - 9 + word] = (z ^ (z >> 31)) >> 33
            self.toggle(x)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def toggle(self, x: cython.int) -> cython.void:
        """Put the share of an item to the signature, or take it away."""
        high: cython.longlong = self.cells[x - 9]
        self.first ^= (high << 31) ^ self.cells[x - 8]
        high = self.cells[x - 7]
        self.second_key ^= (high << 31) ^ self.cells[x - 6]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def retire(self, item: cython.int) -> cython.void:
        States.retire(self, item)
        self.toggle(item)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self) -> cython.int:
        """Z1: choose an item; 0 if all is done, -1 if none can be covered."""
        if not self.simple:
            return self.survey()
        if self.active == 0:
            return 0
        return self.fewest() if self.mrv else self.leftmost()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fewest(self) -> cython.int:
        """Z1 where all items are primary and to be covered once, by fewest options.

        Degree and offset in one number make it a plain minimum, without a branch that
        the processor would guess wrong every few items.
        """
        k: cython.int
        x: cython.int
        degree: cython.longlong
        best: cython.longlong = 0x7FFFFFFFFFFFFFFF
        self.steps += self.active
        for k in range(self.active):
            x = self.items[k]
            degree = self.cells[x - 1]
            best = min(best, (degree << 32) | x)
        return best & 0x7FFFFFFF if best >> 32 > 0 else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leftmost(self) -> cython.int:
        """Z1 where all items are primary and to be covered once: the first of them.

        Nobody need be looked at but those that the level above has starved, and items
        to the left of its own are all decided.
        """
        k: cython.int
        level: cython.int = self.depth
        self.steps += 1
        if level == 0:
            if self.is_starved():
                return -1
            k = 0
        else:
            for k in range(self.starved_at[level - 1], self.starved_at[level]):
                if self.cells[self.starved[k] - 2] < self.active:
                    return -1
            k = self.rank[level - 1]
        while self.cells[self.offsets[k] - 2] >= self.active:
            k += 1
            self.steps += 1
        self.rank[level] = k
        return self.offsets[k]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def survey(self) -> cython.int:
        """Z1: choose an item and take the signature; 0 if all is done, -1 if none can.

        An active item without options has all it needs; it no longer counts.
        """
        k: cython.int
        x: cython.int
        size: cython.int
        need: cython.int
        degree: cython.int
        best: cython.int = 0
        best_degree: cython.int = 0x7FFFFFFF
        a: cython.int = 0
        b: cython.int = 0
        c: cython.int = 0
        d: cython.int = 0
        first: cython.longlong = 0
        second: cython.longlong = 0
        high: cython.longlong
        self.steps += self.active
        for k in range(self.active):
            x = self.items[k]
            size = self.cells[x - 1]
            need = self.cells[x - 3]
            if x < self.second:
                if size < need:
                    return -1
                if size == 0:
                    continue
                degree = size if need <= 0 else size - need + 1
                if not self.mrv:
                    degree = 0
                if degree < best_degree or (degree == best_degree and x < best):
                    best = x
                    best_degree = degree
                if need != 1 or self.cells[x - 4] != 1:
                    need = max(need, 0)
                    size = min(self.cells[x - 4], size)
                    first ^= self.mixed(x, 0, need, size)
                    second ^= self.mixed(x, 1, need, size)
                    continue
            elif size == 0 and not (self.all_colors and need != 0):
                continue
            elif need != 0:
                first ^= self.mixed(x, 0, need, 0)
                second ^= self.mixed(x, 1, need, 0)
                continue
            a ^= self.cells[x - 9]
            b ^= self.cells[x - 8]
            c ^= self.cells[x - 7]
            d ^= self.cells[x - 6]
        x = self.current[self.depth]
        if x > 0 and self.cells[x - 1] > 0:
            best = x
            k = self.smallest(x)
            first ^= self.mixed(x, 0, k, -1)
            second ^= self.mixed(x, 1, k, -1)
        high = a
        self.first = first ^ (high << 31) ^ b
        high = c
        self.second_key = second ^ (high << 31) ^ d
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mixed(
        self, x: cython.int, half: cython.int, p: cython.int, q: cython.int
    ) -> cython.longlong:
        """Give 62 bits of the share of an item in a state of its own (SplitMix64)."""
        seed: cython.ulonglong = self.cells[x - 9 + 2 * half]
        word: cython.ulonglong = self.cells[x - 8 + 2 * half]
        one: cython.ulonglong = p + 1
        two: cython.ulonglong = q + 2
        h: cython.ulonglong = ((seed << 31) + word + one * GOLDEN + two * MIX) & M63
        h = ((h ^ (h >> 30)) * MIX) & M63
        h = ((h ^ (h >> 27)) * STIR) & M63
        return (h ^ (h >> 31)) >> 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def smallest(self, item: cython.int) -> cython.int:
        """Give the first live option of an item, as its node."""
        cell: cython.int
        node: cython.int = self.cells[item]
        for cell in range(item + 1, item + self.cells[item - 1]):
            node = min(node, self.cells[cell])
        return node

    # -- parts -------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(self, item: cython.int) -> cython.bint:
        """Stamp all that hangs together with an item; true if something does not.

        A secondary item that has its color ties nothing together: all its live
        options agree on it. An option is walked through once, from the first of its
        items that is come to: from each it would take the square of its size.
        Nothing is said to fall apart where the walk was stopped.
        """
        k: cython.int = 0
        x: cython.int
        cell: cython.int
        node: cython.int
        start: cython.int
        option: cython.int
        self.stamp += 1
        self.n_members = 1
        self.members[0] = item
        self.cells[item - 5] = self.stamp
        while k < self.n_members:
            item = self.members[k]
            k += 1
            if item >= self.second and self.cells[item - 3] != 0:
                continue
            self.steps += self.cells[item - 1]
            for cell in range(item, item + self.cells[item - 1]):
                if self.stopping:
                    return False
                start = self.cells[cell]
                option = self.option_of[start]
                if self.walked[option] == self.stamp:
                    continue
                self.walked[option] = self.stamp
                self.steps += self.option_start[option + 1] - self.option_start[option]
                node = start + 1
                while node != start:
                    x = self.node_item[node]
                    if x < 0:
                        node += x
                        continue
                    if self.cells[x - 5] != self.stamp:
                        if self.cells[x - 2] < self.active:
                            self.cells[x - 5] = self.stamp
                            self.members[self.n_members] = x
                            self.n_members += 1
                    node += 1
        for k in range(self.active):
            x = self.items[k]
            if x < self.second and self.cells[x - 1] > 0:
                if self.cells[x - 5] != self.stamp:
                    return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep_part(self, rest: cython.bint) -> cython.void:
        """Retire all items but those stamped, or just the stamped ones."""
        k: cython.int
        x: cython.int
        # From the back: who takes the place of a retired item has been looked at.
        for k in range(self.active - 1, -1, -1):
            x = self.items[k]
            if self.cells[x - 5] != self.stamp:
                if not rest:
                    self.retire(x)
            elif rest and (x < self.second or self.cells[x - 3] == 0):
                self.retire(x)
