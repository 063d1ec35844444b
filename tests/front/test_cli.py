"""The command line, in process; see also ``test_cli_process``."""

from __future__ import annotations

import io
import json
import os
import signal

import pytest
from click.testing import CliRunner

import dcells_async
from dcells_async import COMPILED
from dcells_async.cli import main
from dcells_async.cli.commands import dcells
from dcells_async.cli.interrupts import on_interrupt
from dcells_async.cli.outlet import Outlet, OutputError
from dcells_async.cli.progress import Bar
from dcells_async.cli.statuses import STATUSES
from dcells_async.puzzles.queens import queens

COLORED = "a b c | x\na x:red\nb c x:red\na b\nc\n"
UNIQUE = "a b\na b\na\n"
NONE = "a b\na\n"


@pytest.fixture
def write(tmp_path):
    """Writes a problem to a file, and gives the path."""

    def written(text: str | bytes, name: str = "problem.dlx") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return written


def invoke(*arguments: str, stdin: str | bytes | None = None):
    done = CliRunner().invoke(dcells, arguments, input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def solve(text: str | bytes, *arguments: str):
    return invoke("solve", "-", *arguments, stdin=text)


# -- what is printed ---------------------------------------------------------------


def test_text_is_a_block_a_cover():
    done = solve(COLORED)
    assert done.stdout == "1:\na x:red\nb c x:red\n\n2:\na b\nc\n\n"
    assert (done.exit_code, done.stderr) == (0, "")


def test_json_is_one_document():
    done = solve(COLORED, "--format", "json")
    document = json.loads(done.stdout)
    assert document["covers"] == [
        {
            "options": [1, 2],
            "names": [["a", "x:red"], ["b", "c", "x:red"]],
            "lines": [2, 3],
        },
        {"options": [3, 4], "names": [["a", "b"], ["c"]], "lines": [4, 5]},
    ]
    assert document["outcome"] == "exhausted"
    stats = document["stats"]
    assert (stats["covers"], stats["nodes"], stats["fraction"]) == (2, 5, 1)


def test_json_without_cover_is_a_document_too():
    done = solve(NONE, "--format", "json")
    assert json.loads(done.stdout)["covers"] == []
    assert done.exit_code == 1


def test_ndjson_is_a_record_a_line_and_an_end():
    done = solve(COLORED, "--format", "ndjson")
    first, second, end = map(json.loads, done.stdout.splitlines())
    assert first == {
        "type": "cover",
        "cover": 1,
        "options": [1, 2],
        "names": [["a", "x:red"], ["b", "c", "x:red"]],
        "lines": [2, 3],
    }
    assert (second["cover"], second["options"]) == (2, [3, 4])
    assert (end["type"], end["outcome"]) == ("end", "exhausted")
    assert end["stats"]["covers"] == 2


def test_many_covers_are_all_printed_in_order():
    problem = queens(8)
    done = solve(problem.to_dlx(), "--format", "ndjson")
    *covers, end = map(json.loads, done.stdout.splitlines())
    assert [record["cover"] for record in covers] == list(range(1, 93))
    assert end["stats"]["covers"] == 92
    for record in covers:
        assert not dcells_async.verify(problem, record["options"])
        names = [list(problem.options[k - 1].names) for k in record["options"]]
        assert record["names"] == names
        assert record["lines"] == [k + 1 for k in record["options"]]


def test_names_beyond_ascii_are_written_as_utf8():
    assert solve("ä 数\nä 数\n").stdout_bytes == "1:\nä 数\n\n".encode()
    assert '["ä", "数"]' in solve("ä 数\nä 数\n", "--format", "json").stdout


def test_first_stops_early():
    done = solve(queens(8).to_dlx(), "--first", "3", "--format", "ndjson")
    *covers, end = map(json.loads, done.stdout.splitlines())
    assert (len(covers), end["outcome"], done.exit_code) == (3, "limited", 0)


def test_first_of_more_than_there_are_is_all():
    done = solve(COLORED, "--first", "7")
    assert (done.stdout.count(":\n"), done.exit_code) == (2, 0)


@pytest.mark.parametrize(
    ("text", "count", "status"), [(COLORED, 2, 0), (UNIQUE, 1, 0), (NONE, 0, 1)]
)
def test_count(text, count, status):
    done = solve(text, "--count")
    assert (done.stdout, done.exit_code) == (f"{count}\n", status)
    document = json.loads(solve(text, "--count", "--format", "json").stdout)
    assert (document["count"], document["exact"]) == (count, True)
    record = json.loads(solve(text, "--count", "--format", "ndjson").stdout)
    assert (record["type"], record["count"]) == ("end", count)


@pytest.mark.parametrize(
    ("text", "answer", "unique", "status"),
    [
        (COLORED, "several", False, 3),
        (UNIQUE, "unique", True, 0),
        (NONE, "none", False, 1),
    ],
)
def test_unique(text, answer, unique, status):
    done = solve(text, "--unique")
    assert (done.stdout, done.exit_code) == (f"{answer}\n", status)
    document = json.loads(solve(text, "--unique", "--format", "json").stdout)
    assert (document["answer"], document["unique"]) == (answer, unique)


def test_stats_go_to_stderr():
    done = solve(COLORED, "--stats")
    assert done.stderr.startswith("all searched: 2 covers, 5 nodes, ")
    assert done.stdout == solve(COLORED).stdout


def test_progress_is_told_in_lines_where_there_is_no_terminal():
    done = solve(COLORED, "--progress")
    assert done.stderr.split()[:3] == ["100.00%", "2", "covers"]
    assert solve(COLORED, "--no-progress").stderr == ""


def test_no_cover_is_explained():
    done = solve(NONE)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "no cover",
        "note: item 'b' is in no option: there is no cover",
    ]
    done = solve(" ".join(f"i{k}" for k in range(40)) + "\ni0\n")
    assert done.stderr.count("note: ") == 11
    assert "29 more" in done.stderr
    assert "pathlib" not in solve("a\n").stderr


