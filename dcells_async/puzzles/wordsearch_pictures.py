"""Pictures of word searches, for the terminal and as SVG."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import TYPE_CHECKING

from .wordsearch import letters, places, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .boards import Board
    from .shapes import Cell

__all__ = ["columns", "draw", "svg"]

_TINTS = (203, 215, 221, 149, 78, 44, 39, 105, 135, 206, 180, 250)
_FILLS = ("#e6685c", "#f2b134", "#8fc93a", "#3fbfa0", "#4a90d9", "#9b6dd6", "#e07bb5")


def draw(
    cover: Iterable[Iterable[str]],
    board: Board,
    grid: Mapping[Cell, str] | None = None,
    *,
    color: bool = False,
) -> str:
    """Draw the board, two columns for a cell.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a word search, or the names of the items of its options.
    board : Board
    grid : mapping of cells to str, optional
        The letters of all cells, from `fill`. Without it there are dots between the
        words.
    color : bool
        Mark the words by backgrounds, and by an underline where words cross, by escape
        sequences that terminals understand.

    Examples
    --------
    >>> from dcells_async.puzzles.boards import Board
    >>> cover = [("TO", "0,0:T", "0,1:O"), ("OX", "0,1:O", "1,1:X")]
    >>> print(draw(cover, Board.rectangle(2, 3)))
    T O .
    . X .
    """
    options = [list(option) for option in cover]
    shown = written(options) if grid is None else grid
    marks: dict[Cell, str] = {}
    if color:
        for number, line in enumerate(places(options).values()):
            for cell in line:
                cross = "4;" * (cell in marks)
                marks[cell] = f"{cross}30;48;5;{_TINTS[number % len(_TINTS)]}"
    down, across = (
        range(min(axis), max(axis) + 1) for axis in zip(*board, strict=True)
    )
    inside = set(board)
    lines = []
    for row in down:
        parts = []
        for cell in ((row, column) for column in across):
            letter = shown.get(cell, ".") if cell in inside else " "
            text = f"\x1b[{marks[cell]}m{letter}\x1b[0m" if cell in marks else letter
            parts.append(text + " " * (2 - columns(letter)))
        lines.append("".join(parts).rstrip())
    return "\n".join(lines)


def columns(text: str) -> int:
    """Give the columns that a text takes at a terminal, two a letter of Hangul.

    Examples
    --------
    >>> columns("TREE"), columns("나무")
    (4, 4)
    """
    return sum(
        2 if unicodedata.east_asian_width(letter[0]) in "WF" else 1
        for letter in letters(text)
    )


def svg(
    cover: Iterable[Iterable[str]],
    board: Board,
    grid: Mapping[Cell, str] | None = None,
    *,
    marked: bool = True,
    cell: float = 24,
) -> str:
    """Draw the board as SVG, with a colored band along each word.

    Parameters
    ----------
    cover, board, grid
        As for `draw`; without a grid the cells between the words are empty.
    marked : bool
        Without it there are no bands: this is the picture for those who search.
    cell : float, pixels, > 0
        The side of a cell.

    Examples
    --------
    >>> from dcells_async.puzzles.boards import Board
    >>> picture = svg([("TO", "0,0:T", "0,1:O")], Board.rectangle(2, 2))
    >>> picture.count("<line"), picture.count("<text")
    (1, 2)
    """
    options = [list(option) for option in cover]
    shown = written(options) if grid is None else grid
    (top, left), (bottom, right) = (
        tuple(f(axis) for axis in zip(*board, strict=True)) for f in (min, max)
    )
    width, height = right - left + 1, bottom - top + 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * cell:g}" '
        f'height="{height * cell:g}" viewBox="{left} {top} {width} {height}" '
        f'font-family="sans-serif" font-size=".6" text-anchor="middle">'
    ]
    if marked:
        for number, line in enumerate(places(options).values()):
            (y1, x1), (y2, x2) = line[0], line[-1]
            parts.append(
                f'<line x1="{x1 + 0.5}" y1="{y1 + 0.5}" x2="{x2 + 0.5}" '
                f'y2="{y2 + 0.5}" stroke="{_FILLS[number % len(_FILLS)]}" '
                f'stroke-width=".75" stroke-linecap="round" stroke-opacity=".6"/>'
            )
    parts.extend(
        f'<text x="{column + 0.5}" y="{row + 0.72}">{escape(letter)}</text>'
        for (row, column), letter in sorted(shown.items())
    )
    return "\n".join([*parts, "</svg>", ""])
