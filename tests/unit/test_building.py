"""Problems from Python values: labels and matrices, sound ones and rubbish."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from telling import entries, labels

from dcells_async import (
    COMPILED,
    XCC,
    ColorError,
    DlxWarning,
    DuplicateItemError,
    MultiplicityError,
    Problem,
    ProblemError,
    UnknownItemError,
)
from dcells_async.building import from_labels


def covers(problem):
    return sorted(sorted(cover.indices) for cover in XCC().solve(problem))


# -- labels --------------------------------------------------------------------------


def test_primary_items_come_in_order_of_appearance():
    problem = Problem.from_options(
        [["c", "x"], ["a", "c"], ["b"]], secondary=["x", "y"]
    )
    assert labels(problem) == ["c", "a", "b", "x", "y"]
    assert problem.n_primary == 3
    assert [item.primary for item in problem.items] == [True] * 3 + [False] * 2


def test_declared_order_is_kept_and_declared_items_need_no_option():
    problem = Problem.from_options([["c"], ["a"]], primary="abc")
    assert labels(problem) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "label",
    [("cell", 3, 4), 5, 2.5, frozenset({1}), None, b"b", True, ("r", 1), "3:4", ""],
)
def test_any_hashable_value_is_a_label(label):
    problem = Problem.from_options([[label, "a"], ["a"], [label]])
    assert labels(problem) == [label, "a"]
    assert covers(problem) == [[0], [1, 2]]
    assert entries(problem)[0] == (label, "a")


def test_any_hashable_value_but_none_and_the_empty_str_is_a_color():
    tints = ["red", 0, 1.5, ("a", "b"), False, b"", frozenset()]
    problem = Problem.from_options([["p", ("x", tint)] for tint in tints], ["p"], ["x"])
    # 0 and False are equal, and so one color.
    assert problem.colors == ("red", 0, 1.5, ("a", "b"), b"", frozenset())
    assert entries(problem)[3] == ("p", ("x", ("a", "b")))


@pytest.mark.parametrize("color", [None, ""])
def test_empty_color_is_refused(color):
    with pytest.raises(ColorError, match="option 2"):
        Problem.from_options([["p"], ["p", ("x", color)]], secondary=["x"])


def test_options_and_labels_may_come_from_generators():
    problem = Problem.from_options(
        ((label for label in option) for option in ("ab", "c")),
        primary=(label for label in "abc"),
        secondary=iter(()),
    )
    assert problem == Problem.from_options([["a", "b"], ["c"]])


def test_pair_that_is_an_item_is_that_item():
    cells = [(0, 0), (0, 1), (1, 0)]
    problem = Problem.from_options([cells[:2], cells[2:]])
    assert labels(problem) == cells
    assert covers(problem) == [[0, 1]]


def test_pair_that_is_an_item_and_a_colored_one_is_refused():
    with pytest.raises(ProblemError, match=r"option 1: .*is an item, and also"):
        Problem.from_options(
            [["p", ("x", "A")]], primary=["p", ("x", "A")], secondary=["x"]
        )


class Twin:
    """Equal to a tuple, and none."""

    def __init__(self, *values):
        self.values = values

    def __hash__(self):
        return hash(self.values)

    def __eq__(self, other):
        return self.values == getattr(other, "values", other)


def test_item_that_equals_a_colored_one_takes_no_color_away():
    options = [["a", ("s", "x"), Twin("s", "x")], ["b", ("s", "y")]]
    tables = from_labels(options, None, ["s"], None, None)
    assert list(tables.entry_color) == [0, 1, 0, 0, 2]


def test_undeclared_pair_is_noted_to_look_like_a_colored_item():
    problem = Problem.from_options([["x", ("x", "A")]])
    assert labels(problem) == ["x", ("x", "A")]
    assert [note.kind for note in problem.check()] == ["colored label"]


def test_single_str_as_option_is_taken_letter_by_letter():
    assert labels(Problem.from_options(["ab", "c"])) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (
            lambda: Problem.from_options([["a", "a"], ["a"]]),
            DuplicateItemError,
            "option 1 ",
        ),
        (
            lambda: Problem.from_options([["p", "x", ("x", "A")]], secondary=["x"]),
            DuplicateItemError,
            "option 1 mentions item 'x' twice",
        ),
        (
            lambda: Problem.from_options(
                [["p"], ["p", ("x", "A"), ("x", "B")]], secondary=["x"]
            ),
            DuplicateItemError,
            "option 2 mentions item 'x' twice",
        ),
        (
            lambda: Problem.from_options([["a"]], primary=["a"], secondary=["a"]),
            DuplicateItemError,
            "'a' is declared twice",
        ),
        (
            lambda: Problem.from_options([], primary=["a", "b", "a"]),
            DuplicateItemError,
            "'a' is declared twice",
        ),
        (
            lambda: Problem.from_options([], secondary=["a", "a"]),
            DuplicateItemError,
            "'a' is declared twice",
        ),
        (
            lambda: Problem.from_options([["a"], ["a", "z"]], primary=["a"]),
            UnknownItemError,
            "option 2 mentions 'z', which is not declared",
        ),
        (
            lambda: Problem.from_options([["bishpo"]], primary=["bishop", "rook"]),
            UnknownItemError,
            "did you mean 'bishop'",
        ),
        (
            lambda: Problem.from_options(["rook"], primary=["rook"]),
            UnknownItemError,
            "letter by letter",
        ),
        (
            lambda: Problem.from_options([[("a", "R")]], primary=["a"]),
            ColorError,
            "option 1: primary item 'a' must be uncolored",
        ),
        (lambda: Problem.from_options([[["a"]]]), ProblemError, "cannot be hashed"),
        (
            lambda: Problem.from_options([["p", ("x", [1])]], secondary=["x"]),
            ProblemError,
            "cannot be hashed",
        ),
        (
            lambda: Problem.from_options([], primary=[{}]),
            ProblemError,
            "cannot be hashed",
        ),
        (
            lambda: Problem.from_options([], secondary=[{}]),
            ProblemError,
            "cannot be hashed",
        ),
        (
            lambda: Problem.from_options([["a"], 5]),
            ProblemError,
            "option 2 is no iterable",
        ),
    ],
)
def test_rubbish_is_refused_by_name(build, error, message):
    with pytest.raises(error, match=message) as caught:
        build()
    assert isinstance(caught.value, ValueError)


def test_unknown_item_among_many_is_refused_at_once():
    many = range(100_000 if COMPILED else 5000)
    with pytest.raises(UnknownItemError):
        Problem.from_options([["z" * 10]], primary=[f"item{k}" for k in many])


# -- degenerate problems --------------------------------------------------------------


def test_no_items_and_no_options_have_the_empty_cover():
    problem = Problem.from_options([])
    assert problem.items == ()
    assert covers(problem) == [[]]
    assert XCC().solve(problem).count() == 1


def test_items_without_options_have_no_cover_and_a_note():
    problem = Problem.from_options([], primary=["a"])
    assert covers(problem) == []
    assert [note.kind for note in problem.check()] == ["uncovered", "empty"]


def test_secondary_items_alone_have_the_empty_cover():
    with pytest.warns(DlxWarning, match="options 1, 2"):
        problem = Problem.from_options([["x"], ["y"]], primary=[], secondary=["x", "y"])
    assert covers(problem) == [[]]
    assert XCC().solve(problem).count() == 1
    assert XCC().solve(problem).is_unique()


def test_empty_option_is_kept_out_with_a_warning():
    with pytest.warns(DlxWarning, match="option 2: an option without a primary item"):
        problem = Problem.from_options([["a"], []])
    assert problem.dropped == (2,)
    assert len(problem.options) == 2
    assert len(problem.options[1]) == 0
    assert covers(problem) == [[0]]
    with pytest.warns(DlxWarning):
        assert covers(Problem.from_options([[]])) == [[]]


def test_options_without_primary_items_keep_their_numbers():
    with pytest.warns(DlxWarning) as caught:
        problem = Problem.from_options(
            [["x"], ["p", ("x", 1)], [("x", 1)], ["q", ("x", 1)]], "pq", "x"
        )
    assert caught[0].filename == __file__
    assert problem.dropped == (1, 3)
    (cover,) = XCC().solve(problem)
    assert sorted(cover.numbers) == [2, 4]
    assert sorted(cover.indices) == [1, 3]
    assert {option.number for option in cover.options} == {2, 4}
    assert cover.lines is None


# -- multiplicities and prices --------------------------------------------------------


def test_multiplicity_is_a_number_or_bounds():
    problem = Problem.from_options(
        ["ab", "ac"], multiplicity={"a": 2, "b": (0, 1), "c": (0, 2**31 - 1)}
    )
    assert [(item.low, item.high) for item in problem.items] == [
        (2, 2),
        (0, 1),
        (0, 2**31 - 1),
    ]


@pytest.mark.parametrize(
    "bounds",
    [0, -1, (0, 0), (2, 1), (-1, 1), 2**31, (1, 2**40), 1.5, (0.5, 1), float("nan")],
)
def test_impossible_multiplicity_is_refused(bounds):
    with pytest.raises(MultiplicityError, match="item 'a'"):
        Problem.from_options(["a"], multiplicity={"a": bounds})


def test_multiplicity_of_what_takes_none_is_refused():
    with pytest.raises(MultiplicityError, match="secondary item 'x'"):
        Problem.from_options(["a"], secondary=["x"], multiplicity={"x": 2})
    with pytest.raises(UnknownItemError, match="'z'"):
        Problem.from_options(["a"], multiplicity={"z": 2})


def test_prices_are_exact_64_bit_integers():
    prices = [2**63 - 1, -(2**63), 0, 5.0, np.int16(-3), Fraction(8, 2), True]
    problem = Problem.from_options(["a"] * len(prices), prices=prices)
    assert [option.price for option in problem.options] == [
        2**63 - 1,
        -(2**63),
        0,
        5,
        -3,
        4,
        1,
    ]
    assert all(type(option.price) is int for option in problem.options)


@pytest.mark.parametrize(
    "price",
    [2**63, -(2**63) - 1, 0.5, float("inf"), float("nan"), None, "x", "7", 1e300],
)
def test_price_that_is_none_is_refused(price):
    with pytest.raises(ProblemError, match="option 2"):
        Problem.from_options(["a", "a"], prices=[1, price])


@pytest.mark.parametrize("prices", [[], [1], [1, 2, 3]])
def test_prices_of_another_number_than_the_options_are_refused(prices):
    with pytest.raises(ProblemError, match="prices for 2 options"):
        Problem.from_options(["a", "a"], prices=prices)


# -- matrices -------------------------------------------------------------------------

ROWS = [[0, 0, 0, 1, 0], [1, 1, 0, 0, 0], [0, 0, 1, 0, 1]]

AS = {
    "lists": lambda rows: rows,
    "tuples": lambda rows: tuple(map(tuple, rows)),
    "generators": lambda rows: (iter(row) for row in rows),
    "bools": lambda rows: [[bool(value) for value in row] for row in rows],
    "floats": lambda rows: np.array(rows, dtype=float),
    "array": np.array,
    "int8": lambda rows: np.array(rows, dtype=np.int8),
    "numpy bools": lambda rows: np.array(rows, dtype=bool),
    "objects": lambda rows: np.array(rows, dtype=object),
    "list of arrays": lambda rows: list(map(np.array, rows)),
    "columns first": np.asfortranarray,
    "view": lambda rows: np.array(rows)[::1],
    **{
        kind.__name__: kind
        for kind in (
            sp.csr_matrix,
            sp.csc_matrix,
            sp.coo_matrix,
            sp.lil_matrix,
            sp.dok_matrix,
            sp.bsr_matrix,
            sp.csr_array,
            sp.coo_array,
        )
    },
}


@pytest.mark.parametrize("kind", AS.values(), ids=AS)
def test_matrix_of_any_kind_is_taken_row_by_row(kind):
    problem = Problem.from_matrix(kind(ROWS))
    assert entries(problem) == [(3,), (0, 1), (2, 4)]
    assert labels(problem) == [0, 1, 2, 3, 4]
    assert all(type(label) is int for label in labels(problem))
    assert covers(problem) == [[0, 1, 2]]


def test_sparse_matrix_may_store_zeros():
    stored = sp.coo_matrix(([1, 0, 1], ([0, 0, 1], [0, 1, 1])), shape=(2, 2))
    assert entries(Problem.from_matrix(stored)) == [(0,), (1,)]


def test_sparse_matrix_with_an_entry_stored_twice_is_refused():
    stored = sp.coo_matrix(([1, 1], ([0, 0], [1, 1])), shape=(1, 2))
    with pytest.raises(DuplicateItemError, match="item 1 twice"):
        Problem.from_matrix(stored)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0, 1], [1]], "row 1 has 1 columns, and row 0 has 2"),
        ([[], [1]], "row 1 has 1 columns"),
        ([[0, 2]], "row 0, column 1: expected 0 or 1, not 2"),
        ([[1], [-1]], "row 1, column 0"),
        ([[0.5]], "not 0.5"),
        ([[float("nan")]], "not nan"),
        ([["1"]], "not '1'"),
        (["01"], "not '0'"),
        ([[None]], "not None"),
        ([[[1]]], "expected 0 or 1"),
        (np.array([[0, 1], [3, 1]]), "row 1, column 0"),
        (np.array([1, 0]), "two axes, not 1"),
        (np.zeros((1, 1, 1)), "two axes, not 3"),
        (np.array(1), "two axes, not 0"),
        (sp.coo_array([1, 0, 1]), "two axes, not 1"),
        (sp.csr_matrix([[0, 2]]), "row 0, column 1"),
    ],
)
def test_what_is_no_zero_one_matrix_is_refused(matrix, message):
    with pytest.raises(ProblemError, match=message):
        Problem.from_matrix(matrix)


@pytest.mark.parametrize("zeros", [np.zeros, sp.csr_matrix])
def test_matrix_without_rows_has_no_cover(zeros):
    problem = Problem.from_matrix(zeros((0, 3)))
    assert len(problem.items) == 3
    assert covers(problem) == []


@pytest.mark.parametrize(
    "matrix", [np.zeros((3, 0)), [[], [], []], sp.coo_array((3, 0))]
)
def test_matrix_without_columns_has_the_empty_cover(matrix):
    with pytest.warns(DlxWarning, match="options 1, 2, 3"):
        problem = Problem.from_matrix(matrix)
    assert covers(problem) == [[]]


def test_matrix_of_nothing_has_the_empty_cover():
    assert covers(Problem.from_matrix([])) == [[]]


@pytest.mark.parametrize(("n", "expected"), [(1, [[0]]), (3, [[0], [1], [2]])])
def test_item_that_every_option_has_is_covered_by_each(n, expected):
    assert covers(Problem.from_matrix([[1]] * n)) == expected


def test_row_of_zeros_is_kept_out():
    with pytest.warns(DlxWarning, match="option 2"):
        problem = Problem.from_matrix([[1, 0], [0, 0], [0, 1]])
    assert covers(problem) == [[0, 2]]


def test_secondary_columns_are_covered_at_most_once():
    matrix = [[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0]]
    problem = Problem.from_matrix(matrix, secondary=[2])
    assert covers(problem) == [[0, 3], [1, 2], [2, 3]]
    assert covers(Problem.from_matrix(matrix, secondary=np.array([2]))) == [
        [0, 3],
        [1, 2],
        [2, 3],
    ]


@pytest.mark.parametrize("column", [3, -1, 1.5, "a", None])
def test_secondary_column_that_is_none_is_refused(column):
    with pytest.raises(UnknownItemError, match="is not one of 3"):
        Problem.from_matrix([[1, 0, 1]], secondary=[column])
