"""Tokens in a file, so that a search can go on after whatever ends the process.

A token is written after the output it stands for: what a reader of both finds is the
covers up to the one that the token names, and perhaps some more. Those come again,
with the same numbers.
"""

from __future__ import annotations

import re
from time import monotonic
from typing import TYPE_CHECKING

import click

from ..files import replacing
from ..search.token import Token
from .telling import Failure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .outlet import Outlet

__all__ = ["Keeper", "duration", "is_of_race", "keeper_of", "kept"]

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}
_DEFAULT_S = 60.0


def duration(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> float | None:
    """Read seconds, minutes or hours: 90, 90s, 1.5m, 2h."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*([smh]?)", value.strip())
    seconds = float(match[1]) * _UNITS[match[2]] if match else 0.0
    if not 0 < seconds < 1e9:
        raise click.BadParameter(
            f"{value!r} is no time such as 60s, 5m, 1h or 90.", ctx, param
        )
    return seconds


class Keeper:
    """Writes tokens, one every so often.

    Parameters
    ----------
    path : Path
        The file; each token takes the place of the one before.
    every : float, seconds
    """

    def __init__(self, path: Path, every: float) -> None:
        self._path = path
        self._every = every
        self._last = monotonic()

    def keep_if_due(self, token: Callable[[], bytes], outlet: Outlet) -> None:
        """Write a token if it is time for one."""
        if monotonic() - self._last >= self._every:
            self.keep(token(), outlet)

    def keep(self, token: bytes, outlet: Outlet) -> None:
        """Write a token, once all output that was put is written.

        Raises
        ------
        Failure
            The file cannot be written.
        """
        # What the reader would not take is lost: the token before is the better one.
        if not outlet.settle():
            return
        try:
            with replacing(self._path, ".part") as file:
                file.write(token)
        except OSError as error:
            reason = error.strerror or error
            raise Failure(f"dcells: {self._path}: {reason}") from error
        # Counted from the end: it may take its time.
        self._last = monotonic()

    def discard(self) -> None:
        """Remove the file: there is nothing to go on with."""
        self._path.unlink(missing_ok=True)


def keeper_of(path: Path | None, every: float | None) -> Keeper | None:
    """Make a keeper by what was given of --checkpoint and --every."""
    if path is None:
        if every is not None:
            raise click.UsageError("--every needs --checkpoint.")
        return None
    if path.name == "-" or path.is_dir():
        raise click.UsageError(f"--checkpoint {path}: name a file.")
    return Keeper(path, _DEFAULT_S if every is None else every)


def is_of_race(token: bytes) -> bool:
    """Tell whether a token is of a search by `Auto`.

    Raises
    ------
    CheckpointError
        It is none, or damaged.
    """
    return Token.of_bytes(token).engine == "Auto"


def kept(path: Path | None) -> bytes | None:
    """Read the token in a file.

    Raises
    ------
    OSError
        It cannot be read.
    """
    return None if path is None else path.read_bytes()
