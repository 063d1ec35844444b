"""What can be asked about a problem: its covers, their number, or their uniqueness."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import click

from ..cover import Outcome
from .formats import Answer
from .statuses import CUT_SHORT, FOUND, NONE, SEVERAL

__all__ = ["Counting", "Listing", "Question", "Uniqueness", "question_of"]


@dataclass(frozen=True)
class Question(ABC):
    """One of them.

    Attributes
    ----------
    limit : int, optional
        After how many covers it is settled.
    lists_covers : bool
        Whether the covers themselves are wanted.
    """

    limit: int | None = None
    lists_covers: bool = False

    @abstractmethod
    def answer(self, outcome: Outcome, covers: int) -> Answer:
        """Give what is to be said after all covers."""

    def status(self, outcome: Outcome, covers: int) -> int:
        """Give the exit status."""
        if outcome in CUT_SHORT:
            return CUT_SHORT[outcome]
        return FOUND if covers else NONE


@dataclass(frozen=True)
class Listing(Question):
    """Asks which covers there are."""

    lists_covers: bool = True

    def answer(self, outcome: Outcome, covers: int) -> Answer:
        """Give nothing: the covers have been told."""
        return Answer("", {})


@dataclass(frozen=True)
class Counting(Question):
    """Asks how many covers there are."""

    def answer(self, outcome: Outcome, covers: int) -> Answer:
        """Give the number, or a lower bound.

        Examples
        --------
        >>> Counting().answer(Outcome.TIMED_OUT, 7).text
        'at least 7'
        """
        exact = outcome is Outcome.EXHAUSTED
        text = str(covers) if exact else f"at least {covers}"
        return Answer(text, {"count": covers, "exact": exact})


@dataclass(frozen=True)
class Uniqueness(Question):
    """Asks whether there is exactly one cover."""

    limit: int | None = 2

    def answer(self, outcome: Outcome, covers: int) -> Answer:
        """Give none, unique, several, or unknown.

        Examples
        --------
        >>> Uniqueness().answer(Outcome.EXHAUSTED, 1).text
        'unique'
        >>> Uniqueness().answer(Outcome.TIMED_OUT, 1).text
        'unknown'
        >>> Uniqueness().answer(Outcome.LIMITED, 30).text
        'several'
        """
        if covers < 2 and outcome in CUT_SHORT:
            return Answer("unknown", {"answer": "unknown", "unique": None})
        # A search that goes on may have had any number of them before.
        text = ("none", "unique", "several")[min(covers, 2)]
        return Answer(text, {"answer": text, "unique": covers == 1})

    def status(self, outcome: Outcome, covers: int) -> int:
        """Give the exit status."""
        return SEVERAL if covers > 1 else super().status(outcome, covers)


def question_of(first: int | None, count: bool, unique: bool) -> Question:
    """Choose by what was given of --first, --count and --unique; one at most."""
    if (first is not None) + count + unique > 1:
        raise click.UsageError("--first, --count and --unique exclude one another.")
    if count:
        return Counting()
    return Uniqueness() if unique else Listing(first)
