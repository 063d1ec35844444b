"""Sudokus by the thousand: lines in, answers out, in order and on all cores.

>>> from dcells_async.puzzles.sudoku_batch import solve_sudokus_sync
>>> line = "53..7....6..195....98....6.8...6...34..8.3..1"
>>> line += "7...2...6.6....28....419..5....8..79"
>>> for answer in solve_sudokus_sync([line, "12"], check_unique=True):
...     print(answer.verdict, answer.solution or answer.reason)
solved 534678912672195348198342567859761423426853791713924856961537284287419635345286179
invalid there are 2 characters, not 81
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, TypeAlias
from weakref import finalize

from ..stream.rounds import Rounds
from ..stream.threads import run_blocking
from .sudoku_answers import Answer, Block, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Answer",
    "Lines",
    "Verdict",
    "solve_sudokus",
    "solve_sudokus_sync",
    "sudoku_batches",
]

Lines: TypeAlias = (
    Iterable[str] | Iterable[bytes] | str | bytes | os.PathLike[str] | IO[Any]
)
"""Where lines come from: a text, a path, an open file, or an iterable of lines."""

_MOST_LINES = 1024
"""A block of easy ones then takes as long as a slice should."""

_PATIENCE_S = 0.001
_READ_SIZE = 1 << 16


def solve_sudokus(
    lines: Lines | AsyncIterable[str] | AsyncIterable[bytes],
    *,
    check_unique: bool = False,
    block: int = _MOST_LINES,
) -> AsyncIterator[Answer]:
    """Solve a sudoku a line, asynchronously.

    Answers come in the order of the lines, one for each line that counts. At most as
    many blocks are worked on as there are cores, and none while the consumer is busy:
    no more is read than is needed for the next answers. A cancelled wait is over
    within some milliseconds; what it waited for is lost, and asking on raises
    `anyio.ClosedResourceError`.

    Parameters
    ----------
    lines : str, bytes, path, file, iterable or async iterable
        A text, where it is read from, or its lines; `sudoku_answers` tells the format.
        Files are read in worker threads, iterables in the event loop.
    check_unique : bool
        Look for a second solution, too. If not, the verdict is never `SEVERAL`.
    block : int, lines, > 0
        The most lines answered together. Blocks begin with one line and grow; a line
        that was long in coming ends its block, and with 1 none waits for the next.

    Raises
    ------
    TypeError, ValueError
        The arguments are none of these.
    OSError
        While reading, after the answers to all that was read before.

    Examples
    --------
    >>> import anyio
    >>> async def main():
    ...     async for answer in solve_sudokus("1" * 81 + "\\n" + "." * 81):
    ...         print(answer.line, answer.verdict, answer.reason)
    >>> anyio.run(main)
    1 invalid r1c1 and r1c2 are both 1, in the same row
    2 solved None
    """
    return _Answers(sudoku_batches(lines, check_unique=check_unique, block=block))


def sudoku_batches(
    lines: Lines | AsyncIterable[str] | AsyncIterable[bytes],
    *,
    check_unique: bool = False,
    block: int = _MOST_LINES,
) -> AsyncIterator[list[Answer]]:
    """Give the answers of `solve_sudokus` in lists, each as soon as it is there.

    Raises
    ------
    TypeError, ValueError, OSError
        As there.
    """
    sizes = _Sizes(block)
    if isinstance(lines, AsyncIterable):
        return _Batches(_AsyncReader(lines, sizes), check_unique)
    return _Batches(_Reader(lines, sizes), check_unique)


def solve_sudokus_sync(
    lines: Lines, *, check_unique: bool = False, block: int = _MOST_LINES
) -> Iterator[Answer]:
    """Solve a sudoku a line, in this thread.

    The same as `solve_sudokus`, but on one core and without async iterables.

    Raises
    ------
    TypeError, ValueError, OSError
        As there.
    """
    return _answers_sync(_Reader(lines, _Sizes(block)), check_unique)


class _Answers(AsyncIterator[Answer]):
    """The answers, singly.

    No asynchronous generator: those must be closed by whoever leaves them early.
    """

    def __init__(self, batches: AsyncIterator[list[Answer]]) -> None:
        self._batches = batches
        self._ready: Iterator[Answer] = iter(())

    async def __anext__(self) -> Answer:
        while True:
            for answer in self._ready:
                return answer
            self._ready = iter(await anext(self._batches))


class _Batches(AsyncIterator[list[Answer]]):
    """The answers, by rounds."""

    def __init__(self, reader: _Reader | _AsyncReader, check_unique: bool) -> None:
        self._reader = reader
        self._check_unique = check_unique
        self._line = 1
        self._rounds = Rounds(self._read)

    async def __anext__(self) -> list[Answer]:
        blocks = await self._rounds.next()
        if not blocks:
            raise StopAsyncIteration
        return [answer for done in blocks for answer in done.answers]

    async def _read(self) -> Block | None:
        texts = await self._reader.read()
        first, self._line = self._line, self._line + len(texts)
        return Block(texts, first, self._check_unique) if texts else None


def _answers_sync(reader: _Reader, check_unique: bool) -> Iterator[Answer]:
    line = 1
    while texts := reader.read_now():
        block = Block(texts, line, check_unique)
        line += len(texts)
        while not block.advance(1000):
            pass
        yield from block.answers


class _Sizes:
    """How many lines the next block should have: 1, then ever more."""

    def __init__(self, most: int) -> None:
        if isinstance(most, bool) or not isinstance(most, int):
            raise TypeError(f"block must be an integer, not {most!r}")
        if most < 1:
            raise ValueError(f"block must be at least 1, not {most}")
        self._most = most
        self._next = 1

    def next(self) -> int:
        size = self._next
        self._next = min(self._most, 2 * size)
        return size


class _AsyncReader:
    """Lines of an async iterable."""

    def __init__(
        self, lines: AsyncIterable[str] | AsyncIterable[bytes], sizes: _Sizes
    ) -> None:
        self._lines: AsyncIterator[str | bytes] = aiter(lines)
        self._sizes = sizes

    async def read(self) -> Sequence[str | bytes]:
        size = self._sizes.next()
        texts: list[str | bytes] = []
        before = monotonic()
        async for line in self._lines:
            texts.append(_checked(line))
            now = monotonic()
            if len(texts) == size or now - before > _PATIENCE_S:
                break
            before = now
        return texts


class _Reader:
    """Lines of anything else."""

    def __init__(self, lines: Lines, sizes: _Sizes) -> None:
        self._sizes = sizes
        self._close: Callable[[], object] | None = None
        self._path: Path | None = None
        self._take: Callable[[int], list[str | bytes]]
        if isinstance(lines, str | bytes):
            lines = lines.splitlines()
        self._may_block = isinstance(lines, os.PathLike) or hasattr(lines, "readline")
        if isinstance(lines, os.PathLike):
            self._path = Path(lines)
        elif hasattr(lines, "read1"):
            self._take = _Chunks(lines).take
        elif isinstance(lines, Iterable):
            self._take = partial(_taken, iter(lines))
        else:
            kind = type(lines).__name__
            raise TypeError(f"lines must be text, a path, a file or lines, not {kind}")

    def read_now(self) -> Sequence[str | bytes]:
        if self._path is not None:
            opened = self._path.open("rb")
            self._path = None
            self._take = _Chunks(opened).take
            # Whoever leaves early need not know that there is a file to be closed.
            self._close = finalize(self, opened.close)
        texts = self._take(self._sizes.next())
        if not texts and self._close is not None:
            self._close()
        return texts

    async def read(self) -> Sequence[str | bytes]:
        return await run_blocking(self.read_now) if self._may_block else self.read_now()


def _checked(line: object) -> str | bytes:
    if not isinstance(line, str | bytes):
        raise TypeError(f"a line must be str or bytes, not {type(line).__name__}")
    return line


def _taken(lines: Iterator[str | bytes], size: int) -> list[str | bytes]:
    """Take up to `size` lines, fewer if they are long in coming."""
    texts: list[str | bytes] = []
    before = monotonic()
    for line in islice(lines, size):
        texts.append(_checked(line))
        if monotonic() - before > _PATIENCE_S:
            break
    return texts


class _Chunks:
    """Lines of a binary file, as they arrive."""

    def __init__(self, file: Any) -> None:  # noqa: ANN401
        self._file = file
        self._lines: list[bytes] = []
        self._tail = b""
        self._is_over = False

    def take(self, size: int) -> list[str | bytes]:
        while not self._lines and not self._is_over:
            chunk = self._file.read1(_READ_SIZE)
            self._is_over = not chunk
            *self._lines, self._tail = (self._tail + chunk).split(b"\n")
            if self._is_over and self._tail:
                self._lines.append(self._tail)
        taken: list[str | bytes] = [*self._lines[:size]]
        del self._lines[:size]
        return taken
