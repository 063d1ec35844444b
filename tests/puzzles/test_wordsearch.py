from __future__ import annotations

import random
import unicodedata
import xml.etree.ElementTree as ET
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import pytest

from dcells_async import XCC, Problem, ProblemError, verify
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.wordsearch import (
    fill,
    letters,
    places,
    roomy,
    wordsearch,
    written,
)
from dcells_async.puzzles.wordsearch_pictures import columns, draw, svg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dcells_async import Cover
    from dcells_async.puzzles.shapes import Cell

Written: TypeAlias = "tuple[str, frozenset[tuple[Cell, str]]]"

WAYS = [way for way in product((-1, 0, 1), repeat=2) if way != (0, 0)]


def sightings(word: str, grid: Mapping[Cell, str]) -> set[frozenset[Cell]]:
    """Find the sets of cells on which a word can be read, in any direction."""
    found = set()
    for (row, column), (down, right) in product(grid, WAYS):
        line = [(row + k * down, column + k * right) for k in range(len(word))]
        if [grid.get(cell) for cell in line] == [*word]:
            found.add(frozenset(line))
    return found


def brute_force(words: list[str], board: Board) -> set[frozenset[Written]]:
    """Give all ways to write the words, one after the other, into a grid."""
    grids: dict[frozenset[Written], dict[Cell, str]] = {frozenset(): {}}
    for word in words:
        after = {}
        for done, grid in grids.items():
            for (row, column), (down, right) in product(board, WAYS):
                line = [(row + k * down, column + k * right) for k in range(len(word))]
                new = dict(zip(line, word, strict=True))
                if {*line} <= {*board} and all(
                    grid.get(cell, letter) == letter for cell, letter in new.items()
                ):
                    after[done | {(word, frozenset(new.items()))}] = grid | new
        grids = after
    return set(grids)


def all_covers(problem: Problem) -> list[Cover]:
    with XCC().solve(problem) as covers:
        return list(covers)


def first_cover(words: list[str], board: Board, seed: int | None = None) -> Cover:
    with XCC().solve(wordsearch(words, board, seed), limit=1) as covers:
        (cover,) = covers
    return cover


@pytest.mark.parametrize("seed", range(30))
def test_covers_are_those_of_brute_force(seed: int) -> None:
    draws = random.Random(seed)
    cells = [*product(range(draws.randint(1, 3)), range(draws.randint(2, 4)))]
    board = Board(
        draws.sample(cells, draws.randint(max(2, len(cells) - 2), len(cells)))
    )
    lengths = [draws.randint(1, 3) for _ in range(draws.randint(1, 3))]
    words = {"".join(draws.choices("AB", k=length)) for length in lengths}
    expected = brute_force(sorted(words), board)
    if not all(brute_force([word], board) for word in words):
        with pytest.raises(ProblemError, match="no line of so many cells"):
            wordsearch(words, board)
        return
    problem = wordsearch(words, board, draws.choice([None, 1]))
    found = []
    for cover in all_covers(problem):
        verify(problem, cover)
        found.append(
            frozenset(
                (word, frozenset(zip(line, word, strict=True)))
                for word, line in places(cover).items()
            )
        )
    assert len(set(found)) == len(found)
    assert set(found) == expected


@pytest.mark.parametrize(
    ("word", "options"),
    [("A", 12), ("AB", 58), ("ABA", 6 + 4 + 4), ("ABC", 28)],
)
def test_palindromes_and_letters_have_one_option_for_each_line(
    word: str, options: int
) -> None:
    assert len(wordsearch([word], Board.rectangle(3, 4)).options) == options


def test_words_cross_where_they_agree() -> None:
    covers = all_covers(wordsearch(["ABC", "XBY"], Board.rectangle(3, 3)))
    assert all(len(set(written(cover))) == 5 for cover in covers if _middle(cover))
    assert any(_middle(cover) for cover in covers)
    assert not any(len(written(cover)) < 5 for cover in covers), (
        "they share one letter only"
    )


def _middle(cover: Cover) -> bool:
    where = places(cover).values()
    return len({line[1] for line in where}) == 1


