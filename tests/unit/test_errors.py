"""Errors: whose fault, and that they can be shown, caught and sent about."""

from __future__ import annotations

import copy
import pickle

import pytest

from dcells_async import (
    XCC,
    CapacityError,
    ColorError,
    DcellsError,
    DlxSyntaxError,
    DlxWarning,
    DuplicateItemError,
    MultiplicityError,
    Problem,
    ProblemError,
    SearchError,
    UnknownItemError,
    errors,
)


@pytest.mark.parametrize(
    "error",
    [
        DlxSyntaxError,
        UnknownItemError,
        DuplicateItemError,
        ColorError,
        MultiplicityError,
    ],
)
def test_faults_of_the_input_are_value_errors_of_one_kind(error):
    assert issubclass(error, ProblemError)
    assert issubclass(error, ValueError)
    assert issubclass(error, DcellsError)
    assert not issubclass(error, SearchError)


def test_faults_of_the_search_are_runtime_errors_of_another():
    assert issubclass(CapacityError, SearchError)
    assert issubclass(SearchError, DcellsError)
    assert issubclass(SearchError, RuntimeError)
    assert not issubclass(SearchError, ProblemError)


def test_warning_is_no_error():
    assert issubclass(DlxWarning, UserWarning)
    assert not issubclass(DlxWarning, DcellsError)


def test_every_public_error_is_documented_and_of_the_family():
    for name in errors.__all__:
        kind = getattr(errors, name)
        assert kind.__doc__
        assert issubclass(kind, DcellsError | Warning)


def test_syntax_error_has_fields_and_shows_them():
    error = DlxSyntaxError("unknown item 'z'", "a.dlx", 7, 3, "a z", "  ^")
    assert (error.reason, error.source) == ("unknown item 'z'", "a.dlx")
    assert (error.line, error.column) == (7, 3)
    assert (error.text, error.caret) == ("a z", "  ^")
    assert str(error) == "a.dlx:7:3: unknown item 'z'\n  a z\n    ^"


@pytest.mark.parametrize("double", [copy.copy, lambda e: pickle.loads(pickle.dumps(e))])
def test_syntax_error_survives_copying_and_pickling(double):
    with pytest.raises(DlxSyntaxError) as caught:
        Problem.from_dlx("a b\na z")
    again = double(caught.value)
    assert str(again) == str(caught.value)
    assert (again.line, again.column, again.text) == (2, 3, "a z")


def test_errors_do_not_drag_the_decoders_along():
    with pytest.raises(DlxSyntaxError) as caught:
        Problem.from_dlx("a \ud800")
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_multiplicities_are_refused_by_an_engine_that_knows_none():
    for text in ("2|a b\na b\n", "0:1|a\na\n", "b 1:2|a\na b\n"):
        problem = Problem.from_dlx(text)
        for source in (text, problem):
            with pytest.raises(MultiplicityError, match="item 'a' has multiplicity"):
                XCC().solve(source).count()


def test_multiplicity_of_exactly_one_is_none():
    assert XCC().solve("1|a 1:1|b\na b\n").count() == 1
