"""The command ``dcells edges``: tiles laid so that their edges match."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from ..cover import Outcome
from ..engines import XCC
from ..puzzles.edges import arrangement, matched, nearly
from ..puzzles.edges import edges as matching
from ..puzzles.tile_drawing import draw, svg
from ..puzzles.tile_texts import read_puzzle, read_size, write_board
from ..puzzles.tiles import Kind
from ..records import dumped
from .closing import tell_ending
from .formats import Ndjson, Text
from .parameters import ENGINES, STATUS_HELP, finite, output, source
from .questions import question_of
from .run import Run
from .statuses import FOUND
from .telling import Failure, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..cover import Cover
    from ..problem import Problem
    from ..puzzles.tiles import Laid, Puzzle
    from .questions import Question
    from .run import Ending

__all__ = ["edges"]


class _Table:
    """Where boards are laid, and the last one lies."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.laid: Laid = {}

    def lay(self, cover: Cover) -> tuple[int, int]:
        """Lay the board of a cover; give how many edges match, and all."""
        self.laid = arrangement(self.puzzle, cover)
        return matched(self.puzzle, self.laid)


class _Boards(Text):
    """Blocks: a line with number and colon, a board, an empty line."""

    def __init__(
        self, table: _Table, picture: Callable[[Puzzle, Laid], str], is_near: bool
    ) -> None:
        super().__init__((), lists_covers=True)
        self._table = table
        self._picture = picture
        self._is_near = is_near

    def cover(self, number: int, cover: Cover) -> bytes:
        """Give a block."""
        good, total = self._table.lay(cover)
        head = f" {good} of {total} edges match" if self._is_near else ""
        board = self._picture(self._table.puzzle, self._table.laid)
        return f"{number}:{head}\n{board}\n\n".encode()


class _Records(Ndjson):
    """One record a line, the last one of type ``end``."""

    def __init__(self, table: _Table) -> None:
        super().__init__((), lists_covers=True)
        self._table = table

    def cover(self, number: int, cover: Cover) -> bytes:
        """Give a record of type ``board``; tiles count from 1 in it."""
        good, total = self._table.lay(cover)
        puzzle, laid = self._table.puzzle, self._table.laid
        rows = [
            [(laid[r, c][0] + 1, laid[r, c][1]) for c in range(puzzle.columns)]
            for r in range(puzzle.rows)
        ]
        record = {
            "type": "board",
            "board": number,
            "rows": rows,
            "matched": good,
            "edges": total,
        }
        return (dumped(record) + "\n").encode()


def _board(puzzle: Puzzle, laid: Laid) -> str:
    return write_board((puzzle.rows, puzzle.columns), laid).rstrip("\n")


def _picture(puzzle: Puzzle, laid: Laid) -> str:
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return draw(puzzle, laid, color=is_terminal)


_PICTURES: Mapping[str, Callable[[Puzzle, Laid], str]] = {
    "boards": _board,
    "pictures": _picture,
}


