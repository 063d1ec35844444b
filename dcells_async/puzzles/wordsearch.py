"""Word searches: words hidden in a board of letters, in eight directions.

The words are primary items. The cells are secondary items, with their letters for
colors: words may cross wherever they agree about the letter. An option is a way to
write a word. The cell in row r and column c is called r,c.

>>> problem = wordsearch(["TO", "OX"], Board.rectangle(1, 3))
>>> for option in problem.options:
...     print(*option.names)
TO 0,0:T 0,1:O
TO 0,1:T 0,2:O
TO 0,1:T 0,0:O
TO 0,2:T 0,1:O
OX 0,0:O 0,1:X
OX 0,1:O 0,2:X
OX 0,1:O 0,0:X
OX 0,2:O 0,1:X
"""

from __future__ import annotations

import unicodedata
from random import Random
from typing import TYPE_CHECKING

from ..errors import ProblemError
from ..problem import Problem
from .boards import Board, parse_cell

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from .shapes import Cell

__all__ = [
    "fill",
    "letters",
    "places",
    "roomy",
    "wordsearch",
    "written",
]

_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))
"""The four ways onwards, and the same backwards."""


def letters(word: str) -> list[str]:
    """Take a word apart into capitals, accents and vowel signs with their letters.

    What looks the same is made the same: Hangul syllables, for example, are one
    character each, however they were typed.

    Examples
    --------
    >>> letters("été"), letters("나무")
    (['É', 'T', 'É'], ['나', '무'])
    """
    found: list[str] = []
    for character in unicodedata.normalize("NFC", word.upper()):
        if found and unicodedata.category(character).startswith("M"):
            found[-1] += character
        else:
            found.append(character)
    return found


def wordsearch(words: Iterable[str], board: Board, seed: int | None = None) -> Problem:
    """Ask for all ways to hide words in a board.

    A word is written along a row, a column or a diagonal, forwards or backwards, and
    without turning. It may lie across others, and even within a longer one.

    Parameters
    ----------
    words : iterable of str
        In letters and digits of any script; small letters are made capital.
    board : Board
        Of any shape; a word does not cross holes.
    seed : int, optional
        Puts the options of each word in a random order, the same for the same seed, so
        that a cover found first is a random one (though not all are equally likely).
        Without it they go through the board row by row.

    Raises
    ------
    ProblemError
        If there are no words, one comes twice, has a character that is neither a letter
        nor a digit, or is longer than any line of the board.

    Examples
    --------
    >>> board = Board.rectangle(3, 4)
    >>> [len(wordsearch([word], board).options) for word in ("CAT", "cats", "eve")]
    [28, 6, 14]
    """
    spelt = _spelt(words)
    draws = Random(seed)
    cells = {cell: f"{cell[0]},{cell[1]}" for cell in board}
    options: list[list[str | tuple[str, str]]] = []
    for word, spelling in spelt.items():
        lines = list(_lines(spelling, cells))
        if not lines:
            raise ProblemError(
                f"the word {word} has {len(spelling)} letters, and the board has no "
                f"line of so many cells"
            )
        if seed is not None:
            draws.shuffle(lines)
        options.extend(
            [word, *((cells[cell], x) for cell, x in zip(line, spelling, strict=True))]
            for line in lines
        )
    return Problem.from_options(options, primary=spelt, secondary=cells.values())


def roomy(words: Iterable[str]) -> Board:
    """Make a square board that holds all words and has cells to spare.

    It has at least one and a half times as many cells as the words have letters, and
    its side is not shorter than the longest word.

    Raises
    ------
    ProblemError
        As for `wordsearch`.

    Examples
    --------
    >>> [len(roomy(words)) for words in (["WORD"], ["WE", "ARE", "HERE"])]
    [16, 16]
    """
    lengths = [len(spelling) for spelling in _spelt(words).values()]
    side = max(lengths)
    while 2 * side * side < 3 * sum(lengths):
        side += 1
    return Board.rectangle(side, side)


