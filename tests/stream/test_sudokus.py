"""Many sudokus: order, statuses, sources, backpressure, errors, cancellation."""

from __future__ import annotations

import io
import os
from contextlib import aclosing

import anyio
import pytest

from dcells_async import COMPILED
from dcells_async.puzzles.sudoku_batch import (
    Verdict,
    solve_sudokus,
    solve_sudokus_sync,
)

UNIQUE = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
SOLUTION = (
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)
LINES = [
    "puzzle,solution",
    UNIQUE,
    "",
    "# a comment",
    UNIQUE.replace(".", "0") + "," + SOLUTION,
    "." * 81 + " # empty",
    SOLUTION + "\r",
    "12345678.........9" + "." * 63,
    "7..7" + "." * 77,
    "x" + "." * 80,
    "." * 79,
    "٣" + "." * 80,
]
EXPECTED = [
    (2, Verdict.SOLVED, None),
    (5, Verdict.SOLVED, None),
    (6, Verdict.SEVERAL, None),
    (7, Verdict.SOLVED, None),
    (8, Verdict.NONE, None),
    (9, Verdict.INVALID, "r1c1 and r1c4 are both 7, in the same row"),
    (10, Verdict.INVALID, "character 1 is 'x', neither a digit nor one of . 0 *"),
    (11, Verdict.INVALID, "there are 79 characters, not 81"),
    (12, Verdict.INVALID, "character 1 is '٣', neither a digit nor one of . 0 *"),
]
N = 3000 if COMPILED else 40


def shown(answers):
    return [(a.line, a.verdict, a.reason) for a in answers]


async def each(lines):
    for line in lines:
        yield line


@pytest.fixture(params=["lines", "bytes", "text", "file", "stream", "async"])
def source(request, tmp_path):
    text = "\n".join(LINES)
    path = tmp_path / "puzzles.txt"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    return {
        "lines": LINES,
        "bytes": [line.encode() for line in LINES],
        "text": text,
        "file": path,
        "stream": io.BufferedReader(io.BytesIO(text.encode())),
        "async": each(LINES),
    }[request.param]


async def test_answers_from_any_source(source):
    answers = [a async for a in solve_sudokus(source, check_unique=True)]
    assert shown(answers) == EXPECTED
    assert [a.solution for a in answers[:2]] == [SOLUTION, SOLUTION]


def test_synchronous_twin_says_the_same():
    assert shown(solve_sudokus_sync(LINES, check_unique=True)) == EXPECTED


async def test_several_is_not_said_if_not_asked_for():
    (answer,) = [a async for a in solve_sudokus(["." * 81])]
    assert answer.verdict is Verdict.SOLVED


async def test_many_come_in_order():
    lines = [UNIQUE if k % 3 else "." * 80 for k in range(N)]
    answers = [a async for a in solve_sudokus(lines, block=7)]
    assert [a.line for a in answers] == list(range(1, N + 1))
    assert all((a.solution == SOLUTION) == bool((a.line - 1) % 3) for a in answers)


async def test_no_more_is_read_than_is_needed():
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield UNIQUE

    taken = 0
    # One more may be on its way from the input, and one to a thread.
    most = (8 * (os.cpu_count() or 1) + 2) * 4
    async for _ in solve_sudokus(endless(), block=4):
        taken += 1
        assert read <= taken + most
        if taken == (500 if COMPILED else 20):
            break
    assert taken


async def test_faulty_input_is_told_after_what_came_before():
    def lines():
        yield UNIQUE
        yield UNIQUE
        raise OSError("gone")

    answers = []
    with pytest.raises(OSError, match="gone"):
        async for answer in solve_sudokus(lines(), block=1):
            answers.append(answer)  # noqa: PERF401
    assert shown(answers) == [(1, Verdict.SOLVED, None), (2, Verdict.SOLVED, None)]


async def test_cancelled_in_the_midst_of_a_search():
    seen = 0

    async def endless():
        while True:
            await anyio.lowlevel.checkpoint()
            yield "." * 81

    with anyio.fail_after(30), anyio.CancelScope() as scope:
        async with aclosing(solve_sudokus(endless(), check_unique=True)) as answers:
            async for _ in answers:
                seen += 1
                if seen == 3:
                    scope.cancel()
    assert scope.cancelled_caught
    assert seen >= 3


async def test_wrong_arguments_are_refused_at_once():
    with pytest.raises(TypeError, match="lines must be text"):
        solve_sudokus(7)
    with pytest.raises(ValueError, match="at least 1"):
        solve_sudokus([], block=0)
    with pytest.raises(TypeError, match="a line must be"):
        [a async for a in solve_sudokus([7])]


def test_collections_at_hand(data):
    for name, least in (("multi100", 1), ("invalid100", 0)):
        if not COMPILED and name == "multi100":
            continue
        answers = [*solve_sudokus_sync(data(f"{name}.txt"), check_unique=True)]
        assert len(answers) >= 97
        several = sum(a.verdict is Verdict.SEVERAL for a in answers)
        assert several == (len(answers) if least else 0)


class Drip:
    """A file of so many bytes of a kind, as many at a time as are asked for."""

    def __init__(self, *parts):
        self._parts = list(parts)

    def read1(self, size):
        if not self._parts:
            return b""
        byte, count = self._parts.pop(0)
        if count > size:
            self._parts.insert(0, (byte, count - size))
        return byte * min(count, size)


@pytest.mark.parametrize("length", [(1 << 16) + 1, 1 << 26])
@pytest.mark.parametrize("byte", [b"\0", b" ", b"1", b"\xff"])
async def test_line_without_end_is_told_and_not_kept(byte, length):
    puzzle = UNIQUE.encode() + b"\n"
    file = Drip((puzzle, 1), (byte, length), (b"\n", 1), (puzzle, 1), (b"#", length))
    answers = [answer async for answer in solve_sudokus(file)]
    told = [(1, "solved"), (2, "invalid"), (3, "solved")]
    assert [(a.line, a.verdict) for a in answers] == told
    assert answers[1].reason == "the line is too long: more than 65,536 characters"
    assert len(answers[1].puzzle) == (1 << 16) + 1


@pytest.mark.parametrize("line", ["#", "A[    1]: ", "id,", "Q[    1]: " + UNIQUE[:71]])
def test_what_a_line_is_does_not_depend_on_its_length(line):
    for length in (80, 81, 82):
        answers = [*solve_sudokus_sync([line.ljust(length, "x")])]
        assert [a.verdict for a in answers] == ["invalid"] * line.startswith("Q")


def test_line_that_is_just_not_too_long_counts():
    line = UNIQUE + " " * ((1 << 16) - 81)
    for lines in (
        line.encode(),
        [line],
        Drip(*((line[k : k + 1].encode(), 1) for k in range(len(line)))),
    ):
        assert [a.verdict for a in solve_sudokus_sync(lines)] == ["solved"]
    (answer,) = solve_sudokus_sync([line + " "])
    assert answer.reason.startswith("the line is too long")
