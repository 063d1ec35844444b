"""What answers, read with distrust: it may be another program altogether.

Whatever does not look as the service writes it is a `RemoteError`, and never an error
of reading it, nor a cover that is none.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..cover import Outcome, Stats
from .errors import RemoteError, error_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["indices_of", "numbers_of", "outcome_of", "record_of", "stats_of"]

_STATS = frozenset(field.name for field in fields(Stats))
_WORDS = frozenset({"engine", "why"})
_ENDS = {
    outcome.value: outcome
    for outcome in Outcome
    if outcome not in {Outcome.RUNNING, Outcome.FAILED}  # that has an error
}


def record_of(line: bytes) -> Mapping[str, Any]:
    """Give the record that a line holds.

    Raises
    ------
    RemoteError
        It holds none.

    Examples
    --------
    >>> record_of(b'{"type": "start", "items": 3}')
    {'type': 'start', 'items': 3}
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or not isinstance(record.get("type"), str):
        raise _no_service(line)
    return record


def indices_of(record: Mapping[str, Any], n_options: int) -> tuple[int, ...]:
    """Give the positions, from 0, of the options of a cover.

    Raises
    ------
    RemoteError
        They are not among so many options.
    """
    numbers = record.get("options")
    if not isinstance(numbers, list) or not {*map(type, numbers)} <= {int}:
        raise _no_service(record)
    if numbers and not 1 <= min(numbers) <= max(numbers) <= n_options:
        raise RemoteError(
            f"the service sent a cover of options {numbers}, and there are {n_options}"
        )
    return tuple(number - 1 for number in numbers)


def stats_of(told: object) -> Stats:
    """Give the statistics of a record; those that are not known here are left out.

    Raises
    ------
    RemoteError
        They are no numbers, or how many covers there were is missing.
    """
    if not isinstance(told, dict) or not isinstance(told.get("covers"), int):
        raise _no_service(told)
    known = {name: it for name, it in told.items() if name in _STATS}
    for name, it in known.items():
        if it is not None and not isinstance(
            it, str if name in _WORDS else int | float
        ):
            raise _no_service(told)
    return Stats(**known)


def outcome_of(end: Mapping[str, Any]) -> Outcome:
    """Give the outcome that a last record tells of.

    Raises
    ------
    ProblemError, SearchError
        It tells of an error; a `RemoteError` if it is none, or the service itself
        ended the search.
    """
    if "error" in end:
        if not isinstance(end["error"], dict):
            raise _no_service(end)
        raise error_of(end["error"])
    word = end.get("outcome")
    outcome = _ENDS.get(word) if isinstance(word, str) else None
    if outcome is Outcome.CANCELLED:
        reason = end.get("reason", "no reason given")
        raise RemoteError(f"the service ended the search: {reason}")
    if outcome is None or "stats" not in end:
        raise _no_service(end)
    return outcome


def numbers_of(told: object, length: int) -> list[int]:
    """Give so many numbers that were sent as texts; they may have hundreds of digits.

    Raises
    ------
    RemoteError
        They are none, or more or fewer.
    """
    if (
        not isinstance(told, list)
        or len(told) != length
        or not all(isinstance(it, str) and it.isdecimal() for it in told)
    ):
        raise _no_service(told)
    return [*map(int, told)]


def _no_service(found: object) -> RemoteError:
    text = repr(found)
    if len(text) > 60:
        text = text[:60] + "…"
    return RemoteError(f"what answers is no such service: {text} is no record of it")
