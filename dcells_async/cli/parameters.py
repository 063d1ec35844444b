"""What several commands have in common: their file, their output, their help."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import BinaryIO

import click

from .statuses import STATUSES
from .telling import Failure

__all__ = ["STATUS_HELP", "finite", "output", "source"]

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
