"""Writing problems in the DLX format, and reading them back."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, puzzles

from dcells_async import DlxWarning, Problem, ProblemError


def test_problem_is_written_as_it_would_be_by_hand():
    text = "a 2|b 0:3|c | x\na x:A b |-7\nc x\n"
    assert Problem.from_dlx(text).to_dlx() == text


NAMES = st.text(
    st.characters(exclude_characters=" \t\n\v\f\r\0", exclude_categories=["Cs"]),
    min_size=1,
    max_size=3,
)


@given(
    puzzles(least_primary=1),
    st.lists(
        NAMES.filter(lambda name: not set(name) & set(":|")),
        min_size=8,
        max_size=8,
        unique=True,
    ),
    st.lists(NAMES, min_size=2, max_size=2, unique=True),
    st.lists(st.integers(-(2**63) + 1, 2**63 - 1), min_size=12, max_size=12),
    st.lists(st.sampled_from([1, 2, 2**31 - 1, (0, 1), (3, 5)]), min_size=5),
)
@examples(250)
def test_written_problem_is_read_back_equal(puzzle, names, colors, prices, bounds):
    own = dict(zip("pqrstxyz", names, strict=True)) | dict(
        zip("AB", colors, strict=True)
    )
    options = [
        [
            tuple(map(own.get, entry)) if isinstance(entry, tuple) else own[entry]
            for entry in option
        ]
        for option in puzzle.options
        if option
    ]
    primary = [own[item] for item in puzzle.primary]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DlxWarning)
        problem = Problem.from_options(
            options,
            primary,
            [own[item] for item in puzzle.secondary],
            multiplicity=dict(zip(primary, bounds, strict=False)),
            prices=prices[: len(options)],
        )
        again = Problem.from_dlx(problem.to_dlx())
    assert again == problem
    assert again.items == problem.items


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "a\tb", "a\n", "a\0", "a:b", "a|b", "|", "\ud800", 5 * " "]
)
def test_name_that_the_format_cannot_express_is_refused(name):
    with pytest.raises(ProblemError, match="cannot express"):
        Problem.from_options([[name]]).to_dlx()


@pytest.mark.parametrize("color", [" ", "a b", "\0", "\udfff"])
def test_color_that_the_format_cannot_express_is_refused(color):
    problem = Problem.from_options([["p", ("x", color)]], secondary=["x"])
    with pytest.raises(ProblemError, match="cannot express"):
        problem.to_dlx()


class Name(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other):
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_names_are_compared_a_few_times_each_where_two_are_one():
    problem = Problem.from_options([[*range(2_000), "1999"]])
    with pytest.raises(ProblemError, match="called '1999'"):
        problem.to_dlx(Name)
    assert 0 < Name.compared < 10 * 2_000


def test_two_labels_of_one_name_are_refused():
    with pytest.raises(ProblemError, match="called '1'"):
        Problem.from_options([[1, "1"]]).to_dlx()
    problem = Problem.from_options(
        [["p", ("x", 1)], ["p", ("x", "1")]], secondary=["x"]
    )
    with pytest.raises(ProblemError, match="two colors"):
        problem.to_dlx()


def test_problem_without_primary_items_cannot_be_written():
    with pytest.raises(ProblemError, match="without primary"):
        Problem.from_options([]).to_dlx()


def test_labels_of_any_kind_are_written_with_names_of_their_own():
    cells = [("cell", 3, 4), ("cell", 3, 5)]
    problem = Problem.from_options([cells, cells[:1], cells[1:]])
    text = problem.to_dlx(lambda label: "c{1}.{2}".format(*label))
    assert text == "c3.4 c3.5\nc3.4 c3.5\nc3.4\nc3.5\n"


def test_empty_option_cannot_be_written():
    with pytest.warns(DlxWarning):
        problem = Problem.from_options([["a"], []])
    with pytest.raises(ProblemError, match="option 2 is empty"):
        problem.to_dlx()
