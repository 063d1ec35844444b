"""Lines in, answers out: in order, on all cores, and never more than is asked for.

Lines are taken up in blocks, which begin with one line and grow. What a block does
with its lines is its own affair; here they are read, numbered, and handed out.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Iterable,
    Iterator,
)
from functools import partial
from pathlib import Path
from time import monotonic, thread_time
from typing import IO, TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from ..errors import SearchError
from .ahead import Ahead
from .rounds import Rounds

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "LONGEST_LINE",
    "Answers",
    "Block",
    "Lines",
    "Reader",
    "batches",
    "batches_sync",
    "reader_of",
    "singly",
]

Lines: TypeAlias = (
    Iterable[str] | Iterable[bytes] | str | bytes | os.PathLike[str] | IO[Any]
)
"""Where lines come from: a text, a path, an open file, or an iterable of lines."""

LONGEST_LINE = 1 << 16
"""Of a longer line in a file no more is kept than shows that it is longer, in bytes.

A file need not have any ends of lines; /dev/zero has none.
"""

_PATIENCE_S = 0.001
_READ_SIZE = 1 << 16
_BLOCK_S = 0.005
_MOST_UNTRIED = 16
"""How long blocks may be while nothing is known of how long they take."""

_STEPS = 1000

_Answer = TypeVar("_Answer")
_Answer_co = TypeVar("_Answer_co", covariant=True)


class Answers(AsyncIterator[_Answer_co]):
    """Answers as they come.

    Whoever leaves them early closes them, best by ``async with aclosing(answers)``.
    A file that was given by its path is also closed as soon as nothing refers to the
    answers any more, which after ``break`` CPython notices at once.
    """

    @abstractmethod
    async def aclose(self) -> None:
        """Give no more, and close what is read: a path's file, or a generator."""


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
) -> Answers[list[_Answer]]:
    """Give the answers to lines in lists, each as soon as it is there.

    Parameters
    ----------
    lines : str, bytes, path, file, iterable or async iterable
        All but async iterables are read in a worker thread, for they may block; what
        has been read by then is answered meanwhile.
    open_block : callable
        Makes a block of some lines and the number of the first, from 1 on.
    most : int, lines, > 0
        The size up to which blocks grow, as long as they take no longer than some
        milliseconds. A line that was long in coming ends its block. With 1, an async
        iterable is asked for a line only when those before are answered.

    Raises
    ------
    TypeError, ValueError
        The arguments are none of these.
    OSError
        While reading, after the answers to all that was read before.
    SearchError
        The iterable says that it was cancelled; after the answers, too.
    """
    blocks = _Blocks(open_block, most)
    can_wait = not isinstance(lines, AsyncIterable)
    return _Batches(blocks, reader_of(lines), can_wait=can_wait)


def reader_of(lines: Lines | AsyncIterable[str] | AsyncIterable[bytes]) -> Reader:
    """Give what reads lines as they come, some at a time.

    Raises
    ------
    TypeError
        They are none.
    """
    if isinstance(lines, AsyncIterable):
        return _AsyncReader(lines)
    return Ahead(_reader(lines))


def batches_sync(
    lines: Lines,
    open_block: Callable[[Sequence[str | bytes], int], Block[_Answer]],
    most: int,
) -> Iterator[Sequence[_Answer]]:
    """Do the same as `batches` in this thread, without async iterables."""
    return _batches_sync(_Blocks(open_block, most), Ahead(_reader(lines)))


def singly(batches: Answers[list[_Answer]]) -> Answers[_Answer]:
    """Give the answers one by one."""
    return _Singly(batches)


class _Singly(Answers[_Answer]):
    """The answers, one by one.

    No asynchronous generator: those must be closed by whoever leaves them early.
    """

    def __init__(self, batches: Answers[list[_Answer]]) -> None:
        self._batches = batches
        self._ready: Iterator[_Answer] = iter(())

    async def __anext__(self) -> _Answer:
        while True:
            for answer in self._ready:
                return answer
            self._ready = iter(await anext(self._batches))

    async def aclose(self) -> None:
        self._ready = iter(())
        await self._batches.aclose()


class Reader(Protocol):
    """Reads lines as they come."""

    async def take(self, most: int) -> list[str | bytes]:
        """Give the next lines, at least one; none at the end. No cancel loses any."""
        ...

    async def aclose(self) -> None:
        """Read no more."""
        ...


class _Batches(Answers[list[_Answer]], Generic[_Answer]):
    """The answers, by rounds."""

    def __init__(
        self,
        blocks: _Blocks[_Answer],
        reader: Reader,
        *,
        can_wait: bool,
    ) -> None:
        self._reader = reader
        self._is_closed = False
        is_lockstep = blocks.most == 1 and not can_wait

        # No method, which would make a cycle: whoever drops us drops an open file.
        async def read() -> _Timed[_Answer] | None:
            return blocks.of(await reader.take(blocks.size))

        self._rounds = Rounds(read, can_wait=can_wait, most=1 if is_lockstep else None)

    async def __anext__(self) -> list[_Answer]:
        found = [] if self._is_closed else await self._rounds.next()
        if not found:
            raise StopAsyncIteration
        return [answer for done in found for answer in done.answers]

    async def aclose(self) -> None:
        self._is_closed = True
        await self._reader.aclose()


