"""How many work on a search, and whether one is to see that in its covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .crew import Crew

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any

    from .session import Session

__all__ = ["Team"]


@dataclass(frozen=True, slots=True)
class Team:
    """Several workers for one search.

    Parameters
    ----------
    workers : int, >= 2
    ordered : bool
        Whether covers come in the order of a single worker.
    best : int
        In a least-cost search, how many cheapest covers are sought; 0 otherwise.
    """

    workers: int
    ordered: bool = False
    best: int = 0

    def crew(
        self,
        session: Session,
        limit: int | None,
        hold: int,
        lock: AbstractContextManager[Any],
    ) -> Crew:
        """Put the team to work on a search that has not begun; see `Crew`."""
        return Crew(
            session,
            self.workers,
            limit=limit,
            best=self.best,
            ordered=self.ordered,
            hold=hold,
            lock=lock,
        )
