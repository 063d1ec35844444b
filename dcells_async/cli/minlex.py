"""The command ``dcells minlex``: forms for a file of grids."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

import click

from ..puzzles.minlex_batch import minlex_forms_sync
from .statuses import BAD, FOUND
from .telling import Failure, told

__all__ = ["minlex"]


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option("--unique", is_flag=True, help="Print one of each class only.")
@click.pass_context
def minlex(ctx: click.Context, *, file: str, unique: bool) -> None:
    """Print the canonical forms of the sudoku grids in a file, one a line.

    The form is the smallest 81-digit number, 0 for a blank, that a grid can be turned
    into by transposing, reordering rows, columns, bands and stacks, and renaming
    digits. Nothing is solved, so any grid will do. Lines that are no grid are told on
    stderr, and make the exit status 2.

    \b
    Examples:
      dcells minlex grids.txt
      dcells minlex --unique - < grids.txt | wc -l
    """
    bad = 0
    seen: set[bytes] = set()
    with told(file):
        if file == "-" and sys.stdin is None:
            raise Failure("dcells: standard input is closed")
        source: Path | BinaryIO = sys.stdin.buffer if file == "-" else Path(file)
        for answer in minlex_forms_sync(source):
            if answer.form is None:
                bad += 1
                click.echo(f"line {answer.line}: {answer.reason}", err=True)
                continue
            if unique:
                key = int(answer.form).to_bytes(34, "big")
                if key in seen:
                    continue
                seen.add(key)
            sys.stdout.write(answer.form + "\n")
    ctx.exit(BAD if bad else FOUND)
