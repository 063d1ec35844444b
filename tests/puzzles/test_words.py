from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from string import ascii_lowercase

import pytest

from dcells_async import XCC, ProblemError, verify
from dcells_async.puzzles.words import Lexicon, answers, five_words


def brute_force(words: list[str]) -> set[tuple[str, ...]]:
    return {
        five
        for five in combinations(sorted(set(words)), 5)
        if len(set("".join(five))) == 24
    }


def found(lexicon: Lexicon) -> list[tuple[str, ...]]:
    problem = five_words(lexicon)
    listed = []
    with XCC().solve(problem) as covers:
        for cover in covers:
            verify(problem, cover)
            for answer in answers(cover, lexicon):
                counts = Counter("".join(answer.words))
                assert counts[answer.doubled] == 2
                having = {word for word in answer.words if answer.doubled in word}
                assert set(answer.source) == having
                assert set(answer.missing) == set(ascii_lowercase).difference(counts)
                listed.append(answer.words)
    return listed


def hiding(draws: random.Random) -> list[str]:
    """Make words of which some fives have 24 letters, and many have not."""
    words = []
    for _ in range(3):
        pool = draws.sample(ascii_lowercase, 24)
        pool.insert(draws.randrange(25), draws.choice(pool))
        five = ["".join(pool[k : k + 5]) for k in range(0, 25, 5)]
        words += five
        # Another order of the same letters is another word.
        words.append("".join(draws.sample(five[0], 5)))
    words += ["".join(draws.choices(ascii_lowercase, k=5)) for _ in range(2)]
    return words


@pytest.mark.parametrize("seed", range(4))
def test_words_are_those_of_brute_force(seed: int) -> None:
    words = hiding(random.Random(seed))
    listed = found(Lexicon.from_words(words))
    assert len(listed) >= 3
    assert len(listed) == len(set(listed))
    assert set(listed) == brute_force(words)


@pytest.mark.parametrize(
    ("last", "doubled", "source", "missing"),
    [("vexed", "e", ("vexed",), "jw"), ("vowed", "o", ("frock", "vowed"), "jx")],
)
def test_doubled_letter_may_be_in_one_word_or_in_two(
    last: str, doubled: str, source: tuple[str, ...], missing: str
) -> None:
    words = ("frock", "glitz", "nymph", "squab", last)
    lexicon = Lexicon.from_words(words)
    with XCC().solve(five_words(lexicon)) as covers:
        listed = [answer for cover in covers for answer in answers(cover, lexicon)]
    assert listed == [(words, doubled, missing)]
    assert listed[0].source == source


def test_five_words_without_a_common_letter_are_no_answer() -> None:
    words = [ascii_lowercase[k : k + 5] for k in range(0, 25, 5)]
    assert found(Lexicon.from_words(words)) == []


def test_words_with_three_letters_are_never_used() -> None:
    # Keys of one and two letters look like those of the options without a word.
    words = ["frock", "glitz", "nymph", "squab", "vexed", "jwjwj", "ooooo", "mamma"]
    assert found(Lexicon.from_words(words)) == [
        ("frock", "glitz", "nymph", "squab", "vexed")
    ]


def test_duplicates_and_capitals_are_one_word() -> None:
    words = ["vexed", "VEXED", "vexed", "Vexed", "vex'd", "véxed", "vexeds", ""]
    lexicon = Lexicon.from_words(words)
    assert lexicon.groups == {"devx": ("vexed",)}
    assert (len(lexicon), lexicon.left_out) == (1, 5)


@pytest.mark.parametrize(
    "words", [[], ["Peter", "four", "sixsix", "ßßßßß", "가나다라마"]]
)
def test_list_without_a_word_of_five_letters_is_refused(words: list[str]) -> None:
    with pytest.raises(ProblemError, match=f"no word of 5 letters.*among {len(words)}"):
        Lexicon.from_words(words)


def test_lexicon_of_the_graphbase_has_the_known_numbers(data) -> None:
    words = data("sgb-words.txt").read_text(encoding="utf-8").split()
    lexicon = Lexicon.from_words(words)
    assert (len(lexicon), len(lexicon.groups), lexicon.left_out) == (5757, 4198, 0)
    sizes = Counter(map(len, lexicon.groups))
    assert (sizes[5], sizes[4]) == (2845, 1210)
    problem = five_words(lexicon)
    assert len(problem.options) == 18631
    assert (problem.n_primary, len(problem.items)) == (28, 29)


@pytest.mark.slow
def test_first_answers_of_the_graphbase(data) -> None:
    words = data("sgb-words.txt").read_text(encoding="utf-8").split()
    lexicon = Lexicon.from_words(words)
    listed = []
    with XCC().solve(five_words(lexicon), limit=10) as covers:
        for cover in covers:
            listed += [answer.words for answer in answers(cover, lexicon)]
    assert listed[0] == ("frock", "glitz", "nymph", "squab", "vowed")
    assert all(len(set("".join(five))) == 24 for five in listed)
    assert len(set(listed)) == len(listed) == 11
