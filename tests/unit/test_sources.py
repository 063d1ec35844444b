"""Where DLX text comes from: encodings, files, lines, and reading step by step."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from telling import fault_of, labels

from dcells_async import COMPILED, DlxWarning, Problem, SearchError
from dcells_async.dlx import Reading

EXAMPLE = "| a note\na b | x y\na x:A y:B\n\n| another\nb x:A\n"


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
    with pytest.warns(DlxWarning, match=r"pathlib\.Path") as caught:
        problem = Problem.from_dlx("problems/queens.dlx")
    assert caught[0].filename == __file__
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