def test_warning_is_one_clean_line():
    done = solve("a | x\na\nx\n")
    assert done.stderr.startswith("warning: ")
    assert "line 3: an option without a primary item" in done.stderr
    assert done.stderr.count("\n") == 1


def test_check_tells_sizes_and_notes(write):
    done = invoke("check", write(COLORED))
    assert done.stdout == "4 options, 3+1 item, 8 entries, 1 color\n"
    assert (done.exit_code, done.stderr) == (0, "")
    done = invoke("check", "-", stdin="a b | x\na x:odd\nx\n")
    lines = done.stdout.splitlines()
    assert lines[1] == "uncovered: item 'b' is in no option: there is no cover"
    assert lines[2].startswith("lone color: color 'odd' occurs once")
    assert lines[3].startswith("dropped: ")
    assert (done.exit_code, done.stderr) == (1, "")
    done = invoke("check", "-", stdin="a | x\na\n")
    assert "unused: item 'x'" in done.stdout
    assert done.exit_code == 0


def test_check_json(write):
    done = invoke("check", "--format", "json", write(NONE))
    assert json.loads(done.stdout) == {
        "options": 1,
        "primary": 2,
        "secondary": 0,
        "entries": 1,
        "colors": 0,
        "notes": [
            {
                "kind": "uncovered",
                "message": "item 'b' is in no option: there is no cover",
            }
        ],
    }
    assert done.exit_code == 1


# -- input -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        COLORED.encode(),
        COLORED.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + COLORED.encode(),
        COLORED.rstrip().encode(),
    ],
)
def test_line_ends_and_marks_do_not_matter(text, write):
    assert solve(text).stdout == solve(COLORED).stdout
    assert invoke("solve", write(text)).stdout == solve(COLORED).stdout


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        (b"a b\na z\n", "2:3", "unknown item 'z'"),
        (b"a b\na\xff\n", "2:2", "not UTF-8: byte 0xff"),
        (b"a b\na \0\n", "2:3", "NUL"),
        (b"", "1:1", "no items"),
        (b"\xef\xbb\xbf", "1:1", "no items"),
    ],
)
def test_bad_text_is_shown_with_its_place(command, text, place, reason, write):
    path = write(text)
    done = invoke(command, path)
    head, line, caret = done.stderr.splitlines()
    assert head.startswith(f"{path}:{place}: ")
    assert reason in head
    column = int(place.split(":")[1])
    assert caret == "  " + " " * (column - 1) + "^"
    assert line.startswith("  ")
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("command", ["solve", "check"])
def test_unreadable_file_is_named(command, tmp_path):
    missing = str(tmp_path / "missing.dlx")
    for path in (missing, str(tmp_path)):
        done = invoke(command, path)
        assert done.stderr.startswith(f"dcells: {path}: ")
        assert done.stderr.count("\n") == 1
        assert (done.exit_code, done.stdout) == (2, "")


