"""The two lines that ``debug=True`` prints, in the words of Knuth's programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .cover import Stats
    from .layout import Layout

__all__ = ["report_size", "report_totals"]


def report_size(layout: Layout) -> None:
    """Print the size of the problem to stderr."""
    entries = len(layout.option_item) + layout.n_options
    print(
        f"({layout.n_options} options, {layout.n_primary}+"
        f"{layout.n_items - layout.n_primary} items, "
        f"{entries} entries successfully read)",
        file=sys.stderr,
    )


def report_totals(stats: Stats) -> None:
    """Print what the search came to, to stderr."""
    print(
        f"Altogether {stats.covers} solution{'s' * (stats.covers != 1)}, "
        f"{stats.updates} updates, {stats.nodes} nodes.",
        file=sys.stderr,
    )
