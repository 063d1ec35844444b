"""Domino tilings: a board cut into pairs of neighboring cells.

The cells are primary items, and an option is a domino: it covers two of them.

>>> problem = dominoes(Board.rectangle(2, 2))
>>> for option in problem.options:
...     print(*option)
00 01
00 10
01 11
10 11
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Literal, TypeAlias, get_args

from ..errors import ProblemError
from ..problem import Problem
from .boards import Board
from .settings import check_setting

__all__ = [
    "Sweep",
    "aztec",
    "cut_rectangle",
    "dominoes",
    "kasteleyn",
    "products",
]

Sweep: TypeAlias = Literal["rows", "diagonals"]


def dominoes(board: Board, sweep: Sweep = "rows") -> Problem:
    """Ask for all tilings of a board by dominoes.

    Parameters
    ----------
    board : Board
    sweep : {"rows", "diagonals"}
        The order of the items: row by row, or from diagonal to diagonal, those cells
        first that are near the top left corner. Options go by their first cells, and
        of a cell the domino to the right comes before the one down. The tilings do not
        depend on it, but the size of a decision diagram of all tilings does: on an
        Aztec diamond of order n, by rows it grows nearly fourfold with n, and by
        diagonals it has (3n - 2) 2**n + 4 nodes.

    Raises
    ------
    ProblemError
        If there is no such sweep.

    Examples
    --------
    >>> [len(dominoes(Board.rectangle(n, n)).options) for n in (1, 2, 8)]
    [0, 4, 112]
    >>> print(*[item.label for item in dominoes(aztec(2), "diagonals").items])
    01 10 02 11 20 12 21 13 22 31 23 32
    """
    check_setting("sweep", sweep, get_args(Sweep))
    cells = board.cells
    if sweep == "diagonals":
        cells = tuple(sorted(cells, key=lambda cell: (sum(cell), cell)))
    names = board.names
    options = [
        (names[row, column], names[other])
        for row, column in cells
        for other in ((row, column + 1), (row + 1, column))
        if other in names
    ]
    return Problem.from_options(options, primary=[names[cell] for cell in cells])


def aztec(order: int) -> Board:
    """Make the Aztec diamond of an order: rows of 2, 4, ..., 2n, 2n, ..., 4, 2 cells.

    It has 2**(n(n+1)/2) tilings by dominoes.

    Raises
    ------
    ProblemError
        If the order is not positive.

    Examples
    --------
    >>> print(aztec(2))
    .##.
    ####
    ####
    .##.
    """
    if order < 1:
        raise ProblemError(f"an Aztec diamond cannot have order {order}")
    return Board(
        (row, column)
        for row in range(2 * order)
        for half in [min(row, 2 * order - 1 - row) + 1]
        for column in range(order - half, order + half)
    )


def cut_rectangle(rows: int, columns: int) -> Board:
    """Make a rectangle less two opposite corners.

    If it has as many rows as columns, these corners are of one color on a chessboard.
    A domino covers a cell of either color, so there is no tiling then.

    Examples
    --------
    >>> print(cut_rectangle(2, 3))
    .##
    ##.
    """
    return Board.rectangle(rows, columns).without([(0, 0), (rows - 1, columns - 1)])


def kasteleyn(rows: int, columns: int) -> int:
    """Give the number of domino tilings of a rectangle, exactly, by a formula.

    It is the product, for j = 1, ..., ⌈m/2⌉ and k = 1, ..., ⌈n/2⌉, of the numbers
    4 cos²(πj/(m+1)) + 4 cos²(πk/(n+1)). The squares are roots of polynomials with whole
    coefficients (Chebyshev's); so the product is a resultant of two of these, and is
    computed here without any cosine, and without rounding.

    Raises
    ------
    ProblemError
        If a side is not positive.

    References
    ----------
    P. W. Kasteleyn, The statistics of dimers on a lattice, Physica 27 (1961);
    H. N. V. Temperley and M. E. Fisher, Phil. Mag. 6 (1961).

    Examples
    --------
    >>> [kasteleyn(n, n) for n in (1, 2, 4, 6, 8)]
    [0, 2, 36, 6728, 12988816]
    """
    if rows < 1 or columns < 1:
        raise ProblemError(f"a board needs positive sides, not {rows} by {columns}")
    roots = _squares(rows)
    # The other factor's roots are to be added, not subtracted: take x for -x.
    mirrored = [
        c if k % 2 == 0 else -c for k, c in enumerate(reversed(_squares(columns)))
    ]
    return abs(int(_resultant(roots, mirrored[::-1])))


def _squares(n: int) -> list[Fraction]:
    """Give the polynomial with the roots (2 cos(πk/(n+1)))², k = 1, ..., ⌈n/2⌉.

    Coefficients begin with that of the highest power, which is 1. The product of all
    t - 2 cos(πk/(n+1)) follows the recurrence of Chebyshev's polynomials of the second
    kind, and has even powers only, or odd ones only.
    """
    before, now = [Fraction(0)], [Fraction(1)]
    for _ in range(n):
        after = [*now, Fraction(0)]
        for back, coefficient in enumerate(reversed(before), 1):
            after[-back] -= coefficient
        before, now = now, after
    halved = now[::2]
    return [*halved, Fraction(0)] if n % 2 else halved


def _resultant(f: list[Fraction], g: list[Fraction]) -> Fraction:
    """Give the product of g at the roots of f, times a power of f's first coefficient.

    By Euclid's algorithm: g may be replaced by its remainder on division by f, and the
    two may be exchanged, which at most changes the sign.
    """
    result = Fraction(1)
    while len(f) > 1:
        g = g[:]
        degree = len(g) - 1
        while len(g) >= len(f):
            factor = g[0] / f[0]
            for k, coefficient in enumerate(f):
                g[k] -= factor * coefficient
            g.pop(0)
        while g and g[0] == 0:
            g.pop(0)
        if not g:
            return Fraction(0)
        result *= f[0] ** (degree - (len(g) - 1))
        if (len(f) - 1) * (len(g) - 1) % 2:
            result = -result
        f, g = g, f
    return result * f[0] ** (len(g) - 1)


def products(problem: Problem, seed: int = 1, most: int = 9) -> list[int]:
    """Draw a value from 1 to `most` for each cell, and weigh dominoes by the product.

    A sum instead would be of no use: all tilings would weigh the same.

    Examples
    --------
    >>> problem = dominoes(Board.rectangle(1, 4))
    >>> len(products(problem)), products(problem) == products(problem, seed=1)
    (3, True)
    """
    draws = Random(seed)
    values = {item.label: draws.randint(1, most) for item in problem.items}
    return [values[one] * values[other] for one, other in problem.options]
