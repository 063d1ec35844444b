"""The command ``dcells minlex``: forms for a file of grids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..puzzles.minlex_batch import minlex_batches
from .line_by_line import (
    BACKEND,
    FILE,
    PROGRESS,
    How,
    answer_lines,
    as_csv,
    as_record,
)
from .statuses import BAD, FOUND
from .telling import told

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..puzzles.minlex_batch import Form

__all__ = ["minlex"]

_KEY_BYTES = 34
"""As many as a number of 81 digits needs."""

_FORMATS: Mapping[str, Callable[[Form], str]] = {
    "forms": lambda answer: f"{answer.form}\n" if answer.form else "",
    "grids": lambda answer: f"{answer.grid}\n" if answer.form else "",
    "csv": lambda answer: as_csv(*answer),
    "ndjson": as_record,
}
_HEADS = {"csv": "line,grid,form,automorphisms,reason\n"}


@click.command()
@FILE
@click.option("--unique", is_flag=True, help="Only the first of those that are alike.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMATS)),
    default="forms",
    show_default=True,
    help="Forms, or grids as they are, or a table or records with all there is.",
)
@PROGRESS
@BACKEND
@click.pass_context
def minlex(
    ctx: click.Context,
    *,
    file: str,
    unique: bool,
    form: str,
    progress: bool | None,
    backend: str,
) -> None:
    """Print the canonical forms of the sudoku grids in a file, one a line.

    The form is the smallest 81-digit number, 0 for a blank, that a grid can be turned
    into by transposing, reordering rows, columns, bands and stacks, and renaming
    digits. (Other programs choose the smallest pattern of blanks first, or make the
    solution smallest: those are other forms.) Nothing is solved, so any grid will do.

    Lines are as for "dcells sudoku". Those that are no grid are told on stderr. With
    --unique the smallest numbers seen are kept in memory, some hundred bytes each.

    \b
    Exit status:
        0  all lines are grids
        2  some are not, or the file cannot be read
      130  interrupted by Ctrl-C
      141  nobody reads the output any more

    \b
    Examples:
      dcells minlex grids.txt
      dcells minlex --unique --format grids grids.txt > different.txt
    """
    write = _Writing(form, unique)
    with told(file):
        ending = answer_lines(
            How(file, progress, backend),
            minlex_batches,
            write,
            "grid",
            _HEADS.get(form, ""),
        )
    parts = [f"{len(write.seen):,} different"] if unique else []
    if write.n_bad:
        parts.append(f"{write.n_bad:,} invalid")
    ending.tell("grid", parts)
    ctx.exit(BAD if write.n_bad else FOUND)


class _Writing:
    """What is written, and what was."""

    def __init__(self, form: str, unique: bool) -> None:
        self._line = _FORMATS[form]
        self._unique = unique
        self.seen: set[bytes] = set()
        self.n_bad = 0

    def __call__(self, _: int, batch: list[Form], tell: Callable[[str], None]) -> str:
        for answer in batch:
            if answer.form is None:
                self.n_bad += 1
                tell(f"line {answer.line}: {answer.reason}")
        return "".join(self._line(a) for a in batch if self._is_wanted(a))

    def _is_wanted(self, answer: Form) -> bool:
        if not self._unique or answer.form is None:
            return True
        n_before = len(self.seen)
        self.seen.add(int(answer.form).to_bytes(_KEY_BYTES, "big"))
        return len(self.seen) > n_before
