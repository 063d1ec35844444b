"""The command line, ``dcells``; it needs the extra ``cli``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from .statuses import BAD, CLOSED, INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the program's name; by default, that of this process.

    Returns
    -------
    int
        The exit status; see ``dcells --help``.
    """
    try:
        # The rest of this package imports click and rich, which are optional.
        import click  # noqa: PLC0415
        import rich  # noqa: F401, PLC0415
    except ImportError:
        sys.stderr.write("dcells needs more: pip install 'dcells-async[cli]'\n")
        return BAD
    except KeyboardInterrupt:
        return INTERRUPTED
    try:
        return _run(arguments)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED


def _run(arguments: Sequence[str] | None) -> int:
    import click  # noqa: PLC0415

    from .commands import dcells  # noqa: PLC0415

    status: int
    try:
        try:
            status = dcells.main(arguments, prog_name="dcells", standalone_mode=False)
        except click.ClickException as error:
            error.show()
            status = error.exit_code
    except (BrokenPipeError, SystemExit):
        # click makes a SystemExit of a closed pipe; it has no other use for one
        # here, but after it has completed a command line for a shell.
        if "_DCELLS_COMPLETE" in os.environ:
            raise
        _abandon_output()
        status = CLOSED
    except OSError as error:
        click.echo(f"dcells: the output cannot be written: {error.strerror}", err=True)
        _abandon_output()
        status = BAD
    return status


def _abandon_output() -> None:
    """Keep the interpreter, as it exits, from complaining about output it has lost."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
