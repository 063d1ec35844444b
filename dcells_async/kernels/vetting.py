# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Whether a search with domain consistency that was loaded can go on.

As ``checking.py`` does it for the plain searches, but here more depends on more. To
keep the search within its arrays, whatever it does next, it is enough that four
things fit together. Nobody asks whether a witness is one, or a hint true: a lie about
that makes answers wrong, and no harm.

- *The path.* Its options have been chosen one after the other, each for an item that
  was active then; and what they cover are the items that are not active now. So the
  path cannot become longer than there is room.
- *The trail.* It holds the options that are out, each once, by age; and a level of
  the path cuts it where its own purges begin. So each option that is purged from now
  on finds a place in it.
- *The sets.* At each moment that can be returned to (a *snapshot*: the sizes that a
  level has saved, or the present) the options that are live in the sets of the items
  active then are just those that are not on the trail so far. Turning back, items
  become active and sets grow, and nothing else happens: so it takes two numbers for
  an item and a node, and one for an option, to tell the last level at which it is
  active, live, or not out. No set of a primary item is empty.
- *The stacks.* Each block is free or in one stack, and what stands in it can be read;
  no pair stands in two places, so that a step needs no more blocks than it reserves.
  The options with holes are those in the queue.

The arrays:

- ``gone[x]``: whether item x is covered by the path.
- ``active_until[x], live_until[n], out_after[o]``: as told above; the present comes
  after all levels, and -1 is never.
