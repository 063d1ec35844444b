"""Who gets the turns in a race, who drops out, and that no cover comes twice."""

from __future__ import annotations

import math
import random
from array import array
from itertools import pairwise

import pytest

from dcells_async.errors import CapacityError
from dcells_async.kernels.status import Status
from dcells_async.search.kernel import EVER
from dcells_async.search.race import Race
from dcells_async.search.racer import Entrant, Racer, log2
from dcells_async.search.shelf import Shelf

PATIENCE = 1000


class Made:
    """A kernel that is over after so many steps, and says what it likes about that.

    Its covers are single options; they come at even distances.
    """

    def __init__(self, length, claim=None, covers=(), faults=None):
        self.length = length
        self.claim = claim or (lambda steps: steps / length)
        self.all = list(covers)
        # What happens instead of going on, from a number of steps on.
        self.faults = faults or {}
        self.steps = self.updates = self.nodes = self.covers = 0
        self.depth = 1
        self.has_given_up = False
        self.is_prepared = self.is_stopped = False
        self.kept = []

    def prepare(self):
        self.is_prepared = True
        return not self.is_stopped

    def advance(self, budget, want, keep=True):
        assert self.is_prepared
        assert want > 0
        end = self.steps + budget
        target = self.covers + want
        while self.steps < min(end, self.length):
            self.steps += 1
            for at, fault in self.faults.items():
                if self.steps >= at:
                    if isinstance(fault, Exception):
                        raise fault
                    return fault
            due = len(self.all) * self.steps // self.length
            if due > self.covers:
                self.kept += self.all[self.covers : due] if keep else []
                self.covers = due
                if due >= target:
                    return Status.FULL
        return Status.DONE if self.steps >= self.length else Status.PAUSED

    def take(self):
        found, self.kept = array("i", self.kept), []
        return found, array("i", range(1, len(found) + 1))

    def stop(self):
        self.is_stopped = True

    def fraction(self):
        return 1.0 if self.steps >= self.length else self.claim(self.steps)


class Quick(Made):
    """The same without covers, for long races: a slice costs nothing."""

    def advance(self, budget, want, keep=True):
        self.steps = min(self.steps + budget, self.length)
        return Status.DONE if self.steps == self.length else Status.PAUSED


def race(*kernels, patience=PATIENCE, remembers=False):
    """Make a race of kernels called a, b, c ..., prepared."""
    made = Race(
        [
            Entrant(name, lambda kernel=kernel: kernel, 1, remembers)
            for name, kernel in zip("abc", kernels, strict=False)
        ],
        patience,
    )
    assert made.prepare()
    return made


def total(*kernels, **knobs):
    """Race to the end; what all have taken, in times of what the winner has."""
    made = race(*kernels, **knobs)
    assert made.advance(1 << 60, EVER, False) == Status.DONE
    winner = kernels["abc".index(made.engine)]
    assert winner.steps == winner.length
    return made.steps / winner.length


def honest(length):
    return Quick(length)


def silent(length):
    """Tells nothing until its end."""
    return Quick(length, lambda steps: 0.0)


def wrong(length, factor):
    """Says at any time that it will take so many times as long."""
    return Quick(length, lambda steps: steps / length / factor)


LONG = 10_000_000
AGES = 1 << 60


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_that_tells_how_good_it_is_gets_most_turns(place):
    kernels = [honest(10**15), honest(10**15)]
    kernels.insert(place, honest(LONG))
    assert total(*kernels) < 1.4


@pytest.mark.parametrize("place", [0, 1, 2])
def test_nobody_can_do_more_harm_by_silence_than_by_equal_shares(place):
    kernels = [silent(AGES), silent(AGES)]
    kernels.insert(place, silent(LONG))
    assert total(*kernels) < 3.3


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_that_is_nearly_done_for_ever_does_not_starve_the_good_one(place):
    kernels = [Quick(AGES, lambda _: 0.99), honest(AGES)]
    kernels.insert(place, honest(LONG))
    assert total(*kernels) < 3.1


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_that_creeps_up_to_its_end_does_not_starve_the_good_one(place):
    kernels = [Quick(AGES, lambda steps: 1 - 1 / (steps + 2)), silent(AGES)]
    kernels.insert(place, honest(LONG))
    assert total(*kernels) < 3.1


@pytest.mark.parametrize("factor", [10, 10**3, 10**9])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_that_is_wrong_about_itself_keeps_its_eighth(place, factor):
    kernels = [honest(20 * LONG), honest(10**12)]
    kernels.insert(place, wrong(LONG, factor))
    assert total(*kernels) < 1 + 8 + 2


