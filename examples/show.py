"""What the programs in this folder share: options, streaming and manners.

A program is a model: a function that turns its arguments into a `Task`. Everything
else is done here, so that all of them stream covers as they are found, count, stop
early, leave quietly and answer in the same words.

The exit status is 0 if there is a cover, 1 if there is none, 2 if the question makes
no sense, 3 if the time was too short to know, and 130 after Ctrl-C.
"""

from __future__ import annotations

import functools
import importlib.util
import math
import os
import re
import shutil
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
import click

from dcells_async import (
    XCC,
    CapacityError,
    Cover,
    Engine,
    Outcome,
    Problem,
    ProblemError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dcells_async import Dance, Result


_MOST_CELLS = 100_000


class NoCoverError(Exception):
    """There is no cover, for a reason that needs no search."""


class RefusedError(click.ClickException):
    """The question makes no sense."""

    exit_code = 2


@dataclass(frozen=True)
class Look:
    """What the pictures may use."""

    plain: bool
    color: bool
    width: int


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a program is to do.

    Attributes
    ----------
    problem : Problem
    draw : callable
        Makes the picture of a cover.
    note : str
        What the reader should know about the question, for the last line.
    engine : Engine
        What searches.
    enough : int, optional
        How many covers answer the question, unless more are asked for.
    timeout : float, seconds, optional
        How long to look for them.
    keep : callable, optional
        Puts the first cover into a file.
    """

    problem: Problem
    draw: Callable[[Cover, Look], str]
    note: str = ""
    engine: Engine = field(default_factory=XCC)
    enough: int | None = None
    timeout: float | None = None
    keep: Callable[[Cover], None] | None = None

    async def count(self) -> int:
        """Print how many covers there are, and return the exit status."""
        if self.timeout is not None:
            raise click.UsageError("a count takes the time it takes: leave --limit out")
        if self.keep is not None:
            raise click.UsageError("a count draws nothing: leave --svg out")
        found = await self.engine.count(self.problem)
        click.echo(found)
        return 0 if found else 1

    async def show(self, first: int | None, look: Look) -> int:
        """Print the covers as they are found, and return the exit status."""
        async with self.dance(first or self.enough) as result:
            number = 0
            async for cover in result.solutions:
                number += 1
                if number == 1 and self.keep is not None:
                    self.keep(cover)
                head = f"{number}:\n" * look.plain
                click.echo(f"{head}{self.draw(cover, look)}\n")
            click.echo(self.summary(result), err=True)
        if number:
            return 0
        return 1 if result.outcome is Outcome.EXHAUSTED else 3

    def dance(self, limit: int | None) -> Dance:
        """Open the search for so many covers."""
        return self.engine.dance(self.problem, limit=limit, timeout=self.timeout)

    def summary(self, result: Result) -> str:
        """Say what was found and what it took."""
        stats = result.stats
        note = f", {self.note}" * bool(self.note)
        return (
            f"{self.verdict(result)}{note}: {counted(stats.nodes, 'node')}, "
            f"{counted(stats.updates, 'update')}, {stats.elapsed:.2f} s"
        )

    def verdict(self, result: Result) -> str:
        """Say what was found."""
        covers = result.stats.covers
        are_all = result.outcome is Outcome.EXHAUSTED
        late = ", time is up" * (result.outcome is Outcome.TIMED_OUT)
        if not covers:
            return "no cover" if are_all else f"no cover yet{late}"
        others = "no other" if covers == 1 else "no others"
        more = others if are_all else "perhaps more"
        return f"{counted(covers, 'cover')}, {more}{late}"


def program(model: Callable[..., Task]) -> click.Command:
    """Make a command of a model, which may have options of its own."""

    @click.command(help=model.__doc__)
    @click.option(
        "--first", type=click.IntRange(min=1), metavar="K", help="Stop after K covers."
    )
    @click.option(
        "--count", is_flag=True, help="Say how many there are, and draw none."
    )
    @click.option("--plain", is_flag=True, help="Draw with letters, and number them.")
    @click.option(
        "--backend",
        type=click.Choice(["asyncio", "trio"]),
        default="asyncio",
        show_default=True,
        help="The event loop to run on.",
    )
    @functools.wraps(model)
    def command(
        *,
        first: int | None,
        count: bool,
        plain: bool,
        backend: str,
        **arguments: object,
    ) -> None:
        if first is not None and count:
            raise click.UsageError("choose one of --first and --count")
        if importlib.util.find_spec(backend) is None:
            raise RefusedError(f"the package {backend} is not installed")
        with _manners():
            task = model(**arguments)
            if count:
                status = anyio.run(task.count, backend=backend)
            else:
                status = anyio.run(task.show, first, _look(plain), backend=backend)
            sys.exit(status)

    return command


def counted(number: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def board_size(text: str) -> tuple[int, int]:
    """Read the numbers of rows and columns."""
    size = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", text)
    if not size:
        raise RefusedError(f"a board is written like 8x8, not {text!r}")
    rows, columns = int(size[1]), int(size[2])
    check_cells(rows * columns, text)
    return rows, columns


def check_cells(number: int, what: str) -> None:
    """Refuse so many cells that just to list them takes forever."""
    if number > _MOST_CELLS:
        raise RefusedError(f"{what} is too large: at most {_MOST_CELLS:,} cells")


def _is_time(
    _: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    # No number is as large as that which is none, so a range lets it pass.
    if value is not None and math.isnan(value):
        raise click.BadParameter("a number of seconds is needed", param=parameter)
    return value


limited = click.option(
    "--limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    callback=_is_time,
    help="Stop after so long.",
)
"""The option of programs that may take longer than anyone has patience."""


def _look(plain: bool) -> Look:
    """Find out what the pictures may use, besides what was asked for."""
    out = sys.stdout
    if out is None:
        # Closed by whoever started the program, and nothing will be written at all.
        return Look(plain=True, color=False, width=80)
    try:
        "╭♛░".encode(out.encoding)
    except UnicodeEncodeError:
        plain = True
    color = out.isatty() and not plain and not os.environ.get("NO_COLOR")
    return Look(plain, color, shutil.get_terminal_size().columns)


@contextmanager
def _manners() -> Iterator[None]:
    """Turn whatever can end a program early into a word, or silence, and a status."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            yield
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader has seen enough. The interpreter would complain once more when it
        # flushes standard output at exit, if that still were the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except NoCoverError as reason:
        click.echo(f"no cover: {reason}", err=True)
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise RefusedError(f"{where}{error.strerror}") from error
    except MemoryError as error:
        raise RefusedError("that is too large for this machine's memory") from error
    except (ProblemError, CapacityError, ImportError, UnicodeError) as error:
        raise RefusedError(str(error)) from error


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"Warning: {message}", err=True)
