"""What problems and their faults tell, in plain values."""

from __future__ import annotations

import pytest

from dcells_async import DlxSyntaxError, Problem


def labels(problem):
    return [item.label for item in problem.items]


def entries(problem):
    return [tuple(option) for option in problem.options]


def fault_of(source):
    with pytest.raises(DlxSyntaxError) as caught:
        Problem.from_dlx(source)
    return caught.value
