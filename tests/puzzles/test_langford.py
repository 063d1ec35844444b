from __future__ import annotations

import pytest

from dcells_async import XCC, Problem, ProblemError
from dcells_async.puzzles.langford import draw, langford, row

KNOWN = {0: 1, 1: 0, 2: 0, 3: 2, 4: 2, 5: 0, 6: 0, 7: 52, 8: 300, 9: 0}


def rows(problem: Problem) -> list[tuple[int, ...]]:
    with XCC().solve(problem) as covers:
        return [row(cover) for cover in covers]


@pytest.mark.parametrize("n", KNOWN)
def test_langford_has_the_known_covers(n: int) -> None:
    assert len(rows(langford(n))) == KNOWN[n]


@pytest.mark.slow
def test_langford_11_has_35584_covers() -> None:
    with XCC(kernel="cells").solve(langford(11)) as covers:
        assert covers.count() == 35584
        assert covers.stats.nodes == 345410
        assert covers.stats.updates == 5532652
    with XCC().solve(langford(11, up_to_reversal=True)) as covers:
        assert covers.count() == 17792


@pytest.mark.parametrize("n", [3, 4, 7, 8])
def test_langford_rows_keep_their_distances(n: int) -> None:
    for numbers in rows(langford(n)):
        assert sorted(numbers) == sorted(list(range(1, n + 1)) * 2)
        for number in range(1, n + 1):
            first = numbers.index(number)
            assert numbers[first + number + 1] == number


@pytest.mark.parametrize("n", range(9))
def test_langford_up_to_reversal_has_one_of_each_pair(n: int) -> None:
    every = rows(langford(n))
    kept = rows(langford(n, up_to_reversal=True))
    assert len(set(kept)) == len(kept)
    assert set(every) == set(kept) | {numbers[::-1] for numbers in kept}
    assert len(every) == 2 * len(kept) or n == 0


def test_langford_draws_numbers_of_two_digits_in_line() -> None:
    with XCC().solve(langford(11), limit=1) as covers:
        picture = draw(next(iter(covers)))
    lines = picture.splitlines()
    assert len(lines[0]) == 22 * 3 - 1
    ends = [sum(line.count(end) for line in lines[1:]) for end in "╰╯"]
    assert ends == [11, 11]


def test_langford_draws_the_bare_row() -> None:
    cover = [("1", "s2", "s4"), ("2", "s3", "s6"), ("3", "s1", "s5")]
    assert draw(cover, "numbers") == "3 1 2 1 3 2"
    assert draw([]) == ""


def test_langford_refuses_bad_input() -> None:
    with pytest.raises(ProblemError, match="cannot be -2 numbers"):
        langford(-2)
    with pytest.raises(ProblemError, match="style must be one of 'arcs', 'numbers'"):
        draw([], "letters")  # type: ignore[arg-type]
