"""The DLX format: what is read, from where, and what is said about faults."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_dlx import Fault, parse
from strategies import examples, puzzles

from dcells_async import (
    COMPILED,
    XCC,
    DlxSyntaxError,
    DlxWarning,
    Problem,
    ProblemError,
    SearchError,
)
from dcells_async.dlx import Reading

EXAMPLE = "| a note\na b | x y\na x:A y:B\n\n| another\nb x:A\n"


def labels(problem):
    return [item.label for item in problem.items]


def entries(problem):
    return [tuple(option) for option in problem.options]


def fault_of(source):
    with pytest.raises(DlxSyntaxError) as caught:
        Problem.from_dlx(source)
    return caught.value


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


# -- encodings ---------------------------------------------------------------------

NOT_UTF8 = {
    "lone continuation": b"\x80",
    "overlong slash": b"\xc0\xaf",
    "overlong of two": b"\xc1\xbf",
    "overlong of three": b"\xe0\x9f\xbf",
    "overlong of four": b"\xf0\x8f\xbf\xbf",
    "surrogate": b"\xed\xa0\x80",
    "last surrogate": b"\xed\xbf\xbf",
    "beyond the last character": b"\xf4\x90\x80\x80",
    "far beyond": b"\xf5\x80\x80\x80",
    "no such byte": b"\xff",
    "cut after one of two": b"\xc3",
    "cut after two of three": b"\xe2\x82",
    "cut after three of four": b"\xf0\x9f\x98",
    "second byte is none": b"\xe2(\xa1",
    "third byte is none": b"\xe2\x82(",
    "latin-1": "é".encode("latin-1"),
}


@pytest.mark.parametrize("code", NOT_UTF8.values(), ids=NOT_UTF8)
@pytest.mark.parametrize("tail", [b"", b"\n", b" a\na", b"a"])
def test_what_is_no_utf8_is_told_with_its_place(code, tail):
    error = fault_of("a é\n| 日\né a ".encode() + code + tail)
    assert (error.line, error.column) == (3, 5)
    assert error.reason == f"not UTF-8: byte 0x{code[0]:02x}"
    assert fault_of(code + b" b\na").line == 1


@pytest.mark.parametrize(
    "name",
    ["\x7f", "\x80", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U0010ffff"],
)
def test_first_and_last_characters_of_each_length_are_fine(name):
    assert labels(Problem.from_dlx(f"a {name}\na {name}".encode())) == ["a", name]


def first_bad_byte(text):
    """Ask Python's own decoder; a NUL byte is bad too."""
    try:
        text.decode()
        bad = len(text)
    except UnicodeDecodeError as error:
        bad = error.start
    nul = text.find(b"\0")
    return bad if nul < 0 else min(bad, nul)


@given(st.binary(min_size=1, max_size=6).map(lambda code: code.replace(b"\n", b"-")))
@examples(1000)
def test_bytes_are_taken_just_when_they_are_utf8(code):
    text = b"a\n| " + code
    bad = first_bad_byte(text)
    if bad == len(text):
        assert labels(Problem.from_dlx(text)) == ["a"]
    else:
        error = fault_of(text)
        assert (error.line, error.column) == (2, len(text[2:bad].decode()) + 1)


@pytest.mark.parametrize("mark", [chr(0xD800), chr(0xDFFF), chr(0xDC80)])
def test_lone_surrogate_in_a_str_is_told_with_its_place(mark):
    for source in (
        f"a b\na {mark}",
        ["a b", f"a {mark}"],
        io.StringIO(f"a b\na {mark}"),
    ):
        error = fault_of(source)
        assert (error.line, error.column) == (2, 3)
        assert "not text" in error.reason
        assert error.caret == "  ^"
        str(error).encode()


def test_surrogate_far_into_a_long_text_is_told_with_its_place():
    text = "a b\n" + "a b\n" * 200_000 + "b \udfff"
    error = fault_of(text)
    assert (error.line, error.column) == (200_002, 3)


