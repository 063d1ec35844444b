"""The commands, their options, and their help."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from .. import COMPILED, __version__
from ..errors import DlxWarning
from ..minimizer import MOST_BEST, MOST_WORKERS, Minimizer
from ..problem import Problem
from ..records import dumped
from .closing import tell_ending
from .edges import edges
from .formats import FORMATS, PRICED_FORMATS
from .keeping import engine_that_began, keeper_of, keeping_options, kept
from .minlex import minlex
from .parameters import (
    ENGINES,
    STATUS_HELP,
    engine_of,
    finite,
    order_options,
    output,
    source,
    write_all,
)
from .questions import Question, question_of
from .reduce import reduce
from .run import Ending, Run
from .serve import serve
from .statuses import FOUND, NONE
from .sudoku import sudoku
from .telling import told
from .trace import trace
from .words import amount, note_text, price_text
from .zdd import zdd

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ..engine import Engine
    from ..problem import Note

__all__ = ["dcells"]

_KERNELS = "compiled" if COMPILED else "interpreted"


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
    epilog=STATUS_HELP,
)
@click.version_option(__version__, message=f"%(prog)s %(version)s ({_KERNELS} kernels)")
def dcells() -> None:
    """Exact covers with colors, by dancing cells.

    A problem is a text in the DLX format. Its first line names the items to be
    covered; behind a bar, those that may be covered at most once, or with one
    color. Each further line is an option, a set of items:

    \b
      a b c | x
      a x:red
      b c x:red
      a b
      c

    A cover is a choice of options in which every item before the bar is exactly
    once: above, lines 2 and 3, or lines 4 and 5.

    \b
    Examples:
      dcells solve queens.dlx               all covers
      dcells solve --first 3 - < queens.dlx three of them
      dcells solve --count queens.dlx       how many there are
      dcells check queens.dlx               its size, and what looks odd
      dcells reduce sudoku.dlx              the same without hopeless options
      dcells zdd dominoes.dlx               all covers at once, if they are many
      dcells sudoku puzzles.txt             a sudoku a line, solved
      dcells minlex --unique puzzles.txt    without those that are the same
      dcells edges tiles.txt                square tiles, edge to edge
      dcells trace queens.dlx               how the search goes, step by step
      dcells serve                          all that over HTTP
    """


@dcells.command(epilog=STATUS_HELP)
@click.argument("file", metavar="FILE|-")
@click.option("--first", type=click.IntRange(min=1), metavar="K", help="Stop after K.")
@click.option("--count", is_flag=True, help="Print the number of covers only.")
@click.option(
    "--unique",
    is_flag=True,
    help="Print none, unique or several; unknown if the time ran out.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    callback=finite,
    metavar="SECONDS",
    help="Stop after so long, the reading included.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="Blocks, one JSON document, or one JSON record a line.",
)
@click.option("--stats", is_flag=True, help="Tell on stderr what the search came to.")
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr. [default: if it is a terminal]",
)
@click.option(
    "--engine",
    type=click.Choice(list(ENGINES)),
    help="How to search; auto lets the others race, and zdd is for very many covers.  "
    "[default: auto with --count or --unique, unless --workers or --choose says how; "
    "else xcc]",
)
@order_options
@click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    metavar="N",
    help="Search with N threads; with xcc and mcc only.  [default: 1]",
)
@click.option(
    "--ordered",
    is_flag=True,
    help="With --workers: print the covers in the order of one worker.",
)
@click.option(
    "--minimize",
    is_flag=True,
    help="Look for the cheapest cover, by the prices |n behind the options.",
)
@click.option(
    "--best",
    type=click.IntRange(1, MOST_BEST),
    metavar="K",
    help="With --minimize: look for the K cheapest.  [default: 1]",
)
@keeping_options("with --resume it goes on there")
@click.pass_context
def solve(
    ctx: click.Context,
    *,
    file: str,
    first: int | None,
    count: bool,
    unique: bool,
    timeout: float | None,
    form: str,
    stats: bool,
    progress: bool | None,
    engine: str | None,
    choose: str | None,
    seed: int | None,
    preprocess: bool,
    workers: int | None,
    ordered: bool,
    minimize: bool,
    best: int | None,
    checkpoint: Path | None,
    every: float | None,
    resume: Path | None,
) -> None:
    """Find the covers of the problem in a file, or of standard input.

    Covers are printed as they are found. As text, a cover is its number and a
    colon, its options, one a line, as they were written, and an empty line. As
    ndjson, each line is a record; the last one is of type "end" and tells the
    outcome, so a stream without it is not complete. Numbers of options and of
    lines count from 1.

    Ctrl-C prints what was found so far and ends the search.

    With --choose weighted or failures the search learns from its dead ends what to
    branch on: to be tried on a hard problem with few covers or none. With --seed the
    first covers are others for another number, and always the same for one.

    With --minimize each cover comes with its price and is cheaper than the one
    before; with --best K the K cheapest of those printed are the cheapest there
    are. The last line on stderr tells whether that is proved.

    With --checkpoint PATH the file is written once a minute, and at the end: not
    even a power cut costs more than what was found since. With --resume PATH the
    search goes on, and the covers are numbered on; those that were printed after the
    file was written come again; with several workers and without --ordered their
    numbers may be others. A file that is there is overwritten only if it is the one
    of --resume, or of a search that is over.

    \b
    Examples:
      dcells solve cube.dlx | head -20
      dcells solve --checkpoint cube.token cube.dlx > covers.txt
      dcells solve --resume cube.token cube.dlx > more.txt
      dcells solve --count --checkpoint c.token --resume c.token cube.dlx
      dcells solve --minimize --timeout 60 crews.dlx
      dcells solve --count --timeout 60 cube.dlx
      dcells solve --count --workers 4 cube.dlx
      dcells solve --unique sudoku.dlx && echo a proper puzzle
      dcells solve --preprocess --choose weighted hard.dlx
      dcells solve --format ndjson cube.dlx | jq -c 'select(.cover).lines'
    """
    if best is not None and not minimize:
        raise click.UsageError("--best needs --minimize.")
    if minimize and choose is not None:
        raise click.UsageError("--minimize excludes --choose.")
    if ordered and workers is None:
        raise click.UsageError("--ordered needs --workers.")
    question = question_of(first, count, unique)
    limit = question.limit
    with told(file):
        token = kept(resume, checkpoint)
        if engine is None and token is not None:
            engine = engine_that_began(token)
    if engine is None:
        # Several workers, or a rule, are for one search, and not for a race.
        is_race = not question.lists_covers and workers is None and choose is None
        engine = "auto" if is_race else "xcc"
    search = engine_of(engine, choose=choose, seed=seed, preprocess=preprocess)
    if workers is not None:
        search = _with_workers(search, engine, workers, ordered=ordered)
    with told(file):
        keeper = keeper_of(checkpoint, every, file=file, resume=resume)
    if (keeper or resume) and form == "json" and question.lists_covers:
        raise click.UsageError(
            "--format json is one document, which nothing can be added to; for "
            "--checkpoint and --resume take text or ndjson."
        )
    with told(file):
        covers = (
            _minimizer(engine, search, question).cheapest(
                source(file),
                best=best or 1,
                limit=limit,
                timeout=timeout,
                resume=token,
            )
            if minimize
            else search.solve(source(file), limit=limit, timeout=timeout, resume=token)
        )
        if token is not None:
            click.echo(f"going on after {amount(covers.taken, 'cover')}", err=True)
            if first is not None and covers.taken >= first:
                click.echo(
                    f"note: --first {first} counts from the beginning of it all, so "
                    f"that there are no more to be printed",
                    err=True,
                )
        ending = Run(covers, question, keeper).go(
            output(),
            PRICED_FORMATS[form] if minimize else FORMATS[form],
            timeout=timeout,
            progress=progress,
        )
        price = _price_line(ending, minimize, is_least=covers.optimal)
        tell_ending(ending, stats=stats, price=price)
    ctx.exit(ending.status)


@dcells.command()
@click.argument("file", metavar="FILE|-")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Lines, or one JSON document.",
)
@click.pass_context
def check(ctx: click.Context, *, file: str, form: str) -> None:
    """Tell the size of a problem, and what in it looks like a mistake.

    There is no search. Items are counted as those before the bar + those behind it.

    The exit status is 1 if some item is in too few options, so that there is no
    cover; 2 if the problem cannot be read; else 0, whatever was noted.

    \b
    Examples:
      dcells check queens.dlx
      dcells check --format json - < queens.dlx
    """
    with told(file):
        with warnings.catch_warnings():
            # What it warns of is among the notes.
            warnings.simplefilter("ignore", DlxWarning)
            problem = Problem.from_dlx(source(file))
        notes = problem.check()
        text = (_as_json if form == "json" else _as_lines)(problem, notes)
        write_all([f"{text}\n".encode()])
    ctx.exit(NONE if any(note.kind == "uncovered" for note in notes) else FOUND)


dcells.add_command(reduce)
dcells.add_command(edges)
dcells.add_command(sudoku)
dcells.add_command(minlex)


def _sizes(problem: Problem) -> dict[str, int]:
    return {
        "options": len(problem.options),
        "primary": problem.n_primary,
        "secondary": len(problem.items) - problem.n_primary,
        "entries": len(problem.entry_item),
        "colors": len(problem.colors),
    }


def _as_json(problem: Problem, notes: Iterable[Note]) -> str:
    told = [{"kind": note.kind, "message": note_text(note)} for note in notes]
    return dumped({**_sizes(problem), "notes": told})


def _as_lines(problem: Problem, notes: Iterable[Note]) -> str:
    sizes = _sizes(problem)
    secondary = amount(sizes["secondary"], "item")
    size = (
        f"{amount(sizes['options'], 'option')}, {sizes['primary']:,}+{secondary}, "
        f"{amount(sizes['entries'], 'entry')}, {amount(sizes['colors'], 'color')}"
    )
    return "\n".join([size, *(f"{note.kind}: {note_text(note)}" for note in notes)])


def _price_line(ending: Ending, minimize: bool, *, is_least: bool) -> str | None:
    if minimize and ending.stats.covers:
        return price_text(ending.stats, is_least=is_least)
    if not minimize and ending.problem and ending.problem.option_prices:
        return "note: prices are ignored without --minimize"
    return None


def _with_workers(search: Engine, name: str, workers: int, *, ordered: bool) -> Engine:
    if name == "zdd" or not isinstance(search, Minimizer):
        raise click.UsageError(f"--workers: the engine {name} has one worker only.")
    return replace(search, workers=workers, ordered=ordered)


def _minimizer(engine: str, search: Engine, question: Question) -> Minimizer:
    if not question.lists_covers:
        raise click.UsageError("--minimize excludes --count and --unique.")
    if engine == "zdd" or not isinstance(search, Minimizer):
        raise click.UsageError(f"--minimize: the engine {engine} knows no prices.")
    return search


dcells.add_command(zdd)
dcells.add_command(trace)
dcells.add_command(serve)
