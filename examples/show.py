"""What the programs in this folder share: options, streaming and manners.

A program is a model: a function that turns its arguments into a `Task`. Everything
else is done here, so that all of them stream covers as they are found, count, stop
early, leave quietly and answer in the same words.

The exit status is 0 if there is a cover, 1 if there is none, 2 if the question makes
no sense, and 130 after Ctrl-C.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
import click

from dcells_async import XCC, Cover, Outcome, Problem, ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dcells_async import Stats


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


@dataclass(frozen=True)
class Task:
    """What a program is to do.

    Attributes
    ----------
    problem : Problem
    draw : callable
        Makes the picture of a cover.
    note : str
        What the reader should know about the question, for the last line.
    """

    problem: Problem
    draw: Callable[[Cover, Look], str]
    note: str = ""


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
                found = anyio.run(_count, task, backend=backend)
            else:
                found = anyio.run(_stream, task, first, _look(plain), backend=backend)
            sys.exit(0 if found else 1)

    return command


async def _count(task: Task) -> int:
    found = await XCC().count(task.problem)
    click.echo(found)
    return found


async def _stream(task: Task, first: int | None, look: Look) -> int:
    found = 0
    async with XCC().dance(task.problem, limit=first) as result:
        async for cover in result.solutions:
            found += 1
            number = f"{found}:\n" if look.plain else ""
            click.echo(f"{number}{task.draw(cover, look)}\n")
        click.echo(_summary(result.stats, result.outcome, task.note), err=True)
    return found


def _summary(stats: Stats, outcome: Outcome, note: str) -> str:
    covers = "no cover"
    if stats.covers:
        others = "no other" if stats.covers == 1 else "no others"
        are_all = outcome is Outcome.EXHAUSTED
        more = others if are_all else "perhaps more"
        covers = f"{_counted(stats.covers, 'cover')}, {more}"
    return (
        f"{covers}{note and ', '}{note}: {_counted(stats.nodes, 'node')}, "
        f"{_counted(stats.updates, 'update')}, {stats.elapsed:.2f} s"
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _look(plain: bool) -> Look:
    """Find out what the pictures may use, besides what was asked for."""
    try:
        "╭♛░".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        plain = True
    color = sys.stdout.isatty() and not plain and not os.environ.get("NO_COLOR")
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
        raise RefusedError(f"{error.filename}: {error.strerror}") from error
    except (ProblemError, UnicodeDecodeError) as error:
        raise RefusedError(str(error)) from error


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"Warning: {message}", err=True)
