"""Tokens in a file, so that a search can go on after whatever ends the process.

A token is written after the output it stands for: what a reader of both finds is the
covers up to the one that the token names, and perhaps some more. Those come again.

A token may stand for days of searching, and so may any other file: what is there is
overwritten only if it is a token that the search goes on from, or one that has nothing
left to go on with.
"""

from __future__ import annotations

import re
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import click

from ..errors import CheckpointError
from ..files import replacing
from ..search.token import MAGIC, Token
from .parameters import ENGINES
from .telling import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from .outlet import Outlet

__all__ = ["Keeper", "engine_that_began", "keeper_of", "keeping_options", "kept"]

_F = TypeVar("_F", bound="Callable[..., object]")

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}
_DEFAULT_S = 60.0
_ENDING = ".part"


def _duration(
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


def keeping_options(end: str) -> Callable[[_F], _F]:
    """Give a command the options that keep a token, and go on from one.

    Parameters
    ----------
    end : str
        What becomes of the token in the end, for the help.
    """

    def give(command: _F) -> _F:
        file = click.Path(dir_okay=False, path_type=Path)
        for option in (
            click.option(
                "--resume",
                type=file,
                metavar="PATH",
                help="Go on where a search of the same problem stood, asked in the "
                "same way; at the beginning if it is the file of --checkpoint, and "
                "not there yet.",
            ),
            click.option(
                "--every",
                callback=_duration,
                metavar="TIME",
                help="How often, such as 90, 90s, 5m or 1h.  [default: 60s]",
            ),
            click.option(
                "--checkpoint",
                type=file,
                metavar="PATH",
                help=f"Keep in this file where the search stands; {end}.",
            ),
        ):
            command = option(command)
        return command

    return give


class _TriedError(Exception):
    """Leaves the writing of a file that was only tried."""


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
        self._has_failed = False

    def try_out(self) -> None:
        """Find out, before a long search, whether the file can be written.

        Raises
        ------
        Failure
            It cannot.
        """
        try:
            with replacing(self._path, _ENDING):
                # Left by an error, it leaves everything as it was.
                raise _TriedError
        except _TriedError:
            pass
        except OSError as error:
            raise Failure(f"dcells: {self._complaint(error)}") from error

    def keep_if_due(self, token: Callable[[], bytes], outlet: Outlet) -> None:
        """Write a token if it is time for one."""
        if monotonic() - self._last >= self._every:
            self.keep(token(), outlet)

    def keep(self, token: bytes, outlet: Outlet) -> None:
        """Write a token, once all output that was put is written.

        If the file cannot be written, that is told, and the one before stays: the
        search is worth more than its token.
        """
        # What the reader would not take is lost: the token before is the better one.
        if not outlet.settle():
            return
        try:
            with replacing(self._path, _ENDING) as file:
                file.write(token)
            self._has_failed = False
        except OSError as error:
            # Once, not once a minute.
            if not self._has_failed:
                outlet.tell(f"warning: {self._complaint(error)}; the search goes on")
            self._has_failed = True
        # Counted from the end: it may take its time.
        self._last = monotonic()

    def discard(self) -> None:
        """Remove the file: there is nothing to go on with."""
        self._path.unlink(missing_ok=True)

    def _complaint(self, error: OSError) -> str:
        return f"--checkpoint {self._path}: {error.strerror or error}"


def keeper_of(
    path: Path | None, every: float | None, *, file: str, resume: Path | None
) -> Keeper | None:
    """Make a keeper by what was given of --checkpoint and --every.

    Parameters
    ----------
    path : Path, optional
    every : float, seconds, optional
    file : str
        The problem's.
    resume : Path, optional
        The token from which the search goes on.

    Raises
    ------
    click.UsageError
        There is something that must not be overwritten.
    OSError, Failure
        The file cannot be written, or what is there cannot be read.
    """
    if path is None:
        if every is not None:
            raise click.UsageError("--every needs --checkpoint.")
        return None
    if path.name == "-" or path.is_dir():
        raise click.UsageError(f"--checkpoint {path}: name a file.")
    if path.exists():
        _refuse_overwriting(path, file, resume)
    keeper = Keeper(path, _DEFAULT_S if every is None else every)
    keeper.try_out()
    return keeper


def _refuse_overwriting(path: Path, file: str, resume: Path | None) -> None:
    if not path.is_file():
        reason = "this is no regular file, which could be replaced"
    elif file != "-" and Path(file).exists() and path.samefile(file):
        reason = "this is the problem, which would be overwritten"
    elif not _is_token(path):
        reason = "this file is no token, and would be overwritten; name another"
    elif (resume is not None and path.samefile(resume)) or _is_over(path):
        return
    else:
        reason = (
            "this is the token of a search that is not over, and would be overwritten; "
            "go on from it by --resume, or remove it"
        )
    raise click.UsageError(f"--checkpoint {path}: {reason}.")


def _is_token(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _is_over(path: Path) -> bool:
    try:
        return Token.of_bytes(path.read_bytes()).is_over
    except CheckpointError:
        # Of another version, perhaps, which can go on with it.
        return False


def engine_that_began(token: bytes) -> str:
    """Give what the engine of a token is called, or xcc if it is not for `solve`.

    Raises
    ------
    CheckpointError
        It is no token, or damaged.
    """
    found = Token.of_bytes(token)
    if "racers=('ZDD',)" in found.search:
        return "zdd"
    name = found.engine.lower()
    return name if name in ENGINES else "xcc"


def kept(path: Path | None, checkpoint: Path | None) -> bytes | None:
    """Read the token in a file.

    None if there is no such file, and it is the one that is going to be written: so the
    same command can be run until the search is over.

    Raises
    ------
    click.UsageError
        There is no such file, or it is none that can be read to its end.
    CheckpointError
        It is no token.
    OSError
        It cannot be read.
    """
    if path is None:
        return None
    if not path.exists():
        if checkpoint is None or path.resolve() != checkpoint.resolve():
            raise click.UsageError(f"--resume {path}: this file does not exist.")
        click.echo(f"{path} does not exist yet: beginning at the beginning", err=True)
        return None
    if not path.is_file():
        raise click.UsageError(f"--resume {path}: this is no regular file.")
    if not _is_token(path):
        # Whatever its size, it is not to be read.
        raise CheckpointError(f"{path}: this is no token of a search")
    return path.read_bytes()