- ``live[x]``: how many nodes of item x are known to be live at some moment.
- ``seen[x]``: the level, plus one, at which a size of item x was met last.
- ``used[b]``: whether block b was met; ``met``: a bit for every pair.
- ``waits[o]``: whether option o was met in the queue.
"""

from __future__ import annotations

import cython

from .arrays import pages, zeros
from .checking import lengths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Buffer

    from .domains import Domains

# As in triggers.py, and C constants here too.
ALIVE = 0x7FFFFFFF
BLOCK = 16
EMPTY = BLOCK - 1

# The block at place p has the number p >> BITS.
BITS = 4

MOST = 1 << 60
"""No search counts so far."""

# Whose stack it is: that of the pairs that an option is witness of, of its holes, or
# of dormant pairs to be filed.
TRIGGER = 0
FIXIT = 1
BUCKET = 2

FAULTS = (
    "",
    "the path and the active items do not belong together",
    "the options that are out are not those on the trail",
    "the sizes saved are no sizes of the sets",
    "an option is dead and alive",
    "a stamp is later than now",
    "the queue holds other options than those with holes",
    "the stacks are none",
    "more or other blocks are free than there are",
)


@cython.cclass
class Vetting:
    """Looks through a search that was loaded, once, whose sets are permutations.

    Parameters
    ----------
    sets : Domains
    degree, trail_at : array('i')
        As in ``xccdc.py``.
    levels : int
        How many levels have chosen an option, and can be returned to.
    whole : bool
        Whether the present sets are used again, and not to be restored before.
    including : bool
        Whether the last option of the path is being included.
    held : int
        How many items have live sets: those that are active, or were when this began.
    oldest : int
        No option that is out at present has a greater age.
    """

    def __init__(
        self,
        sets: Domains,
        degree: Buffer,
        trail_at: Buffer,
        levels: int,
        whole: bool,
        including: bool,
        held: int,
        oldest: int,
    ) -> None:
        self.sets = sets
        self.degree, self.trail_at = degree, trail_at
        self.levels, self.whole, self.including = levels, whole, including
        self.held, self.oldest = held, oldest
        n_cells: int = len(sets.cells)
        self.length = lengths(sets, sets.items)
        self.gone, self.seen, self.live = zeros(n_cells), zeros(n_cells), zeros(n_cells)
        self.active_until = zeros(n_cells)
        self.live_until = zeros(len(sets.node_item))
        self.out_after = zeros(sets.n_options + 1)
        self.waits = zeros(sets.n_options + 1)
        self.used = zeros(len(sets.pool) // BLOCK + 1)
        self.met = pages((sets.n_primary << sets.shift) // 32 + 1, "I")

    def fault(self) -> str:
        """Name what is wrong; empty if the search can go on."""
        found: cython.int = 0
        with cython.nogil:
            if not self.is_path():
                found = 1
            elif not self.is_trail():
                found = 2
            elif not self.are_snapshots():
                found = 3
            elif not self.are_ages():
                found = 4
            elif not self.are_stamps():
                found = 5
            elif not self.is_queue():
                found = 6
            elif not self.are_stacks():
                found = 7
            elif not self.are_free():
                found = 8
        return FAULTS[found]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_path(self) -> cython.bint:
        """Tell whether the path is one, and has left the items that are active."""
        level: cython.int
        node: cython.int
        x: cython.int
        saves: cython.longlong
        count: cython.int = self.sets.n_items
        if self.sets.saved_at[0] != 0:
            return False
        for level in range(self.levels):
            saves = self.sets.saved_at[level + 1]
            saves -= self.sets.saved_at[level]
            if self.degree[level] < 1 or saves != self.size_of_saves(level, count):
                return False
            if self.including and level == self.levels - 1 and self.held != count:
                return False
            node = self.sets.chosen[level]
            if node < 0 or node >= len(self.sets.node_item) - 1:
                return False
            x = self.sets.node_item[node]
            if x <= 0 or x >= self.sets.second or self.gone[x]:
                return False
            node = self.sets.first[self.sets.option_of[node]]
            while self.sets.node_item[node] > 0:
                x = self.sets.node_item[node]
                count -= not self.gone[x]
                self.gone[x] = 1
                node += 1
            node -= 1
            while node >= 0 and self.sets.node_item[node] > 0:
                if self.sets.cells[self.sets.node_item[node] - 2] < count:
                    return False
                node -= 1
        return self.sets.saved_at[self.levels] <= len(self.sets.saved) and (
            not self.whole or self.sets.active == count
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def size_of_saves(self, level: cython.int, count: cython.int) -> cython.longlong:
        """Tell how many numbers a level saves, or -1 for another number of items."""
        if self.degree[level] == 1:
            return 0
        if self.sets.saved_active[level] != count:
            return -1
        return 2 * count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_trail(self) -> cython.bint:
        """Find out for how long options are out; tell whether that can be."""
        level: cython.int
        following: cython.int
        o: cython.int
        k: cython.int
        age: cython.int
        last: cython.int = -1
        n_out: cython.int = 0
        if not 0 <= self.sets.n_trail <= self.sets.n_options:
            return False
        for o in range(self.sets.n_options):
            self.out_after[o] = self.levels
            n_out += self.sets.age_of[o] != ALIVE
        if n_out != self.sets.n_trail:
            return False
        k = 0
        following = self.next_cut(-1)
        while following < self.levels:
            if not k <= self.trail_at[following] <= self.sets.n_trail:
                return False
            k = self.trail_at[following]
            following = self.next_cut(following)
        level = -1
        following = self.next_cut(-1)
        for k in range(self.sets.n_trail):
            while following < self.levels and self.trail_at[following] <= k:
                level = following
                following = self.next_cut(following)
            o = self.sets.trail[k]
            if o < 0 or o >= self.sets.n_options or self.out_after[o] != self.levels:
                return False
            age = self.sets.age_of[o]
            if age < last or age == ALIVE or age > self.oldest:
                return False
            # What goes when a level includes an option has age 2 * level + 1.
            if level >= 0 and age <= 2 * level:
                return False
            if following < self.levels and age > 2 * following:
                return False
            last = age
            self.out_after[o] = level
        for level in range(self.levels):
            age = self.sets.age_of[self.sets.option_of[self.sets.chosen[level]]]
            if age == ALIVE:
                if level < self.levels - 1 or (self.whole and not self.including):
                    return False
            elif age != 2 * level + 1 or (self.including and level == self.levels - 1):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def next_cut(self, level: cython.int) -> cython.int:
        """Give the next level that has something to restore."""
        level += 1
        while level < self.levels and self.degree[level] == 1:
            level += 1
        return level

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def are_snapshots(self) -> cython.bint:
        """Find out how long items are active and nodes live, the last first."""
        n: cython.int
        k: cython.int
        x: cython.int
        level: cython.int
        at: cython.int
        count: cython.int
        for n in range(len(self.live_until)):
            self.live_until[n] = -1
        for x in range(len(self.active_until)):
            self.active_until[x] = -1
        if self.whole:
            for k in range(self.held):
                x = self.sets.items[k]
                if not self.is_size(x, self.sets.cells[x - 1], self.levels):
                    return False
        for level in range(self.levels - 1, -1, -1):
            if self.degree[level] == 1:
                continue
            count = self.sets.saved_active[level]
            at = self.sets.saved_at[level]
            for k in range(at, at + 2 * count, 2):
                x = self.sets.saved[k]
                if x <= 0 or x >= len(self.sets.cells) or self.length[x] < 0:
                    return False
                if self.sets.cells[x - 2] >= count or self.seen[x] == level + 1:
                    return False
                self.seen[x] = level + 1
                if not self.is_size(x, self.sets.saved[k + 1], level):
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_size(
        self, x: cython.int, size: cython.int, level: cython.int
    ) -> cython.bint:
        """Take note of a size that a set had at a level; false if it cannot have."""
        c: cython.int
        live: cython.int = self.live[x]
        if size < live or size > self.length[x] or (size == 0 and x < self.sets.second):
            return False
        if self.active_until[x] < 0:
            self.active_until[x] = level
        self.live[x] = size
        for c in range(x + live, x + size):
            self.live_until[self.sets.cells[c]] = level
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def are_ages(self) -> cython.bint:
        """Tell whether options are live just when they are not out."""
        o: cython.int
        node: cython.int
        until: cython.int
        for o in range(self.sets.n_options):
            node = self.sets.first[o]
            while self.sets.node_item[node] > 0:
                until = self.active_until[self.sets.node_item[node]]
                if min(until, self.live_until[node]) != min(until, self.out_after[o]):
                    return False
                node += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def are_stamps(self) -> cython.bint:
        """Tell whether stamps, and the sizes for the table of clashes, are in range."""
        k: cython.int
        x: cython.int
        if not (0 <= self.sets.stamp < MOST and 0 <= self.sets.purges < MOST):
            return False
        for k in range(len(self.sets.visit)):
            if self.sets.visit[k] < 0 or self.sets.visit[k] > self.sets.stamp:
                return False
        if self.sets.by_rows:
            for k in range(self.sets.n_items):
                x = self.sets.items[k]
                if not 0 <= self.sets.root_size[x] <= self.length[x]:
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_queue(self) -> cython.bint:
        """Tell whether the options with holes wait, each once, and no others."""
        n: cython.int = self.sets.n_options
        o: cython.int
        k: cython.int
        n_waiting: cython.int = 0
        if not (0 <= self.sets.queue_front <= n and 0 <= self.sets.queue_rear <= n):
            return False
        k = self.sets.queue_front
        while k != self.sets.queue_rear:
            o = self.sets.queue[k]
            if o < 0 or o >= n or self.waits[o]:
                return False
            self.waits[o] = 1
            k = k + 1 if k < n else 0
            n_waiting += 1
        for o in range(n):
            n_waiting -= self.sets.fixit[o] != EMPTY
        return n_waiting == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def are_stacks(self) -> cython.bint:
        """Tell whether all stacks can be read."""
        o: cython.int
        age: cython.int
        end: cython.int
        if self.sets.bound >= 0:
            return False
        for o in range(self.sets.n_options):
            if self.bottom(self.sets.trigger[o], TRIGGER, o) < 0:
                return False
            if self.bottom(self.sets.fixit[o], FIXIT, o) < 0:
                return False
        if self.sets.least < 0:
            return False
        for age in range(len(self.sets.bucket)):
            if self.sets.bucket[age] != EMPTY:
                if self.sets.firing < 0 or not self.sets.least <= age <= self.sets.age:
                    return False
                end = self.bottom(self.sets.bucket[age], BUCKET, 0)
                if end < 0 or self.sets.bucket_end[age] != end:
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bottom(
        self, at: cython.int, kind: cython.int, option: cython.int
    ) -> cython.int:
        """Give the block at the bottom of a stack (0 if empty), or -1 if it is none."""
        number: cython.int
        block: cython.int = 0
        rest: cython.int = 0  # of a hint
        while at != EMPTY:
            block = at - (at & EMPTY)
            if (
                block < BLOCK
                or block >= len(self.sets.pool)
                or self.used[block >> BITS]
            ):
                return -1
            # Holes stand in pairs of places, above one that is not used.
            if at == block or (kind == FIXIT and (at & 1 == 0 or at & EMPTY == 1)):
                return -1
            self.used[block >> BITS] = 1
            while at > block + (kind == FIXIT):
                number = self.sets.pool[at]
                if rest > 0:
                    rest -= 1
                elif number < 0:
                    # An age is needed that has a stage with a stamp.
                    if kind != TRIGGER or -1 - number > 2 * self.sets.max_depth:
                        return -1
                    rest = 2
                elif not self.is_new_pair(number):
                    return -1
                at -= 1
                if kind == FIXIT:
                    if number & self.sets.mask != option:
                        return -1
                    if not 0 <= self.sets.pool[at] < self.sets.n_options:
                        return -1
                    at -= 1
            at = self.sets.pool[block]
        return -1 if rest > 0 else block

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_new_pair(self, pair: cython.int) -> cython.bint:
        """Tell whether a number is a pair that was not met before."""
        bit: cython.uint = 1
        bit <<= pair & 31
        if pair >> self.sets.shift >= self.sets.n_primary:
            return False
        if pair & self.sets.mask >= self.sets.n_begun or self.met[pair >> 5] & bit:
            return False
        self.met[pair >> 5] |= bit
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def are_free(self) -> cython.bint:
        """Tell whether the blocks that are in no stack are free, and no others."""
        block: cython.int = self.sets.block_free
        n_free: cython.longlong = 0
        while block != len(self.sets.pool):
            if block < BLOCK or block >= len(self.sets.pool) or block & EMPTY != 0:
                return False
            if self.used[block >> BITS]:
                return False
            self.used[block >> BITS] = 1
            n_free += 1
            if self.sets.pool[block] != 0:
                block = self.sets.pool[block]
            else:
                block += BLOCK
        return n_free == self.sets.n_free
