"""Searches elsewhere, with the shape of those at home; it needs the extra ``client``.

What `solve_remote` gives is opened with ``async with``, and is what `Engine.dance`
gives: a `Result` with its covers, heartbeat, statistics and outcome. So a program
moves from one to the other by one line::

    async with XCC().dance(problem) as result:
    async with solve_remote("http://127.0.0.1:8000", problem) as result:
        async for cover in result.solutions:
            ...

A consumer who is slow slows the search down, and leaving the block ends it.
"""

from __future__ import annotations

try:
    import httpx  # noqa: F401
except ImportError as error:
    raise ImportError(
        "the client needs more: pip install 'dcells-async[client]'"
    ) from error

from .dance import RemoteDance
from .diagram import RemoteDiagram
from .errors import RemoteError
from .grids import minlex_forms_remote, solve_sudokus_remote
from .remote import Remote, solve_remote

__all__ = [
    "Remote",
    "RemoteDance",
    "RemoteDiagram",
    "RemoteError",
    "minlex_forms_remote",
    "solve_remote",
    "solve_sudokus_remote",
]