def test_multiplicity_is_refused_by_an_engine_and_not_by_check():
    done = solve("2|a\na\na\n")
    assert done.exit_code == 2
    assert done.stderr.startswith("dcells: item 'a' has multiplicity 2:2")
    assert invoke("check", "-", stdin="2|a\na\na\n").exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["--first", "0"],
        ["--first", "-1"],
        ["--first", "some"],
        ["--timeout", "0"],
        ["--timeout", "-1"],
        ["--timeout", "nan"],
        ["--timeout", "inf"],
        ["--timeout", "soon"],
        ["--format", "xml"],
        ["--engine", "abacus"],
        ["--count", "--unique"],
        ["--count", "--first", "1"],
        ["--unique", "--first", "1"],
        ["another"],
        ["--nonsense"],
    ],
)
def test_usage_errors(arguments):
    done = solve(COLORED, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: ")


def test_help_shows_examples_and_every_exit_status():
    for arguments in (["--help"], ["solve", "--help"], ["check", "-h"]):
        done = invoke(*arguments)
        assert done.exit_code == 0
        assert "Examples:\n" in done.stdout
    assert all(
        meaning in " ".join(invoke("solve", "--help").stdout.split())
        for meaning in STATUSES.values()
    )
    assert invoke("solve").exit_code == 2


def test_version_tells_the_kernels():
    kernels = "compiled" if COMPILED else "interpreted"
    expected = f"dcells {dcells_async.__version__} ({kernels} kernels)\n"
    assert CliRunner().invoke(dcells, ["--version"], prog_name="dcells").stdout == (
        expected
    )


def test_main_gives_statuses(write, capsys):
    assert main(["solve", write(COLORED)]) == 0
    assert main(["solve", write(NONE)]) == 1
    assert main(["solve", write("a\nb\n")]) == 2
    assert main(["solve", "--first", "0", write(COLORED)]) == 2
    assert main(["--version"]) == 0
    assert "Traceback" not in capsys.readouterr().err


# -- its parts ---------------------------------------------------------------------


class Reluctant(io.RawIOBase):
    """Takes three bytes at a time, and every other time none."""

    def __init__(self):
        self.taken = b""
        self.calls = 0

    def write(self, data):
        self.calls += 1
        if self.calls % 2:
            return None
        self.taken += bytes(data[:3])
        return min(3, len(data))


class Broken(io.RawIOBase):
    def write(self, data):
        raise OSError(28, "no room")


def bar():
    return Bar(dcells_async.Stats)


def test_outlet_writes_everything_in_order_to_a_reluctant_reader():
    raw = Reluctant()
    pieces = [b"%d\n" % k for k in range(50)]
    with Outlet(raw, bar(), lambda: None) as outlet:
        for piece in pieces:
            outlet.put(piece)
    assert raw.taken == b"".join(pieces)
    assert outlet.complete


def test_outlet_tells_of_a_failure():
    failures = []
    outlet = Outlet(Broken(), bar(), lambda: failures.append(1))
    with pytest.raises(OutputError, match="no room"), outlet:
        outlet.put(b"something")
    assert failures == [1]


def test_outlet_leaves_a_stuck_reader_only_in_a_hurry():
    read, written = os.pipe()
    size = 1 << 24
    with os.fdopen(read, "rb"), os.fdopen(written, "wb", 0) as stream:
        with Outlet(stream, bar(), lambda: None) as outlet:
            outlet.hurry()
            outlet.put(bytes(size))
        assert not outlet.complete
        while os.read(read, 1 << 20) and (size := size - (1 << 16)) > 0:
            pass


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
def test_interrupt_calls_once_and_then_raises():
    calls = []
    with pytest.raises(KeyboardInterrupt), on_interrupt(lambda: calls.append(1)):
        signal.raise_signal(signal.SIGINT)
        assert calls == [1]
        signal.raise_signal(signal.SIGINT)
    assert calls == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# -- cheapest covers -----------------------------------------------------------------

PRICED = "a b c\na b |5\nc |1\na c |2\nb |3\n"


@pytest.mark.parametrize("engine", ["xcc", "mcc"])
def test_minimize_prints_ever_cheaper_covers_and_the_proof(engine):
    done = solve(PRICED, "--minimize", "--engine", engine)
    assert done.stdout.startswith("1: price 6\na b\nc\n")
    assert done.stdout.endswith("2: price 5\na c\nb\n\n")
    assert done.stderr == "price 5, the least there is\n"
    done = solve(PRICED, "--minimize", "--engine", engine, "--format", "ndjson")
    *covers, end = map(json.loads, done.stdout.splitlines())
    assert [cover["price"] for cover in covers] == [6, 5]
    assert end["stats"]["lower_bound"] == 5


def test_minimize_that_is_cut_short_says_so():
    done = solve(PRICED, "--minimize", "--first", "1")
    assert done.stderr == "price 6, perhaps not the least: at least 5\n"
    assert solve("a b\na |1\n", "--minimize").exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--minimize", "--count"),
        ("--minimize", "--engine", "xccdc"),
        ("--best", "2"),
        ("--best", str(10**20), "--minimize"),
    ],
)
def test_minimize_refuses_what_does_not_go_with_it(arguments):
    done = solve(PRICED, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert arguments[0] in done.stderr


def test_prices_are_ignored_with_a_note():
    done = solve(PRICED, "--count")
    assert done.stdout == "2\n"
    assert done.stderr == "note: prices are ignored without --minimize\n"


# -- several workers ---------------------------------------------------------------


def test_workers_find_what_one_finds():
    text = "\n".join(
        map(" ".join, [["a", "b", "c"], ["a", "b"], ["c"], ["a", "c"], ["b"]])
    )
    assert solve(text, "--workers", "2", "--count").stdout == "2\n"
    assert solve(text, "--workers", "2", "--unique").stdout == "several\n"
    done = solve(text, "--workers", "3", "--ordered", "--stats")
    assert done.stdout == solve(text).stdout
    done = solve(PRICED, "--workers", "2", "--minimize")
    assert done.stdout == solve(PRICED, "--minimize").stdout
    assert solve(text, "--workers", "2", "--engine", "mcc", "--count").stdout == "2\n"


@pytest.mark.parametrize(
    ("arguments", "blame"),
    [
        (["--workers", "0"], "workers"),
        (["--ordered"], "--ordered needs --workers"),
        (["--workers", "2", "--engine", "xccdc"], "xccdc has one worker only"),
    ],
)
def test_workers_that_make_no_sense_are_refused(arguments, blame):
    done = solve(COLORED, *arguments)
    assert done.exit_code == 2
    assert blame in done.stderr


@pytest.mark.parametrize("how", ["--count", "--unique"])
def test_engines_race_where_no_covers_are_asked_for(how):
    done = solve(COLORED, how, "--stats")
    assert done.stderr.endswith(" first; no other was begun\n")
    assert (
        "finished first" not in solve(COLORED, how, "--engine", "xcc", "--stats").stderr
    )
    assert "finished first" not in solve(COLORED, "--stats").stderr
    twice = "2|a b\na\na\nb\na b"
    expected = {"--count": "3\n", "--unique": "several\n"}[how]
    assert solve(twice, how).stdout == expected
    done = solve(twice, "--engine", "auto", "--stats")
    assert "MCC finished first" in done.stderr
    assert solve(PRICED, "--minimize", "--engine", "auto").stderr == (
        solve(PRICED, "--minimize").stderr
    )