@click.command(epilog=STATUS_HELP)
@click.argument("file", metavar="FILE|-")
@click.option("--size", metavar="RxC", help="Rows and columns. [default: a square]")
@click.option(
    "--kind",
    type=click.Choice(get_args(Kind)),
    default="border",
    show_default=True,
    help="The edge has the border color, and nothing else has it; or other sides may "
    "have it, too; or the edge has any color; or it is glued to the opposite one.",
)
@click.option(
    "--color", type=int, default=0, show_default=True, help="The color of the border."
)
@click.option(
    "--hints",
    metavar="BOARD|-",
    help="A board on which some tiles lie already.",
)
@click.option("--fix", is_flag=True, help="One of those that are alike when turned.")
@click.option("--nearly", "near", is_flag=True, help="Let edges be wrong, if few.")
@click.option("--first", type=click.IntRange(min=1), metavar="K", help="Stop after K.")
@click.option("--count", is_flag=True, help="Print the number of boards only.")
@click.option("--unique", is_flag=True, help="Print none, unique or several.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    callback=finite,
    metavar="SECONDS",
    help="Stop the search after so long.",
)
@click.option(
    "--engine",
    type=click.Choice(["xcc", "xccdc"]),
    default="xcc",
    show_default=True,
    help="How to search.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*_PICTURES, "ndjson"]),
    default="boards",
    show_default=True,
    help="Words 12:1 for tile 12, turned once; numbered sides; or a record a line.",
)
@click.option(
    "--svg",
    "picture",
    metavar="PATH",
    help="Draw the last board to a file as well.",
)
@click.option("--dlx", is_flag=True, help="Print the problem, and do not search.")
@click.option("--stats", is_flag=True, help="Tell on stderr what the search came to.")
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr. [default: if it is a terminal]",
)
@click.pass_context
def edges(
    ctx: click.Context,
    *,
    file: str,
    size: str | None,
    kind: Kind,
    color: int,
    hints: str | None,
    fix: bool,
    near: bool,
    first: int | None,
    count: bool,
    unique: bool,
    timeout: float | None,
    engine: str,
    form: str,
    picture: str | None,
    dlx: bool,
    stats: bool,
    progress: bool | None,
) -> None:
    """Lay the square tiles in a file so that all edges match.

    A line has the four colors of a tile: north, east, south, west. A first line of two
    numbers may tell rows and columns.

    A board is a line for each row, and a word for each cell: a dot, or 12:1 for the
    12th tile, turned once clockwise. Boards are read (--hints) and written like that.

    With --nearly some edges may be wrong, and each board has fewer of them than the
    one before; the last line on stderr tells whether fewer are possible.

    A board of 16 by 16, such as Eternity II, is far too large for this, and for
    anything else that goes through all boards.

    \b
    Examples:
      dcells edges --count --fix tiles.txt
      dcells edges --kind rim --first 1 --format pictures macmahon.txt
      dcells edges --nearly --timeout 60 --svg best.svg tiles.txt
      dcells edges --dlx tiles.txt | dcells check -
    """
    question = question_of(first, count, unique)
    if near and (not question.lists_covers or engine != "xcc"):
        raise click.UsageError("--nearly excludes --count, --unique and xccdc.")
    if file == hints == "-":
        raise click.UsageError("standard input is either the tiles or the board.")
    if picture is not None and (dlx or not question.lists_covers):
        raise click.UsageError("--svg excludes --count, --unique and --dlx.")
    if picture == "-":
        raise click.UsageError("--svg needs a file: boards are on standard output.")
    with told(file):
        puzzle = read_puzzle(
            _text(file),
            _text(hints) if hints else None,
            size=read_size(size) if size else None,
            kind=kind,
            color=color,
        )
        problem = (nearly if near else matching)(puzzle, fix=fix)
        if dlx:
            output().write(problem.to_dlx().encode())
            output().flush()
            ctx.exit(FOUND)
        table = _Table(puzzle)
        ending = _run(table, problem, question, form, near, engine, timeout, progress)
        if picture is not None and table.laid:
            with _naming(picture):
                Path(picture).write_text(svg(puzzle, table.laid), encoding="utf-8")
        tell_ending(ending, stats=stats)
        if near and ending.stats.covers:
            good, total = matched(puzzle, table.laid)
            click.echo(_verdict(ending, good, total), err=True)
    ctx.exit(ending.status)


def _run(
    table: _Table,
    problem: Problem,
    question: Question,
    form: str,
    near: bool,
    engine: str,
    timeout: float | None,
    progress: bool | None,
) -> Ending:
    limit = question.limit
    covers = (
        XCC().cheapest(problem, limit=limit, timeout=timeout)
        if near
        else ENGINES[engine]().solve(problem, limit=limit, timeout=timeout)
    )
    format_ = (
        _Records(table) if form == "ndjson" else _Boards(table, _PICTURES[form], near)
    )
    return Run(covers, question).go(
        output(), lambda *_: format_, timeout=timeout, progress=progress
    )


def _verdict(ending: Ending, good: int, total: int) -> str:
    """Say how good the best board is, and what is known of better ones."""
    text = f"{good:,} of {total:,} edges match"
    if ending.outcome is Outcome.EXHAUSTED:
        return f"{text}, the most there are"
    most = total - (ending.stats.lower_bound or 0)
    return f"{text}, perhaps not the most: at most {most:,}"


def _text(file: str) -> str:
    with _naming(file):
        found = source(file)
        data = found.read_bytes() if isinstance(found, Path) else found.read()
        return data.decode()


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """Tell which of several files is at fault."""
    name = "standard input" if file == "-" else file
    try:
        yield
    except OSError as error:
        raise Failure(f"dcells: {name}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise Failure(f"dcells: {name}: byte {error.start + 1} is no UTF-8") from error
