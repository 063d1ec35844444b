"""A problem as a value: what it tells, and that nothing changes it."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given
from problems import SMALL, queens
from strategies import examples, puzzles

from dcells_async import XCC, DlxWarning, Item, Note, Option, Problem


def kinds(problem):
    return [note.kind for note in problem.check()]


# -- options -------------------------------------------------------------------------


def test_options_are_a_sequence():
    options = Problem.from_dlx(SMALL).options
    assert len(options) == 4
    assert [tuple(option) for option in options] == [
        ("a", "b"),
        ("c",),
        ("a", "c"),
        ("b",),
    ]
    assert options[-1].number == 4
    assert [option.number for option in options[1:3]] == [2, 3]
    assert [option.number for option in reversed(options)] == [4, 3, 2, 1]
    assert ("a", "c") in options
    assert options.index(("c",)) == 1
    assert repr(options) == "<4 options>"
    for at in (4, -5):
        with pytest.raises(IndexError):
            options[at]


def test_option_is_a_sequence_of_its_labels():
    option = Problem.from_dlx("p q | x\nx:A p q |4").options[0]
    assert isinstance(option, Option)
    assert list(option) == [("x", "A"), "p", "q"]
    assert option[-1] == "q"
    assert option[1:] == ("p", "q")
    assert len(option) == 3
    assert ("x", "A") in option
    assert (option.number, option.line, option.price) == (1, 2, 4)
    assert option.names == ("x:A", "p", "q")
    assert repr(option) == "<Option 1: x:A p q>"


def test_option_equals_its_tuple_and_equal_options():
    first, second, third = Problem.from_dlx("a b\na b\na b\nb a").options
    assert first == second == ("a", "b")
    assert hash(first) == hash(second) == hash(("a", "b"))
    assert first != third
    assert first != ["a", "b"]
    assert len({first, second, third}) == 2


def test_option_of_a_python_built_problem_has_no_line():
    option = Problem.from_options(["ab"]).options[0]
    assert (option.number, option.line, option.price) == (1, None, 0)


# -- equality ------------------------------------------------------------------------


def test_problems_are_equal_by_value():
    problem = Problem.from_dlx("p q | x\np x:A\nq x:A |3\n")
    same = Problem.from_options(
        [["p", ("x", "A")], ["q", ("x", "A")]], "pq", "x", prices=[0, 3]
    )
    assert problem == same
    assert hash(problem) == hash(same)
    assert problem != "p q"


@pytest.mark.parametrize(
    "text",
    [
        "q p | x\np x:A\nq x:A |3\n",
        "p q | x y\np x:A\nq x:A |3\n",
        "p q x\np x\nq x |3\n",
        "p q | x\nx:A p\nq x:A |3\n",
        "p q | x\np x:B\nq x:B |3\n",
        "p q | x\np x\nq x:A |3\n",
        "p q | x\np x:A\nq x:A |4\n",
        "p q | x\np x:A\nq x:A\n",
        "p q | x\np x:A\nq x:A |3\nq",
        "p 2|q | x\np x:A\nq x:A |3\n",
    ],
)
def test_problems_that_differ_anywhere_are_not_equal(text):
    assert Problem.from_dlx("p q | x\np x:A\nq x:A |3\n") != Problem.from_dlx(text)


def test_problem_can_be_copied_pickled_and_told():
    problem = Problem.from_dlx("p 2|q | x\np x:A\nq\nq\n")
    for other in (
        copy.copy(problem),
        copy.deepcopy(problem),
        pickle.loads(pickle.dumps(problem)),
    ):
        assert other == problem
        assert list(other.option_lines) == [2, 3, 4]
    assert repr(problem) == "<Problem: 3 options, 2+1 items>"
    assert problem.items[1] == Item("q", True, 2, 2)


def test_numbers_of_a_problem_are_plain():
    np = pytest.importorskip("numpy")
    problem = Problem.from_matrix(np.array([[1, 0], [0, 1]], dtype=np.int32))
    (cover,) = XCC().solve(problem)
    told = {
        "numbers": cover.numbers,
        "indices": cover.indices,
        "options": [list(option) for option in cover.options],
        "names": [list(names) for names in cover],
        "items": problem.items,
        "stats": [cover.problem.n_primary, len(problem.options)],
    }
    assert json.loads(json.dumps(told))["options"] == [[1], [0]]


# -- never changed -------------------------------------------------------------------


def test_searching_a_problem_leaves_it_as_it_was():
    problem = Problem.from_dlx(queens(6))
    before = pickle.dumps(problem)
    first = [cover.numbers for cover in XCC().solve(problem)]
    second = [cover.numbers for cover in XCC().solve(problem)]
    assert first == second
    assert len(first) == 4
    assert pickle.dumps(problem) == before


def test_interleaved_searches_of_one_problem_do_not_meet():
    problem = Problem.from_dlx(queens(6))
    expected = [cover.numbers for cover in XCC().solve(problem)]
    one, two = XCC().solve(problem), XCC().solve(problem)
    found = [next(one).numbers, next(one).numbers]
    assert [cover.numbers for cover in two] == expected
    assert found + [cover.numbers for cover in one] == expected


def test_iterating_options_meanwhile_changes_nothing():
    problem = Problem.from_dlx(queens(5))
    search = XCC().solve(problem)
    for cover, option in zip(search, problem.options, strict=False):
        assert option in cover.problem.options
    assert len(list(problem.options)) == 25


# -- warnings and notes --------------------------------------------------------------


def test_options_without_primary_item_are_warned_of_by_line():
    with pytest.warns(DlxWarning) as caught:
        problem = Problem.from_dlx("| n\na | x y\nx\na x\n\ny:1 x:1\na\n")
    assert str(caught[0].message) == (
        "<dlx>: lines 3, 6: an option without a primary item can never be chosen "
        "and is left out"
    )
    assert caught[0].filename == __file__
    assert problem.dropped == (1, 3)


def test_single_option_without_primary_item_is_told_in_the_singular(tmp_path):
    path = tmp_path / "x.dlx"
    path.write_text("a | x\na\nx\n")
    with pytest.warns(DlxWarning, match=r"x\.dlx: line 3: an option"):
        Problem.from_dlx(path)


def test_warning_of_many_options_names_the_first_five():
    with pytest.warns(DlxWarning, match=r"lines 2, 3, 4, 5, 6, \.\.\.: an option"):
        Problem.from_dlx("a | x\n" + "x\n" * 9)


def test_dropped_options_never_renumber_the_others():
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx("a b | x\nx\na x\nx:1\nb\nx\n")
    (cover,) = XCC().solve(problem)
    assert sorted(cover.numbers) == [2, 4]
    assert sorted(cover.lines) == [3, 5]
    assert sorted(option.number for option in cover.options) == [2, 4]
    assert [option.number for option in problem.options] == [1, 2, 3, 4, 5]


def test_dropped_options_are_checked_all_the_same():
    with pytest.raises(ValueError, match="unknown item 'z'"):
        Problem.from_dlx("a | x\nx z\na\n")


def test_sound_problem_has_no_notes():
    assert Problem.from_dlx("p q | x\np x:A\nq x:A").check() == []


def test_item_in_no_option_is_noted_before_any_search():
    assert Problem.from_dlx("a b\na").check() == [
        Note("uncovered", "item 'b' is in no option: there is no cover")
    ]


def test_item_in_fewer_options_than_it_needs_is_noted():
    (note,) = Problem.from_dlx("2|a 0:1|b\na").check()
    assert note == ("uncovered", "item 'a' is in only 1 option: there is no cover")
    (note,) = Problem.from_dlx("3|a\na\na").check()
    assert note == ("uncovered", "item 'a' is in only 2 options: there is no cover")


def test_unused_item_lone_color_and_dropped_option_are_noted():
    with pytest.warns(DlxWarning):
        problem = Problem.from_dlx("p | x y z\np x:A\np x:A\np y:Aa\nx:A\n")
    assert kinds(problem) == ["unused", "lone color", "dropped"]
    messages = [note.message for note in problem.check()]
    assert messages[0] == "item 'z' is in no option"
    assert messages[1].startswith("color 'Aa' occurs once")
    assert "line 5" in messages[2]


@given(puzzles())
@examples(300)
def test_notes_never_fail_and_uncovered_means_no_cover(puzzle):
    problem = puzzle.problem()
    if "uncovered" in kinds(problem):
        assert XCC().solve(problem).count() == 0


@given(puzzles())
@examples(200)
def test_problem_tells_what_it_was_built_from(puzzle):
    problem = puzzle.problem()
    assert [item.label for item in problem.items] == puzzle.primary + puzzle.secondary
    assert [list(option) for option in problem.options] == puzzle.options
    assert problem.n_primary == len(puzzle.primary)
