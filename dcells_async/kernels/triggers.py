# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Triggers: what follows when an option is removed, for ``domains.py``.

There, every pair of a live option and an active primary item that it does not
cover has a *witness*: a live option that covers the item and is compatible with
the other. This file keeps the record of it. Witnesses stand in one place only: the
*trigger* stack of an option holds the pairs whose witness it is.

- When an option is *purged*, it leaves the sets of its items, and *fires*: the
  pairs in its trigger stack become *holes*, pairs without a witness. Each is put on
  the *fixit* stack of its own option, together with its *former* witness, and the
  option waits in a queue.
- A hole is *closed* when a new witness is found, whose trigger stack it goes to.
- Or it *reverts* to its former witness. This is what happens to all holes when the
  search turns back, since the former witnesses are about to be alive again.

Backtracking restores sizes and ages (see below), and no stack: a witness among few
options is one among more. That is why the method pays.

Ages and hints
--------------
Trigger stacks are long, and most of what they hold is *dormant*: the option of the
pair is purged, or its item covered. Dormant pairs must be kept, since backtracking
will wake them. So when an option fires, they are filed again by *age*, those that
will sleep longest at the bottom. The age of an option is 2s if it was tried and
dropped at stage s of the search, 2s + 1 if it went when stage s included an option,
and -1 if it was gone before; such pairs are forgotten. Above the pairs of age a
comes a *hint*: that all below it are at most of that age. While none of those can
have been wakened, later readers go no further: as long as the search has not left
and entered again the stage (a + 1) // 2. To tell this, every visit to a stage has a
*stamp*, and hints quote it.

The arrays
----------
Options and primary items are numbered from 0; a pair is the number of its option
in the low `shift` bits, and that of its item above. Beyond ``cells.py`` there are:

- ``first[o], option_of[n], primary[p]``: the first node of an option, the option
  of a node, the offset of a primary item.
- ``pool``: stacks, in blocks of 16 numbers. The first number of a block says where
  the stack goes on below. So a pair takes little more than 4 bytes, and a stack is
  read in order. A hint is three numbers: a negative one, -1 - a, and the stamp in
  two parts. A hole is two, the pair and below it the former witness, and the place
  after the link is not used. The free blocks are chained from ``block_free`` on;
  one that was never used has link 0, and the next one in the pool follows it.
- ``trigger[o], fixit[o]``: the tops of the stacks of option o, as places in
  ``pool``; `EMPTY` is the last place of block 0, which is never used, so that an
  empty stack looks like a full block.
- ``queue``: a ring of options, first in, first out.
- ``age_of[o]``: the age of a purged option, `ALIVE` for others; ``trail``: the
  purged options, in order.
- ``visit[s]``: the stamp of the current visit to stage s.
- ``bucket[a], bucket_end[a]``: while an option fires, the stack of its dormant
  pairs of age a, and the block at the bottom of it.

Invariants, besides those of ``cells.py`` (`Domains.sanity` checks them)
----------------------------------------------------------------------
5. An option is `ALIVE` just when it is live in the sets of its active items.
6. The queue holds the options with holes, each once.
7. Every block is free, or in one stack.

The first two are broken when a purge turns out to be impossible, until sizes are
restored, and the second while an option fires.

Source: the lists, ages and hints are those of D. E. Knuth's program XCCDC (2023),
which unites C. Bessiere's AC-6 (1994) with C. Solnon's sparse-set search. What is
ours: stacks in blocks, at a third of the memory; firing can be interrupted; ages
are restored, so that one look tells whether an option is alive, and options need
not begin with a primary item.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import doubled, lengthen, pack, unpack, zeros
from .cells import SparseSets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any as Buffer

ALIVE = 0x7FFFFFFF

BLOCK = 16
EMPTY = BLOCK - 1

_TOO_MUCH = "the search has come to need more memory than it may"


