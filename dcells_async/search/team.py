"""How many work on a search, and whether one is to see that in its covers."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Team"]


@dataclass(frozen=True, slots=True)
class Team:
    """Those who work on one search.

    Parameters
    ----------
    workers : int, >= 1
    ordered : bool
        Whether covers come in the order of a single worker.
    best : int
        In a least-cost search, how many cheapest covers are sought; 0 otherwise.
    """

    workers: int = 1
    ordered: bool = True
    best: int = 0
