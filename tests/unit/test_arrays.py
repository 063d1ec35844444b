"""Numbers in limbs, on machines of either byte order."""

from __future__ import annotations

import random
import sys
from array import array

import pytest

from dcells_async import ZDD, Problem
from dcells_async.kernels.arrays import limbs_of, number_of


@pytest.mark.parametrize("byteorder", ["little", "big"])
def test_limbs_make_the_number_that_shifts_and_sums_make(monkeypatch, byteorder):
    draws = random.Random(1)
    for _ in range(2000):
        limbs = [
            draws.choice([0, 1, 0xFFFFFFFF, draws.getrandbits(32)])
            for _ in range(draws.randint(1, 9))
        ]
        begin = draws.randint(0, len(limbs))
        end = draws.randint(begin, len(limbs))
        expected = sum(limb << 32 * k for k, limb in enumerate(limbs[begin:end]))
        written = array("I", limbs)
        with monkeypatch.context() as patch:
            if sys.byteorder != byteorder:
                written.byteswap()
                patch.setattr(sys, "byteorder", byteorder)
            assert number_of(written, begin, end) == expected


@pytest.mark.parametrize("byteorder", ["little", "big"])
def test_numbers_come_back_out_of_their_limbs(monkeypatch, byteorder):
    numbers = [0, 1, 2**31, 2**32, 2**64 - 1, 2**96 - 7]
    with monkeypatch.context() as patch:
        patch.setattr(sys, "byteorder", byteorder)
        limbs = limbs_of(numbers, 3)
    if sys.byteorder != byteorder:
        limbs.byteswap()
    assert [number_of(limbs, 3 * k, 3 * k + 3) for k in range(6)] == numbers
    with pytest.raises(OverflowError):
        limbs_of([2**96], 3)


@pytest.mark.parametrize("n", [1, 11, 32, 150])
def test_counts_and_frequencies_of_many_limbs(n):
    problem = Problem.from_options([[item] for item in range(n) for _ in range(7)])
    diagram = ZDD(mrv=False).diagram(problem)
    assert diagram.count() == 7**n
    assert diagram.frequencies() == [7 ** (n - 1)] * (7 * n)
    # In order, the last option of each item comes first.
    for k in range(1, 8):
        assert diagram.rank(range(k, 7 * n + 1, 7)) == (7 - k) * (7**n - 1) // 6
