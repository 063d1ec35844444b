"""What is asked of sudokus in lines of text, and what is answered.

The format of a line is told in `grid_lines`.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

from ..kernels.status import Status
from ..kernels.sudoku import SudokuBlock
from .grid_lines import SIZE, malformed, numbered
from .sudoku import Sudoku, clash

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Answer", "Block", "Verdict", "explain"]

_NO_PUZZLE = "x" * SIZE
"""Handed to the kernel in place of a line that cannot be one; it is refused."""


class Verdict(StrEnum):
    """What is to be said of a puzzle."""

    SOLVED = "solved"
    """It has a solution; the only one, if that was asked for."""
    SEVERAL = "several"
    """It has more than one."""
    NONE = "none"
    """It has no solution, though no two clues clash."""
    INVALID = "invalid"
    """It is no puzzle, or two clues clash."""


class Answer(NamedTuple):
    """The answer to one line.

    Attributes
    ----------
    line : int
        The number of the line, from 1 on.
    puzzle : str
        The puzzle as it was written; if it is invalid, the line.
    verdict : Verdict
    solution : str or None
        81 digits. If there are several solutions, one of them.
    reason : str or None
        What is wrong with an invalid puzzle.
    """

    line: int
    puzzle: str
    verdict: Verdict
    solution: str | None = None
    reason: str | None = None


class Block:
    """Some lines, answered together.

    Parameters
    ----------
    lines : sequence of str or bytes
    first : int
        The number of the first line.
    check_unique : bool
        Look for a second solution of each.

    Attributes
    ----------
    answers : list of Answer
        When the work is done.
    """

    def __init__(
        self, lines: Sequence[str | bytes], first: int, check_unique: bool
    ) -> None:
        self.answers: list[Answer] = []
        self._lines = lines
        self._first = first
        self._limit = 2 if check_unique else 1
        self._kernel: SudokuBlock | None = None

    def advance(self, budget: int) -> bool:
        """Go on for about so many steps; true if all lines are answered."""
        if self._kernel is None:
            self._kernel = self._opened()
        if self._kernel.advance(budget) != Status.DONE:
            return False
        self._answer(self._kernel)
        return True

    def _opened(self) -> SudokuBlock:
        self._numbers: list[int] = []
        self._texts: list[str] = []
        puzzles: list[str] = []
        for number, text in numbered(self._lines, self._first):
            self._numbers.append(number)
            self._texts.append(text)
            is_one = len(text) == SIZE and text.isascii()
            puzzles.append(text if is_one else _NO_PUZZLE)
        self._lines = ()
        return SudokuBlock("".join(puzzles).encode(), self._limit)

    def _answer(self, kernel: SudokuBlock) -> None:
        whole = kernel.solutions.decode()
        solutions = [whole[at : at + SIZE] for at in range(0, len(whole), SIZE)]
        columns = (self._numbers, self._texts, repeat(Verdict.SOLVED), solutions)
        counts = kernel.counts.tolist()
        answers = [*map(Answer, *columns)]
        for at, count in enumerate(counts):
            if count != 1:
                number, text, _, solution, _ = answers[at]
                if count > 1:
                    answers[at] = Answer(number, text, Verdict.SEVERAL, solution)
                elif count == 0:
                    answers[at] = Answer(number, text, Verdict.NONE)
                else:
                    reason = explain(text)
                    answers[at] = Answer(number, text, Verdict.INVALID, None, reason)
        self.answers = answers


def explain(puzzle: str) -> str | None:
    """Tell what is wrong with a puzzle: its length, a character, or two clues.

    Examples
    --------
    >>> explain("12.")
    'there are 3 characters, not 81'
    >>> explain("." * 40 + "x" + "." * 40)
    "character 41 is 'x', neither a digit nor one of . 0 *"
    >>> explain("7..7" + "." * 77)
    'r1c1 and r1c4 are both 7, in the same row'
    >>> explain("." * 81) is None
    True
    """
    if (reason := malformed(puzzle)) is not None:
        return reason
    return clash(Sudoku.from_text(puzzle), region="box")
