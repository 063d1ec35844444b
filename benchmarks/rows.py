"""The rows of the comparison: a problem, and how many covers it is known to have."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.models import de_bruijn, neutral
from benchmarks.puzzle import Puzzle
from benchmarks.sudokus import as_cover, sudokus
from dcells_async import Problem
from dcells_async.puzzles.langford import langford
from dcells_async.puzzles.polyominoes import pentominoes
from dcells_async.puzzles.queens import queens

__all__ = ["ROWS", "MissingDataError", "Row", "data_folder"]

_SEED = 20260907
_SUDOKUS = 1000
_MIDDLE = [(3, 3), (3, 4), (4, 3), (4, 4)]


class MissingDataError(Exception):
    """The file of a row is not where it was looked for."""


@dataclass(frozen=True, slots=True)
class Row:
    """A piece of work for every contender.

    Parameters
    ----------
    title : str
        What the tables call it.
    covers : int
        The known number of covers, over all its puzzles.
    build : callable
        Gives its puzzles, from the folder of data if it needs that.
    """

    title: str
    covers: int
    build: Callable[[Path], list[Puzzle]]


def data_folder(given: Path | None) -> Path:
    """Return the folder given, or that of ``DCELLS_DATA``, or the usual place."""
    if given is not None:
        return given
    usual = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("DCELLS_DATA", usual))


def _filomino(folder: Path) -> Problem:
    path = folder / "filomino-15x15.dlx"
    if not path.is_file():
        message = f"no {path.name} in the folder of data (--data)"
        raise MissingDataError(message)
    return Problem.from_dlx(path)


ROWS = {
    "queens-12": Row(
        "queens 12", 14_200, lambda _: [neutral(queens(12, "organ-pipe"))]
    ),
    "langford-11": Row(
        "Langford 11",
        17_792,
        lambda _: [neutral(langford(11, up_to_reversal=True))],
    ),
    "de-bruijn-5": Row("de Bruijn 5, colored", 2_048, lambda _: [de_bruijn(5)]),
    "pentominoes-8x8": Row(
        "pentominoes 8x8", 520, lambda _: [neutral(pentominoes(8, 8, _MIDDLE))]
    ),
    "pentominoes-6x10": Row(
        "pentominoes 6x10", 9_356, lambda _: [neutral(pentominoes(6, 10))]
    ),
    "filomino-15x15": Row(
        "filomino 15x15", 1, lambda folder: [neutral(_filomino(folder))]
    ),
    "sudokus-1000": Row(
        "1,000 sudokus",
        _SUDOKUS,
        lambda _: [as_cover(puzzle) for puzzle in sudokus(_SUDOKUS, _SEED)],
    ),
}
