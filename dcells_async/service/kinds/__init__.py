"""What can be asked: one file for each kind of question."""

from __future__ import annotations

from . import counting, minimize, minlex, solve, sudoku, zdd

__all__ = ["ROUTERS"]

ROUTERS = (
    solve.router,
    counting.router,
    minimize.router,
    zdd.router,
    sudoku.router,
    minlex.router,
)
