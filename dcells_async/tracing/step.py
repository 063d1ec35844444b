"""One step of a search that is watched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..problem import Problem

__all__ = ["Action", "Step", "Way"]


class Action(Enum):
    """What a step does."""

    CHOOSE = "choose"
    """An item is chosen to branch on."""
    DEAD_END = "dead end"
    """The item chosen has no option left."""
    TRY = "try"
    """One of its options is taken into the cover."""
    COVER = "cover"
    """An item leaves the matrix; the options that have it will be hidden."""
    PURIFY = "purify"
    """A secondary item gets its color; options with another one will be hidden."""
    HIDE = "hide"
    """One option leaves."""
    UNHIDE = "unhide"
    """One option comes back."""
    UNCOVER = "uncover"
    """An item comes back, after the options that left with it."""
    UNPURIFY = "unpurify"
    """A secondary item loses its color."""
    RESTORE = "restore"
    """All comes back that left since the option was tried, at one stroke."""
    SOLUTION = "solution"
    """Every primary item is covered."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happened, and what the matrix is like now.

    Options are numbered as written, from 1; items from 0, as in ``problem.items``.

    Attributes
    ----------
    action : Action
    depth : int
        How many options are in the cover.
    item, option : int or None
        What it is about.
    size : int or None
        Of an item just chosen: how many options it has, the fewest of all.
    chosen : tuple of int
        The options in the cover.
    live_items : frozenset of int
        Items still to be covered, or that may be; one with its color is not.
    live_options : frozenset of int
        Options that can still be chosen.
    """

    problem: Problem
    action: Action
    depth: int
    item: int | None
    option: int | None
    size: int | None
    chosen: tuple[int, ...]
    live_items: frozenset[int]
    live_options: frozenset[int]

    def __str__(self) -> str:
        """Say it in a sentence, without the depth."""
        names = self.problem.item_names
        name = "" if self.item is None else names[self.item]
        entries = ""
        if self.option is not None:
            entries = " ".join(self.problem.option_names(self.option - 1))
        chosen = " ".join(map(str, self.chosen)) or "no option"
        options = "option" if self.size == 1 else "options"
        sentences = {
            Action.CHOOSE: f"choose {name}: {self.size} {options}, no item has fewer",
            Action.DEAD_END: f"dead end: no option is left for {name}",
            Action.TRY: f"try option {self.option}: {entries}",
            Action.HIDE: f"hide option {self.option}: {entries}",
            Action.UNHIDE: f"unhide option {self.option}: {entries}",
            Action.RESTORE: f"restore all sizes as before option {self.option}",
            Action.SOLUTION: f"solution: {chosen}",
        }
        return sentences.get(self.action, f"{self.action.value} {name}")


class Way(ABC):
    """A way of dancing that can be watched."""

    def steps(self) -> Iterator[Step]:
        """Search for all covers, step by step, however deep."""
        levels = [self.level()]
        while levels:
            for step in levels[-1]:
                if step is None:
                    levels.append(self.level())
                    break
                yield step
            else:
                levels.pop()

    @abstractmethod
    def level(self) -> Iterator[Step | None]:
        """Branch once; None stands for all that is below."""

    @abstractmethod
    def state(self) -> tuple[object, ...]:
        """Give a copy of all that undoing has to restore."""
