"""Forms by the thousand: lines in, forms out, in order and on all cores.

What the form is, and which of the three in the wild, is told in `minlex`: the
smallest *number*.

>>> from dcells_async.puzzles.minlex_batch import minlex_forms_sync
>>> for answer in minlex_forms_sync(["7" + "." * 80, "12"]):
...     print(answer.line, answer.form[-9:] if answer.form else answer.reason)
1 000000001
2 there are 2 characters, not 81
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..kernels.minlex import MinlexBlock
from ..kernels.status import Status
from ..stream.lines import batches, batches_sync, singly
from .grid_lines import SIZE, malformed, numbered

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterator, Sequence

    from ..stream.lines import Answers, Lines

__all__ = ["Block", "Form", "minlex_batches", "minlex_forms", "minlex_forms_sync"]

_MOST_LINES = 256


class Form(NamedTuple):
    """The answer to one line.

    Attributes
    ----------
    line : int
        The number of the line, from 1 on.
    grid : str
        The grid as it was written; if it is none, the line.
    form : str or None
        81 digits, 0 for a blank; None if the line is no grid.
    automorphisms : int
        How many arrangements leave the grid as it is, but for the names of its
        digits; 0 if the line is no grid.
    reason : str or None
        Why the line is no grid.
    """

    line: int
    grid: str
    form: str | None
    automorphisms: int
    reason: str | None = None


def minlex_forms(
    lines: Lines | AsyncIterable[str] | AsyncIterable[bytes],
    *,
    block: int = _MOST_LINES,
) -> Answers[Form]:
    """Give the form of the grid in each line, asynchronously.

    The manner is that of `sudoku_batch.solve_sudokus`: order, pace, what happens to
    the file on leaving, and to what was read when a wait is cancelled, are told there.

    Parameters
    ----------
    lines : str, bytes, path, file, iterable or async iterable
        A text, where it is read from, or its lines; `grid_lines` tells the format.
    block : int, lines, > 0
        The most lines answered together; 1 for an async iterable that may be long in
        giving a line.

    Raises
    ------
    TypeError, ValueError, OSError, SearchError
        As there.

    Examples
    --------
    >>> import anyio
    >>> async def main():
    ...     async for answer in minlex_forms("1" * 81 + "\\n" + "." * 81):
    ...         print(answer.line, answer.form[:3], answer.automorphisms)
    >>> anyio.run(main)
    1 111 3359232
    2 000 3359232
    """
    return singly(minlex_batches(lines, block=block))


def minlex_batches(
    lines: Lines | AsyncIterable[str] | AsyncIterable[bytes],
    *,
    block: int = _MOST_LINES,
) -> Answers[list[Form]]:
    """Give the answers of `minlex_forms` in lists, each as soon as it is there.

    Raises
    ------
    TypeError, ValueError, OSError
        As there.
    """
    return batches(lines, Block, block)


def minlex_forms_sync(lines: Lines, *, block: int = _MOST_LINES) -> Iterator[Form]:
    """Give the form of the grid in each line, in this thread.

    The same as `minlex_forms`, but on one core and without async iterables.

    Raises
    ------
    TypeError, ValueError, OSError
        As there.
    """
    return chain.from_iterable(batches_sync(lines, Block, block))


class Block:
    """Some lines, answered together."""

    def __init__(self, lines: Sequence[str | bytes], first: int) -> None:
        self.answers: list[Form] = []
        self._lines = lines
        self._first = first
        self._kernel: MinlexBlock | None = None

    def advance(self, budget: int) -> bool:
        """Go on for about so many steps; true if all lines are answered."""
        if self._kernel is None:
            self._kernel = self._opened()
        if self._kernel.advance(budget) != Status.DONE:
            return False
        forms, counts = self._kernel.forms.decode(), self._kernel.counts
        for rank, at in enumerate(self._places):
            form = forms[SIZE * rank : SIZE * (rank + 1)]
            line, grid, *_ = self.answers[at]
            self.answers[at] = Form(line, grid, form, counts[rank])
        return True

    def _opened(self) -> MinlexBlock:
        self._places: list[int] = []
        grids: list[str] = []
        for number, text in numbered(self._lines, self._first):
            reason = malformed(text)
            if reason is None:
                self._places.append(len(self.answers))
                grids.append(text)
            self.answers.append(Form(number, text, None, 0, reason))
        self._lines = ()
        return MinlexBlock("".join(grids).encode())
