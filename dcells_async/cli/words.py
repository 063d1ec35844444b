"""Sentences for people, all for stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cover import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..cover import Stats
    from ..problem import Note, Problem

__all__ = ["amount", "note_text", "price_text", "reasons", "summary"]

_ENDS = {
    Outcome.EXHAUSTED: "all searched",
    Outcome.LIMITED: "found as many as asked for",
    Outcome.TIMED_OUT: "timed out",
    Outcome.CANCELLED: "interrupted",
}

_MOST_REASONS = 10


def amount(number: int, noun: str) -> str:
    """Count something.

    Examples
    --------
    >>> amount(1, "node"), amount(14200, "cover"), amount(0, "entry")
    ('1 node', '14,200 covers', '0 entries')
    """
    if number != 1:
        noun = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun}"


def summary(outcome: Outcome, stats: Stats) -> str:
    """Tell in a line how a search ended, and in another one which engine won, and why.

    Examples
    --------
    >>> from dcells_async import Outcome, Stats
    >>> summary(Outcome.CANCELLED, Stats(nodes=1234, covers=1, elapsed=2, fraction=0.5))
    'interrupted: 1 cover, 1,234 nodes, 0 updates in 2.000 s, about 50.00% searched'
    """
    text = (
        f"{_ENDS[outcome]}: {amount(stats.covers, 'cover')}, "
        f"{amount(stats.nodes, 'node')}, {amount(stats.updates, 'update')} "
        f"in {stats.elapsed:.3f} s"
    )
    if outcome is not Outcome.EXHAUSTED:
        text += f", about {stats.fraction:.2%} searched"
    if stats.removed_options is not None and stats.removed_items is not None:
        text += (
            f"; before, {amount(stats.removed_options, 'option')} and "
            f"{amount(stats.removed_items, 'item')} were removed"
        )
    if stats.why is not None:
        text += f"\n{stats.why}"
    return text


def price_text(stats: Stats, *, is_least: bool) -> str:
    """Tell in a line what is known of the least price.

    Examples
    --------
    >>> from dcells_async import Stats
    >>> price_text(Stats(best_price=7, lower_bound=5), is_least=False)
    'price 7, perhaps not the least: at least 5'
    >>> price_text(Stats(best_price=7, lower_bound=7), is_least=True)
    'price 7, the least there is'
    """
    text = f"price {stats.best_price:,}"
    if is_least:
        return f"{text}, the least there is"
    return f"{text}, perhaps not the least: at least {stats.lower_bound:,}"


def note_text(note: Note) -> str:
    """Give a note in the words of the command line."""
    return "there are no options" if note.kind == "empty" else note.message


def reasons(problem: Problem) -> Iterator[str]:
    """Say what may be the reason why a problem has no cover."""
    # A warning has told of options left out already.
    notes = [note for note in problem.check() if note.kind != "dropped"]
    # What rules a cover out comes before what only looks odd.
    notes.sort(key=lambda note: note.kind != "uncovered")
    for note in notes[:_MOST_REASONS]:
        yield note_text(note)
    if len(notes) > _MOST_REASONS:
        yield f"{len(notes) - _MOST_REASONS} more; dcells check lists them all"
