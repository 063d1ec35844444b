"""A problem in the neutral form that is handed to every contender.

References are written as in DLX text: ``item``, or ``item:color`` for a colored
secondary item. Each contender converts this form to its own on the clock.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["Puzzle", "load", "save"]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Items by name and options as lists of references.

    Parameters
    ----------
    primary : list of str
        The items to be covered exactly once, in order.
    secondary : list of str
        The items to be covered at most once, or by one color.
    options : list of list of str
        The references of each option, in order.
    """

    primary: list[str]
    secondary: list[str]
    options: list[list[str]]

    @property
    def is_colored(self) -> bool:
        """Whether any reference has a color."""
        return any(":" in reference for option in self.options for reference in option)


def save(puzzles: Sequence[Puzzle], path: Path) -> None:
    """Write puzzles to a file that `load` reads."""
    path.write_text(json.dumps([asdict(puzzle) for puzzle in puzzles]), "utf-8")


def load(path: Path) -> list[Puzzle]:
    """Read the puzzles that `save` wrote."""
    return [Puzzle(**fields) for fields in json.loads(path.read_text("utf-8"))]
