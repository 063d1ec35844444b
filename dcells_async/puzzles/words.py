"""Five words of five letters each, with as many different letters as there can be.

Five words without any letter in common would have 25 different ones, and a common word
list has no such five. With 24 there is a single letter that occurs twice, either in two
of the words or inside one, and two of the alphabet are missing.

The letters are primary items. So are "source", which says where the letter that occurs
twice comes from, and "missing". The secondary item "doubled" has that letter for its
color, or a dot if it is inside a word. Words with the same letters are told apart only
when covers are read. There are five kinds of options:

>>> problem = five_words(Lexicon.from_words(["trace", "hello"]))
>>> for index in (0, 1, 6, 7, 33):
...     print(*problem.options[index].names)
a c e r t
c e r t doubled:a
e h l o source doubled:.
a source doubled:a
a b missing

A word with five different letters, which covers them all; or all but one, since another
word has that one, too; a word with four different letters, which is the source; a
letter that is in two words, which is the source; and the two letters that are missing.

Two words leave out the letter they share, and nothing says so: 5b + 4a = 23 letters are
then to be covered by b words and a words of the first two kinds, which forces b = 3 and
a = 2. If the letter is inside a word, 5b = 20, and there are four others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ProblemError
from ..problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

__all__ = ["Answer", "Lexicon", "answers", "five_words"]

_LENGTH = 5
_SOURCE, _MISSING, _DOUBLED, _INSIDE = "source", "missing", "doubled", "."


@dataclass(frozen=True)
class Lexicon:
    """Words of five letters, grouped by the letters they have.

    Attributes
    ----------
    groups : mapping of str to tuple of str
        For the different letters, in the order of the alphabet, all words of these;
        both keys and words are sorted.
    left_out : int
        How many of the words given are not counted.
    """

    groups: Mapping[str, tuple[str, ...]]
    left_out: int = 0

    @classmethod
    def from_words(cls, words: Iterable[str]) -> Self:
        """Take the words of five letters, each once.

        The letters are a to z, all small or all capital, and both mean the same. What
        has other characters, another length, or just a capital in front, as names have,
        is left out.

        Raises
        ------
        ProblemError
            If no word remains.

        Examples
        --------
        >>> Lexicon.from_words(["trace", "CATER", "hello", "cater", "Peter", "hi"])
        Lexicon(groups={'acert': ('cater', 'trace'), 'ehlo': ('hello',)}, left_out=2)
        """
        given = list(words)
        counted = [word for word in given if _counts(word)]
        found = {word.lower() for word in counted}
        left_out = len(given) - len(counted)
        if not found:
            raise ProblemError(
                f"there is no word of {_LENGTH} letters from a to z, all small or all "
                f"capital, among {left_out:,}"
            )
        groups: dict[str, list[str]] = {}
        for word in sorted(found):
            groups.setdefault("".join(sorted(set(word))), []).append(word)
        return cls({key: tuple(groups[key]) for key in sorted(groups)}, left_out)

    def __len__(self) -> int:
        """Count the words."""
        return sum(map(len, self.groups.values()))


def _counts(word: str) -> bool:
    is_plain = len(word) == _LENGTH and word.isascii() and word.isalpha()
    return is_plain and (word.islower() or word.isupper())


def five_words(lexicon: Lexicon) -> Problem:
    """Ask for all sets of five words that have 24 different letters.

    Covers tell words apart by their letters alone; `answers` gives the words.

    Examples
    --------
    >>> problem = five_words(Lexicon.from_words(["trace", "hello", "mamma"]))
    >>> len(problem.options), problem.n_primary, len(problem.items)
    (358, 28, 29)
    """
    whole = [key for key in lexicon.groups if len(key) == _LENGTH]
    single = [key for key in lexicon.groups if len(key) == _LENGTH - 1]
    options: list[list[str | tuple[str, str]]] = [[*key] for key in whole]
    options += [
        [*key.replace(letter, ""), (_DOUBLED, letter)]
        for key in whole
        for letter in key
    ]
    options += [[*key, _SOURCE, (_DOUBLED, _INSIDE)] for key in single]
    options += [[letter, _SOURCE, (_DOUBLED, letter)] for letter in ascii_lowercase]
    options += [[*pair, _MISSING] for pair in combinations(ascii_lowercase, 2)]
    return Problem.from_options(
        options, primary=[*ascii_lowercase, _SOURCE, _MISSING], secondary=[_DOUBLED]
    )


class Answer(NamedTuple):
    """Five words with 24 different letters.

    Attributes
    ----------
    words : tuple of str
        In the order of the alphabet.
    doubled : str
        The letter that occurs twice.
    missing : str
        The two letters that do not occur.
    """

    words: tuple[str, ...]
    doubled: str
    missing: str

    @property
    def source(self) -> tuple[str, ...]:
        """The words that have the doubled letter, two of them or one."""
        return tuple(word for word in self.words if self.doubled in word)


def answers(cover: Iterable[Iterable[str]], lexicon: Lexicon) -> Iterator[Answer]:
    """Read off the words, in all ways if there are several words of some letters.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of a problem of five words, or the names of the items of its options.
    lexicon : Lexicon
        That of the problem.

    Examples
    --------
    >>> lexicon = Lexicon.from_words("fjord nymph quick vibex waltz".split())
    >>> cover = [
    ...     [*"djfor"], [*"nymph"], [*"quck", "doubled:i"], [*"vbex", "doubled:i"],
    ...     [*"waltz"], ["i", "source", "doubled:i"], ["g", "s", "missing"],
    ... ]
    >>> for answer in answers(cover, lexicon):
    ...     print(*answer.words, answer.doubled, answer.source, answer.missing)
    fjord nymph quick vibex waltz i ('quick', 'vibex') gs
    """
    groups = [lexicon.groups[key] for key in map(_letters, cover) if len(key) > 2]
    for words in product(*groups):
        counts = Counter("".join(words))
        yield Answer(
            words=tuple(sorted(words)),
            doubled=max(counts, key=counts.__getitem__),
            missing="".join(sorted(set(ascii_lowercase).difference(counts))),
        )


def _letters(names: Iterable[str]) -> str:
    """Give the letters of an option, with the one that it leaves out: 5, 4, 2 or 1."""
    endings = (name.rpartition(":")[2] for name in names)
    return "".join(sorted({end for end in endings if end in ascii_lowercase}))
