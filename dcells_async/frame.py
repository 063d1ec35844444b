"""What a caller's bound gets to see of a least-cost search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import FrameError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .layout import Layout

__all__ = ["Frame"]


class Frame:
    """The items that are still to be covered, and the options that can do so.

    Given to the ``bound`` of :meth:`~dcells_async.XCC.minimize` at each node, after
    what has become too dear was swept away. A frame is a window on the running
    search: it is valid only during the call, and says so later.

    Numbers of items count from 1 as declared, numbers of options as written.

    Examples
    --------
    >>> from dcells_async import XCC
    >>> def cheapest_option(frame):
    ...     return max(
    ...         min(frame.price(option) for option in options)
    ...         for item, options in frame.live()
    ...     ) if frame.live() else 0
    >>> text = "a b c\\na b |5\\nc |1\\na c |2\\nb |3"
    >>> with XCC().cheapest(text, bound=cheapest_option) as covers:
    ...     [cover.price for cover in covers]
    [6, 5]
    """

    __slots__ = ("_kernel", "_layout")

    def __init__(self, layout: Layout, kernel: Any) -> None:
        self._layout = layout
        self._kernel = kernel

    def live(self) -> list[tuple[int, list[int]]]:
        """Give each active primary item, and the options left for it.

        Items and options come in no particular order; secondary items are not
        listed.
        """
        return [
            (item + 1, self._numbers(options))
            for item, options in self._checked().live()
        ]

    def options(self, item: int) -> list[int]:
        """Give the options left for an item; none if it is not active any more.

        Where only some of the items matter, this is a good deal quicker than `live`.
        """
        return self._numbers(self._checked().options_of(item - 1))

    def _numbers(self, options: list[int]) -> list[int]:
        kept = self._layout.kept
        return [(kept[o] if kept else o) + 1 for o in options]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Give (item, option) pairs, all those of an item in a row."""
        return ((item, option) for item, options in self.live() for option in options)

    def price(self, option: int) -> int:
        """Give the price of an option, in the caller's units."""
        self._checked()
        prices = self._layout.problem.option_prices
        return prices[option - 1] if prices else 0

    def label(self, item: int) -> Any:
        """Give the label of an item."""
        self._checked()
        return self._layout.problem.items[item - 1].label

    def need(self, item: int) -> int:
        """Give how many times an item has to be covered yet; secondary ones: 0."""
        return int(self._checked().need(item - 1))

    @property
    def paid(self) -> int:
        """The price of what is chosen so far."""
        return int(self._checked().paid())

    def close(self) -> None:
        """Make every later use an error."""
        self._kernel = None

    def _checked(self) -> Any:
        if self._kernel is None:
            raise FrameError("a frame is valid only during the call it was made for")
        return self._kernel
