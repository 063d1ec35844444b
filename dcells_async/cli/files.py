"""The file that a command reads, and the one that it writes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

from .telling import Failure

__all__ = ["output", "source"]


def source(file: str) -> Path | BinaryIO:
    """Give what an argument ``FILE|-`` means."""
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
