"""What commands have in common that answer each line of a file."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

import anyio
import click

from ..cover import Stats
from .outlet import Outlet
from .parameters import output, source
from .progress import bar_for
from .words import amount

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import BinaryIO

    Read: TypeAlias = Callable[[Path | BinaryIO], AsyncIterator["list[_Answer]"]]
    Write: TypeAlias = Callable[[int, "list[_Answer]", Callable[[str], None]], str]

__all__ = ["BACKEND", "FILE", "PROGRESS", "How", "answer_lines", "as_csv", "as_record"]

FILE = click.argument("file", metavar="FILE|-")
PROGRESS = click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr. [default: if it is a terminal]",
)
BACKEND = click.option(
    "--backend", type=click.Choice(["asyncio", "trio"]), default="asyncio"
)

_LINE_BYTES = 82

_Answer = TypeVar("_Answer")


class How(NamedTuple):
    """What the user said of `FILE`, `PROGRESS` and `BACKEND`."""

    file: str
    progress: bool | None
    backend: str


class _Fields(Protocol):
    def _asdict(self) -> dict[str, Any]: ...


def answer_lines(
    how: How, read: Read[_Answer], write: Write[_Answer], noun: str, head: str = ""
) -> tuple[int, float]:
    """Write on standard output what there is to be said of each line.

    Parameters
    ----------
    how : How
    read : callable
        Gives the answers to the lines of a file, in lists.
    write : callable
        Makes text of some answers. It is also told the number of the first one, from
        1 on, and how to put a line on stderr: not through a progress bar.
    noun : str
        What an answer is about.
    head : str
        What comes first.

    Returns
    -------
    int, float
        How many answers there were, and how many seconds they took.
    """
    stream, lines = output(), source(how.file)
    size = lines.stat().st_size if isinstance(lines, Path) else 0
    begin = monotonic()
    total = 0

    def stats() -> Stats:
        # How long the lines are is known for those that hold a grid and no more.
        fraction = min(1.0, total * _LINE_BYTES / size) if size else 0.0
        return Stats(covers=total, elapsed=monotonic() - begin, fraction=fraction)

    def words(stats: Stats) -> str:
        rate = round(stats.covers / stats.elapsed) if stats.elapsed else 0
        return f"{amount(stats.covers, noun)}  {rate:,} a second"

    bar = bar_for(how.progress, stats, words)

    async def answer_all(outlet: Outlet) -> None:
        nonlocal total
        async for batch in read(lines):
            outlet.put(write(total + 1, batch, bar.tell).encode())
            total += len(batch)

    with Outlet(stream, bar, lambda: None) as outlet:
        outlet.put(head.encode())
        anyio.run(answer_all, outlet, backend=how.backend)
    return total, monotonic() - begin


def as_csv(*fields: object) -> str:
    """Make a line of a table.

    Examples
    --------
    >>> as_csv(1, "a,b", None)
    '1,"a,b",\\n'
    """
    return ",".join(_quoted("" if f is None else str(f)) for f in fields) + "\n"


def _quoted(field: str) -> str:
    if any(character in field for character in ',"\r\n'):
        return '"' + field.replace('"', '""') + '"'
    return field


def as_record(answer: _Fields) -> str:
    """Make a line of JSON, without what is not there."""
    record = {name: v for name, v in answer._asdict().items() if v is not None}
    return json.dumps(record, ensure_ascii=False) + "\n"
