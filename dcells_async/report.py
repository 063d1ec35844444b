"""The lines that ``debug=True`` prints, in the words of Knuth's programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .numerals import written

if TYPE_CHECKING:
    from .cover import Stats
    from .layout import Layout

__all__ = ["Report"]


class Report:
    """Prints to stderr, each line once, or does nothing.

    Parameters
    ----------
    is_wanted : bool
        The ``debug`` of the engine.
    ignores_prices : bool
        Whether the search is for all covers, whatever they cost.
    """

    def __init__(self, is_wanted: bool, *, ignores_prices: bool = True) -> None:
        self._is_wanted = is_wanted
        self._ignores_prices = ignores_prices
        self._n_options = 0
        self._has_told_purged = False

    def opened(self, layout: Layout) -> None:
        """Tell the size of the problem."""
        self._n_options = layout.n_options
        if not self._is_wanted:
            return
        entries = len(layout.option_item) + layout.n_options
        self._print(
            f"({layout.n_options} options, {layout.n_primary}+"
            f"{layout.n_items - layout.n_primary} items, "
            f"{entries} entries successfully read)"
        )
        if layout.removed is not None:
            options, items = layout.removed
            self._print(f"Preprocessing removed {options} options and {items} items.")
        if self._ignores_prices and layout.problem.option_prices is not None:
            self._print("Prices are ignored: this search is for all covers.")

    def advanced(self, purged: int | None) -> None:
        """Tell what the first pass of XCCDC has purged, once that is known."""
        if purged is not None and not self._has_told_purged:
            self._has_told_purged = True
            self._print(
                f"Domain consistency purged {purged} of {self._n_options} options."
            )

    def ended(self, stats: Stats) -> None:
        """Tell what the search came to."""
        if not self._is_wanted:
            return
        if stats.signatures is not None:
            self._print(
                f"Altogether {stats.nodes} nodes, {stats.signatures} signatures, "
                f"{stats.hits} hits."
            )
            return
        purges = "" if stats.purges is None else f", {stats.purges} purges"
        self._print(
            f"Altogether {written(stats.covers)} solution{'s' * (stats.covers != 1)}, "
            f"{stats.updates} updates, {stats.nodes} nodes{purges}."
        )

    def _print(self, line: str) -> None:
        if self._is_wanted:
            print(line, file=sys.stderr)
