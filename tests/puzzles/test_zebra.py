from __future__ import annotations

import pytest

from dcells_async import XCC, ProblemError
from dcells_async.puzzles.zebra import CLUES, KINDS, draw, houses, zebra

ANSWER = """
house   1         2        3         4          5
nation  Norway    Ukraine  England   Spain      Japan
job     diplomat  nurse    sculptor  violinist  painter
pet     fox       horse    snail     dog        zebra
drink   water     tea      milk      orange     coffee
color   yellow    blue     red       white      green
"""


def test_zebra_has_the_known_answer_and_no_other() -> None:
    with XCC().solve(zebra()) as covers:
        (cover,) = covers
    assert draw(cover, "words") == ANSWER.strip()


def test_zebra_has_the_known_size() -> None:
    problem = zebra()
    assert (problem.n_primary, len(problem.items)) == (16, 41)
    assert len(problem.options) == 80


def test_zebra_values_are_all_different_without_being_told_to() -> None:
    with XCC().solve(zebra()) as covers:
        (cover,) = covers
    for kind in KINDS:
        assert len({house[kind] for house in houses(cover)}) == 5


def test_zebra_answer_makes_every_clue_true() -> None:
    with XCC().solve(zebra()) as covers:
        (cover,) = covers
    found = houses(cover)

    def where(trait: tuple[str, str]) -> int:
        (place,) = (k for k, house in enumerate(found) if house[trait[0]] == trait[1])
        return place

    for clue in CLUES:
        here = where(clue.first)
        there = clue.second if isinstance(clue.second, int) else here
        if isinstance(clue.second, tuple):
            there = where(clue.second)
        distance = {"in": {0}, "beside": {1, -1}, "left of": {1}}[clue.relation]
        assert there - here in distance, clue.text


@pytest.mark.parametrize("number", range(1, 15))
def test_zebra_needs_each_of_its_clues(number: int) -> None:
    assert not XCC().solve(zebra([number])).is_unique()


def test_zebra_that_nobody_asks_for_is_not_known() -> None:
    with XCC().solve(zebra([15])) as covers:
        (cover,) = covers
    assert "P" not in houses(cover)[4]
    assert "│ ?       │" in draw(cover)


def test_zebra_painted_houses_have_the_same_words() -> None:
    with XCC().solve(zebra()) as covers:
        (cover,) = covers
    picture = draw(cover, color=True)
    assert "\x1b[30;48;5;160m red      \x1b[0m" in picture
    assert picture.count("\x1b[0m") == 5


def test_zebra_refuses_bad_input() -> None:
    with pytest.raises(ProblemError, match="no clue 0, just 1 to 16"):
        zebra([0])
    with pytest.raises(ProblemError, match="without any clue"):
        zebra(range(1, 17))
    with pytest.raises(ProblemError, match="style must be one of 'table', 'words'"):
        draw([], "walls")  # type: ignore[arg-type]
