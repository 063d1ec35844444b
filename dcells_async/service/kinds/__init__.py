"""What can be asked: one file for each kind of question."""

from __future__ import annotations

from . import counting, edges, minimize, minlex, solve, sudoku, trace, zdd

__all__ = ["ROUTERS"]

ROUTERS = (
    solve.router,
    counting.router,
    minimize.router,
    zdd.router,
    sudoku.router,
    minlex.router,
    edges.router,
    trace.router,
)