def test_word_may_lie_within_a_longer_one() -> None:
    covers = all_covers(wordsearch(["CART", "ART"], Board.rectangle(1, 4)))
    assert [written(cover) for cover in covers] == [
        {(0, k): x for k, x in enumerate(word)} for word in ("CART", "TRAC")
    ]


def test_board_may_have_any_shape_and_origin() -> None:
    ring = Board.rectangle(3, 3, holes=[(1, 1)], origin=(0, 0))
    lines = {frozenset(places(c)["ABC"]) for c in all_covers(wordsearch(["ABC"], ring))}
    assert len(lines) == 4
    far = Board.rectangle(1, 2, origin=(-3, 40))
    assert {
        line for c in all_covers(wordsearch(["AB"], far)) for line in places(c).values()
    } == {
        ((-3, 40), (-3, 41)),
        ((-3, 41), (-3, 40)),
    }


def test_seed_decides_the_order_of_options_and_nothing_else() -> None:
    words, board = ["DANCE", "CELL", "LINK"], Board.rectangle(6, 6)
    plain, one, same, other = (wordsearch(words, board, s) for s in (None, 1, 1, 2))
    assert one == same
    assert one != other
    as_sets = [{option.names for option in p.options} for p in (plain, one, other)]
    assert as_sets[0] == as_sets[1] == as_sets[2]
    assert written(first_cover(words, board, 1)) == written(
        first_cover(words, board, 1)
    )
    assert written(first_cover(words, board, 1)) != written(
        first_cover(words, board, 2)
    )


def test_small_letters_are_made_capital() -> None:
    assert wordsearch(["Cat"], Board.rectangle(1, 3)) == wordsearch(
        ["CAT"], Board.rectangle(1, 3)
    )


def test_hangul_syllables_are_letters_however_they_are_typed() -> None:
    word = "무지개"
    apart = unicodedata.normalize("NFD", word)
    assert len(apart) > len(word)
    assert letters(word) == letters(apart) == ["무", "지", "개"]
    assert wordsearch([apart], Board.rectangle(1, 3)) == wordsearch(
        [word], Board.rectangle(1, 3)
    )


def test_accents_stay_with_their_letters() -> None:
    # There is no single character for x with a tilde.
    assert letters("x\u0303y") == ["X\u0303", "Y"]
    cover = first_cover(["x\u0303y"], Board.rectangle(1, 2))
    assert sorted(written(cover).values()) == ["X\u0303", "Y"]
    assert columns("x\u0303y") == 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "there are no words to hide"),
        ([""], "the word '' has no letters"),
        (["CAT", "DOG", "CAT"], "the word CAT comes twice"),
        (["CAT", "cat"], "the word CAT comes twice"),
        (["가", unicodedata.normalize("NFD", "가")], "the word 가 comes twice"),
        (["X-RAY"], "the word 'X-RAY' has the character '-'"),
        (["TWO WORDS"], "the word 'TWO WORDS' has the character ' '"),
        (["0,0"], "the word '0,0' has the character ','"),
        (["CAT", "HORSE"], "the word HORSE has 5 letters, and the board has no line"),
    ],
)
def test_words_that_cannot_be_hidden_are_refused(words: list[str], reason: str) -> None:
    with pytest.raises(ProblemError) as caught:
        wordsearch(words, Board.rectangle(4, 4))
    assert str(caught.value).startswith(reason)


def test_roomy_board_holds_the_words_and_more() -> None:
    assert len(roomy(["ABCDEFGHIJ"])) == 100
    assert len(roomy([f"{k:04}" for k in range(100)])) == 25**2
    with pytest.raises(ProblemError, match="no words"):
        roomy([])


