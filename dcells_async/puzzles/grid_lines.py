"""Grids in lines of text: which lines count, and what is wrong with one.

A line holds 81 characters, row by row: a digit from 1 to 9 for a clue, and a dot, a
zero or an asterisk for a blank. Anything may follow behind a blank, a tab, a comma,
a semicolon, a colon or a #, and a number may go in front, as long as it is followed by
one of these; so may ``Q[    7]:``, as ``dcells sudoku`` prints it. Empty lines and
lines that begin with # do not count, nor do its answers, ``A[    7]:``, nor does a
first line of words, as tables have. A line of more than 64 KiB is no grid, whatever it
holds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..stream.lines import LONGEST_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["SIZE", "malformed", "numbered"]

SIZE = 81
"""How many characters a grid has."""

_IN_GRIDS = frozenset(".*0123456789")
_SEPARATORS = frozenset(" \t,;:#")
_HEADING = re.compile(r"[a-z_ ]+([,;\t][a-z_ ]+)*", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,18}(?:[,;:]|(?=[ \t]))[ \t]*")
_QUESTION = re.compile(r"Q\[ *[0-9]{1,18}\]:[ \t]*")
_ANSWER = re.compile(r"A\[ *[0-9]{1,18}\]:")
_STRAY = re.compile(r"[^.*0-9]")


def numbered(lines: Sequence[str | bytes], first: int) -> Iterator[tuple[int, str]]:
    """Give the lines that count, with their numbers, without what follows the grid.

    Examples
    --------
    >>> [*numbered(["grid", "# none", "", "." * 81 + ";easy", "12"], 1)][-1]
    (5, '12')
    >>> [*numbered(["17," + "." * 81 + ",30"], 1)] == [(1, "." * 81)]
    True
    >>> [*numbered(["Q[    1]: 12", "A[    1]: (invalid)"], 1)]
    [(1, '12')]
    """
    for number, line in enumerate(lines, first):
        if len(line) > LONGEST_LINE:
            if line[:1] not in ("#", b"#"):
                yield number, _beginning(line)
            continue
        text = line if isinstance(line, str) else line.decode(errors="replace")
        text = text.strip() if number > 1 else text.strip("\ufeff \t\r\n")
        if len(text) != SIZE or text[0] not in _IN_GRIDS:
            is_heading = number == 1 and _HEADING.fullmatch(text) is not None
            if not text or text[0] == "#" or is_heading or _ANSWER.match(text):
                continue
            if (question := _QUESTION.match(text)) is not None:
                text = text[question.end() :]
            text = _without_surroundings(text)
        yield number, text


def _beginning(line: str | bytes) -> str:
    """Give as many characters of a long line as show that it is one."""
    text = line[: LONGEST_LINE + 1]
    return text if isinstance(text, str) else text.decode("latin-1")


def _without_surroundings(text: str) -> str:
    """Cut a grid out of what stands before and behind; give all if that fails."""
    for start in (0, found.end() if (found := _NUMBER.match(text)) else 0):
        end = start + SIZE
        if len(text) == end or (len(text) > end and text[end] in _SEPARATORS):
            return text[start:end]
    return text


def malformed(grid: str) -> str | None:
    """Tell why a text is no grid, None if it is one.

    Examples
    --------
    >>> malformed("12.")
    'there are 3 characters, not 81'
    >>> malformed("." * 40 + "x" + "." * 40)
    "character 41 is 'x', neither a digit nor one of . 0 *"
    """
    if len(grid) > LONGEST_LINE:
        return f"the line is too long: more than {LONGEST_LINE:,} characters"
    if len(grid) != SIZE:
        if len(grid) == 1:
            return f"there is 1 character, not {SIZE}"
        return f"there are {len(grid)} characters, not {SIZE}"
    if stray := _STRAY.search(grid):
        return (
            f"character {stray.start() + 1} is {stray[0]!r}, "
            "neither a digit nor one of . 0 *"
        )
    return None
