# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""Algebra of sets as zero-suppressed decision diagrams.

A node ``(option, low, high)`` stands for the family ``low``, and each set of the
family ``high`` with the option put in. Node 0 is the empty family, node 1 the
family of the empty set alone. A diagram is *ordered* if option numbers grow from
the root to the leaves, and *reduced* if no high is 0 and no two nodes are equal;
then a family has one diagram only, and equal families are the same node (Minato
1993; Knuth, The Art of Computer Programming 4A, section 7.1.4).

The arrays
----------
- ``nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2]``: option, low and high of
  node i. Children are older than their parents, so they have smaller numbers.
- ``unique``: a hash table with open addressing; each slot holds a node or 0.
- ``cache[4 * s], ...``: left and right operand, the result, and the kind of an
  operation done before. A newer one takes the slot of an older one: forgetting costs
  time, no more.
- ``stack[5 * h], ...``: the operations under way: kind, operands, the option on
  top, and the low side when it is known.

Two operations are enough. To *put* an option o into the sets of one family g, and
these to those of another, f, neither of which knows o: ``f | {a | {o} for a in g}``.
It goes down both diagrams like the merging of two sorted lists, as far as the options
are smaller than o; there the node (o, f, g) is the result. The *join* of two
families that have no option in common, ``{a | b for a in f for b in g}``, goes down
the one whose top option is smaller. Both are a state machine, to be interrupted at any
step; its stack is no higher than there are options.
"""

from __future__ import annotations

from array import array

import cython

from .arrays import copied, pack, pages, unpack
from .diagrams import (
    FIRST_SIZE,
    GOLDEN,
    JOIN,
    M63,
    MIX,
    PRODUCT,
    STIR,
    TERMINAL,
)

TYPE_CHECKING = False

MOST_NODES = 1 << 30
"""Nodes are 32-bit integers, and tables have a power of two of them."""

_NODE = 12
_SLOTS = 24
"""The bytes of a node, and those of its share in the two hash tables."""


@cython.cclass
class Algebra:
    """The node table with its unique table and its cache, and the two operations.

    Parameters
    ----------
    n_options : int
        Options are numbered from 0.
    """

    def __init__(self, n_options: int) -> None:
        self.most = FIRST_SIZE
        self.n = 2
        self.settled = self.n
        self.old = pages(1)
        self.nodes = pages(3 * self.most)
        self.nodes[0] = self.nodes[3] = TERMINAL
        self.nodes[4] = self.nodes[5] = 1
        self.unique = pages(2 * self.most)
        self.unique_mask = 2 * self.most - 1
        self.cache = pages(4 * self.most)
        self.cache_mask = self.most - 1
        self.n_options = n_options
        self.stack = pages(5 * (n_options + 4))
        self.steps = 0
        self.kind = self.left = self.right = self.height = self.value = 0
        self.descending = False
        self.root = self.cursor = self.n_kept = 0
        self.names = pages(1)

    @property
    def memory(self) -> int:
        """How many bytes the tables take."""
        return 4 * (
            len(self.nodes) + len(self.unique) + len(self.cache) + len(self.old)
        )

    def grow(self, room: int) -> bool:
        """Enlarge the tables fourfold, or twofold where more would not fit.

        `settle` fills them. What the cache held is forgotten, and with it a good part
        of the work that led to it: so this should not happen often.

        Parameters
        ----------
        room : int, bytes
            How many more the tables may take.

        Returns
        -------
        bool
            False, and nothing is changed, if not even that fits.
        """
        for times in (4, 2):
            most: int = min(times * self.most, MOST_NODES)
            more: int = (_NODE + _SLOTS) * most - _SLOTS * self.most
            if most > self.most and more <= room:
                break
        else:
            return False
        self.old = self.nodes
        self.most = most
        self.nodes = pages(3 * most)
        self.unique = pages(2 * most)
        self.unique_mask = 2 * most - 1
        self.cache = pages(4 * most)
        self.cache_mask = most - 1
        self.settled = 0
        return True

    def release(self) -> None:
        """Let go of the old table, if it was moved."""
        if self.settled == self.n:
            self.old = pages(1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self, until: cython.longlong) -> cython.bint:
        """Move the nodes to their new table; true when that is done."""
        k: cython.longlong
        at: cython.longlong
        while self.settled < self.n:
            if self.steps >= until:
                return False
            self.steps += 1
            k = self.settled
            self.nodes[3 * k] = self.old[3 * k]
            self.nodes[3 * k + 1] = self.old[3 * k + 1]
            self.nodes[3 * k + 2] = self.old[3 * k + 2]
            if k > 1:
                at = self.slot(
                    self.old[3 * k], self.old[3 * k + 1], self.old[3 * k + 2]
                )
                at &= self.unique_mask
                while self.unique[at] != 0:
                    at = (at + 1) & self.unique_mask
                self.unique[at] = self.settled
            self.settled += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def slot(
        self, kind: cython.int, left: cython.int, right: cython.int
    ) -> cython.longlong:
        """Hash three numbers; the lowest bits are the best mixed."""
        a: cython.ulonglong = kind + 3
        b: cython.ulonglong = left
        c: cython.ulonglong = right
        h: cython.ulonglong = (a * GOLDEN + b * MIX + c * STIR) & M63
        return h >> 29

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_full(self) -> cython.bint:
        """Tell whether `grow` is needed before the next step."""
        return self.n + 2 >= self.most

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def node(self, option: cython.int, low: cython.int, high: cython.int) -> cython.int:
        """Give the node of these three, a new one if there is none yet."""
        at: cython.longlong
        k: cython.longlong
        if high == 0:
            return low
        at = self.slot(option, low, high) & self.unique_mask
        k = self.unique[at]
        while k != 0:
            if (
                self.nodes[3 * k] == option
                and self.nodes[3 * k + 1] == low
                and self.nodes[3 * k + 2] == high
            ):
                return self.unique[at]
            at = (at + 1) & self.unique_mask
            k = self.unique[at]
        k = self.n
        self.nodes[3 * k] = option
        self.nodes[3 * k + 1] = low
        self.nodes[3 * k + 2] = high
        self.unique[at] = self.n
        self.n += 1
        self.settled = self.n
        return self.n - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(
        self, kind: cython.int, left: cython.int, right: cython.int
    ) -> cython.void:
        """Set out to put an option, or for a join; `work` does it."""
        self.kind = kind
        self.left = left
        self.right = right
        self.height = 0
        self.descending = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_plain(self) -> cython.bint:
        """Tell whether the operation at hand is trivial, and has its value then."""
        left: cython.longlong = self.left
        right: cython.longlong = self.right
        if self.kind != JOIN:
            if right == 0:
                self.value = self.left
                return True
            if self.kind < self.nodes[3 * left] and self.kind < self.nodes[3 * right]:
                self.value = self.node(self.kind, self.left, self.right)
                return True
            return False
        if left == 0 or right == 0:
            self.value = 0
            return True
        if left == 1 or right == 1:
            self.value = self.right if left == 1 else self.left
            return True
        if left > right:
            self.left, self.right = self.right, self.left
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_cached(self) -> cython.bint:
        """Tell whether the operation was done before, and has its value then."""
        at: cython.longlong = self.slot(self.kind, self.left, self.right)
        at = 4 * (at & self.cache_mask)
        if (
            self.cache[at + 1] != self.right
            or self.cache[at] != self.left
            or self.cache[at + 3] != self.kind
        ):
            return False
        self.value = self.cache[at + 2]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def work(self, until: cython.longlong) -> cython.bint:
        """Go on with the operation; true when it is done and `value` holds it.

        False when so many steps are done, or the table is full.
        """
        while self.steps < until and self.n + 2 < self.most:
            self.steps += 1
            if not self.descending:
                self.ascend()
            elif self.is_plain() or self.is_cached():
                self.descending = False
            else:
                self.descend()
                continue
            if self.height == 0 and not self.descending:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def descend(self) -> cython.void:
        """Leave the operation at hand on the stack, and go to its low side."""
        left: cython.longlong = self.left
        right: cython.longlong = self.right
        option: cython.int = self.nodes[3 * left]
        other: cython.int = self.nodes[3 * right]
        top: cython.longlong = self.height
        if top > self.n_options + 2:
            # So high is only what was loaded, and is no diagram.
            self.value = 0
            self.descending = False
            return
        top *= 5
        self.height += 1
        self.stack[top] = self.kind
        self.stack[top + 1] = self.left
        self.stack[top + 2] = self.right
        self.stack[top + 3] = min(other, option)
        self.stack[top + 4] = -1
        if option <= other:
            self.left = self.nodes[3 * left + 1]
        if other <= option:
            self.right = self.nodes[3 * right + 1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ascend(self) -> cython.void:
        """Take the value to the operation on top: go to its high side, or end it."""
        top: cython.longlong = self.height - 1
        top *= 5
        kind: cython.int = self.stack[top]
        left: cython.longlong = self.stack[top + 1]
        right: cython.longlong = self.stack[top + 2]
        option: cython.int = self.stack[top + 3]
        at: cython.longlong
        if self.stack[top + 4] < 0:
            self.stack[top + 4] = self.value
            # What is put is in neither high side that is not there.
            self.left = self.stack[top + 1] if kind == JOIN else 0
            self.right = self.stack[top + 2] if kind == JOIN else 0
            if self.nodes[3 * left] == option:
                self.left = self.nodes[3 * left + 2]
            if self.nodes[3 * right] == option:
                self.right = self.nodes[3 * right + 2]
            self.kind = kind
            self.descending = True
            return
        self.value = self.node(option, self.stack[top + 4], self.value)
        at = self.slot(kind, self.stack[top + 1], self.stack[top + 2])
        at = 4 * (at & self.cache_mask)
        self.cache[at] = self.stack[top + 1]
        self.cache[at + 1] = self.stack[top + 2]
        self.cache[at + 2] = self.value
        self.cache[at + 3] = kind
        self.height -= 1

    def save(self) -> bytes:
        """Give all nodes, and the operation at hand, for `load`.

        The cache is left out: it is larger than all else, and saves only time.
        """
        most: cython.longlong = 1 << 62
        with cython.nogil:
            self.settle(most)
        numbers = [self.most, self.n, self.steps, self.kind, self.left, self.right]
        numbers += [self.height, self.value, self.descending]
        stack = copied(self.stack, 5 * self.height)
        return pack([array("q", numbers), copied(self.nodes, 3 * self.n), stack])

    def load(self, data: bytes, ordered: bool, idle: bool) -> None:
        """Take up what `save` gave.

        Parameters
        ----------
        data : bytes
        ordered : bool
            Whether the nodes are ordered by options.
        idle : bool
            Whether there is no operation at hand.

        Raises
        ------
        ValueError
            It makes no sense.
        """
        blocks = unpack(data)
        if len(blocks) != 3 or len(blocks[0]) != 72:
            raise ValueError("this is no table of nodes")
        nodes, stack = array("i", blocks[1]), array("i", blocks[2])
        numbers = array("q", blocks[0])
        most, n, steps, kind, left, right, height, value, descending = numbers
        # As `grow` leaves it: never larger than it needs to be, and never full.
        is_needed = most == FIRST_SIZE or FIRST_SIZE < most <= 4 * (n + 2)
        if most & (most - 1) or not is_needed or not 2 <= n <= most <= MOST_NODES:
            raise ValueError("the table of nodes is not of the size that it needs")
        if len(nodes) != 3 * n or not 0 <= steps < 1 << 60:
            raise ValueError("the nodes are more or fewer than they say")
        if not is_table(nodes, self.n_options, ordered):
            raise ValueError("a node leads where it should not")
        if idle:
            kind, left, right, height, value, descending = JOIN, 0, 0, 0, 0, 0
            del stack[:]
        self.old = nodes
        self.n, self.most, self.settled, self.steps = n, most, 0, steps
        self._load_operation(stack, kind, left, right, height, value, ordered)
        self.descending = bool(descending)
        self.nodes = pages(3 * most)
        self.unique, self.unique_mask = pages(2 * most), 2 * most - 1
        self.cache, self.cache_mask = pages(4 * most), most - 1
        until: cython.longlong = 1 << 62
        with cython.nogil:
            self.settle(until)
        self.steps = steps
        self.release()

    def _load_operation(
        self,
        stack: array[int],
        kind: int,
        left: int,
        right: int,
        height: int,
        value: int,
        ordered: bool,
    ) -> None:
        n: int = self.n
        if len(stack) != 5 * height or not 0 <= height <= self.n_options + 3:
            raise ValueError("the stack of operations has another height")
        if not ordered and (kind != JOIN or height or min(left, right) > 1):
            raise ValueError("there is an operation that should not be")
        kinds = [kind, *stack[::5]]
        values = [left, right, value, *stack[1::5], *stack[2::5]]
        values += [low for low in stack[4::5] if low != -1]
        if not all(0 <= known < n for known in values):
            raise ValueError("an operation has nodes that there are not")
        if not all(JOIN <= known < max(self.n_options, 1) for known in kinds):
            raise ValueError("an operation puts no option")
        options = stack[3::5]
        if not all(0 <= option < self.n_options for option in options):
            raise ValueError("an operation is about no option")
        for at in range(height):
            for k in range(5):
                self.stack[5 * at + k] = stack[5 * at + k]
        self.kind, self.left, self.right = kind, left, right
        self.height, self.value = height, value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark(self, until: cython.longlong) -> cython.bint:
        """Mark what the root leads to, from above; true when that is done."""
        k: cython.longlong
        while self.cursor > 1:
            if self.steps >= until:
                return False
            self.steps += 1
            k = self.cursor
            if self.names[k] != 0:
                self.names[self.nodes[3 * k + 1]] = 1
                self.names[self.nodes[3 * k + 2]] = 1
            self.cursor -= 1
        self.names[0] = 0
        self.names[1] = 1
        self.n_kept = 2
        self.cursor = 2
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def number(
        self,
        options: cython.int[::1],
        lows: cython.int[::1],
        highs: cython.int[::1],
    ) -> cython.int:
        """Write down the next marked nodes, numbered anew; give how many."""
        k: cython.longlong
        n: cython.int = 0
        most: cython.int = len(options)
        while self.cursor <= self.root and n < most:
            k = self.cursor
            if self.names[k] != 0:
                options[n] = self.nodes[3 * k]
                lows[n] = self.names[self.nodes[3 * k + 1]]
                highs[n] = self.names[self.nodes[3 * k + 2]]
                self.names[k] = self.n_kept
                self.n_kept += 1
                n += 1
            self.cursor += 1
            self.steps += 1
        return n

    def begin_numbering(self, root: int) -> None:
        """Let go of all but the nodes, before `mark`."""
        self.cache = pages(4)
        self.unique = pages(4)
        self.names = pages(self.n)
        self.root = self.cursor = root
        self.names[root] = 1


def is_table(nodes: array[int], n_options: int, ordered: bool) -> bool:
    """Tell whether all children come before their nodes, and options are in order."""
    table: cython.int[::1] = nodes
    most: cython.int = n_options
    in_order: cython.bint = ordered
    k: cython.Py_ssize_t
    option: cython.int
    low: cython.int
    high: cython.int
    terminals = [TERMINAL, 0, 0, TERMINAL, 1, 1]
    if [*nodes[:6]] != terminals:
        return False
    for k in range(2, len(table) // 3):
        option = table[3 * k]
        low = table[3 * k + 1]
        high = table[3 * k + 2]
        if not 0 <= low < k or not 0 < high < k:
            return False
        if option == PRODUCT and not in_order:
            continue
        if not 0 <= option < most:
            return False
        if in_order and option >= min(table[3 * low], table[3 * high]):
            return False
    return True
