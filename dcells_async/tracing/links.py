"""Algorithm X, and C for colors, by dancing links: small, slow and clear.

Each item heads a circular list, linked up and down, of its entries; and the items
that are still to be covered are in a circular list, linked left and right. To take
``x`` out of a list takes two writes: its neighbors forget it. But ``x`` remembers
them, so two writes put it back, if all that left later is back already. Undoing
everything in exactly the reverse order restores the links bit for bit.

To *cover* an item is to take it off the list of items, and to *hide* all its
options: to take their other entries out of their lists. What is covered is the
item chosen, and then the items of the option tried, from it rightwards and round.
A secondary item with a color is not covered but *purified*: options with other
colors are hidden, and entries with the same one are marked, to be left in peace.

This differs from Knuth in two points, for the sake of the watcher: the item chosen
is covered anew for each of its options, so that undoing an option leaves nothing; and
an item is taken off before its options, so that it is told of before them.

Nothing here is shared with the kernels, which this checks.

References
----------
D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithms X and C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .step import Action, Step, Way

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..problem import Problem

__all__ = ["Links"]

_SAME = -1
"""The color of an entry whose item has got this color already."""


class Links(Way):
    """A search by dancing links.

    Node ``n`` of the arrays is an item if ``n <= n_items`` (from 1; 0 is the root),
    else an entry of an option, or a spacer between two options.

    Attributes
    ----------
    left, right : list of int
        The neighbors of each item. Secondary items are in no list of items.
    up, down : list of int
        The neighbors of each entry in the list of its item; for spacers, the first
        entry of the option before, and the last one of the option behind.
    top : list of int
        The item of each entry; 0 or less for spacers.
    color : list of int
    size : list of int
        How many entries are in the list of each item.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._n_items = n = len(problem.items)
        primary = problem.n_primary
        self.left: list[int] = [primary, *range(primary), *range(primary + 1, n + 1)]
        self.right: list[int] = [*range(1, primary + 1), 0, *range(primary + 1, n + 1)]
        self.up, self.down = list(range(n + 1)), list(range(n + 1))
        self.top, self.color = [0] * (n + 1), [0] * (n + 1)
        self.size = [0] * (n + 1)
        self._option = [0] * (n + 1)
        self._chosen: list[int] = []
        self._covered: set[int] = set()
        self._hidden = [0] * (len(problem.options) + 1)
        dropped = set(problem.dropped)
        self._space(0)
        for number in range(1, len(problem.options) + 1):
            if number in dropped:
                self._hidden[number] = 1
            else:
                self._append(number)

    def _space(self, first: int) -> None:
        self.top.append(0)
        self.color.append(0)
        self.up.append(first)
        self.down.append(0)
        self._option.append(0)

    def _append(self, number: int) -> None:
        problem = self._problem
        begin, end = problem.option_start[number - 1], problem.option_start[number]
        spacer, first = len(self.top) - 1, len(self.top)
        for entry in range(begin, end):
            item, node = problem.entry_item[entry] + 1, len(self.top)
            self.top.append(item)
            color = problem.entry_color[entry] if problem.entry_color else 0
            self.color.append(color)
            self.up.append(self.up[item])
            self.down.append(item)
            self.down[self.up[item]] = node
            self.up[item] = node
            self.size[item] += 1
            self._option.append(number)
        self.down[spacer] = len(self.top) - 1
        self._space(first)

    # -- the dance -------------------------------------------------------------------

    def cover(self, item: int) -> Iterator[Step]:
        """Take an item off, and hide its options."""
        left, right = self.left[item], self.right[item]
        self.right[left], self.left[right] = right, left
        self._covered.add(item)
        yield self._step(Action.COVER, item)
        entry = self.down[item]
        while entry != item:
            yield from self._hide(entry)
            entry = self.down[entry]

    def uncover(self, item: int) -> Iterator[Step]:
        """Undo `cover`."""
        entry = self.up[item]
        while entry != item:
            yield from self._unhide(entry)
            entry = self.up[entry]
        self._covered.discard(item)
        left, right = self.left[item], self.right[item]
        self.right[left] = self.left[right] = item
        yield self._step(Action.UNCOVER, item)

    def purify(self, node: int) -> Iterator[Step]:
        """Give the item of an entry the color of the entry.

        That one is not in the list any more: its option is hidden, being tried.
        """
        item, color = self.top[node], self.color[node]
        self._covered.add(item)
        yield self._step(Action.PURIFY, item)
        entry = self.down[item]
        while entry != item:
            if self.color[entry] == color:
                self.color[entry] = _SAME
            else:
                yield from self._hide(entry)
            entry = self.down[entry]

    def unpurify(self, node: int) -> Iterator[Step]:
        """Undo `purify`."""
        item, color = self.top[node], self.color[node]
        entry = self.up[item]
        while entry != item:
            if self.color[entry] == _SAME:
                self.color[entry] = color
            else:
                yield from self._unhide(entry)
            entry = self.up[entry]
        self._covered.discard(item)
        yield self._step(Action.UNPURIFY, item)

    def _hide(self, node: int) -> Iterator[Step]:
        """Take the other entries of an option out of their lists."""
        number = self._option[node]
        self._hidden[number] += 1
        for other in self._others(node):
            if self.color[other] != _SAME:
                up, down = self.up[other], self.down[other]
                self.down[up], self.up[down] = down, up
                self.size[self.top[other]] -= 1
        if number != self._chosen[-1]:
            yield self._step(Action.HIDE, node=node)

    def _unhide(self, node: int) -> Iterator[Step]:
        for other in reversed(self._others(node)):
            if self.color[other] != _SAME:
                up, down = self.up[other], self.down[other]
                self.down[up] = self.up[down] = other
                self.size[self.top[other]] += 1
        number = self._option[node]
        self._hidden[number] -= 1
        if number != self._chosen[-1]:
            yield self._step(Action.UNHIDE, node=node)

    def _others(self, node: int) -> list[int]:
        """Give the other entries of an option, from here rightwards and round."""
        others = []
        other = node + 1
        while other != node:
            if self.top[other] <= 0:
                other = self.up[other]
            else:
                others.append(other)
                other += 1
        return others

    # -- the search --------------------------------------------------------------------

    def level(self) -> Iterator[Step | None]:
        """Branch once; None stands for all that is below."""
        if self.right[0] == 0:
            yield self._step(Action.SOLUTION)
            return
        item = self._fewest()
        yield self._step(Action.CHOOSE, item, size=self.size[item])
        if not self.size[item]:
            yield self._step(Action.DEAD_END, item)
        node = self.down[item]
        while node != item:
            self._chosen.append(self._option[node])
            yield self._step(Action.TRY, node=node)
            entries = [node, *self._others(node)]
            for entry in entries:
                yield from self._commit(entry)
            yield None
            for entry in reversed(entries):
                yield from self._uncommit(entry)
            self._chosen.pop()
            node = self.down[node]

    def state(self) -> tuple[object, ...]:
        """Give a copy of all that the dance changes."""
        lists = (self.left, self.right, self.up, self.down, self.color, self.size)
        return tuple(map(tuple, lists))

    def _fewest(self) -> int:
        """Give the item with the fewest options, the leftmost of several."""
        best = item = self.right[0]
        while item:
            if self.size[item] < self.size[best]:
                best = item
            item = self.right[item]
        return best

    def _commit(self, node: int) -> Iterator[Step]:
        if not self.color[node]:
            yield from self.cover(self.top[node])
        elif self.color[node] != _SAME:
            yield from self.purify(node)

    def _uncommit(self, node: int) -> Iterator[Step]:
        if not self.color[node]:
            yield from self.uncover(self.top[node])
        elif self.color[node] != _SAME:
            yield from self.unpurify(node)

    def _step(
        self,
        action: Action,
        item: int | None = None,
        *,
        node: int | None = None,
        size: int | None = None,
    ) -> Step:
        return Step(
            self._problem,
            action,
            len(self._chosen),
            None if item is None else item - 1,
            None if node is None else self._option[node],
            size,
            tuple(self._chosen),
            frozenset(
                item - 1
                for item in range(1, self._n_items + 1)
                if item not in self._covered
            ),
            frozenset(
                number
                for number in range(1, len(self._hidden))
                if not self._hidden[number]
            ),
        )
