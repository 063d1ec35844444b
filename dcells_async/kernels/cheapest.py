# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""The cheapest covers, by branch and bound on bits.

Options have prices, and the covers wanted are the cheapest ones. A search for them
spends its time on finding out, at as many nodes as it can, that no cover below is worth
having. So this one keeps at each node the row of options that are still *live* (see
``marks.py``), and looks at all of them anew.

What it looks for is *taxes* (Knuth, DLX5). Every item that has still to be covered may
levy a tax, if the taxes on the items of an option never exceed its price. Let the
*rest* of an option be what its price leaves after all taxes levied so far. Then

    any cover from here costs at least  floor + sum of rest(o) over its further options,

where the *floor* starts with the taxes due at the root. An item that must be covered n
times more may levy the least rest t among its live options: the floor rises by n * t,
the rest of each falls by t, and the inequality still holds, for every cover takes at
least n of these options. To choose an option adds its rest to the floor, and nothing
else: what its items levied was paid in advance. So the floor never falls along a path.

It differs from Knuth's way in that taxes are levied at every node, on top of those
above, and not at the root alone. A node costs several times as much, and there are
ten to fifty times fewer: with the options that clash with the path gone, the cheapest
option of an item is often dearer than it was. (The literature calls it dual ascent;
D. Erlenkotter, Operations Research 26, 1978, used it for locating plants.)

- B1. [Enter.] Count a node.
- B2. [Levy.] For each item that must still be covered: strike out the live options
  whose rest no longer fits between floor and limit, go back if too few are left, and
  levy the tax. On the way note the item of least degree. Ask the caller's own bound.
- B3. [Choose.] If nothing must be covered, the path is a cover. Line up the live
  options of the item, or, behind a cover, all there are, least rest first.
- B4. [Try.] Choose the next in line, and go a level deeper.
- B5. [Back.] An option that was tried is excluded from then on. After the last, remit
  the taxes that the node levied, and go up.

Since each option in line excludes those before it, every cover is found once, whatever
the multiplicities. An item with s live options that needs n of them has degree
s + 1 - n: the first one taken stands among so many.

