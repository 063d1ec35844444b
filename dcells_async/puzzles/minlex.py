"""The smallest number among all grids that are the same sudoku.

Two grids are the same, or *isomorphic*, if some of these steps turn one into the
other: transposing; changing the order of bands, of stacks, of the rows in a band, of
the columns in a stack; renaming the digits. Of all the 2 * 6**8 * 9! results, read row
by row as numbers of 81 digits, a blank being 0, the smallest is the *form*:

>>> minlex("7" + "." * 80) == "0" * 80 + "1"
True

Three forms go by the name of "minlex", and they disagree:

- the smallest *number*, which is what this module gives: blanks and digits are
  compared together, cell by cell;
- the smallest *pattern* first, and the smallest digits among the arrangements that
  have this pattern;
- the arrangement in which the *solution* is smallest, which takes a grid with
  exactly one.

Nothing is solved here. A grid that is blank, full, contradictory, or has several
solutions, has its form like any other; what counts is what is written in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ProblemError
from ..kernels.minlex import MinlexBlock
from .grid_lines import malformed

if TYPE_CHECKING:
    from random import Random

__all__ = [
    "Canonical",
    "Transformation",
    "are_isomorphic",
    "canonicalise",
    "minlex",
    "random_equivalent",
]

_EVER = 1 << 62
_NAMES = "0123456789"


@dataclass(frozen=True)
class Transformation:
    """A way to turn a grid into another that is the same sudoku.

    Attributes
    ----------
    transposed : bool
        Rows and columns are exchanged first.
    rows : tuple of 9 int
        For each row of the result which one it was, after that, from 0 on.
    columns : tuple of 9 int
        Likewise.
    digits : tuple of 10 int
        The new name of each digit; that of 0, a blank, is 0.

    Raises
    ------
    ProblemError
        Bands or stacks are torn apart, or digits get the same name.

    Examples
    --------
    >>> turn = Transformation(True, (*range(9),), (*range(9),), (*range(10),))
    >>> turn.apply("12" + "." * 79)[:18]
    '100000000200000000'
    >>> turn.inverse() == turn
    True
    """

    transposed: bool
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    digits: tuple[int, ...]

    def __post_init__(self) -> None:
        for name, lines in (("rows", self.rows), ("columns", self.columns)):
            bands = [{line // 3 for line in lines[k : k + 3]} for k in (0, 3, 6)]
            if sorted(lines) != [*range(9)] or any(len(band) > 1 for band in bands):
                raise ProblemError(
                    f"{name} must be 0 to 8, three of 0 1 2, 3 4 5, 6 7 8 together, "
                    f"not {lines}"
                )
        if sorted(self.digits) != [*range(10)] or self.digits[0] != 0:
            raise ProblemError(
                f"digits must be 0 and then 1 to 9 in any order, not {self.digits}"
            )

    def apply(self, grid: str) -> str:
        """Give the grid that results, with 0 for a blank.

        Raises
        ------
        ProblemError
            It is no grid: the wrong length, or another character.
        """
        cells = _checked(grid)
        down, right = (1, 9) if self.transposed else (9, 1)
        names = "".join(_NAMES[digit] for digit in self.digits)
        return "".join(
            names[int(cells[down * row + right * column])]
            for row in self.rows
            for column in self.columns
        )

    def inverse(self) -> Transformation:
        """Give the transformation that leads back."""
        rows, columns = _inverted(self.rows), _inverted(self.columns)
        if self.transposed:
            rows, columns = columns, rows
        return Transformation(self.transposed, rows, columns, _inverted(self.digits))


class Canonical(NamedTuple):
    """The form of a grid, and how it comes about.

    Attributes
    ----------
    form : str
        81 digits, 0 for a blank.
    transformation : Transformation
        It turns the grid into the form; where several do, it is one of them.
    automorphisms : int
        How many of the 3,359,232 arrangements of rows and columns leave the grid as
        it is, but for the names of its digits. This is also the number of those that
        give the form. (How the digits that do not occur are named is not counted.)
    """

    form: str
    transformation: Transformation
    automorphisms: int

    @property
    def inverse(self) -> Transformation:
        """The transformation that turns the form into the grid."""
        return self.transformation.inverse()


def minlex(grid: str) -> str:
    """Give the smallest number that the grid can be turned into.

    Parameters
    ----------
    grid : str
        81 characters, row by row: digits, and ``.``, ``0`` or ``*`` for a blank.
        White space between them does not matter.

    Returns
    -------
    str
        81 digits, 0 for a blank.

    Raises
    ------
    ProblemError
        It is no grid: the wrong length, or another character. Clues that clash are
        no error.

    Examples
    --------
    >>> grid = "71......5.9...3......75..42..24....91.7..."
    >>> grid += "45.8...1..........728..8..9.....3.7.196"
    >>> print(minlex(grid))
    000000012000013040035640000000700400004001800020000005309200680401070000602080700
    """
    return _finished(grid).forms.decode()


def canonicalise(grid: str) -> Canonical:
    """Give the form, a transformation to it, and the number of automorphisms.

    Parameters
    ----------
    grid : str
        As for `minlex`.

    Raises
    ------
    ProblemError
        As there.

    Examples
    --------
    >>> canonical = canonicalise("." * 80 + "5")
    >>> canonical.automorphisms == 3_359_232 // 81
    True
    >>> canonical.inverse.apply(canonical.form) == "0" * 80 + "5"
    True
    """
    block = _finished(grid)
    cells, form = _checked(grid), block.forms.decode()
    turn, *lines = block.maps
    transposed, rows, columns = bool(turn), tuple(lines[:9]), tuple(lines[9:])
    down, right = (1, 9) if transposed else (9, 1)
    names = {0: 0}
    for row in range(9):
        for column in range(9):
            digit = int(cells[down * rows[row] + right * columns[column]])
            names[digit] = int(form[9 * row + column])
    # Digits that do not occur get the names that are left, in order.
    rest = iter(sorted({*range(10)} - {*names.values()}))
    digits = tuple(
        names[digit] if digit in names else next(rest) for digit in range(10)
    )
    transformation = Transformation(transposed, rows, columns, digits)
    return Canonical(form, transformation, block.counts[0])


def are_isomorphic(one: str, other: str) -> bool:
    """Tell whether two grids are the same sudoku.

    Raises
    ------
    ProblemError
        One is no grid; see `grid_lines`.

    Examples
    --------
    >>> are_isomorphic("12" + "." * 79, "." * 79 + "21")
    True
    >>> are_isomorphic("12" + "." * 79, "1..2" + "." * 77)
    False
    """
    return minlex(one) == minlex(other)


def random_equivalent(grid: str, rng: Random) -> str:
    """Give a grid that is the same sudoku, any one with the same probability.

    Parameters
    ----------
    grid : str
        As for `minlex`.
    rng : random.Random
        Where chance comes from.

    Raises
    ------
    ProblemError
        It is no grid: the wrong length, or another character.

    Examples
    --------
    >>> from random import Random
    >>> grid = "123" + "." * 78
    >>> are_isomorphic(grid, random_equivalent(grid, Random(1)))
    True
    """
    digits = (0, *rng.sample(range(1, 10), 9))
    turn = rng.random() < 0.5
    return Transformation(turn, _shuffled(rng), _shuffled(rng), digits).apply(grid)


def _checked(grid: str) -> str:
    if not isinstance(grid, str):
        raise TypeError(f"a grid must be a str, not {type(grid).__name__}")
    cells = "".join(grid.split())
    if (reason := malformed(cells)) is not None:
        raise ProblemError(reason)
    return cells.replace(".", "0").replace("*", "0")


def _finished(grid: str) -> MinlexBlock:
    block = MinlexBlock(_checked(grid).encode())
    block.advance(_EVER)
    return block


def _inverted(order: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(order.index(i) for i in range(len(order)))


def _shuffled(rng: Random) -> tuple[int, ...]:
    bands = rng.sample(range(3), 3)
    return tuple(3 * band + line for band in bands for line in rng.sample(range(3), 3))
