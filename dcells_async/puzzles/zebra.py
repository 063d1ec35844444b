"""Who keeps the zebra? Five houses in a row, and fourteen clues about who lives there.

Every clue is a primary item, #1 to #16, and so are the two questions at the end: that
somebody has a zebra, and that somebody drinks water. An option is a way in which a
clue may be true. What is in a house is a secondary item, its nation N0 to N4, its job
J, pet P, drink D or color C, and what the clue says about it is a color of the item.

>>> problem = zebra()
>>> print(*problem.options[41].names)
#11 N0:Norway C1:blue
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from ..errors import ProblemError
from ..problem import Problem
from .settings import check_setting

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

__all__ = ["CLUES", "HOUSES", "KINDS", "Clue", "Style", "draw", "houses", "zebra"]

Style: TypeAlias = Literal["table", "words"]

HOUSES = 5

KINDS = {"N": "nation", "J": "job", "P": "pet", "D": "drink", "C": "color"}
"""What there is to know about a house."""

_INK = {"yellow": 226, "blue": 33, "red": 160, "white": 231, "green": 34}


class Clue(NamedTuple):
    """Something that is known about the houses.

    Attributes
    ----------
    text : str
        In plain words.
    first : (str, str)
        One of the `KINDS`, and its value.
    relation : {"in", "beside", "left of"}
        Where the house with the first value stands to that with the second.
    second : (str, str) or int, optional
        Another kind and value, or a house from 0 to 4; none if all that is said is
        that there is such a house.
    """

    text: str
    first: tuple[str, str]
    relation: Literal["in", "beside", "left of"] = "in"
    second: tuple[str, str] | int | None = None

    def ways(self) -> Iterator[list[tuple[str, str]]]:
        """Give the ways in which it may be true, as items with their colors."""
        for here in range(HOUSES):
            if isinstance(self.second, int) and self.second != here:
                continue
            for there in _places(self.relation, here):
                way = [(f"{self.first[0]}{here}", self.first[1])]
                if isinstance(self.second, tuple):
                    way.append((f"{self.second[0]}{there}", self.second[1]))
                yield way


def _places(relation: str, here: int) -> list[int]:
    """List the houses that stand so to a house that it is in a relation to them."""
    steps = {"in": (0,), "beside": (-1, 1), "left of": (1,)}[relation]
    return [here + step for step in steps if 0 <= here + step < HOUSES]


CLUES = (
    Clue("The Englishman's house is red.", ("N", "England"), "in", ("C", "red")),
    Clue("The painter comes from Japan.", ("J", "painter"), "in", ("N", "Japan")),
    Clue("The diplomat's house is yellow.", ("J", "diplomat"), "in", ("C", "yellow")),
    Clue("Coffee is drunk in the green house.", ("D", "coffee"), "in", ("C", "green")),
    Clue("The Norwegian lives on the far left.", ("N", "Norway"), "in", 0),
    Clue("The dog belongs to the Spaniard.", ("P", "dog"), "in", ("N", "Spain")),
    Clue("Milk is drunk in the middle.", ("D", "milk"), "in", 2),
    Clue(
        "The violinist drinks orange juice.", ("J", "violinist"), "in", ("D", "orange")
    ),
    Clue(
        "The white house is next to the green one, on its left.",
        ("C", "white"),
        "left of",
        ("C", "green"),
    ),
    Clue("The Ukrainian drinks tea.", ("N", "Ukraine"), "in", ("D", "tea")),
    Clue(
        "The Norwegian lives next to the blue house.",
        ("N", "Norway"),
        "beside",
        ("C", "blue"),
    ),
    Clue("The sculptor keeps snails.", ("J", "sculptor"), "in", ("P", "snail")),
    Clue(
        "The horse lives next to the diplomat.",
        ("P", "horse"),
        "beside",
        ("J", "diplomat"),
    ),
    Clue("The nurse lives next to the fox.", ("J", "nurse"), "beside", ("P", "fox")),
    Clue("Somebody keeps a zebra.", ("P", "zebra")),
    Clue("Somebody drinks water.", ("D", "water")),
)
"""The clues, of which number k is item #k."""


