"""What commands have in common that answer each line of a file."""

from __future__ import annotations

import json
import select
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
)

import anyio
import click
from anyio import to_thread

from ..cover import Stats
from .interrupts import on_interrupt
from .outlet import Outlet
from .parameters import output, source
from .progress import bar_for
from .statuses import INTERRUPTED
from .words import amount

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from anyio.streams.memory import MemoryObjectSendStream

    Read: TypeAlias = Callable[[Any], AsyncIterator["list[_Answer]"]]
    Write: TypeAlias = Callable[[int, "list[_Answer]", Callable[[str], None]], str]

__all__ = [
    "BACKEND",
    "FILE",
    "PROGRESS",
    "Ending",
    "How",
    "answer_lines",
    "as_csv",
    "as_record",
]

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
_WATCH_S = 0.02

_Answer = TypeVar("_Answer")


class How(NamedTuple):
    """What the user said of `FILE`, `PROGRESS` and `BACKEND`."""

    file: str
    progress: bool | None
    backend: str


class Ending(NamedTuple):
    """How it ended.

    Attributes
    ----------
    total : int
        How many answers were written.
    seconds : float
        How long that took.
    is_interrupted : bool
        Whether Ctrl-C was the end.
    is_complete : bool
        Whether all that was to be written was.
    """

    total: int
    seconds: float
    is_interrupted: bool
    is_complete: bool

    def tell(self, noun: str, parts: Iterable[str]) -> None:
        """Say so on stderr; exit if that was before the end of the lines."""
        listed = ", ".join(parts)
        click.echo(
            f"{amount(self.total, noun)}{': ' if listed else ''}{listed} "
            f"in {self.seconds:.3f} s",
            err=True,
        )
        if self.is_interrupted:
            cut_off = "" if self.is_complete else ": the output was cut off"
            click.echo(f"interrupted{cut_off}", err=True)
            click.get_current_context().exit(INTERRUPTED)


class _Fields(Protocol):
    def _asdict(self) -> dict[str, Any]: ...


def answer_lines(
    how: How, read: Read[_Answer], write: Write[_Answer], noun: str, head: str = ""
) -> Ending:
    """Write on standard output what there is to be said of each line.

    After Ctrl-C no more lines are answered, but what was found is written.

    Parameters
    ----------
    how : How
    read : callable
        Gives the answers to the lines of a file, in lists.
    write : callable
        Makes text of some answers, in a worker thread. It is also told the number of
        the first one, from 1 on, and how to put a line on stderr: not through a
        progress bar.
    noun : str
        What an answer is about.
    head : str
        What comes first.

    Raises
    ------
    OSError
        The file cannot be read.
    OutputError, BrokenPipeError
        The output cannot be written.
    """
    stream = output()
    begin = monotonic()

    def stats() -> Stats:
        # How long the lines are is known for those that hold a grid and no more.
        fraction = min(1.0, run.total * _LINE_BYTES / size) if size else 0.0
        return Stats(covers=run.total, elapsed=monotonic() - begin, fraction=fraction)

    def words(stats: Stats) -> str:
        rate = round(stats.covers / stats.elapsed) if stats.elapsed else 0
        return f"{amount(stats.covers, noun)}  {rate:,} a second"

    bar = bar_for(how.progress, stats, words)
    outlet = Outlet(stream, bar, lambda: None)
    run: _Run[_Answer] = _Run(
        outlet, lambda first, batch: write(first, batch, bar.tell)
    )
    with _opened(how.file) as (lines, size), on_interrupt(run.interrupt), outlet:
        outlet.put(head.encode())
        anyio.run(run.go, read(lines), backend=how.backend)
    seconds = monotonic() - begin
    return Ending(run.total, seconds, run.is_interrupted, outlet.complete)


class _Run(Generic[_Answer]):
    """Answers on their way to the output: while some are written, others are sought.

    Parameters
    ----------
    outlet : Outlet
    write : callable
        Makes text of some answers, told the number of the first.

    Attributes
    ----------
    total : int
        How many answers were written.
    """

    def __init__(
        self, outlet: Outlet, write: Callable[[int, list[_Answer]], str]
    ) -> None:
        self.total = 0
        self.is_interrupted = False
        self._outlet = outlet
        self._write = write
        self._failure: BaseException | None = None

    def interrupt(self) -> None:
        """Find no more; for signal handlers."""
        self.is_interrupted = True
        self._outlet.hurry()

    async def go(self, batches: AsyncIterator[list[_Answer]]) -> None:
        """Write all answers."""
        send, receive = anyio.create_memory_object_stream[list[_Answer]](0)
        self._reading = anyio.CancelScope()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._read, batches, send)
            tasks.start_soon(self._watch)
            with receive, self._failing():
                async for batch in receive:
                    await to_thread.run_sync(self._put, batch)
            tasks.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure

    async def _read(
        self,
        batches: AsyncIterator[list[_Answer]],
        send: MemoryObjectSendStream[list[_Answer]],
    ) -> None:
        with self._reading, send, self._failing():
            async for batch in batches:
                await send.send(batch)

    async def _watch(self) -> None:
        """Notice what happens while nothing comes: a signal wakes no event loop."""
        while not (self.is_interrupted or self._outlet.has_failed):  # noqa: ASYNC110
            await anyio.sleep(_WATCH_S)
        self._reading.cancel()

    def _put(self, batch: list[_Answer]) -> None:
        self._outlet.put(self._write(self.total + 1, batch).encode())
        self.total += len(batch)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Keep an error out of the task group, which would wrap it up."""
        try:
            yield
        except anyio.get_cancelled_exc_class():
            raise
        except Exception as failure:
            self._failure = self._failure or failure
            self._reading.cancel()


class _Input:
    """A file that can be told to be at its end, even while a thread waits for more.

    The interpreter does not exit before such a thread has come back.

    Parameters
    ----------
    raw : file
        Without a buffer around it, whose lock the interpreter wants as it exits.
    """

    def __init__(self, raw: Any) -> None:  # noqa: ANN401
        self._raw = raw
        self._is_over = False

    def end(self) -> None:
        """Give no more."""
        self._is_over = True

    def read1(self, size: int) -> bytes:
        """Give what is there, or wait for it."""
        while not self._is_over:
            if self._has_more() and (data := self._raw.read(size)) is not None:
                return bytes(data)
        return b""

    def _has_more(self) -> bool:
        try:
            return bool(select.select([self._raw], [], [], _WATCH_S)[0])
        except (OSError, ValueError):  # not on Windows, or not a real file
            return True


@contextmanager
def _opened(file: str) -> Iterator[tuple[_Input, int]]:
    """Open a file; give it, and how many bytes it has, 0 if that is not known."""
    lines = source(file)
    with ExitStack() as stack:
        if isinstance(lines, Path):
            raw = stack.enter_context(lines.open("rb", buffering=0))
            given = _Input(raw), lines.stat().st_size
        else:
            given = _Input(getattr(lines, "raw", lines)), 0
        stack.callback(given[0].end)
        yield given


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
