"""Nothing is said twice: which of two different knobs counts nobody could tell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import Depends
from starlette.requests import HTTPConnection  # noqa: TC002

from .faults import Fault
from .knobs import LISTS

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ONCE", "check_keys"]


async def _once(connection: HTTPConnection) -> None:
    seen = set()
    for name, _ in connection.query_params.multi_items():
        if name in seen and name not in LISTS:
            raise _twice(f"query.{name[:_MOST_SHOWN]}")
        seen.add(name)


ONCE = Depends(_once)
"""A dependency: goes on only if no knob stands in the query twice."""

_MOST_SHOWN = 40


def check_keys(document: bytes | str) -> None:
    """Refuse a document of JSON, known to be one, in which a key stands twice.

    Raises
    ------
    Fault
        With status 422.

    Examples
    --------
    >>> check_keys('{"a": [{"b": 1}, {"b": 2}]}')
    >>> check_keys('{"a": [{"b": 1, "b": 2}]}')
    Traceback (most recent call last):
    dcells_async.service.faults.Fault: b: it is there twice
    """
    json.loads(document, object_pairs_hook=_object)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _twice(name[:_MOST_SHOWN])
        found[name] = value
    return found


def _twice(name: str) -> Fault:
    return Fault(
        422,
        "invalid",
        "The request is not as it should be",
        f"{name}: it is there twice",
    )