def _batches_sync(
    blocks: _Blocks[_Answer], source: Ahead[str | bytes]
) -> Iterator[Sequence[_Answer]]:
    while block := blocks.of(source.take_now(blocks.size)):
        while not block.advance(_STEPS):
            pass
        yield block.answers


class _Blocks(Generic[_Answer]):
    """Blocks of lines, which are numbered: first one line, then as many as fit.

    Attributes
    ----------
    size : int
        How many lines the next one should have.
    """

    def __init__(
        self,
        open_block: Callable[[Sequence[str | bytes], int], Block[_Answer]],
        most: int,
    ) -> None:
        if isinstance(most, bool) or not isinstance(most, int):
            raise TypeError(f"block must be an integer, not {most!r}")
        if most < 1:
            raise ValueError(f"block must be at least 1, not {most}")
        self.most = most
        self.size = 1
        self._fitting = _MOST_UNTRIED
        self._open_block = open_block
        self._line = 1
        self._fault: TypeError | None = None

    def of(self, texts: list[str | bytes]) -> _Timed[_Answer] | None:
        """Make a block of these; none if there are none.

        Raises
        ------
        TypeError
            One of these is no line, or one that came with those before was none.
        """
        if self._fault is not None:
            raise self._fault
        if not {str, bytes}.issuperset(map(type, texts)):
            self._cut(texts)
        if not texts:
            return None
        self.size = min(self.most, 2 * self.size, self._fitting)
        first, self._line = self._line, self._line + len(texts)
        return _Timed(self._open_block(texts, first), len(texts), self._learn)

    def _learn(self, n_lines: int, seconds: float) -> None:
        """Let blocks to come be as long as fits, or some times as long as this one.

        Else, as lines run out, one core would have to do a long one alone.
        """
        fitting = int(n_lines * _BLOCK_S / max(seconds, 1e-6))
        self._fitting = max(_MOST_UNTRIED, min(fitting, 8 * n_lines))

    def _cut(self, texts: list[str | bytes]) -> None:
        """Leave only those before the first that is no line."""
        for place, line in enumerate(texts):
            if not isinstance(line, str | bytes):
                kind = type(line).__name__
                self._fault = TypeError(f"a line must be str or bytes, not {kind}")
                if place == 0:
                    raise self._fault
                del texts[place:]
                return


class _Timed(Generic[_Answer]):
    """A block that tells in the end how long it took."""

    def __init__(
        self,
        block: Block[_Answer],
        n_lines: int,
        learn: Callable[[int, float], None],
    ) -> None:
        self._block = block
        self._n_lines = n_lines
        self._learn = learn
        self._seconds = 0.0

    @property
    def answers(self) -> Sequence[_Answer]:
        return self._block.answers

    def advance(self, budget: int) -> bool:
        begin = thread_time()
        is_done = self._block.advance(budget)
        self._seconds += thread_time() - begin
        if is_done:
            self._learn(self._n_lines, self._seconds)
        return is_done


class _AsyncReader:
    """Lines of an async iterable."""

    def __init__(self, lines: AsyncIterable[str] | AsyncIterable[bytes]) -> None:
        self._lines: AsyncIterator[str | bytes] = aiter(lines)
        self._failure: BaseException | None = None

    async def take(self, most: int) -> list[str | bytes]:
        texts: list[str | bytes] = []
        end = monotonic() + _PATIENCE_S
        try:
            while self._failure is None and len(texts) < most:
                texts.append(await anext(self._lines))
                if monotonic() > end:
                    break
        except StopAsyncIteration:
            pass
        except anyio.get_cancelled_exc_class() as error:
            await checkpoint_if_cancelled()
            # Nobody has cancelled us.
            self._failure = SearchError("the input was cancelled")
            self._failure.__cause__ = error
        except BaseException as error:
            self._failure = error
        # Those before it come first.
        if self._failure is not None and not texts:
            raise self._failure
        return texts

    async def aclose(self) -> None:
        if isinstance(self._lines, AsyncGenerator):
            await self._lines.aclose()


def _reader(lines: Lines) -> Callable[[], Iterator[str | bytes]]:
    """Give what begins to read."""
    if isinstance(lines, str | bytes):
        return lambda: iter(lines.splitlines())
    if isinstance(lines, os.PathLike):
        return partial(_lines_at, Path(lines))
    if hasattr(lines, "read1"):
        return partial(_lines_of, lines)
    if isinstance(lines, Iterable):
        return lambda: iter(lines)
    kind = type(lines).__name__
    raise TypeError(f"lines must be text, a path, a file or lines, not {kind}")


def _lines_at(path: Path) -> Iterator[bytes]:
    # Whoever leaves early need not know that there is a file: it is closed with this.
    with path.open("rb") as file:
        yield from _lines_of(file)


def _lines_of(file: Any) -> Iterator[bytes]:  # noqa: ANN401
    """Give the lines of a binary file, as they arrive; long ones are cut off."""
    begun = bytearray()
    while chunk := file.read1(_READ_SIZE):
        end, *lines = chunk.split(b"\n")
        begun += end[: LONGEST_LINE + 1 - len(begun)]
        if lines:
            yield bytes(begun)
            begun = bytearray(lines.pop())
            yield from lines
    if begun:
        yield bytes(begun)
