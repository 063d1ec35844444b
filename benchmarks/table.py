"""A table that prints in a terminal and in Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of text under a title.

    Parameters
    ----------
    title : str
        A line above the table.
    header : sequence of str
        The names of the columns.
    rows : sequence of sequences of str
        As many cells each as the header has.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def as_text(self) -> str:
        """Return the table with its columns aligned by blanks."""
        grid = [self.header, *self.rows]
        widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
        lines = [_aligned(cells, widths, "  ").rstrip() for cells in grid]
        return "\n".join([self.title, "", lines[0], "-" * len(lines[0]), *lines[1:]])

    def as_markdown(self) -> str:
        """Return the table as Markdown, figures to the right."""
        ruler = ["---", *["---:"] * (len(self.header) - 1)]
        grid = [self.header, ruler, *self.rows]
        return "\n".join([self.title, "", *(f"| {' | '.join(row)} |" for row in grid)])


def _aligned(cells: Sequence[str], widths: Sequence[int], gap: str) -> str:
    first, *others = zip(cells, widths, strict=True)
    aligned = [cell.rjust(width) for cell, width in others]
    return gap.join([first[0].ljust(first[1]), *aligned])
