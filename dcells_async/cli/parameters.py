"""What several commands have in common: their file, their output, their help."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from ..auto import Auto
from ..engines import MCC, XCC, XCCDC
from .outlet import OutputError
from .statuses import STATUSES
from .telling import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..engine import Engine

__all__ = ["ENGINES", "STATUS_HELP", "finite", "output", "source", "write_all"]

ENGINES: Mapping[str, Callable[[], Engine]] = {
    "auto": Auto,
    "xcc": XCC,
    "mcc": MCC,
    "xccdc": XCCDC,
}

STATUS_HELP = "\b\nExit status:\n" + "\n".join(
    f"  {status:3}  {meaning}" for status, meaning in STATUSES.items()
)


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
