"""What the searches of a problem have in common, made once and for all.

Two things: the options as kernels take them, without those that can never be chosen;
and, unless it would be too large, the table of clashes that a search on bits needs.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from .kernels.clashes import LARGEST_TABLE, Clashes, bytes_of_clashes

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from .tables import Tables

__all__ = ["Compiled", "Entries"]

_LONGEST = 20_000
"""So many options are copied in a few milliseconds; beginning a run costs like 20."""


class Entries(NamedTuple):
    """The options that can be chosen, end to end.

    Attributes
    ----------
    option_start, option_item, option_color : array('i')
        As in :class:`~dcells_async.layout.Layout`.
    kept : array('i') or None
        Which option of the problem each of these is, where some were dropped.
    """

    option_start: array[int]
    option_item: array[int]
    option_color: array[int]
    kept: array[int] | None

    @classmethod
    def steps(cls, tables: Tables) -> Generator[bool, None, Entries]:
        """Gather them step by step; each yields False, for it never blocks."""
        start, kept = tables.option_start, None
        item, color = tables.entry_item, tables.entry_color
        if tables.dropped:
            start, kept = array("i", [0]), array("i")
            item, color = array("i"), array("i")
            work = 0
            for first, last in _runs(tables):
                begin, end = tables.option_start[first], tables.option_start[last]
                shift = len(item) - begin
                start.extend(
                    [at + shift for at in tables.option_start[first + 1 : last + 1]]
                )
                kept.extend(range(first, last))
                item += tables.entry_item[begin:end]
                color += tables.entry_color[begin:end]
                work += last - first + 20
                if work >= _LONGEST:
                    work = 0
                    yield False
        return cls(start, item, color, kept)


class Compiled:
    """The options of a problem, and the table of their clashes.

    Attributes
    ----------
    entries : Entries
    clashes : Clashes or None
        None if the table would take more than `LARGEST_TABLE`, or is of no use since
        some item need not be covered just once.
    """

    def __init__(self, tables: Tables) -> None:
        steps = Entries.steps(tables)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                self.entries: Entries = end.value
                break
        start, item, color, _ = self.entries
        size = bytes_of_clashes(len(start) - 1, tables.n_primary)
        is_simple = all(each.low == each.high == 1 for each in tables.items)
        self.clashes: Clashes | None = None
        if is_simple and size <= LARGEST_TABLE:
            self.clashes = Clashes(
                len(tables.items), tables.n_primary, start, item, color
            )

    def agree(self, options: tuple[int, ...]) -> bool:
        """Tell whether options do not clash; false also where there is no table."""
        return (
            self.clashes is not None
            and self.entries.kept is None
            and self.clashes.agree(options)
        )


def _runs(tables: Tables) -> Iterator[tuple[int, int]]:
    """Give the runs of options that are kept, long ones in pieces."""
    first = 0
    for number in (*tables.dropped, len(tables.option_start)):
        for piece in range(first, number - 1, _LONGEST):
            yield piece, min(piece + _LONGEST, number - 1)
        first = number
