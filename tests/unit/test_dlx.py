"""The DLX format: what is read, and what is said about faults."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_dlx import Fault, parse
from strategies import examples, puzzles
from telling import entries, fault_of, labels

from dcells_async import COMPILED, XCC, DlxWarning, Problem

EXAMPLE = "| a note\na b | x y\na x:A y:B\n\n| another\nb x:A\n"


# -- what is accepted ------------------------------------------------------------


def test_text_becomes_items_and_options_with_their_lines():
    problem = Problem.from_dlx(EXAMPLE)
    assert [(item.label, item.primary) for item in problem.items] == [
        ("a", True),
        ("b", True),
        ("x", False),
        ("y", False),
    ]
    assert entries(problem) == [("a", ("x", "A"), ("y", "B")), ("b", ("x", "A"))]
    assert [option.line for option in problem.options] == [3, 6]
    assert [option.number for option in problem.options] == [1, 2]
    assert problem.options[0].names == ("a", "x:A", "y:B")


@pytest.mark.parametrize(
    "text",
    [
        "a b | x y\na x:A y:B\nb x:A",
        "a b | x y\r\na x:A y:B\r\nb x:A\r\n",
        "\n\n a\tb\v|\fx  y \n  a x:A\ty:B  \n\n\n b x:A\n\n",
        "|\n||\n| a b\n  | c\na b | x y\n|a\na x:A y:B\n | b\nb x:A\n|",
        "\ufeffa b | x y\na x:A y:B\nb x:A\n",
        "\ufeff| note\na b | x y\na x:A y:B\nb x:A\n",
    ],
    ids=["no final newline", "CRLF", "blanks", "comments", "mark", "mark and comment"],
)
def test_blanks_comments_and_line_ends_do_not_matter(text):
    assert Problem.from_dlx(text) == Problem.from_dlx(EXAMPLE)


@pytest.mark.parametrize("text", ["a b |\na b\n", "a b |", "a b | \r\na b"])
def test_trailing_bar_means_no_secondary_items(text):
    problem = Problem.from_dlx(text)
    assert problem.n_primary == 2
    assert labels(problem) == ["a", "b"]


def test_trailing_bar_leaves_the_covers_as_they_are():
    text = "a b c d e f g |\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
    with XCC().solve(text) as covers:
        assert [sorted(cover.numbers) for cover in covers] == [[1, 4, 5]]


def test_color_may_hold_colons_and_bars_and_an_item_order_is_free():
    problem = Problem.from_dlx("p | x y\nx:a:b y:|c|: p\n")
    assert entries(problem) == [(("x", "a:b"), ("y", "|c|:"), "p")]


def test_names_may_be_of_any_script_and_length():
    names = ["日本語", "🂡", "é", "e\u0301", "\u00a0", "\u3000", "n" * 40, "\ufeff"]
    text = f"{' '.join(names)} | x\n{' '.join(names)} x:красный\n"
    problem = Problem.from_dlx(text)
    assert labels(problem) == [*names, "x"]
    assert entries(problem) == [(*names, ("x", "красный"))]
    assert Problem.from_dlx(text.encode()) == problem


def test_lone_carriage_return_is_a_blank():
    assert labels(Problem.from_dlx("a\rb\na b\r")) == ["a", "b"]


def test_equal_lines_stay_different_options():
    problem = Problem.from_dlx("a\na\na\na\n")
    assert len(problem.options) == 3
    with XCC().solve(problem) as covers:
        assert sorted(cover.numbers for cover in covers) == [(1,), (2,), (3,)]


def test_one_color_on_different_items_is_unrelated():
    problem = Problem.from_dlx("p q | x y\np x:A\nq y:A\n")
    assert problem.colors == ("A",)
    assert XCC().solve(problem).count() == 1


def test_no_options_at_all_is_no_error():
    problem = Problem.from_dlx("a b")
    assert len(problem.options) == 0
    assert XCC().solve(problem).count() == 0
    assert [note.kind for note in problem.check()] == [
        "uncovered",
        "uncovered",
        "empty",
    ]


@given(puzzles(least_primary=1))
@examples(300)
def test_text_and_labels_build_equal_problems(puzzle):
    puzzle = puzzle._replace(options=[option for option in puzzle.options if option])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DlxWarning)
        problem = Problem.from_dlx(puzzle.text())
    assert problem == puzzle.problem()
    assert problem.dropped == puzzle.problem().dropped


# -- multiplicities and prices -----------------------------------------------------


@pytest.mark.parametrize(
    ("token", "low", "high"),
    [
        ("a", 1, 1),
        ("1|a", 1, 1),
        ("2|a", 2, 2),
        ("+2|a", 2, 2),
        ("0:1|a", 0, 1),
        ("2:3|a", 2, 3),
        ("-0:00012|a", 0, 12),
        ("2147483647|a", 2**31 - 1, 2**31 - 1),
        ("0:2147483647|a", 0, 2**31 - 1),
    ],
)
def test_multiplicity_is_read_as_bounds(token, low, high):
    item = Problem.from_dlx(f"b {token} | x\na b").items[1]
    assert item == ("a", True, low, high)


def test_prices_of_an_option_add_up():
    problem = Problem.from_dlx("a b\na |7\n|7 is a comment\nb |+2 a |-5 |0\na b\n")
    assert [option.price for option in problem.options] == [7, -3, 0]
    assert entries(problem) == [("a",), ("b", "a"), ("a", "b")]


def test_problem_without_prices_costs_nothing():
    problem = Problem.from_dlx("a\na\n")
    assert problem.option_prices is None
    assert problem.options[0].price == 0
    assert problem == Problem.from_dlx("a\na |0\n")


@pytest.mark.parametrize(
    ("prices", "total"),
    [
        ("|9223372036854775807", 2**63 - 1),
        ("|-9223372036854775807", -(2**63) + 1),
        ("|9223372036854775806 |1", 2**63 - 1),
        ("|-9223372036854775806 |-1", -(2**63) + 1),
        ("|9223372036854775807 |-9223372036854775807 |5", 5),
    ],
)
def test_price_up_to_63_bits_is_exact(prices, total):
    assert Problem.from_dlx(f"a\na {prices}").options[0].price == total


@pytest.mark.parametrize(
    ("prices", "column"),
    [
        ("|9223372036854775808", 3),
        ("|-9223372036854775808", 3),
        ("|99999999999999999999999999", 3),
        ("|9223372036854775807 |1", 24),
        ("|-9223372036854775807 |-1", 25),
        ("|5 |9223372036854775803", 6),
    ],
)
def test_price_beyond_that_is_refused(prices, column):
    error = fault_of(f"a\na {prices}")
    assert (error.line, error.column) == (2, column)
    assert "64 bits" in error.reason


# -- faults ------------------------------------------------------------------------

FAULTS = [
    ("", 1, 1, "no items"),
    (" ", 1, 2, "no items"),
    ("\n\n", 3, 1, "no items"),
    ("| a\n  | b", 2, 6, "no items"),
    ("a | b | c\na", 1, 7, "second '|'"),
    ("a | |\na", 1, 5, "second '|'"),
    ("a b:c\na", 1, 4, "must not contain ':'"),
    (":\na", 1, 1, "must not contain ':'"),
    ("a | b:c\na", 1, 6, "must not contain ':'"),
    ("a 2||b\na", 1, 5, "must not contain '|'"),
    ("a 2|b|c\na", 1, 6, "must not contain '|'"),
    ("a b a\na", 1, 5, "'a' is declared twice"),
    ("a b | c b\na", 1, 9, "'b' is declared twice"),
    ("b 2|b\nb", 1, 5, "'b' is declared twice"),
    ("x|a\na", 1, 1, "multiplicity, such as 2|name or 1:3|name, not 'x'"),
    ("-1|a\na", 1, 1, "not '-1'"),
    (":3|a\na", 1, 1, "not ''"),
    ("1:|a\na", 1, 3, "not ''"),
    ("b |a\nb", 1, 3, "not ''"),
    ("1:2:3|a\na", 1, 3, "not '2:3'"),
    ("+|a\na", 1, 1, "not '+'"),
    ("2.5|a\na", 1, 1, "not '2.5'"),
    ("0x2|a\na", 1, 1, "not '0x2'"),
    ("٣|a\na", 1, 1, "not '٣'"),
    ("2147483648|a\na", 1, 1, "exceeds 2147483647"),
    ("1:99999999999999999999|a\na", 1, 3, "exceeds 2147483647"),
    ("0|a\na", 1, 1, "multiplicity 0 is zero"),
    ("0:0|a\na", 1, 1, "multiplicity 0:0 is zero"),
    ("3:2|a\na", 1, 1, "multiplicity 3:2 exceeds the upper"),
    ("a | 2|b\na", 1, 5, "'2|b' cannot have a multiplicity"),
    ("a | b|\na", 1, 5, "'b|' cannot have a multiplicity"),
    ("a 2|\na", 1, 3, "name of an item after '2|'"),
    ("a\n:x", 2, 1, "name of an item before the color in ':x'"),
    ("a\n:", 2, 1, "name of an item before the color in ':'"),
    ("a b\na z", 2, 3, "unknown item 'z'"),
    ("a b\na z:", 2, 3, "unknown item 'z'"),
    ("a b\na b|7", 2, 3, "unknown item 'b|7'; a bar belongs between"),
    ("a b\na 2|b", 2, 3, "unknown item '2|b'"),
    ("a b\na b a", 2, 5, "'a' is in this option twice"),
    ("a b\na a:R", 2, 3, "'a' is in this option twice"),
    ("p | x\np x:1 x:2", 2, 7, "'x' is in this option twice"),
    ("p | x\np x x:", 2, 5, "'x' is in this option twice"),
    ("p | x\nx:1 p:R", 2, 5, "primary item must be uncolored: 'p:R'"),
    ("p | x\np: x", 2, 1, "primary item must be uncolored: 'p:'"),
    ("p | x\np x:", 2, 3, "color after 'x:'"),
    ("p | x\nx:", 2, 1, "color after 'x:'"),
    ("a b\na | b", 2, 3, "price such as |7, not '|'"),
    ("a b\na |x", 2, 3, "price such as |7, not '|x'"),
    ("a b\na |1.5", 2, 3, "price such as |7, not '|1.5'"),
    ("a b\na |-", 2, 3, "price such as |7, not '|-'"),
    ("a b\na b\0", 2, 4, "NUL"),
    ("\0", 1, 1, "NUL"),
    ("a b\n| note \0\na", 2, 8, "NUL"),
    ("a b\na\nb\n\n | n\na b\nb\nb z", 8, 3, "unknown item 'z'"),
    ("日本 🂡\n🂡 日本 日", 2, 6, "unknown item '日'"),
]


@pytest.mark.parametrize(("text", "line", "column", "reason"), FAULTS)
def test_fault_is_told_with_line_column_and_reason(text, line, column, reason):
    error = fault_of(text)
    assert (error.line, error.column) == (line, column)
    assert reason in error.reason
    assert error.source == "<dlx>"
    assert str(error).startswith(f"<dlx>:{line}:{column}: {error.reason}\n")


@pytest.mark.parametrize(("text", "line", "column", "reason"), FAULTS)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: (text.replace("\n", "\r\n"), 0),
        lambda text: ("\ufeff" + text, 0),
        lambda text: (text.encode(), 0),
        lambda text: ("| one\n\n  | three: | x y\n" + text, 3),
    ],
    ids=["CRLF", "mark", "bytes", "after comments"],
)
def test_fault_is_found_where_it_is_whatever_the_text(
    change, text, line, column, reason
):
    changed, more = change(text)
    if isinstance(changed, str) and "\r" in changed and reason == "no items":
        line, column = text.count("\n") + 1, len(text.rpartition("\n")[2]) + 1
    error = fault_of(changed)
    assert (error.line, error.column) == (line + more, column)
    assert reason in error.reason


@pytest.mark.parametrize(("text", "line", "column", "reason"), FAULTS)
def test_caret_stands_below_the_fault(text, line, column, reason):
    error = fault_of(text)
    *_, shown, caret = str(error).split("\n")
    assert caret.strip() == "^"
    at = caret.index("^")
    source = text.split("\n")[line - 1].replace("\0", "␀") + " "
    assert (shown + " ")[at] == source[column - 1]


def test_caret_of_a_line_with_tabs_is_below_the_fault_at_any_tab_width():
    error = fault_of("a b\n\ta\tz b\n")
    assert error.text == "\ta\tz b"
    assert error.caret == "\t \t^"


def test_long_line_is_shown_in_part():
    names = [f"item{k}" for k in range(1000)]
    error = fault_of(" ".join(names) + "\n" + " ".join(names).replace("m500", "x500"))
    assert len(error.text) <= 120
    assert error.text[len(error.caret) - 1 :].startswith("itex500 item501")
    assert "did you mean" in error.reason


def test_long_name_is_shown_in_part():
    error = fault_of("a\n" + "z" * 100_000)
    assert len(str(error)) < 500


def test_control_characters_do_not_spoil_the_message():
    error = fault_of("a b\na \x1b[2J\v\f\rb z\n")
    assert error.column == 3
    assert error.text == "a ␛[2J␋␌␍b z"
    assert "\x1b" not in str(error)


def test_unknown_item_among_many_is_told_at_once_and_with_a_guess():
    names = " ".join(f"item{k}" for k in range(100_000 if COMPILED else 5000))
    error = fault_of(names + "\nitem10 itm11\n")
    assert error.column == 8
    assert "unknown item 'itm11'; did you mean 'item11'?" in error.reason


def test_fault_in_a_file_names_the_file(tmp_path):
    path = tmp_path / "problem.dlx"
    path.write_text("a b\n\na z\n")
    assert str(fault_of(path)).startswith(f"{path}:3:3: unknown item 'z'")
    with path.open("rb") as file:
        assert str(fault_of(file)).startswith(f"{path}:3:3: ")
    with path.open() as file:
        assert str(fault_of(file)).startswith(f"{path}:3:3: ")


LETTERS = st.text(alphabet="ab|:1-+ \t\r\n\né", max_size=30)
TOKENS = [
    "a",
    "b",
    "c",
    "x",
    "y",
    "|",
    ":1",
    "a:1",
    "x:1",
    "x:",
    "y:|",
    "a b",
    "a x:1 b",
]
TOKENS += ["|1", "|-2", "|z", "| a", "2|c", "0:1|d", "3:2|e", "\n", "\n", "\r\n"]
WORDS = st.lists(
    st.sampled_from(TOKENS),
    max_size=15,
).map(" ".join)


@given(st.one_of(LETTERS, WORDS, WORDS.map(lambda text: "a b | x y\n" + text)))
@examples(2000)
def test_any_text_is_read_as_the_format_says(text):
    expected = parse(text)
    if isinstance(expected, Fault):
        error = fault_of(text)
        assert (error.line, error.column) == expected
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DlxWarning)
        problem = Problem.from_dlx(text)
    assert list(problem.items) == expected.items
    assert entries(problem) == [tuple(option) for option in expected.options]
    assert [option.price for option in problem.options] == expected.prices
    assert [option.line for option in problem.options] == expected.lines
