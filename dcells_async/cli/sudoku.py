"""The command ``dcells sudoku``: answers for a file of puzzles."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import click

from ..puzzles.sudoku_answers import Verdict
from ..puzzles.sudoku_batch import sudoku_batches
from .line_by_line import (
    BACKEND,
    FILE,
    PROGRESS,
    How,
    answer_lines,
    as_csv,
    as_record,
)
from .statuses import BAD, FOUND, NONE, SEVERAL
from .telling import told

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..puzzles.sudoku_answers import Answer

__all__ = ["sudoku"]


def _as_pairs(number: int, answer: Answer) -> str:
    puzzle = answer.puzzle
    if not puzzle.isprintable():
        # What is no puzzle may hold anything, and terminals obey.
        puzzle = puzzle.encode("unicode_escape").decode()
    return f"Q[{number:5d}]: {puzzle}\nA[{number:5d}]: {_outcome(answer)}\n"


def _outcome(answer: Answer) -> str:
    """Give the solution, or else in brackets why there is none to be given."""
    match answer.verdict:
        case Verdict.NONE:
            return "(no solution)"
        case Verdict.INVALID:
            return f"(invalid: {answer.reason})"
        case Verdict.SEVERAL:
            return f"{answer.solution} (not the only one)"
        case Verdict.SOLVED:
            return f"{answer.solution}"


_FORMATS: Mapping[str, Callable[[int, Answer], str]] = {
    "pairs": _as_pairs,
    "lines": lambda _, answer: f"{_outcome(answer)}\n",
    "csv": lambda _, answer: as_csv(*answer),
    "ndjson": lambda _, answer: as_record(answer),
}
_HEADS = {"csv": "line,puzzle,verdict,solution,reason\n"}


@click.command()
@FILE
@click.option("--unique", is_flag=True, help="Look for a second solution of each.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMATS)),
    default="pairs",
    show_default=True,
    help="Q[..] and A[..], solutions only, or a table or records with all there is.",
)
@PROGRESS
@BACKEND
@click.pass_context
def sudoku(
    ctx: click.Context,
    *,
    file: str,
    unique: bool,
    form: str,
    progress: bool | None,
    backend: str,
) -> None:
    """Solve the sudokus in a file, one a line, or of standard input.

    A line has 81 characters: digits, and a dot, 0 or * for an empty cell. Whatever
    follows behind a blank, a comma, a semicolon, a colon or a # does not count, nor
    does a number in front, nor do empty lines and those that begin with #. What this
    command prints can be read again: Q[..] are puzzles, and A[..] do not count. Answers
    come in the order of the lines, as they are found; a last line on stderr counts
    them.

    \b
    Exit status:
        0  all puzzles are solved
        1  some have no solution
        2  some are invalid, or the file cannot be read
        3  --unique: some have several solutions (and none is worse)
      130  interrupted by Ctrl-C
      141  nobody reads the output any more

    \b
    Examples:
      dcells sudoku puzzles.txt
      dcells sudoku --unique --format csv - < puzzles.txt
    """
    counts = Counter(dict.fromkeys(Verdict, 0))

    def write(first: int, batch: list[Answer], _: Callable[[str], None]) -> str:
        counts.update(answer.verdict for answer in batch)
        return "".join(map(_FORMATS[form], count(first), batch))

    with told(file):
        ending = answer_lines(
            How(file, progress, backend),
            partial(sudoku_batches, check_unique=unique),
            write,
            "puzzle",
            _HEADS.get(form, ""),
        )
    ending.tell("puzzle", (f"{n:,} {verdict}" for verdict, n in counts.items() if n))
    if counts[Verdict.INVALID]:
        ctx.exit(BAD)
    if counts[Verdict.NONE]:
        ctx.exit(NONE)
    ctx.exit(SEVERAL if counts[Verdict.SEVERAL] else FOUND)
