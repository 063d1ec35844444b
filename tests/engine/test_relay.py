"""XCC handed over from cells to bits: anywhere, again and again, or not at all."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from problems import FRUITLESS, dominoes, queens
from searching import DONE, EVER, FULL, PAUSED, STOPPED, run, slices
from strategies import examples, puzzles

from dcells_async import XCC, Problem, engines
from dcells_async.kernels import bits as installed
from dcells_async.kernels import remains as installed_remains
from dcells_async.kernels import xcc as cells
from dcells_async.layout import Layout
from dcells_async.search.lookout import Lookout
from dcells_async.search.relay import Relay

QUEENS = Problem.from_dlx(queens(9))
"""More than 64 options, so that a row has several words."""


def de_bruijn(n):
    """Arrange all words of n bits in a cycle; bits are colors of secondary items."""
    length = 2**n
    options = [
        [f"p{place}", f"w{word}"]
        + [(f"x{(place + i) % length}", word >> i & 1) for i in range(n)]
        for word in range(length)
        for place in range(length)
        if (word == 0) == (place == 0)
    ]
    items = [f"{kind}{k}" for kind in "pw" for k in range(length)]
    return Problem.from_options(options, items, [f"x{k}" for k in range(length)])


COLORED = de_bruijn(4)

ROUNDING = 1e-12


class Willing(Lookout):
    """Hands over as soon as a table fits, and however a trial ends."""

    def _promises(self, left):
        return engines.bytes_of_clashes(*left) <= self._largest

    def accepts(self, trial, *left):
        return True


def sets(covers):
    return sorted(tuple(sorted(cover)) for cover in covers)


def relay_of(
    problem,
    patience,
    *,
    largest=EVER,
    interval=EVER,
    kind=Willing,
    bits=installed,
    remains=installed_remains,
    xcc=cells,
):
    layout = Layout.of(problem)
    parts = (
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
    )
    first = xcc.XccKernel(*parts)
    left = remains.Remains(*parts, first)
    lookout = kind(left, largest, patience=patience, interval=interval, is_ready=True)

    def make(part, path):
        return bits.BitsKernel(*part[:5], above=path, kept=part.kept)

    relay = Relay(first, left, make, lookout)
    assert relay.prepare()
    return relay


def levels_of(relay):
    """Note the levels at which a relay hands over, from now on."""
    levels, hand_over = [], relay._hand_over

    def noted(level):
        hand_over(level)
        levels.append(level)

    relay._hand_over = noted
    return levels


def ran(relay, problem, budget=EVER, want=EVER):
    covers = [
        cover for found in slices(relay, problem, budget, want) for cover in found
    ]
    assert relay.sanity() == ""
    assert relay.fraction() == 1.0
    assert len(covers) == relay.covers
    return covers, relay.nodes, relay.updates, relay.steps


# -- where it is handed over -----------------------------------------------------------


@given(
    puzzle=puzzles(),
    spent=st.integers(0, 60),
    share=st.floats(0, 1),
    budget=st.sampled_from([1, 7, EVER]),
    want=st.sampled_from([1, 3, EVER]),
)
@examples(100)
def test_search_handed_over_at_any_node_finds_every_cover_once(
    puzzle, spent, share, budget, want
):
    problem = puzzle.problem()
    layout = Layout.of(problem)
    relay = relay_of(problem, EVER)
    found = []
    while relay.updates + relay.steps < spent and relay.advance(1, want) != DONE:
        found += [cover.numbers for cover in layout.covers(*relay.take())]
    found += [cover.numbers for cover in layout.covers(*relay.take())]
    if relay.depth >= 0:
        nodes = relay.nodes
        relay._hand_over(round(share * relay.depth))
        assert nodes - 1 <= relay.nodes <= nodes
    assert relay.sanity() == ""
    found += [
        cover for covers in slices(relay, problem, budget, want) for cover in covers
    ]
    assert sets(found) == sorted(reference.covers(*puzzle))
    assert relay.covers == len(found)


@given(
    puzzle=puzzles(),
    patience=st.integers(1, 60),
    interval=st.integers(1, 30),
    largest=st.sampled_from([16, 64, 100, 200, EVER]),
    budget=st.sampled_from([1, 7, EVER]),
    want=st.sampled_from([1, 3, EVER]),
)
@examples(100)
def test_slices_do_not_change_when_a_search_is_handed_over(
    puzzle, patience, interval, largest, budget, want
):
    problem = puzzle.problem()
    make = partial(relay_of, problem, patience, interval=interval, largest=largest)
    whole = ran(make(), problem)
    assert sets(whole[0]) == sorted(reference.covers(*puzzle))
    assert ran(make(), problem, budget, want) == whole


@pytest.mark.parametrize(
    ("problem", "largest"),
    [(QUEENS, 200), (QUEENS, 500), (COLORED, 1500)],
    ids=["queens, deep", "queens", "colored"],
)
def test_subtrees_are_handed_over_one_after_another(problem, largest):
    relay = relay_of(problem, 1, largest=largest, interval=50)
    levels = levels_of(relay)
    whole = ran(relay, problem)
    assert sets(whole[0]) == sets(run(cells, problem).covers)
    assert len(levels) > 4
    assert min(levels) > 0
    for budget, want in ((97, EVER), (1000, 1)):
        again = relay_of(problem, 1, largest=largest, interval=50)
        assert ran(again, problem, budget, want) == whole


@pytest.mark.parametrize(
    ("patience", "largest"), [(1, EVER), (500, EVER), (5_000, EVER), (1, 250)]
)
def test_queens_are_handed_over_in_every_variant(variant, patience, largest):
    problem = Problem.from_dlx(queens(7))
    relay = relay_of(
        problem,
        patience,
        largest=largest,
        interval=200,
        bits=variant("bits"),
        remains=variant("remains"),
        xcc=variant("xcc"),
    )
    covers, *_ = ran(relay, problem, 300)
    assert sets(covers) == sets(run(cells, problem).covers)


@pytest.mark.parametrize("largest", [400, EVER])
def test_progress_goes_on_where_it_was_handed_over(largest):
    relay = relay_of(QUEENS, 2_000, largest=largest, interval=500)
    fraction = 0.0
    for _ in slices(relay, QUEENS, 500):
        assert fraction - ROUNDING <= relay.fraction() <= 1.0
        fraction = relay.fraction()
    assert fraction == 1.0
    assert relay.nodes > 1000


# -- what is left at a node ------------------------------------------------------------


@given(puzzle=puzzles(), spent=st.integers(0, 60))
@examples(100)
def test_what_is_left_along_a_path_is_what_does_not_clash_with_it(puzzle, spent):
    problem = puzzle.problem()
    layout = Layout.of(problem)
    relay = relay_of(problem, EVER)
    relay.advance(max(1, spent), EVER)
    path = relay._first.path()
    counts = relay._remains.follow(path)
    options = [
        entries_of(layout, option) for option in range(len(layout.option_start) - 1)
    ]
    for level in range(len(path) + 1):
        chosen = [options[option] for option in path[:level]]
        kept = [
            number
            for number, option in enumerate(options)
            if not any(clash(option, other, layout.n_primary) for other in chosen)
        ]
        items = [item for option in chosen for item in option]
        part = relay._remains.part(level)
        assert list(part.kept) == kept
        assert part.n_primary == sum(i not in items for i in range(layout.n_primary))
        assert counts[level] == (len(kept), part.n_primary)
        for ours, theirs in enumerate(kept):
            begin, end = part.option_start[ours : ours + 2]
            colors = part.option_color[begin:end] or [0] * (end - begin)
            assert dict(zip(part.option_item[begin:end], colors, strict=True)) == {
                part.number[item]: color
                for item, color in options[theirs].items()
                if item not in items
            }


def entries_of(layout, option):
    begin, end = layout.option_start[option : option + 2]
    colors = layout.option_color[begin:end] or [0] * (end - begin)
    return dict(zip(layout.option_item[begin:end], colors, strict=True))


def clash(one, other, n_primary):
    return any(
        item < n_primary or one[item] == 0 or one[item] != other[item]
        for item in one.keys() & other.keys()
    )


# -- whether it is handed over ---------------------------------------------------------


class Kept(Lookout):
    """Hands nothing over after all."""

    tried = 0

    def accepts(self, trial, *left):
        self.tried += 1
        return super().accepts(trial._replace(nodes=0), *left)


def test_trial_that_fails_leaves_no_trace():
    relay = relay_of(QUEENS, 2_000, interval=1_000, kind=Kept)
    found = ran(relay, QUEENS, 700)
    alone = run(cells, QUEENS)
    assert relay._lookout.tried == 1
    assert found[:3] == alone


def test_search_is_not_handed_over_where_rows_are_long_for_what_a_node_takes():
    relay = relay_of(Problem.from_dlx(dominoes(30, 30)), 50_000, kind=Lookout)
    assert relay.advance(EVER, 1) == FULL
    assert relay.depth == 449
    assert relay._leg is None


def test_search_is_handed_over_where_bits_are_faster():
    relay = relay_of(QUEENS, 5_000, kind=Lookout)
    levels = levels_of(relay)
    covers, *counters = ran(relay, QUEENS)
    assert len(covers) == 352
    assert levels == [0]
    assert counters[1] < 77_404


def test_engine_hands_over_what_fits_of_a_problem_that_does_not(monkeypatch):
    problem = Problem.from_dlx(queens(10))
    monkeypatch.setattr(engines, "LARGEST_TABLE", 1_200)
    monkeypatch.setattr(engines, "_LEAST_PATIENCE", 10)
    monkeypatch.setattr(engines, "_INTERVAL", 1_000)
    monkeypatch.setattr(engines, "Lookout", Willing)
    kernel = XCC()._kernel(Layout.of(problem))
    levels = levels_of(kernel)
    kernel.prepare()
    assert len(ran(kernel, problem)[0]) == 724
    assert levels
    assert min(levels) > 0


# -- saving and stopping ---------------------------------------------------------------


@pytest.mark.parametrize("spent", [1, 3_000, 10_000])
@pytest.mark.parametrize("largest", [600, EVER])
def test_relay_goes_on_in_a_fresh_one(spent, largest):
    make = partial(relay_of, QUEENS, 500, largest=largest, interval=1_500)
    relay = make()
    while relay.updates + relay.steps < spent:
        assert relay.advance(500, EVER) == PAUSED
        relay.take()
    again = make()
    again.load(relay.save())
    assert again.save() == relay.save()
    assert again.sanity() == ""
    assert again.depth == relay.depth
    assert ran_on(again) == ran_on(relay)
    with pytest.raises(ValueError, match="state"):
        again.load(b"rubbish")


def ran_on(relay):
    return [*slices(relay, QUEENS, 5000)], relay.nodes, relay.updates, relay.covers


def test_damaged_state_of_a_relay_is_refused():
    relay = relay_of(QUEENS, 1, largest=1_000, interval=50)
    while relay._leg is None:
        assert relay.advance(100, EVER) == PAUSED
    state = relay.save()
    for bad in (b"", state[:-1], state + b"\0", b"\xff" * len(state)):
        with pytest.raises(ValueError, match="state"):
            relay_of(QUEENS, 1, largest=1_000, interval=50).load(bad)
    other = relay_of(Problem.from_dlx(queens(8)), 2_000)
    with pytest.raises(ValueError, match="another problem"):
        other.load(state)


@pytest.mark.parametrize("largest", [2_000, EVER])
def test_stopped_relay_is_stopped_before_and_after(largest):
    for spent in (1, 50_000):
        relay = relay_of(
            Problem.from_dlx(FRUITLESS), 20_000, largest=largest, interval=2_000
        )
        while relay.updates + relay.steps < spent:
            relay.advance(500, EVER)
        relay.stop()
        assert relay.advance(EVER, EVER) == STOPPED


def test_search_stopped_before_its_table_is_made_ends_there(variant):
    layout = Layout.of(QUEENS)
    kernel = variant("bits").BitsKernel(
        layout.n_items,
        layout.n_primary,
        layout.option_start,
        layout.option_item,
        layout.option_color,
    )
    kernel.stop()
    assert not kernel.prepare()
    assert kernel.advance(EVER, EVER) == STOPPED
    relay = relay_of(QUEENS, EVER)
    assert relay.advance(5000, EVER) == PAUSED
    nodes = relay.nodes
    relay.stop()
    relay._hand_over(0)
    assert relay.advance(EVER, EVER) == STOPPED
    assert relay.nodes == nodes


# -- divided ---------------------------------------------------------------------------


def divided(problem, chance, *, patience, interval, largest):
    """Search in parts that are split, saved and loaded by lot; give all covers."""
    make = partial(relay_of, problem, patience, interval=interval, largest=largest)
    layout = Layout.of(problem)
    relays, found, kinds = [make()], [], set()
    while relays:
        at = chance.randrange(len(relays))
        relay = relays[at]
        status = relay.advance(chance.choice([1, 5, 50]), chance.choice([1, 3, EVER]))
        found += [cover.numbers for cover in layout.covers(*relay.take())]
        assert relay.sanity() == ""
        if status == DONE:
            del relays[at]
            continue
        if chance.random() < 0.3:
            state, relays[at] = relay.save(), make()
            relays[at].load(state)
            assert relays[at].save() == state
            relay = relays[at]
        if chance.random() < 0.4:
            before = relay.fraction()
            other = relay.split()
            assert relay.fraction() == pytest.approx(before)
            if other is not None:
                kinds.add((relay._first is None, relay._leg is None))
                assert other.fraction() >= before - ROUNDING
                assert (other.nodes, other.covers) == (0, 0)
                relays.append(other)
    return found, kinds


@given(
    puzzle=puzzles(),
    chance=st.randoms(use_true_random=False),
    patience=st.integers(1, 60),
    interval=st.integers(1, 30),
    largest=st.sampled_from([16, 64, 200, EVER]),
)
@examples(200)
def test_parts_of_a_search_find_every_cover_once(
    puzzle, chance, patience, interval, largest
):
    found, _ = divided(
        puzzle.problem(), chance, patience=patience, interval=interval, largest=largest
    )
    assert sets(found) == sorted(reference.covers(*puzzle))


def test_parts_come_from_cells_and_from_bits_alike():
    kinds = set()
    for seed in range(6):
        found, seen = divided(
            COLORED, Random(seed), patience=10, interval=40, largest=1500
        )
        assert len(found) == 16
        assert len(set(map(frozenset, found))) == 16
        kinds |= seen
    # On cells alone, behind bits, and on bits alone.
    assert kinds >= {(False, False), (True, False)}
