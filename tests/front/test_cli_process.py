"""The command line as a process: pipes, signals, terminals, exit statuses."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from problems import FRUITLESS, queens
from standing import PROCESS_S

from dcells_async import COMPILED

PROMPT_S = 30
unix = pytest.mark.skipif(os.name == "nt", reason="pipes and signals differ there")

GRID = "." * 80 + "1\n"
LINE_BY_LINE = [
    ["sudoku", "--format", "lines"],
    ["sudoku", "--format", "lines", "--backend", "trio"],
    ["minlex"],
]

COLORED = "a b c | x\na x:red\nb c x:red\na b\nc\n"


def fruitless(found_before: int) -> str:
    """Give a problem with some covers at once, and then a search without end."""
    squares, *options = FRUITLESS.splitlines()
    early = [f"first {squares}"] * found_before
    return "\n".join([f"first {squares} | spare", *early, "first spare", *options])


@pytest.fixture
def write(tmp_path):
    """Writes a problem to a file, and gives the path."""

    def written(text: str) -> str:
        path = tmp_path / "problem.dlx"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


def environment(**changes: str) -> dict[str, str]:
    pure = {} if COMPILED else {"DCELLS_ASYNC_PURE": "1"}
    return {**os.environ, "TERM": "xterm", "COLUMNS": "80", **pure, **changes}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "dcells_async", *arguments]


def run(*arguments: str, **settings):
    settings = {"capture_output": True, **settings}
    return subprocess.run(
        command(*arguments),
        env=environment(),
        timeout=PROCESS_S,
        check=False,
        **settings,
    )


@pytest.fixture
def start():
    """Starts a process that Ctrl-C reaches, and ends it if the test does not."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    started: list[subprocess.Popen[bytes]] = []

    def begin(*arguments: str):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = subprocess.Popen(
            command(*arguments), env=environment(), bufsize=0, **pipes
        )
        started.append(process)
        return process

    yield begin
    signal.signal(signal.SIGINT, handler)
    for process in started:
        process.kill()
        process.communicate(timeout=PROCESS_S)


def interrupt(process: subprocess.Popen[bytes]) -> tuple[list[bytes], str]:
    """Press Ctrl-C, and give the lines of output, and stderr."""
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=PROCESS_S)
    assert process.returncode == 130
    assert time.monotonic() - begin < PROMPT_S
    text = errors.decode()
    assert "Traceback" not in text
    return output.splitlines(), text


def test_process_reads_files_and_standard_input(write):
    done = run("solve", write(COLORED))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"1:\na x:red\nb c x:red\n\n2:\na b\nc\n\n"
    assert run("solve", "-", input=COLORED.encode()).stdout == done.stdout
    assert run("solve", "-", "--unique", input=COLORED.encode()).returncode == 3
    bad = run("check", "-", input=b"a\nb\n")
    assert bad.returncode == 2
    assert bad.stderr.startswith(b"<stdin>:2:1: unknown item 'b'")


@unix
@pytest.mark.parametrize("text", [queens(10), fruitless(1)])
def test_reader_who_leaves_ends_the_search_quietly(text, write, start):
    process = start("solve", write(text))
    assert process.stdout.readline() == b"1:\n"
    process.stdout.close()
    assert process.wait(PROCESS_S) == 141
    assert process.stderr.read() == b""


@unix
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["check", "-"],
        ["solve", "-"],
        ["solve", "-", "--count"],
        ["solve", "-", "--format", "json"],
        ["zdd", "-"],
        ["zdd", "-", "--format", "json", "--sample", "5"],
    ],
)
def test_reader_who_left_before_is_no_trouble(arguments):
    read, written = os.pipe()
    os.close(read)
    settings = {"stdout": written, "stderr": subprocess.PIPE, "capture_output": False}
    done = run(*arguments, input=COLORED.encode(), **settings)
    os.close(written)
    assert (done.returncode, done.stderr) == (141, b"")


