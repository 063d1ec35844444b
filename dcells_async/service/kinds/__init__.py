"""What can be asked: one file for each kind of question."""

from __future__ import annotations

from . import counting, solve

__all__ = ["ROUTERS"]

ROUTERS = (solve.router, counting.router)
