"""Transversals: n cells of a latin square, no two in a row, a column, or of a symbol.

Rows r0, r1, ..., columns c0, c1, ... and symbols s0, s1, ... are primary items, and an
option is a cell: it covers its row, its column and its symbol. If cells have prices,
one may ask for the cheapest transversal.

>>> problem = transversal(cyclic(3), [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
>>> print(*problem.options[5], problem.options[5].price)
r1 c2 s0 6
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from ..errors import ProblemError
from ..problem import Problem
from .settings import check_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..cover import Cover
    from ..frame import Frame

__all__ = ["Square", "Style", "assignment", "cyclic", "draw", "prices", "transversal"]

Square: TypeAlias = "Sequence[Sequence[int]]"
Style: TypeAlias = Literal["grid", "list"]


def cyclic(n: int) -> Square:
    """Give the square in which row i and column j hold i + j, modulo n.

    It has no transversal if n is even. If n is odd, the diagonal is one.

    Raises
    ------
    ProblemError
        If n is not positive.

    Examples
    --------
    >>> cyclic(3)
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    """
    if n < 1:
        raise ProblemError(f"a square cannot have {n} rows")
    return [[(row + column) % n for column in range(n)] for row in range(n)]


def prices(n: int, seed: int = 1, below: int = 1000) -> Square:
    """Draw a price for each cell of a square at random, from 0 up.

    Examples
    --------
    >>> prices(2) == prices(2, seed=1) != prices(2, seed=2)
    True
    """
    draws = Random(seed)
    return [[draws.randrange(below) for _ in range(n)] for _ in range(n)]


def transversal(square: Square, price: Square | None = None) -> Problem:
    """Ask for all transversals of a square of symbols 0, ..., n-1.

    Parameters
    ----------
    square : sequence of n sequences of n int
    price : sequence of n sequences of n int, optional
        What each cell costs.

    Raises
    ------
    ProblemError
        If one of them is no square, or they differ in size, or a row or a column of
        symbols is not 0, ..., n-1 in some order.

    Examples
    --------
    >>> problem = transversal(cyclic(5))
    >>> len(problem.items), len(problem.options)
    (15, 25)
    """
    n = len(square)
    if any(len(row) != n for row in square):
        raise ProblemError(f"with {n} rows, each must have {n} symbols")
    lines = [*square, *zip(*square, strict=True)]
    if any(sorted(line) != list(range(n)) for line in lines):
        raise ProblemError(f"each row and column must hold 0 to {n - 1} once")
    cells = [(row, column) for row in range(n) for column in range(n)]
    if price is not None and [len(row) for row in price] != [n] * n:
        raise ProblemError(f"there must be {n} rows of {n} prices, as of symbols")
    return Problem.from_options(
        [[f"r{r}", f"c{c}", f"s{square[r][c]}"] for r, c in cells],
        primary=[f"{kind}{k}" for kind in "rcs" for k in range(n)],
        prices=None if price is None else [price[r][c] for r, c in cells],
    )


def assignment(n: int) -> Callable[[Frame], float]:
    """Make a lower bound for `minimize`: the cheapest choice when symbols do not count.

    One cell in each row and each column that is still open, of those cells that are,
    and at the least price: that is an assignment problem, which the Hungarian method
    solves in the time of n cubed. It is infinite if there is no such choice.

    Parameters
    ----------
    n : int
        The number of rows of the square.

    Raises
    ------
    ImportError
        If scipy is not installed.

    Examples
    --------
    >>> from dcells_async import XCC
    >>> problem = transversal(cyclic(3), [[9, 1, 1], [1, 9, 1], [1, 1, 9]])
    >>> with XCC().cheapest(problem, bound=assignment(3)) as covers:
    ...     [cover.price for cover in covers][-1]
    3
    """
    try:
        import numpy as np  # noqa: PLC0415
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(
            "the Hungarian method needs more: pip install scipy"
        ) from error

    def least(frame: Frame) -> float:
        rows = [options for item, options in frame.live() if item <= n]
        if not rows:
            return 0
        columns: dict[int, int] = {}
        cost: Any = np.full((len(rows), n), np.inf)
        for row, options in enumerate(rows):
            for option in options:
                column = columns.setdefault((option - 1) % n, len(columns))
                cost[row, column] = frame.price(option)
        if len(columns) < len(rows):
            return math.inf
        cost = cost[:, : len(rows)]
        try:
            chosen = linear_sum_assignment(cost)
        except ValueError:
            return math.inf
        return float(cost[chosen].sum())

    return least


def draw(cover: Cover, style: Style = "grid", *, color: bool = False) -> str:
    """Draw the square with the chosen cells marked.

    Parameters
    ----------
    cover : Cover
        A cover of a problem of transversals.
    style : {"grid", "list"}
        All cells, as ``symbol:price``, the chosen ones in brackets; or a line for each
        chosen cell, with its row, column, symbol and price.
    color : bool
        Give the chosen cells of a grid a background instead of brackets, by escape
        sequences that terminals understand.

    Raises
    ------
    ProblemError
        If there is no such style.

    Examples
    --------
    >>> from dcells_async import XCC
    >>> with XCC().solve(transversal(cyclic(3), prices(3))) as covers:
    ...     cover = next(covers)
    >>> print(draw(cover))
    [0:137] 1:582  2:867
     1:821 [2:782]  0:64
     2:261  0:120 [1:507]
    >>> print(draw(cover, "list"))
    row  column  symbol  price
      0       0       0    137
      1       1       2    782
      2       2       1    507
    """
    check_setting("style", style, get_args(Style))
    problem = cover.problem
    if style == "list":
        chosen = [problem.options[index] for index in sorted(cover.indices)]
        heads = ["row", "column", "symbol", "price"]
        lines = [[*(name[1:] for name in o.names), str(o.price)] for o in chosen]
        return "\n".join(
            "  ".join(
                word.rjust(len(head)) for word, head in zip(line, heads, strict=True)
            )
            for line in [heads, *lines]
        )
    n = math.isqrt(len(problem.options))
    texts = [f"{option.names[2][1:]}:{option.price}" for option in problem.options]
    width = max(map(len, texts))
    cells = [f" {text.rjust(width)} " for text in texts]
    for index in cover.indices:
        text = texts[index].rjust(width)
        cells[index] = (
            f"\x1b[30;48;5;149m {text} \x1b[0m"
            if color
            else f"[{texts[index]}]".rjust(width + 2)
        )
    rows = (cells[first : first + n] for first in range(0, n * n, n))
    return "\n".join("".join(row).rstrip() for row in rows)
