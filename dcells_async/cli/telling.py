"""Warnings, errors and interrupts in the words of a command line."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, TextIO

import click

from ..errors import DcellsError, DlxSyntaxError, DlxWarning
from .outlet import OutputError
from .statuses import BAD, INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Failure", "told"]


class Failure(click.ClickException):
    """Something to be told in a line or three, without a traceback."""

    exit_code = BAD

    def show(self, file: IO[Any] | None = None) -> None:
        """Tell it, without the word in front that click would put there."""
        click.echo(self.message, file=file, err=file is None)


class Interrupted(Failure):
    """Ctrl-C came when there was nothing to be rounded off."""

    exit_code = INTERRUPTED


@contextmanager
def told(file: str) -> Iterator[None]:
    """Turn what the block raises into a `Failure`, and warnings into lines."""
    name = "standard input" if file == "-" else file
    try:
        with warnings.catch_warnings():
            _tell_warnings()
            yield
    except DlxSyntaxError as error:
        # It starts with file, line and column: editors find the place by that.
        raise Failure(str(error)) from error
    except (DcellsError, OutputError) as error:
        raise Failure(f"dcells: {error}") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        place = name if error.filename is None else error.filename
        raise Failure(f"dcells: {place}: {error.strerror or error}") from error
    except MemoryError as error:
        raise Failure("dcells: there is not enough memory") from error
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted") from error


def _tell_warnings() -> None:
    warnings.simplefilter("always", DlxWarning)
    others = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, DlxWarning):
            click.echo(f"warning: {message}", err=True)
        else:
            others(message, category, filename, lineno, file, line)

    warnings.showwarning = show
