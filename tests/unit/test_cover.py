"""Covers and statistics: plain values that outlive their search."""

from __future__ import annotations

import dataclasses
import json
import pickle

import pytest
from problems import SMALL

from dcells_async import XCC, Cover, Outcome, Problem, Pulse, Stats

COLORED = "p q | x y\np x:A\nq x:A y\n"


def first(source):
    return XCC().solve(source).first()


def test_cover_gives_options_as_names_in_the_order_chosen():
    cover = Cover(Problem.from_dlx(COLORED), (1, 0))
    assert list(cover) == [("q", "x:A", "y"), ("p", "x:A")]
    assert list(cover) == list(cover)
    assert len(cover) == 2
    assert cover.numbers == (2, 1)
    assert cover.indices == (1, 0)
    assert cover.lines == (3, 2)
    assert [tuple(option) for option in cover.options] == [
        ("q", ("x", "A"), "y"),
        ("p", ("x", "A")),
    ]
    assert cover.problem == Problem.from_dlx(COLORED)


def test_names_of_labels_of_any_kind_are_their_text():
    problem = Problem.from_options([[(1, 2), 3, ("x", 4.5)]], secondary=["x"])
    assert list(first(problem)) == [("(1, 2)", "3", "x:4.5")]
    assert first(problem).options[0] == ((1, 2), 3, ("x", 4.5))
    assert first(problem).lines is None


def test_covers_are_equal_if_they_choose_the_same_in_any_order():
    problem, same = Problem.from_dlx(COLORED), Problem.from_dlx(COLORED)
    assert Cover(problem, (0, 1)) == Cover(same, (1, 0))
    assert hash(Cover(problem, (0, 1))) == hash(Cover(same, (1, 0)))
    assert Cover(problem, (0,)) != Cover(problem, (1,))
    assert Cover(problem, (0,)) != Cover(problem, (0, 1))
    assert Cover(problem, (0, 1)) != Cover(Problem.from_dlx(SMALL), (0, 1))
    assert Cover(problem, (0, 1)) != (0, 1)
    assert len({Cover(problem, (0, 1)), Cover(same, (1, 0)), Cover(same, (1,))}) == 2


def test_equal_lines_chosen_by_number_are_different_covers():
    covers = list(XCC().solve("a\na\na"))
    assert len(set(covers)) == 2
    assert [tuple(cover) for cover in covers] == [(("a",),)] * 2


def test_covers_are_kept_and_read_long_after_the_search():
    with XCC().solve(SMALL) as covers:
        kept = list(covers)
    del covers
    assert [cover.numbers for cover in kept] == [(1, 2), (3, 4)]
    assert [list(cover) for cover in kept] == [
        [("a", "b"), ("c",)],
        [("a", "c"), ("b",)],
    ]


def test_cover_cannot_be_changed():
    cover = first(SMALL)
    for name in ("numbers", "indices", "lines", "options", "problem", "other"):
        with pytest.raises(AttributeError):
            setattr(cover, name, None)
    assert isinstance(cover.numbers, tuple)


def test_cover_can_be_pickled_and_told_as_json():
    cover = first(COLORED)
    again = pickle.loads(pickle.dumps(cover))
    assert again == cover
    assert list(again) == list(cover)
    assert json.loads(json.dumps([cover.numbers, cover.lines, list(cover)])) == [
        list(cover.numbers),
        list(cover.lines),
        [list(names) for names in cover],
    ]
    assert all(type(number) is int for number in cover.numbers + cover.indices)
    assert all(type(line) is int for line in cover.lines)


def test_cover_tells_its_options():
    assert repr(Cover(Problem.from_dlx(COLORED), (1, 0))) == "<Cover of options 2, 1>"
    empty = first(Problem.from_options([]))
    assert repr(empty) == "<Cover of options none>"
    assert (list(empty), empty.numbers, empty.options) == ([], (), ())


def test_statistics_are_a_pulse_and_the_size_of_the_problem():
    stats = XCC().solve(SMALL)
    stats.count()
    assert isinstance(stats.stats, Pulse)
    assert dataclasses.asdict(stats.stats).keys() == {
        "nodes",
        "updates",
        "covers",
        "depth",
        "elapsed",
        "fraction",
        "best_price",
        "lower_bound",
        "signatures",
        "hits",
        "memory",
        "options",
        "items",
        "purges",
        "purged",
        "memo_given_up",
        "parts",
    }
    assert json.dumps(dataclasses.asdict(stats.stats))
    with pytest.raises(dataclasses.FrozenInstanceError):
        stats.stats.nodes = 5
    assert Stats() == Stats(nodes=0, fraction=0.0)


def test_outcomes_are_what_a_consumer_can_tell_apart():
    assert {outcome.value for outcome in Outcome} == {
        "running",
        "exhausted",
        "limited",
        "timed out",
        "cancelled",
        "failed",
    }
