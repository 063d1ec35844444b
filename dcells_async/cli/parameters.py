"""What several commands have in common: their file, their output, their help."""

from __future__ import annotations

import math
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, get_args

import click

from ..auto import Auto
from ..engines import MCC, XCC, XCCDC, Choice
from .outlet import OutputError
from .statuses import STATUSES
from .telling import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..engine import Engine

__all__ = [
    "ENGINES",
    "STATUS_HELP",
    "engine_of",
    "finite",
    "order_options",
    "output",
    "source",
    "status_help",
    "write_all",
]

_F = TypeVar("_F", bound="Callable[..., object]")

ENGINES: Mapping[str, Callable[..., Engine]] = {
    "auto": Auto,
    "xcc": XCC,
    "mcc": MCC,
    "xccdc": XCCDC,
    "zdd": partial(Auto, racers=("ZDD",)),
}


def status_help(statuses: Mapping[int, str]) -> str:
    """Give the end of a command's help, by what its exit statuses mean."""
    return "\b\nExit status:\n" + "\n".join(
        f"  {status:3}  {meaning}" for status, meaning in statuses.items()
    )


STATUS_HELP = status_help(STATUSES)


def order_options(command: _F) -> _F:
    """Give a command the options that say in which order to search; see `engine_of`."""
    for option in (
        click.option(
            "--preprocess",
            is_flag=True,
            help="First remove the options that can be in no cover.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            metavar="N",
            help="Try the options in a random order, which N determines.",
        ),
        click.option(
            "--choose",
            type=click.Choice(get_args(Choice)),
            help="Which item to branch on.  [default: mrv, that with fewest options]",
        ),
    ):
        command = option(command)
    return command


def engine_of(
    engine: str, *, choose: str | None, seed: int | None, preprocess: bool
) -> Engine:
    """Make an engine that searches in the order wanted."""
    knobs: dict[str, Any] = {"seed": seed, "preprocess": preprocess}
    if choose is not None:
        if engine not in {"xcc", "xccdc"}:
            raise click.UsageError("--choose is for the engines xcc and xccdc.")
        knobs["choose"] = choose
    return ENGINES[engine](**knobs)


def finite(
    ctx: click.Context, param: click.Parameter, seconds: float | None
) -> float | None:
    """Refuse what is no number; a range lets it pass."""
    if seconds is not None and not math.isfinite(seconds):
        raise click.BadParameter(f"{seconds} is no time.", ctx, param)
    return seconds


def source(file: str) -> Path | BinaryIO:
    """Give what FILE stands for."""
    if file != "-":
        return Path(file)
    if sys.stdin is None:
        raise Failure("dcells: standard input is closed")
    return sys.stdin.buffer


def output() -> BinaryIO:
    """Give standard output, for bytes."""
    if sys.stdout is None:
        raise Failure("dcells: standard output is closed")
    return sys.stdout.buffer


def write_all(pieces: Iterable[bytes]) -> None:
    """Write to standard output.

    Raises
    ------
    BrokenPipeError
        The reader has gone.
    OutputError
        Writing failed.
    """
    stream = output()
    try:
        for piece in pieces:
            stream.write(piece)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"the output cannot be written: {reason}") from error
