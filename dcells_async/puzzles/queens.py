"""Queens on a chessboard, none of which attacks another.

Every row and every column has exactly one queen, so rows r0, r1, ... and columns
c0, c1, ... are primary items. A diagonal has one queen or none: the diagonals a0, a1,
... on which row plus column is constant, and b0, b1, ... on which it is row minus
column, are secondary items. An option is a queen on a square.

>>> problem = queens(4)
>>> print(*problem.options[7])
r1 c3 a4 b5
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..errors import ProblemError
from ..problem import Problem
from .settings import check_setting

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Order", "Style", "draw", "queens", "squares"]

Order: TypeAlias = Literal["natural", "organ-pipe"]
Style: TypeAlias = Literal["board", "letters"]


def queens(n: int, order: Order = "natural") -> Problem:
    """Ask for all ways to put n queens on an n by n board.

    There are none for n = 2 and n = 3, and one, without a queen, for n = 0.

    Parameters
    ----------
    n : int, >= 0
    order : {"natural", "organ-pipe"}
        Natural: all rows, all columns, all diagonals, each from 0 up. Organ-pipe: rows
        and columns by turns from the middle of the board outwards, so that branching,
        where sizes tie, starts with the rows and columns that rule out most; and no
        diagonals that are a single corner, which say nothing. The problems have the
        same covers; for larger n the second is searched with fewer nodes.

    Raises
    ------
    ProblemError
        If n is negative, or there is no such order.

    Examples
    --------
    >>> [item.label for item in queens(2).items]
    ['r0', 'r1', 'c0', 'c1', 'a0', 'a1', 'a2', 'b0', 'b1', 'b2']
    >>> [item.label for item in queens(2, "organ-pipe").items]
    ['r1', 'c1', 'r0', 'c0', 'a1', 'b1']
    """
    check_setting("order", order, get_args(Order))
    if n < 0:
        raise ProblemError(f"there cannot be {n} queens")
    natural = order == "natural"
    if natural:
        primary = [f"{line}{k}" for line in "rc" for k in range(n)]
    else:
        primary = [f"{line}{k}" for k in _from_the_middle(n) for line in "rc"]
    diagonals = range(2 * n - 1) if natural else range(1, 2 * n - 2)
    secondary = [f"{line}{k}" for line in "ab" for k in diagonals]
    options = [
        [f"r{row}", f"c{column}"]
        + [
            f"{line}{k}"
            for line, k in (("a", row + column), ("b", n - 1 - row + column))
            if k in diagonals
        ]
        for row in range(n)
        for column in range(n)
    ]
    return Problem.from_options(options, primary=primary, secondary=secondary)


def _from_the_middle(n: int) -> list[int]:
    """Order 0, ..., n-1 by the distance from n/2, the smaller of two equals first.

    Examples
    --------
    >>> _from_the_middle(8)
    [4, 3, 5, 2, 6, 1, 7, 0]
    """
    return sorted(range(n), key=lambda k: (abs(2 * k - 2 * (n // 2)), k))


def squares(cover: Iterable[Iterable[str]]) -> tuple[int, ...]:
    """Read off the column of the queen in each row.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a problem of queens, or the names of the items of its options.

    Examples
    --------
    >>> squares([("r1", "c3", "a4", "b5"), ("r3", "c2"), ("r2", "c0"), ("r0", "c1")])
    (1, 3, 0, 2)
    """
    places = []
    for option in cover:
        row, column, *_ = option
        places.append((int(row[1:]), int(column[1:])))
    return tuple(column for _, column in sorted(places))


def draw(
    cover: Iterable[Iterable[str]], style: Style = "board", *, color: bool = False
) -> str:
    """Draw the board with its queens.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a problem of queens, or the names of the items of its options.
    style : {"board", "letters"}
        A chessboard with a border, or Q for a queen and a dot for an empty square.
    color : bool
        Give the squares of the chessboard backgrounds, by escape sequences that
        terminals understand.

    Raises
    ------
    ProblemError
        If there is no such style.

    Examples
    --------
    >>> cover = [("r0", "c1"), ("r1", "c3"), ("r2", "c0"), ("r3", "c2")]
    >>> print(draw(cover, "letters"))
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    >>> print(draw(cover))
    ╭────────╮
    │  ♛   ░░│
    │░░  ░░♛ │
    │♛ ░░  ░░│
    │░░  ♛   │
    ╰────────╯
    """
    check_setting("style", style, get_args(Style))
    places = squares(cover)
    n = len(places)
    if style == "letters":
        return "\n".join(
            " ".join("Q" if column == queen else "." for column in range(n))
            for queen in places
        )
    lines = [
        "".join(
            _square(column == queen, (row + column) % 2 == 1, color)
            for column in range(n)
        )
        for row, queen in enumerate(places)
    ]
    edge = "──" * n
    return "\n".join([f"╭{edge}╮", *(f"│{line}│" for line in lines), f"╰{edge}╯"])


def _square(has_queen: bool, is_dark: bool, color: bool) -> str:
    if color:
        text = "♛ " if has_queen else "  "
        return f"\x1b[30;48;5;{137 if is_dark else 223}m{text}\x1b[0m"
    if has_queen:
        return "♛ "
    return "░░" if is_dark else "  "
