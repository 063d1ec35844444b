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

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ..stream.lines import Answers, Lines, batches, batches_sync, singly
from .sudoku_answers import Answer, Block, Verdict

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterator

__all__ = [
    "Answer",
    "Lines",
    "Verdict",
    "solve_sudokus",
    "solve_sudokus_sync",
    "sudoku_batches",
]

_MOST_LINES = 1024
"""A block of easy ones then takes as long as a slice should."""


def solve_sudokus(
    lines: Lines | AsyncIterable[str] | AsyncIterable[bytes],
    *,
    check_unique: bool = False,
    block: int = _MOST_LINES,
) -> Answers[Answer]:
    """Solve a sudoku a line, asynchronously.

    Answers come in the order of the lines, one for each line that counts. At most as
    many blocks are worked on as there are cores, and none while the consumer is busy;
    at most eight blocks for each core are held, and one is read. A cancelled wait is
    over within some milliseconds, and loses nothing. Only if it cancels an async
    iterable is that cut off, and asking on raises `anyio.ClosedResourceError`.

    ``async with aclosing(solve_sudokus(path)) as answers`` closes the file, or a
    generator, when the block is left. After ``break`` alone the file is closed once
    nothing refers to the answers any more.

    Parameters
    ----------
    lines : str, bytes, path, file, iterable or async iterable
        A text, where it is read from, or its lines; `sudoku_answers` tells the format.
        All but async iterables are read in a worker thread, since they may block; in
        which case what came before is answered meanwhile. An async iterable that may
        be long in giving a line should have ``block=1``, or those before wait for it.
    check_unique : bool
        Look for a second solution, too. If not, the verdict is never `SEVERAL`.
    block : int, lines, > 0
        The most lines answered together. Blocks begin with one line and grow; a line
        that was long in coming ends its block. With 1, an async iterable is asked for
        the next line only when those before are answered.

    Raises
    ------
    TypeError, ValueError
        The arguments are none of these.
    OSError
        While reading, after the answers to all that was read before.
    SearchError
        The iterable says that it was cancelled; after the answers, too.

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
    return singly(sudoku_batches(lines, check_unique=check_unique, block=block))


def sudoku_batches(
    lines: Lines | AsyncIterable[str] | AsyncIterable[bytes],
    *,
    check_unique: bool = False,
    block: int = _MOST_LINES,
) -> Answers[list[Answer]]:
    """Give the answers of `solve_sudokus` in lists, each as soon as it is there.

    Raises
    ------
    TypeError, ValueError, OSError
        As there.
    """
    return batches(lines, partial(Block, check_unique=check_unique), block)


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
    open_block = partial(Block, check_unique=check_unique)
    return chain.from_iterable(batches_sync(lines, open_block, block))