def zebra(without: Collection[int] = ()) -> Problem:
    """Ask who lives where, and has and does and drinks what.

    That the five values of a kind are different is not said. It need not be: there are
    five houses and each of the five values occurs in some clue.

    Parameters
    ----------
    without : collection of int
        The numbers of clues to be left out.

    Raises
    ------
    ProblemError
        If there is no clue of that number, or none remains.

    Examples
    --------
    >>> problem = zebra()
    >>> problem.n_primary, len(problem.items), len(problem.options)
    (16, 41, 80)
    """
    strangers = set(without).difference(range(1, len(CLUES) + 1))
    if strangers:
        raise ProblemError(f"there is no clue {min(strangers)}, just 1 to {len(CLUES)}")
    kept = {k: clue for k, clue in enumerate(CLUES, 1) if k not in without}
    if not kept:
        raise ProblemError("without any clue there is no question")
    options = [[f"#{k}", *way] for k, clue in kept.items() for way in clue.ways()]
    primary = [f"#{k}" for k in kept]
    secondary = [f"{kind}{house}" for kind in KINDS for house in range(HOUSES)]
    return Problem.from_options(options, primary=primary, secondary=secondary)


def houses(cover: Iterable[Iterable[str]]) -> tuple[Mapping[str, str], ...]:
    """Read off what is in each house.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of this problem, or the names of the items of its options.

    Returns
    -------
    tuple of mappings
        For each house the values of those kinds of which anything is known.

    Examples
    --------
    >>> houses([("#5", "N0:Norway"), ("#11", "N0:Norway", "C1:blue")])[:2]
    ({'N': 'Norway'}, {'C': 'blue'})
    """
    found: tuple[dict[str, str], ...] = tuple({} for _ in range(HOUSES))
    for option in cover:
        for name in option:
            item, _, value = name.partition(":")
            if value:
                found[int(item[1:])][item[0]] = value
    return found


def draw(
    cover: Iterable[Iterable[str]], style: Style = "table", *, color: bool = False
) -> str:
    """Draw the five houses side by side.

    Parameters
    ----------
    cover : Cover, or iterable
        A cover of this problem, or the names of the items of its options.
    style : {"table", "words"}
        With lines between the houses, or without. What is not known is a question
        mark.
    color : bool
        Paint the houses, in a table, by escape sequences that terminals understand.

    Raises
    ------
    ProblemError
        If there is no such style.

    Examples
    --------
    >>> print(draw([("#5", "N0:Norway"), ("#11", "N0:Norway", "C1:blue")]))
    ╭────────┬────────┬──────┬───┬───┬───╮
    │ house  │ 1      │ 2    │ 3 │ 4 │ 5 │
    ├────────┼────────┼──────┼───┼───┼───┤
    │ nation │ Norway │ ?    │ ? │ ? │ ? │
    │ job    │ ?      │ ?    │ ? │ ? │ ? │
    │ pet    │ ?      │ ?    │ ? │ ? │ ? │
    │ drink  │ ?      │ ?    │ ? │ ? │ ? │
    │ color  │ ?      │ blue │ ? │ ? │ ? │
    ╰────────┴────────┴──────┴───┴───┴───╯
    """
    check_setting("style", style, get_args(Style))
    found = houses(cover)
    columns = [["house", *KINDS.values()]]
    for number, house in enumerate(found, 1):
        columns.append([str(number), *(house.get(kind, "?") for kind in KINDS)])
    widths = [max(map(len, column)) for column in columns]
    rows = [
        [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        for row in zip(*columns, strict=True)
    ]
    if style == "words":
        return "\n".join("  ".join(row).rstrip() for row in rows)
    head, *body = [[f" {text} " for text in row] for row in rows]
    if color:
        body[-1] = list(map(_painted, body[-1]))
    edges = ["─" * (width + 2) for width in widths]
    return "\n".join(
        [
            f"╭{'┬'.join(edges)}╮",
            f"│{'│'.join(head)}│",
            f"├{'┼'.join(edges)}┤",
            *(f"│{'│'.join(row)}│" for row in body),
            f"╰{'┴'.join(edges)}╯",
        ]
    )


def _painted(text: str) -> str:
    ink = _INK.get(text.strip())
    return text if ink is None else f"\x1b[30;48;5;{ink}m{text}\x1b[0m"