@unix
@pytest.mark.parametrize("arguments", LINE_BY_LINE)
def test_lines_are_answered_while_the_input_rests(arguments, start):
    process = start(*arguments, "-")
    for _ in range(2):
        process.stdin.write(GRID.encode())
        assert process.stdout.readline()
    # The input stays open, and a thread waits for more.
    process.send_signal(signal.SIGINT)
    assert process.wait(PROCESS_S) == 130
    errors = process.stderr.read().decode()
    assert re.fullmatch(r"2 (puzzles|grids).* in .* s\ninterrupted\n", errors)
    assert process.stdout.read() == b""


@unix
@pytest.mark.parametrize("rests", [True, False])
def test_reader_of_lines_who_leaves_is_noticed_while_the_input_rests(rests, start):
    process = start("sudoku", "--format", "lines", "-")
    process.stdin.write(GRID.encode())
    assert process.stdout.readline()
    process.stdout.close()
    if not rests:
        process.stdin.write(GRID.encode())
    assert process.wait(PROCESS_S) == 141
    assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize(
    "arguments", [["--help"], ["check", "-"], ["solve", "-"], ["zdd", "-"]]
)
def test_full_disk_is_told(arguments):
    with Path("/dev/full").open("wb") as full:
        settings = {"stdout": full, "stderr": subprocess.PIPE, "capture_output": False}
        done = run(*arguments, input=COLORED.encode(), **settings)
    assert done.returncode == 2
    assert done.stderr.startswith(b"dcells: the output cannot be written: ")
    assert done.stderr.count(b"\n") == 1