def test_one_that_gets_faster_is_known_by_that_if_it_remembers():
    def claim(steps):
        return (steps / LONG) ** 8

    def bad():
        return honest(50 * LONG)

    assert total(bad(), Quick(LONG, claim), remembers=True) < 1.4
    # For another this would be nothing to go by.
    assert total(bad(), Quick(LONG, claim)) > 2


def test_small_problem_is_solved_before_another_is_begun():
    other = honest(1)
    made = race(honest(PATIENCE), other)
    assert made.advance(1 << 60, EVER, False) == Status.DONE
    assert (made.engine, other.is_prepared, made.steps) == ("a", False, PATIENCE)
    assert made.why == "a finished first; no other was begun"


def test_first_gets_more_time_if_it_expects_to_be_finished_soon():
    other = honest(1)
    assert total(honest(3 * PATIENCE), other) == 1
    assert not other.is_prepared
    # But it may be wrong about that.
    late = Quick(AGES, lambda _: 0.99)
    made = race(late, other)
    made.advance(1 << 60, EVER, False)
    assert made.engine == "b"
    assert late.steps <= 8 * PATIENCE


def test_who_has_won_and_how_the_others_stood_is_told():
    made = race(honest(10**9), honest(10**6), silent(AGES))
    made.advance(50_000, EVER, False)
    assert "is expected to finish first" in made.why
    assert 0 < made.fraction() < 1
    made.advance(1 << 60, EVER, False)
    assert made.fraction() == 1
    assert made.engine == "b"
    first, *others = made.why.split("; ")
    assert first == "b finished first"
    assert [other.split(" % ")[-1] for other in others] == ["by its own estimate"] * 2


@pytest.mark.parametrize("fault", [Status.TOO_LARGE, OverflowError(), MemoryError()])
def test_one_that_needs_too_much_drops_out(fault):
    made = race(honest(10**7), Made(10**6, faults={5: fault}))
    assert made.advance(1 << 60, EVER, False) == Status.DONE
    assert made.why == "a finished first; b needed too much memory"
    assert made.steps == 10**7 + 5


@pytest.mark.parametrize("fault", [CapacityError("no"), OverflowError(), MemoryError()])
def test_one_that_cannot_be_made_drops_out(fault):
    def make():
        raise fault

    bad = Entrant("b", make, 1)
    made = Race([Entrant("a", lambda: honest(10**6), 1), bad], PATIENCE)
    assert made.prepare()
    assert made.advance(1 << 60, EVER, False) == Status.DONE
    assert made.why == "a finished first; b needed too much memory"
    # If there is no other one, that is an error.
    with pytest.raises(type(fault)):
        Race([bad], PATIENCE)


@pytest.mark.parametrize(
    ("fault", "error"),
    [(Status.TOO_LARGE, CapacityError), (OverflowError("x"), OverflowError)],
)
def test_last_one_does_not_drop_out_silently(fault, error):
    made = race(
        Made(10**6, faults={5000: fault}), Made(10**6, faults={7: Status.TOO_LARGE})
    )
    with pytest.raises(error):
        made.advance(1 << 60, EVER, False)


def test_one_whose_memory_is_of_no_use_drops_out():
    useless = honest(10**7)
    useless.has_given_up = True
    made = race(honest(10**6), useless)
    made.advance(1 << 60, EVER, False)
    assert "b met too few states again" in made.why
    # The first one stays: somebody has to.
    assert total(useless) == 1


def covers_of(made, wants=lambda: EVER, budgets=lambda: 1 << 60):
    """Run to the end, and give the covers in order."""
    found, before = [], made.covers
    status = Status.PAUSED
    while status != Status.DONE:
        want = wants()
        status = made.advance(budgets(), want)
        options, ends = made.take()
        assert len(ends) <= want
        found += [tuple(options[a:b]) for a, b in pairwise([0, *ends])]
        assert made.covers == before + len(found)
    return found


NINE = list(range(9))


def two():
    """Two that find the same covers; the slow one has one before the other begins."""
    kernels = Made(10**6, covers=NINE), Made(10**5, covers=NINE[::-1])
    return race(*kernels, patience=120_000)


def test_covers_said_by_one_do_not_come_again_from_another():
    whole = covers_of(two())
    assert sorted(whole) == [(k,) for k in NINE]
    # a has said the first one, all others came from b.
    assert whole == [(0,), *[(k,) for k in NINE[:0:-1]]]
    rng = random.Random(5)
    for _ in range(5):
        made = two()
        assert whole == covers_of(
            made, lambda: rng.choice([1, 2, EVER]), lambda: rng.choice([7, 999, 50_000])
        )
        assert made.why.startswith("b finished first; a was at ")


