"""The same search by dancing cells: sparse sets in the place of linked lists.

The options that an item still has are the first ``size[item]`` members of a list,
in any order. An option is *hidden* from an item by a swap with the last of them,
and a size that is one less. So nothing needs to be undone piece by piece: the
members that left are still there, behind the others, and to *restore* the sizes
restores the sets, though not the order in them. The items that are still to be
covered are the first of a list of the same kind.

Options that any item still has are in the sets of all of their items that are not
covered. A secondary item with a color keeps in its set the options that agree.

References
----------
D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, on dancing cells;
his program SSXCC, which does all this in one array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .step import Action, Step, Way

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..problem import Problem

__all__ = ["Cells"]


class Cells(Way):
    """A search by dancing cells.

    Attributes
    ----------
    members : list of list of int
        For each item the numbers of its options, those it still has in front.
    place : list of dict
        Where in the list each of them is.
    size : list of int
        How many each item still has.
    active : list of int
        The primary items, those still to be covered in front.
    n_active : int
        How many they are.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._entries: list[dict[int, int]] = [{}]
        self.members: list[list[int]] = [[] for _ in problem.items]
        dropped = set(problem.dropped)
        for number in range(1, len(problem.options) + 1):
            begin, end = problem.option_start[number - 1], problem.option_start[number]
            items = problem.entry_item[begin:end]
            colors = problem.entry_color[begin:end] or [0] * len(items)
            self._entries.append(dict(zip(items, colors, strict=True)))
            if number not in dropped:
                for item in items:
                    self.members[item].append(number)
        self.place = [
            {option: at for at, option in enumerate(options)}
            for options in self.members
        ]
        self.size = list(map(len, self.members))
        self.active = list(range(problem.n_primary))
        self.n_active = problem.n_primary
        self._settled: set[int] = set()
        self._chosen: list[int] = []

    def level(self) -> Iterator[Step | None]:
        """Branch once; None stands for all that is below."""
        if not self.n_active:
            yield self._step(Action.SOLUTION)
            return
        item = min(
            self.active[: self.n_active], key=lambda item: (self.size[item], item)
        )
        yield self._step(Action.CHOOSE, item, size=self.size[item])
        if not self.size[item]:
            yield self._step(Action.DEAD_END, item)
        for option in self.members[item][: self.size[item]]:
            self._chosen.append(option)
            yield self._step(Action.TRY, option=option)
            before = self.size[:], self.n_active, set(self._settled)
            yield from self._commit(option, item)
            yield None
            self.size, self.n_active, self._settled = before
            yield self._step(Action.RESTORE, option=option)
            self._chosen.pop()

    def state(self) -> tuple[object, ...]:
        """Give the sets as sets, for their order is not restored."""
        return (
            frozenset(self.active[: self.n_active]),
            *(
                frozenset(options[:size])
                for options, size in zip(self.members, self.size, strict=True)
            ),
        )

    def _commit(self, option: int, first: int) -> Iterator[Step]:
        """Cover or purify the items of an option, and hide what clashes with it."""
        entries = self._entries[option]
        order = sorted(entries, key=lambda item: item != first)
        for item in order:
            if item in self._settled:
                continue  # it has got this color already
            color = entries[item]
            self._settled.add(item)
            if item < self._problem.n_primary:
                self._deactivate(item)
            yield self._step(Action.PURIFY if color else Action.COVER, item)
            for other in self.members[item][: self.size[item]]:
                if other != option and not (
                    color and self._entries[other][item] == color
                ):
                    self._hide(other)
                    yield self._step(Action.HIDE, option=other)

    def _deactivate(self, item: int) -> None:
        at, last = self.active.index(item), self.n_active - 1
        self.active[at], self.active[last] = self.active[last], item
        self.n_active = last

    def _hide(self, option: int) -> None:
        """Take an option out of all the sets that it is in."""
        for item in self._entries[option]:
            members, place = self.members[item], self.place[item]
            at, last = place[option], self.size[item] - 1
            other = members[last]
            members[at], members[last] = other, option
            place[other], place[option] = at, last
            self.size[item] = last

    def _step(
        self,
        action: Action,
        item: int | None = None,
        *,
        option: int | None = None,
        size: int | None = None,
    ) -> Step:
        chosen = set(self._chosen)
        return Step(
            self._problem,
            action,
            len(self._chosen),
            item,
            option,
            size,
            tuple(self._chosen),
            frozenset(range(len(self.size))) - self._settled,
            frozenset(
                option
                for options, size in zip(self.members, self.size, strict=True)
                for option in options[:size]
                if option not in chosen
            ),
        )
