"""Lines in, answers out: in order, on all cores, and never more than is asked for.

Lines are taken up in blocks, which begin with one line and grow. What a block does
with its lines is its own affair; here they are read, numbered, and handed out.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar
from weakref import finalize

from .rounds import Rounds
from .threads import run_blocking

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Block", "Lines", "batches", "batches_sync", "singly"]

Lines: TypeAlias = (
    Iterable[str] | Iterable[bytes] | str | bytes | os.PathLike[str] | IO[Any]
)
"""Where lines come from: a text, a path, an open file, or an iterable of lines."""

_PATIENCE_S = 0.001
_READ_SIZE = 1 << 16
_STEPS = 1000

_Answer = TypeVar("_Answer")
_Answer_co = TypeVar("_Answer_co", covariant=True)


class Block(Protocol[_Answer_co]):
    """Some lines, answered together by and by."""

    @property
    def answers(self) -> Sequence[_Answer_co]:
        """What there is to be said, when the work is done."""
        ...

    def advance(self, budget: int) -> bool:
        """Go on for about so many steps; true if all lines are answered."""
        ...


def batches(
    lines: Lines | AsyncIterable[str] | AsyncIterable[bytes],
    open_block: Callable[[Sequence[str | bytes], int], Block[_Answer]],
    most: int,
) -> AsyncIterator[list[_Answer]]:
    """Give the answers to lines in lists, each as soon as it is there.

    Parameters
    ----------
    lines : str, bytes, path, file, iterable or async iterable
        Files are read in worker threads, iterables in the event loop.
    open_block : callable
        Makes a block of some lines and the number of the first, from 1 on.
    most : int, lines, > 0
        The size up to which blocks grow. A line that was long in coming ends its
        block.

    Raises
    ------
    TypeError, ValueError
        The arguments are none of these.
    OSError
        While reading, after the answers to all that was read before.
    """
    sizes = _Sizes(most)
    if isinstance(lines, AsyncIterable):
        return _Batches(_AsyncReader(lines, sizes), open_block)
    return _Batches(_Reader(lines, sizes), open_block)


def batches_sync(
    lines: Lines,
    open_block: Callable[[Sequence[str | bytes], int], Block[_Answer]],
    most: int,
) -> Iterator[Sequence[_Answer]]:
    """Do the same as `batches` in this thread, without async iterables."""
    return _batches_sync(_Reader(lines, _Sizes(most)), open_block)


def singly(batches: AsyncIterator[list[_Answer]]) -> AsyncIterator[_Answer]:
    """Give the answers one by one."""
    return _Singly(batches)


class _Singly(AsyncIterator[_Answer]):
    """The answers, one by one.

    No asynchronous generator: those must be closed by whoever leaves them early.
    """

    def __init__(self, batches: AsyncIterator[list[_Answer]]) -> None:
        self._batches = batches
        self._ready: Iterator[_Answer] = iter(())

    async def __anext__(self) -> _Answer:
        while True:
            for answer in self._ready:
                return answer
            self._ready = iter(await anext(self._batches))


class _Batches(AsyncIterator[list[_Answer]], Generic[_Answer]):
    """The answers, by rounds."""

    def __init__(
        self,
        reader: _Reader | _AsyncReader,
        open_block: Callable[[Sequence[str | bytes], int], Block[_Answer]],
    ) -> None:
        self._reader = reader
        self._open_block = open_block
        self._line = 1
        self._rounds = Rounds(self._read)

    async def __anext__(self) -> list[_Answer]:
        blocks = await self._rounds.next()
        if not blocks:
            raise StopAsyncIteration
        return [answer for done in blocks for answer in done.answers]

    async def _read(self) -> Block[_Answer] | None:
        texts = await self._reader.read()
        first, self._line = self._line, self._line + len(texts)
        return self._open_block(texts, first) if texts else None


def _batches_sync(
    reader: _Reader,
    open_block: Callable[[Sequence[str | bytes], int], Block[_Answer]],
) -> Iterator[Sequence[_Answer]]:
    line = 1
    while texts := reader.read_now():
        block = open_block(texts, line)
        line += len(texts)
        while not block.advance(_STEPS):
            pass
        yield block.answers


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