def opened(code, encoding):
    return io.TextIOWrapper(io.BytesIO(code), encoding=encoding)


@pytest.mark.parametrize("blanks", [0, 3, 100, 8190, 8191, 8192, 8193, 20000])
@pytest.mark.parametrize("lines", [0, 1, 5000])
def test_text_file_that_does_not_decode_is_told_with_its_place(lines, blanks):
    code = b"a b\n" + b"a b\n" * lines + b" " * blanks + b"a \xe9 b\nb\n"
    error = fault_of(opened(code, "utf-8"))
    assert (error.line, error.column) == (lines + 2, blanks + 3)
    assert error.reason == "not utf-8: byte 0xe9"
    assert error.text.endswith("a ")


def test_text_file_of_another_encoding_is_read_or_told_with_its_place():
    assert labels(
        Problem.from_dlx(opened("é 日\né 日".encode("utf-16"), "utf-16"))
    ) == [
        "é",
        "日",
    ]
    bad = "é 日\né ".encode("utf-16-le") + b"\x00\xdc\x00\x00"
    error = fault_of(opened(bad, "utf-16-le"))
    assert (error.line, error.column) == (2, 3)
    error = fault_of(opened("é\né".encode("latin-1"), "ascii"))
    assert (error.line, error.column, error.reason) == (1, 1, "not ascii: byte 0xe9")


# -- sources -----------------------------------------------------------------------


class OwnPath:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return str(self.path)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "example.dlx"
    path.write_bytes(EXAMPLE.encode())
    return path


@pytest.mark.parametrize(
    "source",
    [
        lambda path: EXAMPLE,
        lambda path: EXAMPLE.encode(),
        lambda path: bytearray(EXAMPLE.encode()),
        lambda path: memoryview(EXAMPLE.encode()),
        lambda path: path,
        OwnPath,
        lambda path: io.BytesIO(EXAMPLE.encode()),
        lambda path: io.StringIO(EXAMPLE),
        lambda path: EXAMPLE.splitlines(),
        lambda path: EXAMPLE.splitlines(keepends=True),
        lambda path: (line for line in EXAMPLE.split("\n")),
        lambda path: EXAMPLE.encode().splitlines(),
        lambda path: [EXAMPLE],
        lambda path: ["\ufeff" + EXAMPLE],
    ],
)
def test_every_kind_of_source_gives_the_same_problem(path, source):
    problem = Problem.from_dlx(source(path))
    assert problem == Problem.from_dlx(EXAMPLE)
    assert list(problem.option_lines) == [3, 6]


@pytest.mark.parametrize(
    ("mode", "buffering"), [("r", -1), ("r", 1), ("rb", -1), ("rb", 0)]
)
def test_open_file_is_a_source_and_stays_open(path, mode, buffering):
    with path.open(mode, buffering=buffering) as file:
        assert Problem.from_dlx(file) == Problem.from_dlx(EXAMPLE)
        assert not file.closed


def test_blank_lines_of_an_iterable_count():
    error = fault_of(["a b", "", "", "a z"])
    assert (error.line, error.column) == (4, 3)
    assert fault_of([b"a b\n", b"", b"a z"]).line == 3


@pytest.mark.parametrize("source", [5, None, object(), 2.5])
def test_what_is_no_source_is_refused(source):
    with pytest.raises(TypeError, match="DLX text"):
        Problem.from_dlx(source)


def test_list_of_options_is_no_source():
    with pytest.raises(TypeError, match="line 1 is of type list"):
        Problem.from_dlx([["a", "b"], ["a"]])


def test_name_of_a_missing_file_as_a_str_is_noted():
    problem = Problem.from_dlx("problems/queens.dlx")
    kind, message = problem.check()[-1]
    assert kind == "empty"
    assert "pathlib.Path" in message


def test_missing_file_and_folder_are_errors_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        Problem.from_dlx(tmp_path / "none.dlx")
    with pytest.raises((IsADirectoryError, PermissionError)):
        Problem.from_dlx(tmp_path)