def _spelt(words: Iterable[str]) -> dict[str, list[str]]:
    """Take all words apart, and refuse those that cannot be hidden."""
    spelt: dict[str, list[str]] = {}
    for given in words:
        spelling = letters(given)
        word = "".join(spelling)
        _check(spelling, f"the word {given!r}")
        if word in spelt:
            raise ProblemError(f"the word {word} comes twice")
        spelt[word] = spelling
    if not spelt:
        raise ProblemError("there are no words to hide")
    return spelt


def _check(spelling: list[str], what: str) -> None:
    if not spelling:
        raise ProblemError(f"{what} has no letters")
    for letter in spelling:
        if not letter[0].isalnum():
            raise ProblemError(
                f"{what} has the character {letter!r}, neither letter nor digit"
            )


def _lines(spelling: list[str], cells: Collection[Cell]) -> Iterator[list[Cell]]:
    """Give the cells on which a word can be written, in the order of its letters."""
    reads_back = spelling == spelling[::-1]
    ways = _WAYS[:1] if len(spelling) == 1 else _WAYS[:4] if reads_back else _WAYS
    for row, column in cells:
        for down, right in ways:
            line = [(row + k * down, column + k * right) for k in range(len(spelling))]
            if all(cell in cells for cell in line):
                yield line


def places(cover: Iterable[Iterable[str]]) -> dict[str, tuple[Cell, ...]]:
    """Read off where the words are, cell by cell from the first letter on.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a word search, or the names of the items of its options.

    Examples
    --------
    >>> places([("TO", "0,0:T", "0,1:O"), ("OX", "0,1:O", "1,1:X")])
    {'TO': ((0, 0), (0, 1)), 'OX': ((0, 1), (1, 1))}
    """
    found = {}
    for word, *entries in cover:
        cells = (parse_cell(entry.partition(":")[0]) for entry in entries)
        found[word] = tuple(cell for cell in cells if cell is not None)
    return found


def written(cover: Iterable[Iterable[str]]) -> dict[Cell, str]:
    """Read off the letters that the words put into cells.

    Examples
    --------
    >>> written([("TO", "0,0:T", "0,1:O"), ("OX", "0,1:O", "1,1:X")])
    {(0, 0): 'T', (0, 1): 'O', (1, 1): 'X'}
    """
    return {
        cell: letter
        for word, cells in places(cover).items()
        for cell, letter in zip(cells, letters(word), strict=True)
    }


def fill(
    cover: Iterable[Iterable[str]],
    board: Board,
    seed: int | None = None,
    alphabet: str | None = None,
) -> dict[Cell, str]:
    """Fill the cells between the words with random letters.

    No word comes up once more by that, as long as there is a letter that avoids it.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a word search, or the names of the items of its options.
    board : Board
    seed : int, optional
        The same letters for the same seed.
    alphabet : str, optional
        The letters, more often if they come more often; by default those of the words.

    Returns
    -------
    dict of cells to str
        All cells of the board, those of the words included.

    Raises
    ------
    ProblemError
        If the alphabet is empty, or has a character that is neither letter nor digit.

    Examples
    --------
    >>> cover = [("TO", "0,0:T", "0,1:O")]
    >>> grid = fill(cover, Board.rectangle(1, 4), alphabet="TO")
    >>> [grid[cell] for cell in sorted(grid)]
    ['T', 'O', 'O', 'O']
    """
    options = [list(option) for option in cover]
    grid = written(options)
    words = [letters(word) for word, *_ in options]
    pool = [x for word in words for x in word]
    if alphabet is not None:
        pool = letters(alphabet)
        _check(pool, f"the alphabet {alphabet!r}")
    at: dict[str, list[tuple[list[str], int]]] = {}
    for word in words:
        for place, letter in enumerate(word):
            at.setdefault(letter, []).append((word, place))

    def completes(letter: str, cell: Cell) -> bool:
        return any(
            all(
                k == place
                or grid.get(
                    (cell[0] + (k - place) * down, cell[1] + (k - place) * right)
                )
                == x
                for k, x in enumerate(word)
            )
            for word, place in at.get(letter, ())
            for down, right in _WAYS
        )

    draws = Random(seed)
    for cell in board:
        if cell not in grid:
            tries = draws.sample(pool, len(pool))
            kept = (x for x in dict.fromkeys(tries) if not completes(x, cell))
            grid[cell] = next(kept, tries[0])
    return grid