@unix
@pytest.mark.parametrize("name", ["check", "solve", "zdd"])
def test_closed_output_is_told(name):
    shell = f"{shlex.join(command(name, '-'))} >&-"
    done = subprocess.run(
        shell,
        shell=True,
        env=environment(),
        input=COLORED.encode(),
        stderr=subprocess.PIPE,
        timeout=PROCESS_S,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == b"dcells: standard output is closed\n"


@unix
def test_interrupt_in_a_fruitless_search_keeps_the_covers_before(write, start):
    process = start("solve", write(fruitless(3)), "--format", "ndjson")
    covers = [json.loads(process.stdout.readline()) for _ in range(3)]
    assert [record["options"] for record in covers] == [[1], [2], [3]]
    output, errors = interrupt(process)
    (end,) = map(json.loads, output)
    assert (end["type"], end["outcome"], end["stats"]["covers"]) == (
        "end",
        "cancelled",
        3,
    )
    assert errors.startswith("interrupted: 3 covers, ")


@unix
@pytest.mark.parametrize(
    ("question", "answer"), [("--count", b"at least 1"), ("--unique", b"unknown")]
)
def test_interrupt_tells_what_is_known(question, answer, write, start):
    path = write(fruitless(1))
    process = start("solve", path, question, "--engine", "xcc", "--progress")
    assert b"1 cover" in process.stderr.readline()
    output, errors = interrupt(process)
    assert output == [answer]
    assert "interrupted: 1 cover, " in errors


@unix
def test_interrupt_among_many_covers_loses_none_and_cuts_no_line(write, start):
    process = start("solve", write(queens(14)), "--format", "ndjson")
    process.stdout.readline()
    output, _ = interrupt(process)
    *covers, end = map(json.loads, output)
    assert [record["cover"] for record in covers] == list(range(2, len(covers) + 2))
    assert end["stats"]["covers"] == len(covers) + 1


def has_filled_its_output(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process can write no more, as nobody reads."""
    fcntl = pytest.importorskip("fcntl")
    termios = pytest.importorskip("termios")
    filled, deadline = -1, time.monotonic() + PROCESS_S
    since = time.monotonic()
    while time.monotonic() < deadline:
        before = filled
        answer = fcntl.ioctl(process.stdout, termios.FIONREAD, bytes(4))
        filled = int.from_bytes(answer, sys.byteorder)
        if filled != before:
            since = time.monotonic()
        # On a busy machine it may stand still for other reasons, too.
        elif filled > 50_000 and time.monotonic() - since > 1.5:
            break
        time.sleep(0.05)


@unix
@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        pytest.param(queens(14), ["solve", "--format", "ndjson"], id="solve"),
        # Interpreted, it takes too long to fill a pipe.
        pytest.param(GRID * 20_000, ["sudoku"], id="sudoku", marks=pytest.mark.slow),
    ],
)
def test_interrupt_does_not_wait_for_a_reader_who_does_not_read(
    text, arguments, write, start
):
    process = start(*arguments, write(text))
    has_filled_its_output(process)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(PROCESS_S) == 130
    assert time.monotonic() - begin < PROMPT_S
    assert b"interrupted: the output was cut off\n" in process.stderr.read()


def is_reading(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process reads its standard input: more goes in than a pipe holds."""
    rest = memoryview(b" ".join(b"item%d" % k for k in range(100_000)))
    while rest:
        # It may be less than all, if we are made to stand still meanwhile.
        rest = rest[process.stdin.write(rest) :]


@unix
@pytest.mark.parametrize(
    "arguments", [["solve"], ["solve", "--count"], ["check"], ["zdd"]]
)
def test_interrupt_while_reading(arguments, start):
    process = start(*arguments, "-")
    is_reading(process)
    output, errors = interrupt(process)
    assert output == ([b"at least 0"] if "--count" in arguments else [])
    assert errors.startswith("interrupted")


@unix
def test_timeout_while_reading(start):
    process = start("solve", "-", "--timeout", "0.5", "--format", "json")
    is_reading(process)
    assert process.wait(PROCESS_S) == 124
    document = json.load(process.stdout)
    assert (document["covers"], document["outcome"]) == ([], "timed out")
    assert b"was not read to its end" in process.stderr.read()


@unix
@pytest.mark.parametrize("command", ["solve", "zdd"])
def test_timeout_while_nobody_writes_to_a_pipe(command, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = run(command, str(pipe), "--timeout", "0.5")
    assert done.returncode == 124
    assert done.stderr.startswith(b"timed out")


@unix
def test_saved_diagram_in_a_pipe_is_told_to_need_a_file(tmp_path):
    saved = tmp_path / "saved"
    run("zdd", "-", "--save", str(saved), input=COLORED.encode())
    done = run("zdd", "-", input=saved.read_bytes())
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"standard input: this is a saved diagram, which must be in" in done.stderr
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = run("zdd", "-", "--save", str(pipe), input=COLORED.encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"dcells: %b: not a regular file" % bytes(pipe))
    assert pipe.is_fifo()


def test_timeout_tells_what_is_known(write):
    path = write(fruitless(2))
    xcc = "--engine", "xcc", "--timeout", "1"
    done = run("solve", path, "--count", *xcc)
    assert (done.stdout.decode().split(), done.returncode) == (
        ["at", "least", "2"],
        124,
    )
    assert done.stderr.startswith(b"timed out: 2 covers, ")
    done = run("solve", path, "--timeout", "1", "--format", "ndjson")
    *covers, end = map(json.loads, done.stdout.splitlines())
    assert (len(covers), end["outcome"], done.returncode) == (2, "timed out", 124)
    done = run("solve", write(fruitless(1)), "--unique", *xcc)
    assert (done.stdout.split(), done.returncode) == ([b"unknown"], 124)


def test_timeout_does_not_matter_once_the_answer_is_known(write):
    path = write(fruitless(2))
    assert run("solve", path, "--unique", "--timeout", "60").returncode == 3
    assert run("solve", path, "--first", "2", "--timeout", "60").returncode == 0


@unix
def test_terminal_shows_a_bar_and_gets_its_cursor_back(write):
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    arguments = ["solve", write(fruitless(1)), "--timeout", "1.5"]
    settings = {"stdout": subprocess.PIPE, "stderr": theirs, "capture_output": False}
    done = run(*arguments, **settings)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 1 << 16):
            shown += piece
    except OSError:  # how Linux tells that nobody holds the other end
        pass
    os.close(ours)
    assert done.returncode == 124
    assert done.stdout.startswith(b"1:\n")
    assert b"%" in shown
    assert b"1 cover" in shown
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")
    assert b"timed out: 1 cover" in shown[shown.rindex(b"\x1b[?25h") :]


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_missing_extra_is_named(missing):
    program = (
        f"import sys; sys.modules[{missing!r}] = None; "
        "from dcells_async.cli import main; sys.exit(main(['--version']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        capture_output=True,
        timeout=PROCESS_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"pip install 'dcells-async[cli]'" in done.stderr