@cython.cclass
class Triggers(SparseSets):
    """Sparse sets with the record of who depends on whom.

    All parameters but one are those of `SparseSets`.

    Parameters
    ----------
    pool_limit : int, bytes
        How large the pool may become, with the sizes saved along the path.

    Attributes
    ----------
    purges : int
        Options purged so far, for whatever reason.
    """

    def __init__(
        self,
        n_items: int,
        n_primary: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        max_depth: int,
        pool_limit: int,
        header: int,
    ) -> None:
        n: int = len(option_start) - 1
        SparseSets.__init__(
            self,
            n_items,
            n_primary,
            option_start,
            option_item,
            option_color,
            max_depth,
            header,
        )
        self.n_primary = n_primary
        self.pool_limit = pool_limit
        self.shift = max(n - 1, 0).bit_length()
        self.mask = (1 << self.shift) - 1
        self.purges = self.stamp = self.n_trail = 0
        self.age = -1
        self.primary = zeros(n_primary + 1)
        self.first = zeros(n + 1)
        self.option_of = zeros(len(self.node_item))
        self.blocks = zeros(BLOCK)
        self.pool = self.blocks
        self.block_free = BLOCK
        self.n_free = 0
        # What a step may take: a block for each hole that an option opens, one for
        # each that it closes, and in the end one for each hint.
        self.reserve = 2 * n_primary + 2 * max_depth + 8
        self.trigger = zeros(n + 1)
        self.fixit = zeros(n + 1)
        self.queue = zeros(n + 1)
        self.queue_front = self.queue_rear = 0
        self.age_of = zeros(n + 1)
        self.trail = zeros(n + 1)
        self.visit = array("q", bytes(8 * (max_depth + 1)))
        self.bucket = array("i", [EMPTY]) * (2 * max_depth + 2)
        self.bucket_end = zeros(2 * max_depth + 2)
        self.firing, self.bound, self.least = -1, -1, ALIVE

    def prepare(self) -> bool:
        """Sort the options into the sets, once, before the first `advance`.

        A primary item without options ends the search before it begins.

        Returns
        -------
        bool
            False if `stop` was called meanwhile.
        """
        if not SparseSets.prepare(self):
            return False
        if self.is_starved():
            self.depth = -1
        with cython.nogil:
            self.index_options()
        return not self.stopping

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def index_options(self) -> cython.void:
        i: cython.int
        o: cython.int
        node: cython.int = 0
        for i in range(self.n_primary):
            self.primary[i] = self.items[i]
        for o in range(self.n_options):
            if self.stopping:
                return
            self.first[o] = node
            self.age_of[o] = ALIVE
            self.trigger[o] = self.fixit[o] = EMPTY
            while self.node_item[node] > 0:
                self.option_of[node] = o
                node += 1
            node += 1

    def grow(self) -> None:
        """Enlarge the pool, or the room for saved sizes.

        Raises
        ------
        OverflowError
            The pool has reached its limit.
        MemoryError
            There is no more memory.
        """
        if self.n_free >= self.reserve:
            self._grow_sizes()
            return
        # Little by little: other threads wait while the array is lengthened.
        more = max(len(self.blocks) // (32 * BLOCK), self.reserve)
        size = len(self.blocks) + BLOCK * more
        if 4 * (size + len(self.saved)) > self.pool_limit or size > ALIVE:
            raise OverflowError(_TOO_MUCH)
        # The array may only be resized while nothing looks into it.
        self.pool = zeros(1)
        lengthen(self.blocks, size)
        self.pool = self.blocks
        self.n_free += more

    def _grow_sizes(self) -> None:
        needed: int = self.saved_at[self.depth] + 2 * self.active
        # While they are copied, both rooms are held.
        held = 4 * (len(self.blocks) + len(self.saved))
        sizes = doubled(self.saved, needed, self.pool_limit - held)
        if sizes is None:
            raise OverflowError(_TOO_MUCH)
        self.saved = sizes

    # -- purging -------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def purge(self, option: cython.int, alive: cython.int) -> cython.bint:
        """Delete an option from the sets of all items at places below `alive`.

        False if it is the last one of a primary item; some sets may then have lost
        it already, which the sizes saved will mend. Otherwise it is to `fire` next.
        """
        node: cython.int = self.first[option]
        x: cython.int = self.node_item[node]
        while x > 0:
            if self.cells[x - 2] < alive:
                if self.cells[x - 1] == 1 and x < self.second:
                    self.dead_end = x
                    return False
                self.delete(node)
            node += 1
            x = self.node_item[node]
        self.purges += 1
        self.bury(option)
        self.firing = option
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bury(self, option: cython.int) -> cython.void:
        """Note since when an option is out."""
        self.age_of[option] = self.age
        self.trail[self.n_trail] = option
        self.n_trail += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fire(self) -> cython.void:
        """Make holes of the pairs whose witness is gone, and file the dormant ones.

        A step of limited length: there is more to do while `firing` is not negative.
        """
        option: cython.int = self.firing
        at: cython.int = self.trigger[option]
        pair: cython.int
        age: cython.int
        end: cython.longlong = self.steps + 4096
        stamp: cython.longlong
        while at != EMPTY and self.bound < 0:
            if self.stopping or self.steps > end or self.n_free < self.reserve:
                self.trigger[option] = at
                return
            self.steps += 1
            pair = self.pool[at]
            at = below(self, at)
            if pair < 0:
                age = -1 - pair
                stamp = self.pool[at]
                at = below(self, at)
                stamp = stamp << 31 | self.pool[at]
                at = below(self, at)
                if age < self.age and stamp == self.visit[(age + 1) >> 1]:
                    self.bound = age
                continue
            age = self.age_of[pair & self.mask]
            if age == ALIVE:
                if self.cells[self.primary[pair >> self.shift] - 2] < self.active:
                    if self.fixit[pair & self.mask] == EMPTY:
                        self.enqueue(pair & self.mask)
                    self.fixit[pair & self.mask] = put_hole(
                        self, self.fixit[pair & self.mask], pair, option
                    )
                    continue
                age = self.age
            # What went before the search will never wake.
            if age >= 0:
                if self.bucket[age] == EMPTY:
                    self.bucket[age] = put(self, EMPTY, pair)
                    self.bucket_end[age] = self.bucket[age] - 1
                else:
                    self.bucket[age] = put(self, self.bucket[age], pair)
                self.least = min(self.least, age)
        self.refile(option, at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def refile(self, option: cython.int, at: cython.int) -> cython.void:
        """Pile the buckets, with hints, on what was not read: the stack up to `at`.

        If the reading ended at a hint of age `bound`, no pair in the buckets is of
        less age: it would have been filed below the hint.
        """
        age: cython.int
        if 0 <= self.bound < self.least:
            at = self.put_hint(at, self.bound)
        for age in range(self.least, self.age + 1):
            if self.bucket[age] != EMPTY:
                self.pool[self.bucket_end[age]] = at
                at = self.bucket[age]
                self.bucket[age] = EMPTY
                if age < self.age:
                    at = self.put_hint(at, age)
        self.trigger[option] = at
        self.firing = -1
        self.bound = -1
        self.least = ALIVE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put_hint(self, at: cython.int, age: cython.int) -> cython.int:
        """Say on top of a stack that all pairs below are at most of this age."""
        stamp: cython.longlong = self.visit[(age + 1) >> 1]
        at = put(self, at, stamp & ALIVE)
        at = put(self, at, stamp >> 31)
        return put(self, at, -1 - age)

    # -- holes ---------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enqueue(self, option: cython.int) -> cython.void:
        """Let an option wait in the queue."""
        self.queue[self.queue_rear] = option
        self.queue_rear += 1
        if self.queue_rear > self.n_options:
            self.queue_rear = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def open_hole(
        self, option: cython.int, pair: cython.int, former: cython.int
    ) -> cython.void:
        """Note that a pair of an option has no witness now."""
        self.fixit[option] = put_hole(self, self.fixit[option], pair, former)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def close_hole(self, option: cython.int, witness: cython.int) -> cython.void:
        """Record a witness for the last hole of an option."""
        at: cython.int = self.fixit[option]
        pair: cython.int = self.pool[at]
        at -= 2
        self.fixit[option] = leave(self, at - 1) if at & EMPTY == 1 else at
        self.trigger[witness] = put(self, self.trigger[witness], pair)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def revert(self, option: cython.int) -> cython.void:
        """Give all holes of an option back to their former witnesses."""
        while self.fixit[option] != EMPTY:
            self.steps += 1
            self.close_hole(option, self.pool[self.fixit[option] - 1])

    def save(self) -> bytes:
        """Give the whole state between two slices, for `load`."""
        registers = array("q", self._registers())
        return pack([SparseSets.save(self), registers, self.pool])

    def load(self, data: bytes) -> None:
        """Take up, after `prepare`, a state that `save` gave for the same problem.

        Raises
        ------
        ValueError
            The state is damaged, or belongs to a problem of another size.
        """
        blocks = unpack(data)
        if len(blocks) != 3 or len(blocks[1]) != 8 * len(self._registers()):
            raise ValueError("this state belongs to another search")
        self.blocks = array("i", blocks[2])
        self.pool = self.blocks
        try:
            self._restore(iter(array("q", blocks[1])))
        except OverflowError:
            raise ValueError(
                "this state makes no sense: a number is too large"
            ) from None
        # Last, for it has all of this looked through.
        SparseSets.load(self, blocks[0])

    def _registers(self) -> list[int]:
        """Give all numbers that change during the search; `_restore` takes them."""
        return [
            self.purges,
            self.stamp,
            self.age,
            self.queue_front,
            self.queue_rear,
            self.n_trail,
            self.block_free,
            self.n_free,
            self.firing,
            self.bound,
            self.least,
        ]

    def _restore(self, registers: Iterator[int]) -> None:
        self.purges = next(registers)
        self.stamp = next(registers)
        self.age = next(registers)
        self.queue_front = next(registers)
        self.queue_rear = next(registers)
        self.n_trail = next(registers)
        self.block_free = next(registers)
        self.n_free = next(registers)
        self.firing = next(registers)
        self.bound = next(registers)
        self.least = next(registers)

    def _tables(self) -> list[Buffer]:
        return [
            *super()._tables(),
            self.trigger,
            self.fixit,
            self.queue,
            self.age_of,
            self.trail,
            self.visit,
            self.bucket,
            self.bucket_end,
        ]


# -- stacks in blocks ----------------------------------------------------------------
#
# Functions, not methods, since they are called all the time: a method that a
# subclass may replace costs more than what they do.


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def above(sets: Triggers, at: cython.int) -> cython.int:
    """Put a block on a stack whose top `at` is the last place of one."""
    block: cython.int = sets.block_free
    following: cython.int = sets.pool[block]
    sets.block_free = following if following != 0 else block + BLOCK
    sets.n_free -= 1
    sets.pool[block] = at
    return block


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leave(sets: Triggers, block: cython.int) -> cython.int:
    """Give a block back that its stack no longer needs; give the new top."""
    at: cython.int = sets.pool[block]
    sets.pool[block] = sets.block_free
    sets.block_free = block
    sets.n_free += 1
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def below(sets: Triggers, at: cython.int) -> cython.int:
    """Take one number off a stack that reaches up to `at`; give the new top."""
    at -= 1
    return leave(sets, at) if at & EMPTY == 0 else at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put(sets: Triggers, at: cython.int, number: cython.int) -> cython.int:
    """Put a number on a stack that reaches up to `at`; give the new top."""
    if at & EMPTY == EMPTY:
        at = above(sets, at)
    at += 1
    sets.pool[at] = number
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_hole(
    sets: Triggers, at: cython.int, pair: cython.int, former: cython.int
) -> cython.int:
    """Put a hole on a fixit stack that reaches up to `at`; give the new top."""
    if at & EMPTY == EMPTY:
        at = above(sets, at) + 1
    sets.pool[at + 1] = former
    sets.pool[at + 2] = pair
    return at + 2
