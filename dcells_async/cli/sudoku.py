"""The command ``dcells sudoku``: answers for a file of puzzles."""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO

import anyio
import click

from ..cover import Stats
from ..puzzles.sudoku_answers import Verdict
from ..puzzles.sudoku_batch import sudoku_batches
from .outlet import Outlet
from .progress import bar_for
from .statuses import BAD, FOUND, NONE, SEVERAL
from .telling import Failure, told
from .words import amount

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..puzzles.sudoku_answers import Answer

__all__ = ["sudoku"]

_LINE_BYTES = 82


def _as_pairs(number: int, answer: Answer) -> str:
    return f"Q[{number:5d}]: {answer.puzzle}\nA[{number:5d}]: {_outcome(answer)}\n"


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


def _as_lines(_: int, answer: Answer) -> str:
    return f"{_outcome(answer)}\n"


def _as_csv(_: int, answer: Answer) -> str:
    fields = (answer.puzzle, answer.solution or "", answer.reason or "")
    puzzle, solution, reason = map(_quoted, fields)
    return f"{answer.line},{puzzle},{answer.verdict.value},{solution},{reason}\n"


def _quoted(field: str) -> str:
    if any(character in field for character in ',"\r\n'):
        return '"' + field.replace('"', '""') + '"'
    return field


def _as_ndjson(_: int, answer: Answer) -> str:
    record = {name: v for name, v in answer._asdict().items() if v is not None}
    return json.dumps(record, ensure_ascii=False) + "\n"


_FORMATS: Mapping[str, Callable[[int, Answer], str]] = {
    "pairs": _as_pairs,
    "lines": _as_lines,
    "csv": _as_csv,
    "ndjson": _as_ndjson,
}
_HEADS = {"csv": "line,puzzle,verdict,solution,reason\n"}


def _puzzles(stats: Stats) -> str:
    rate = round(stats.covers / stats.elapsed) if stats.elapsed else 0
    return f"{amount(stats.covers, 'puzzle')}  {rate:,} a second"


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option("--unique", is_flag=True, help="Look for a second solution of each.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMATS)),
    default="pairs",
    show_default=True,
    help="Q[..] and A[..], solutions only, or a table or records with all there is.",
)
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr. [default: if it is a terminal]",
)
@click.option("--backend", type=click.Choice(["asyncio", "trio"]), default="asyncio")
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
    follows behind a blank, a comma, a semicolon, a colon or a # does not count, nor do
    empty lines and those that begin with #. Answers come in the order of the lines, as
    they are found; a last line on stderr counts them.

    \b
    Exit status:
      0  all puzzles are solved
      1  some have no solution
      2  some are invalid, or the file cannot be read
      3  --unique: some have several solutions (and none is worse)

    \b
    Examples:
      dcells sudoku puzzles.txt
      dcells sudoku --unique --format csv - < puzzles.txt
    """
    with told(file):
        counts, seconds = _run(file, unique, form, progress, backend)
    total = sum(counts.values())
    parts = ", ".join(f"{n:,} {verdict.value}" for verdict, n in counts.items() if n)
    click.echo(
        f"{amount(total, 'puzzle')}{': ' if parts else ''}{parts} in {seconds:.3f} s",
        err=True,
    )
    if counts[Verdict.INVALID]:
        ctx.exit(BAD)
    if counts[Verdict.NONE]:
        ctx.exit(NONE)
    ctx.exit(SEVERAL if counts[Verdict.SEVERAL] else FOUND)


def _run(
    file: str, unique: bool, form: str, progress: bool | None, backend: str
) -> tuple[Counter[Verdict], float]:
    if sys.stdout is None:
        raise Failure("dcells: standard output is closed")
    if file == "-" and sys.stdin is None:
        raise Failure("dcells: standard input is closed")
    source: Path | BinaryIO = sys.stdin.buffer if file == "-" else Path(file)
    size = Path(file).stat().st_size if file != "-" else 0
    counts = Counter(dict.fromkeys(Verdict, 0))
    begin = monotonic()
    write = _FORMATS[form]

    def stats() -> Stats:
        # How long the lines are is known for those that hold a puzzle and no more.
        total = counts.total()
        fraction = min(1.0, total * _LINE_BYTES / size) if size else 0.0
        return Stats(covers=total, elapsed=monotonic() - begin, fraction=fraction)

    async def answer_all(outlet: Outlet) -> None:
        async for batch in sudoku_batches(source, check_unique=unique):
            first = counts.total() + 1
            outlet.put("".join(map(write, count(first), batch)).encode())
            counts.update(answer.verdict for answer in batch)

    with Outlet(
        sys.stdout.buffer, bar_for(progress, stats, _puzzles), lambda: None
    ) as outlet:
        outlet.put(_HEADS.get(form, "").encode())
        anyio.run(answer_all, outlet, backend=backend)
    return counts, monotonic() - begin