class Torn(io.RawIOBase):
    """A file that breaks after its first lines."""

    def __init__(self, error):
        self.error = error
        self.pieces = [b"a b\na b\n"]

    def readable(self):
        return True

    def read(self, size=-1):
        if size == 0:
            return b""
        if self.pieces:
            return self.pieces.pop()
        if isinstance(self.error, Exception):
            raise self.error
        return self.error


@pytest.mark.parametrize("error", [OSError(5, "broken"), TimeoutError("late")])
def test_read_error_is_not_taken_for_the_end(error):
    with pytest.raises(type(error)) as caught:
        Problem.from_dlx(Torn(error))
    assert caught.value is error

    def lines():
        yield "a b"
        raise error

    with pytest.raises(type(error)):
        Problem.from_dlx(lines())


def test_file_without_data_yet_is_not_taken_for_the_end():
    with pytest.raises(BlockingIOError):
        Problem.from_dlx(Torn(None))


def test_closed_file_is_refused(path):
    with path.open() as file:
        pass
    with pytest.raises(ValueError, match="closed"):
        Problem.from_dlx(file)


def test_text_larger_than_all_pieces_is_read_right(tmp_path):
    n = 340_000 if COMPILED else 20_000
    text = "".join(["a b | x\n", *(f"{'ab'[k % 2]} x:{k % 7}\n" for k in range(n))])
    path = Path(tmp_path / "large.dlx")
    path.write_text(text)
    for source in (text, path, text.splitlines()):
        problem = Problem.from_dlx(source)
        assert len(problem.options) == n
        assert problem.options[n - 1].names == (
            "ab"[(n - 1) % 2],
            f"x:{(n - 1) % 7}",
        )
        assert problem.option_lines[-1] == n + 1
        assert list(problem.entry_item[:6]) == [0, 2, 1, 2, 0, 2]


def test_large_text_of_many_items_is_read_right():
    n = 500 if COMPILED else 50
    names = [f"item-{k}" for k in range(n)]
    rows = [[names[(k + j) % n] for j in range(0, 120, 3)] for k in range(n * 30)]
    rows = [list(dict.fromkeys(row)) for row in rows]
    text = "\n".join(map(" ".join, [names, *rows]))
    if COMPILED:
        assert len(text) > 5_000_000
    problem = Problem.from_dlx(text)
    assert len(problem.options) == len(rows)
    for number in (0, 1, n, len(rows) - 1):
        assert problem.options[number].names == tuple(rows[number])


def test_many_names_and_colors_are_told_apart():
    n = 100_000 if COMPILED else 5000
    text = "".join(
        [
            " ".join(f"p{k}" for k in range(n)),
            " | x\n",
            *(f"p{k} x:c{k}\n" for k in range(n)),
        ]
    )
    problem = Problem.from_dlx(text)
    assert labels(problem) == [*(f"p{k}" for k in range(n)), "x"]
    assert problem.colors == tuple(f"c{k}" for k in range(n))
    assert list(problem.entry_item[::2]) == list(range(n))
    assert list(problem.entry_color[1::2]) == list(range(1, n + 1))


# -- reading step by step ----------------------------------------------------------


def steps_of(reading):
    steps = reading.steps()
    while True:
        try:
            yield next(steps)
        except StopIteration as end:
            yield end.value
            return


def test_reading_stopped_anywhere_ends_and_gives_nothing():
    text = "a b\n" + "a b\n" * (400_000 if COMPILED else 100_000)
    total = len(list(steps_of(Reading(text))))
    assert total > 4
    for after in range(total - 1):
        reading = Reading(text)
        steps = reading.steps()
        for _ in range(after):
            next(steps)
        reading.stop()
        with pytest.raises(SearchError, match="stopped"):
            for _ in range(5):
                next(steps)


# -- writing -----------------------------------------------------------------------


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