def test_after_a_thousand_covers_their_finder_goes_on_alone():
    many = list(range(3000))
    kernels = Made(10**5, covers=many), Made(10**7, lambda _: 0.5, many[::-1])
    made = race(*kernels, patience=100)
    assert covers_of(made, lambda: 64) == [(k,) for k in many]
    assert made.why.startswith("a finished first; b was at 50 % by its own estimate")


def test_one_that_finds_too_many_covers_before_the_end_is_dropped():
    many = list(range(3000))
    kernels = Made(10**6, covers=many), Made(2 * 10**5, covers=many)
    made = race(*kernels, patience=400)
    found = covers_of(made)
    assert sorted(found) == [(k,) for k in many]


@pytest.mark.parametrize("at", [50_000, 150_000])
@pytest.mark.parametrize("fault", [Status.TOO_LARGE, OverflowError()])
def test_another_speaks_if_the_speaker_drops_out(at, fault):
    def make():
        bad = Made(3 * 10**5, covers=NINE, faults={at: fault})
        return race(bad, Made(3 * 10**5, covers=NINE[::-1]), patience=40_000)

    whole = covers_of(make())
    assert sorted(whole) == [(k,) for k in NINE]
    assert whole == covers_of(make(), lambda: 1, lambda: 10_007)
    made = make()
    assert len(covers_of_some(made, 5)) == 5
    assert made.advance(1 << 60, EVER, False) == Status.DONE
    assert (made.covers, made.engine) == (9, "b")
    assert "a needed too much memory" in made.why


def covers_of_some(made, n):
    """Run until there are n covers, one by one."""
    found = []
    while len(found) < n:
        made.advance(1 << 60, 1)
        found += made.take()[0]
    return {*found}


def test_counting_takes_the_largest_number_as_a_bound_from_below():
    made = race(Made(10**6, covers=NINE), Made(10**5, covers=NINE))
    assert made.advance(1 << 60, 2, False) == Status.FULL
    assert made.covers == 2
    assert made.why.split(";")[0] == "b found enough covers first"
    assert made.advance(1 << 60, EVER, False) == Status.DONE
    assert (made.covers, made.engine) == (9, "b")


def test_counting_may_follow_upon_covers_and_covers_upon_counting():
    made = two()
    assert made.advance(1 << 60, 1) == Status.FULL
    assert made.take()[0] == array("i", [0])
    assert made.advance(1 << 60, EVER, False) == Status.DONE
    assert (made.covers, made.engine) == (9, "b")
    made = two()
    assert made.advance(1 << 60, 3, False) == Status.FULL
    assert covers_of(made)[-6:] == [(5,), (4,), (3,), (2,), (1,), (0,)]


def test_stop_reaches_all_and_also_one_that_is_being_made():
    first, second = honest(AGES), honest(AGES)
    made = race(first, second)
    made.advance(50_000, EVER, False)
    made.stop()
    assert first.is_stopped
    assert second.is_stopped
    assert made.advance(1000, EVER, False) == Status.STOPPED
    late = honest(AGES)

    def make():
        stopped.stop()
        return late

    entrants = [Entrant("a", lambda: honest(AGES), 1), Entrant("b", make, 1)]
    stopped = Race(entrants, PATIENCE)
    stopped.prepare()
    assert stopped.advance(1 << 60, EVER, False) == Status.STOPPED
    assert late.is_stopped
    assert late.steps == 0


def test_steps_are_weighed():
    racer = Racer(Entrant("a", lambda: honest(100), 3))
    assert (racer.cost, racer.fraction, racer.covers) == (0, 0, 0)
    racer.make().prepare()
    assert racer.advance(10, EVER, False) == Status.PAUSED
    assert racer.cost == 12


@pytest.mark.parametrize("number", [1, 2, 3, 1000, 1 << 40, 0.5, 0.3, 1e-12])
def test_logarithm_is_near_enough_and_exact_for_powers(number):
    assert abs(log2(number) - math.log2(number)) < 0.1
    assert log2(2 * number) == log2(number) + 1
    assert log2(0) == 0


def test_shelf_gives_back_what_was_put_there():
    rng = random.Random(3)
    for _ in range(200):
        covers = [
            [rng.randrange(9) for _ in range(rng.randrange(4))]
            for _ in range(rng.randrange(6))
        ]
        shelf, left = Shelf(), list(covers)
        for cover in covers:
            shelf.add(array("i", cover), array("i", [len(cover)]))
        assert shelf.sets() == [tuple(sorted(cover)) for cover in covers]
        while left:
            n = rng.randrange(3)
            found, ends = shelf.take(n)
            taken = [[*found[a:b]] for a, b in pairwise([0, *ends])]
            assert taken == left[:n]
            del left[:n]
            assert len(shelf) == len(left)
        assert shelf.take() == (array("i"), array("i"))
