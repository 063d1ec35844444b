"""Importing the library adds little to a program that has anyio already."""

from pathlib import Path

from benchmarks.processes import import_seconds
from benchmarks.promises.figures import milliseconds, quantile

__all__ = ["measure"]

_TIMES = 15


async def measure(_: Path) -> dict[str, str]:
    """Time imports in fresh processes."""
    beyond = import_seconds("dcells_async", _TIMES, after=["anyio"])
    whole = import_seconds("dcells_async", _TIMES)
    return {
        "import after anyio, median": milliseconds(quantile(beyond, 0.5)),
        "import with anyio, median": milliseconds(quantile(whole, 0.5)),
    }