@pytest.mark.parametrize(
    "words",
    [
        ["TEA", "EAT", "ATE", "SEAT"],
        ["NO", "ON", "NOON"],
        ["나무", "무지개", "개나리", "나라"],
        ["DANCING", "CELLS", "ITEM", "OPTION", "COLOR"],
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_blanks_are_filled_and_no_word_comes_up_again(
    words: list[str], seed: int
) -> None:
    board = roomy(words)
    cover = first_cover(words, board, seed)
    before = written(cover)
    # A letter more than those of the words can always avoid them.
    alphabet = "".join([*words, "Q"])
    grid = fill(cover, board, seed, alphabet)
    assert grid.keys() == set(board)
    assert grid.items() >= before.items()
    assert {grid[cell] for cell in set(board).difference(before)} <= set(alphabet)
    for word in words:
        assert sightings(word, grid) == sightings(word, before)
    assert fill(cover, board, seed, alphabet) == grid
    assert fill(cover, board, seed + 1, alphabet) != grid


def test_blanks_are_letters_of_the_words_by_default() -> None:
    cover = first_cover(["ABCDE"], Board.rectangle(5, 5))
    grid = fill(cover, Board.rectangle(5, 5), 1)
    assert set(grid.values()) == set("ABCDE")
    assert len(sightings("ABCDE", grid)) == 1


def test_blanks_are_filled_even_if_a_word_comes_up_again() -> None:
    cover = first_cover(["A"], Board.rectangle(2, 2))
    assert [*fill(cover, Board.rectangle(2, 2)).values()] == ["A"] * 4


@pytest.mark.parametrize("alphabet", ["", "AB C", "A-Z"])
def test_alphabet_of_anything_but_letters_is_refused(alphabet: str) -> None:
    cover = first_cover(["AB"], Board.rectangle(2, 2))
    with pytest.raises(ProblemError, match=f"the alphabet '{alphabet}' has "):
        fill(cover, Board.rectangle(2, 2), alphabet=alphabet)


# -- pictures --------------------------------------------------------------------------

CROSS = [("TO", "0,0:T", "0,1:O"), ("OX", "0,1:O", "1,1:X")]


def test_picture_has_dots_or_letters_between_the_words_and_blanks_outside() -> None:
    board = Board([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)])
    assert draw(CROSS, board) == "T O .\n  X ."
    grid = fill(CROSS, board, alphabet="Q")
    assert draw(CROSS, board, grid) == "T O Q\n  X Q"


def test_picture_gives_a_syllable_two_columns() -> None:
    option = [("나무", "0,0:나", "0,1:무")]
    assert draw(option, Board.rectangle(2, 2)) == "나무\n. ."


def test_colors_mark_each_word_and_where_they_cross() -> None:
    board = Board.rectangle(2, 3)
    picture = draw(CROSS, board, fill(CROSS, board, alphabet="Q"), color=True)
    top, bottom = picture.splitlines()
    first, second = "30;48;5;203m", "30;48;5;215m"
    assert top == f"\x1b[{first}T\x1b[0m \x1b[4;{second}O\x1b[0m Q"
    assert bottom == f"Q \x1b[{second}X\x1b[0m Q"


@pytest.mark.parametrize("marked", [True, False])
def test_svg_has_all_letters_and_a_band_for_each_word(marked: bool) -> None:
    board = Board.rectangle(2, 3, origin=(-1, 4))
    cover = first_cover(["나무", "BAT"], board, seed=3)
    grid = fill(cover, board, alphabet="Q")
    root = ET.fromstring(svg(cover, board, grid, marked=marked, cell=10))
    assert (root.get("width"), root.get("height")) == ("30", "20")
    assert root.get("viewBox") == "4 -1 3 2"
    texts = [x.text for x in root if x.tag.endswith("text")]
    assert texts == [grid[cell] for cell in sorted(grid)]
    bands = [x for x in root if x.tag.endswith("line")]
    ends = {
        ((line[0][1] + 0.5, line[0][0] + 0.5), (line[-1][1] + 0.5, line[-1][0] + 0.5))
        for line in places(cover).values()
    }
    drawn = {
        tuple((float(x.get(f"x{k}", "")), float(x.get(f"y{k}", ""))) for k in (1, 2))
        for x in bands
    }
    assert drawn == (ends if marked else set())


@pytest.mark.parametrize(
    "name", [pytest.param("mathematicians.txt", marks=pytest.mark.slow), "movie.txt"]
)
def test_lists_of_either_script_are_hidden_without_a_detour(data, name: str) -> None:
    words = data(name).read_text(encoding="utf-8-sig").split()
    board = roomy(words)
    with XCC().solve(wordsearch(words, board, 1), limit=1) as covers:
        (cover,) = covers
        assert covers.stats.nodes == len(words) + 1
    grid = written(cover)
    assert [[grid[cell] for cell in places(cover)[word]] for word in words] == [
        [*word] for word in words
    ]