What a level of the path has, and how a search is saved and split, is told in
``levies.py``.
"""

from __future__ import annotations

import cython

from .arrays import enlarged
from .levies import LeviedRows
from .status import Status

if not cython.compiled:
    from .bitwise import lowest
    from .gaps import gap_below
    from .levies import CHOOSE, ENTER, NEXT

COMPILED: bool = cython.compiled

PAUSED = int(Status.PAUSED)
FULL = int(Status.FULL)
DONE = int(Status.DONE)
STOPPED = int(Status.STOPPED)
GROW = int(Status.GROW)
ASK = int(Status.ASK)

ENDLESS = 1 << 62


@cython.cclass
class CheapestKernel(LeviedRows):
    """The search for the cheapest covers, resumable at every step.

    The parameters are those of `LeviedRows`.
    """

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong, target: cython.longlong) -> cython.int:
        option: cython.int
        while self.depth >= 0:
            if self.stopping:
                return STOPPED
            if self.updates + self.steps >= until:
                return PAUSED
            if self.state == ENTER:
                if not self.has_room():
                    return GROW
                self.nodes += 1  # B1
                self.state = CHOOSE
                if not self.levy():  # B2
                    self.leave()
                elif self.ledger.asks:
                    return ASK
            elif self.state == CHOOSE:
                self.line_up()  # B3
                self.state = NEXT
                if self.item < 0 and not self.ledger.is_too_dear(self.cost[self.depth]):
                    self.ledger.enter(self.cost[self.depth])
                    self.covers += 1
                    if self.keep and not self.record():
                        target = self.covers
                    if self.covers >= target:
                        return FULL
            elif self.is_line_done():
                self.leave()
            else:
                option = self.queue[self.slot[self.depth]]
                self.slot[self.depth] += 1
                self.choose(option)  # B4
                self.depth += 1
                self.state = ENTER
        return STOPPED if self.stopping else DONE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_line_done(self) -> cython.bint:
        """Tell whether nothing in line is left, or worth trying."""
        at: cython.int = self.slot[self.depth]
        if at == self.slot_end[self.depth]:
            return True
        return self.ledger.is_too_dear(self.floor[self.depth] + self.queue_rest[at])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has_room(self) -> cython.bint:
        """Tell whether the arrays that grow are large enough for another node."""
        before: cython.Py_ssize_t = (
            self.queue_end[self.depth - 1] if self.depth > 0 else 0
        )
        levied: cython.Py_ssize_t = (
            self.taxes_end[self.depth - 1] if self.depth > 0 else 0
        )
        return (
            2 * self.width * (self.depth + 2) <= len(self.rows)
            and before + self.n_options < len(self.queue)
            and levied + self.n_primary < len(self.taxed)
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def levy(self) -> cython.bint:
        """B2: strike out, levy taxes, find the item; false if the node is hopeless."""
        level: cython.int = self.depth
        entered: cython.Py_ssize_t = 2 * self.width * level
        live: cython.Py_ssize_t = entered + self.width
        floor: cython.longlong = self.floor[level]
        limit: cython.longlong = self.ledger.limit
        at: cython.int = self.taxes_end[level - 1] if level > 0 else 0
        i: cython.int
        k: cython.int
        w: cython.int
        o: cython.int
        first: cython.int
        last: cython.int
        size: cython.int
        need: cython.int
        degree: cython.int
        spare: cython.int
        best_size: cython.int = 0
        best_spare: cython.int = 0
        least: cython.longlong
        word: cython.ulonglong
        self.item = -1
        self.degree = 0x7FFFFFFF
        self.taxes_end[level] = at
        for i in range(self.n_primary):
            need = self.low[i] - self.taken[i]
            if need <= 0:
                continue
            size = 0
            least = ENDLESS
            first = self.of_item.start[i]
            last = self.of_item.start[i + 1]
            self.steps += last - first
            for k in range(first, last):
                w = self.of_item.word[k]
                word = self.rows[live + w] & self.of_item.mask[k]
                while word != 0:
                    o = 64 * w + lowest(word)
                    if floor + self.rest[o] < limit:
                        size += 1
                        least = min(least, self.rest[o])
                    else:
                        self.ledger.refused = True
                        self.rows[live + w] ^= word & (~word + 1)
                    word &= word - 1
            self.steps += size
            if size < need:
                return False
            degree = size + 1 - need
            spare = self.high[i] - self.low[i]
            if degree < self.degree or (
                degree == self.degree
                and (spare < best_spare or (spare == best_spare and size > best_size))
            ):
                self.degree = degree
                self.item = i
                best_spare = spare
                best_size = size
            if least > 0:
                self.taxed[at] = i
                self.tax[at] = least
                at += 1
                self.taxes_end[level] = at
                for k in range(first, last):
                    w = self.of_item.word[k]
                    word = self.rows[entered + w] & self.of_item.mask[k]
                    while word != 0:
                        self.rest[64 * w + lowest(word)] -= least
                        word &= word - 1
                self.updates += size
                floor += need * least
                self.floor[level] = floor
                if floor >= limit:
                    self.ledger.refused = True
                    return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leave(self) -> cython.void:
        """B5: remit what the node levied, go up, and exclude what was tried there."""
        level: cython.int = self.depth
        entered: cython.Py_ssize_t = 2 * self.width * level
        at: cython.int = self.taxes_end[level]
        begin: cython.int = self.taxes_end[level - 1] if level > 0 else 0
        i: cython.int
        k: cython.int
        w: cython.int
        o: cython.int
        one: cython.ulonglong = 1
        word: cython.ulonglong
        while at > begin:
            at -= 1
            i = self.taxed[at]
            for k in range(self.of_item.start[i], self.of_item.start[i + 1]):
                w = self.of_item.word[k]
                word = self.rows[entered + w] & self.of_item.mask[k]
                while word != 0:
                    self.rest[64 * w + lowest(word)] += self.tax[at]
                    word &= word - 1
        self.depth -= 1
        self.state = NEXT
        if self.depth >= 0:
            o = self.chosen[self.depth]
            for k in range(self.option_start[o], self.option_start[o + 1]):
                i = self.option_item[k]
                if i < self.n_primary:
                    self.taken[i] -= 1
            self.rows[entered - self.width + o // 64] &= ~(one << (o % 64))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def line_up(self) -> cython.void:
        """B3: line up the options to be tried."""
        level: cython.int = self.depth
        live: cython.Py_ssize_t = (2 * level + 1) * self.width
        begin: cython.int = self.queue_end[level - 1] if level > 0 else 0
        end: cython.int = begin
        k: cython.int
        w: cython.int
        word: cython.ulonglong
        first: cython.int = 0
        last: cython.int = self.width
        need: cython.int
        if self.item >= 0:
            first = self.of_item.start[self.item]
            last = self.of_item.start[self.item + 1]
        for k in range(first, last):
            if self.item >= 0:
                w = self.of_item.word[k]
                word = self.rows[live + w] & self.of_item.mask[k]
            else:
                w = k
                word = self.rows[live + w]
            while word != 0:
                self.queue[end] = 64 * w + lowest(word)
                self.queue_rest[end] = self.rest[self.queue[end]]
                word &= word - 1
                end += 1
        self.sort(begin, end)
        self.slot[level] = begin
        self.slot_end[level] = end
        if self.item >= 0:
            # Fewer than there were when it was chosen, if later taxes struck some out.
            need = self.low[self.item] - self.taken[self.item]
            self.slot_end[level] = max(begin, end + 1 - need)
        self.lent[level] = 0
        self.queue_end[level] = end
        self.steps += end - begin

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sort(self, begin: cython.int, end: cython.int) -> cython.void:
        """Sort a line by rest; of equal ones those that cover most go first (Shell)."""
        gap: cython.int = gap_below(end - begin)
        k: cython.int
        at: cython.int
        option: cython.int
        rest: cython.longlong
        while gap > 0 and not self.stopping:
            for k in range(begin + gap, end):
                option = self.queue[k]
                rest = self.queue_rest[k]
                at = k
                while at - gap >= begin and self.is_before(
                    option, rest, self.queue[at - gap], self.queue_rest[at - gap]
                ):
                    self.queue[at] = self.queue[at - gap]
                    self.queue_rest[at] = self.queue_rest[at - gap]
                    at -= gap
                self.queue[at] = option
                self.queue_rest[at] = rest
            gap = gap_below(gap)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_before(
        self,
        option: cython.int,
        rest: cython.longlong,
        other: cython.int,
        its_rest: cython.longlong,
    ) -> cython.bint:
        size: cython.int = self.option_start[option + 1] - self.option_start[option]
        its: cython.int = self.option_start[other + 1] - self.option_start[other]
        if rest != its_rest:
            return rest < its_rest
        return size > its or (size == its and option < other)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self, option: cython.int) -> cython.void:
        """B4: choose an option: clear from the next row what clashes with it."""
        level: cython.int = self.depth
        live: cython.Py_ssize_t = (2 * level + 1) * self.width
        below: cython.Py_ssize_t = live + self.width
        one: cython.ulonglong = 1
        e: cython.int
        i: cython.int
        w: cython.int
        self.chosen[level] = option
        self.cost[level + 1] = self.cost[level] + self.ledger.price[option]
        self.floor[level + 1] = (
            self.floor[level] + self.queue_rest[self.slot[level] - 1]
        )
        for w in range(self.width):
            self.rows[below + w] = self.rows[live + w]
        self.rows[below + option // 64] &= ~(one << (option % 64))
        for e in range(self.option_start[option], self.option_start[option + 1]):
            i = self.option_item[e]
            if i < self.n_primary:
                self.taken[i] += 1
                if self.taken[i] < self.high[i]:
                    continue
            self.rivals.strike(self.rows, below, e)
            self.steps += self.of_item.start[i + 1] - self.of_item.start[i]
        for w in range(self.width):
            self.rows[below + self.width + w] = self.rows[below + w]

    def grow(self) -> None:
        """Enlarge what `has_room` has found too small."""
        rows = 2 * self.width * min(2 * self.depth + 4, self.max_depth + 2)
        if rows > len(self.rows):
            self.rows = enlarged(self.rows, rows)
        before = self.queue_end[self.depth - 1] if self.depth > 0 else 0
        if before + self.n_options >= len(self.queue):
            size = 2 * len(self.queue) + self.n_options
            self.queue = enlarged(self.queue, size)
            self.queue_rest = enlarged(self.queue_rest, size)
        levied = self.taxes_end[self.depth - 1] if self.depth > 0 else 0
        if levied + self.n_primary >= len(self.taxed):
            size = 2 * len(self.taxed) + self.n_primary
            self.taxed = enlarged(self.taxed, size)
            self.tax = enlarged(self.tax, size)

    def ask(self) -> None:
        """Ask the caller's bound, and leave the node if it is too dear."""
        if self.ledger.is_bound_too_dear(self, self.cost[self.depth]):
            with cython.nogil:
                self.leave()
