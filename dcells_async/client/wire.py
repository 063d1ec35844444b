"""A problem as the body of a request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..errors import ProblemError

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from ..problem import Problem

__all__ = ["body_of"]


_LONG = 2000


def body_of(problem: Problem, knobs: Mapping[str, Any]) -> tuple[bytes, str]:
    """Give a problem as a body, and of what type that is.

    Names serve only messages, for covers come back as numbers; where the DLX format
    cannot express them, numbers stand in. What it cannot express at all goes as JSON,
    together with the knobs; so does what has more of these than an address may hold.

    Examples
    --------
    >>> from dcells_async import Problem
    >>> body_of(Problem.from_options([["a b"], ["c"]]), {})
    (b'0 1\\n0\\n1\\n', 'text/plain')
    """
    numbers: dict[Hashable, str] = {}

    def number(label: Hashable) -> str:
        return numbers.setdefault(label, str(len(numbers)))

    try:
        text = problem.to_dlx()
    except ProblemError:
        try:
            text = problem.to_dlx(number)
        except ProblemError:
            document = {**knobs, "problem": _structure(problem)}
            if problem.option_prices is not None:
                document["prices"] = [*problem.option_prices]
            return json.dumps(document).encode(), "application/json"
    if len(str(knobs)) > _LONG:
        return json.dumps({**knobs, "problem": text}).encode(), "application/json"
    return text.encode(), "text/plain"


def _structure(problem: Problem) -> dict[str, object]:
    """Give a problem as lists, with numbers for names."""
    n_primary = problem.n_primary
    start = problem.option_start
    colors = problem.entry_color or [0] * len(problem.entry_item)
    options = [
        [
            [str(problem.entry_item[at]), str(colors[at])]
            if colors[at]
            else str(problem.entry_item[at])
            for at in range(start[option], start[option + 1])
        ]
        for option in range(len(start) - 1)
    ]
    return {
        "primary": [str(item) for item in range(n_primary)],
        "secondary": [str(item) for item in range(n_primary, len(problem.items))],
        "options": options,
        "multiplicity": {
            str(number): [item.low, item.high]
            for number, item in enumerate(problem.items[:n_primary])
            if (item.low, item.high) != (1, 1)
        },
    }
