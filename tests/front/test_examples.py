"""Every example, run as its reader would run it."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from programs import (
    BACKENDS,
    NAMES,
    ROOT,
    command,
    environment,
    run,
    started,
)
from standing import PROCESS_S

from dcells_async import COMPILED
from dcells_async.puzzles.filomino import Puzzle, filomino
from dcells_async.puzzles.polyominoes import Board, pentominoes, read

compiled = pytest.mark.skipif(not COMPILED, reason="takes minutes interpreted")
unix = pytest.mark.skipif(os.name == "nt", reason="pipes and signals differ there")


def test_every_example_folder_has_an_essay_and_a_program() -> None:
    folders = [path for path in (ROOT / "examples").iterdir() if path.is_dir()]
    programs = {path.name for path in folders if (path / "__main__.py").is_file()}
    assert programs >= set(NAMES)
    assert all((ROOT / "examples" / name / "README.md").is_file() for name in programs)


def test_pentominoes_without_arguments_smile() -> None:
    done = run("pentominoes")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].strip() == "╭───────┬───────────╮"
    assert "│███████████████████│" in done.stdout
    assert done.stdout.count("│███│") == 4
    assert re.fullmatch(
        r"1 cover, no other, pieces free, up to symmetry: "
        r"[\d,]+ nodes, [\d,]+ updates, \d+\.\d\d s\n",
        done.stderr,
    )


def test_pentominoes_plain_pictures_are_numbered_and_readable() -> None:
    done = run("pentominoes", "3x20", "--plain")
    assert done.returncode == 0
    pictures = re.split(r"^(\d+):\n", done.stdout, flags=re.MULTILINE)[1:]
    assert pictures[::2] == [str(k) for k in range(1, 9)]
    boards = [
        Board(cell for placement in read(picture) for cell in placement.cells)
        for picture in pictures[1::2]
    ]
    assert boards == [Board.rectangle(3, 20)] * 8
    assert done.stderr.startswith("8 covers, no others, pieces free:")


def test_pentominoes_picture_wider_than_the_screen_is_drawn_smaller() -> None:
    wide = run("pentominoes", "3x20", "--first", "1", COLUMNS="81")
    narrow = run("pentominoes", "3x20", "--first", "1", COLUMNS="80")
    assert max(map(len, wide.stdout.splitlines())) == 81
    assert max(map(len, narrow.stdout.splitlines())) == 41


@pytest.mark.parametrize("backend", BACKENDS)
def test_pentominoes_holes_and_count(backend: str) -> None:
    board = ["3x22", "--hole", "0,20-2,21"]
    done = run("pentominoes", *board, "--count", "--backend", backend)
    assert (done.returncode, done.stdout, done.stderr) == (0, "8\n", "")


def test_pentominoes_single_holes_up_to_symmetry() -> None:
    holes = [text for cell in ("3,3", "3,4", "4,3", "4,4") for text in ("--hole", cell)]
    done = run("pentominoes", "8x8", *holes, "--up-to-symmetry", "--count")
    assert (done.returncode, done.stdout) == (0, "65\n")


def test_pentominoes_setting_of_turns_is_said_and_counts() -> None:
    done = run("pentominoes", "3x20", "--turns", "one-sided")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("no cover, pieces one-sided: ")


def test_pentominoes_board_from_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(str(Board.rectangle(3, 20)), encoding="utf-8")
    done = run("pentominoes", str(path), "--up-to-symmetry", "--count")
    assert (done.returncode, done.stdout) == (0, "2\n")


def test_pentominoes_dlx_file_is_drawn_by_its_names_and_not_by_its_own(
    tmp_path: Path,
) -> None:
    path = tmp_path / "6x10.dlx"
    path.write_text(pentominoes(3, 20).to_dlx(), encoding="utf-8")
    done = run("pentominoes", str(path), "--first", "1", "--plain")
    picture = done.stdout.removeprefix("1:\n").strip().splitlines()
    assert done.returncode == 0
    assert [len(line.split()) for line in picture] == [20, 20, 20]


def test_pentominoes_on_a_board_of_the_wrong_size_need_no_search() -> None:
    done = run("pentominoes", "7x9")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "no cover: the pieces have 60 cells, the board 63\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["6by10"], "6by10"),
        (["0x10"], "positive sides"),
        (["99999x99999"], "99999x99999 is too large: at most 100,000 cells"),
        (["6x10", "--hole", "0,0-9999,9999"], "the hole 0,0-9999,9999 is too large"),
        (["6x10", "--hole", "3"], "a hole is written like"),
        (["6x10", "--hole", "4,4-3,3"], "a hole is written like"),
        (["6x10", "--hole", "6,0"], "not on the board"),
        (["6x10", "--first", "0"], "--first"),
        (["6x10", "--first", "1", "--count"], "choose one"),
        (["6x10", "--turns", "none"], "--turns"),
        (["6x10", "--backend", "curio"], "--backend"),
        (["absent.dlx"], "absent.dlx"),
        (["absent.dlx", "--hole", "1,1"], "settles holes"),
    ],
)
def test_pentominoes_refuse_what_makes_no_sense(
    arguments: list[str], reason: str
) -> None:
    done = run("pentominoes", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [("00 01 P\n00 01 Q\n", ":2:7: "), ("a b\na b\n", "at least one cell")],
)
def test_pentominoes_refuse_a_bad_dlx_file(
    tmp_path: Path, text: str, reason: str
) -> None:
    path = tmp_path / "bad.dlx"
    path.write_text(text, encoding="utf-8")
    done = run("pentominoes", str(path))
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_pentominoes_dlx_file_with_an_idle_option_is_solved_with_a_warning(
    tmp_path: Path,
) -> None:
    path = tmp_path / "idle.dlx"
    path.write_text("00 P | x\n00 P\nx\n", encoding="utf-8")
    done = run("pentominoes", str(path), "--plain")
    assert (done.returncode, done.stdout) == (0, "1:\nP\n\n")
    warning, summary = done.stderr.splitlines()
    assert warning.startswith("Warning: ")
    assert "line 3" in warning
    assert summary.startswith("1 cover, no other: ")


@pytest.mark.parametrize("backend", BACKENDS)
def test_queens_draw_every_cover(backend: str) -> None:
    done = run("queens", "6", "--plain", "--backend", backend)
    assert done.returncode == 0
    assert done.stdout.count("Q") == 4 * 6
    assert done.stdout.startswith("1:\n")
    assert ". Q . . . ." in done.stdout
    assert done.stderr.startswith("4 covers, no others: ")


def test_queens_first_stops_and_says_so() -> None:
    done = run("queens", "8", "--first", "2")
    assert done.returncode == 0
    assert done.stdout.count("♛") == 16
    assert done.stderr.startswith("2 covers, perhaps more: ")


@pytest.mark.parametrize(("n", "covers"), [(0, 1), (1, 1), (2, 0), (3, 0), (8, 92)])
@pytest.mark.parametrize("order", [[], ["--natural"]])
def test_queens_count(n: int, covers: int, order: list[str]) -> None:
    done = run("queens", str(n), "--count", *order)
    assert done.stdout == f"{covers}\n"
    assert done.returncode == (0 if covers else 1)


def test_queens_1_shows_a_queen() -> None:
    done = run("queens", "1", "--plain")
    assert (done.returncode, done.stdout) == (0, "1:\nQ\n\n")


def test_queens_without_cover_say_so() -> None:
    done = run("queens", "3")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no cover: 1 node, 45 updates, ")


def test_queens_where_boxes_cannot_be_written_are_letters() -> None:
    done = run("queens", "4", "--first", "1", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.count("Q") == 4


@pytest.mark.parametrize("n", ["-1", "eight", "1001"])
def test_queens_refuse_what_is_no_number_or_too_large(n: str) -> None:
    done = run("queens", "--", n)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "covers"),
    [(["7"], 26), (["7", "--both-ways"], 52), (["3"], 1), (["0"], 1), (["5"], 0)],
)
def test_langford_count(arguments: list[str], covers: int) -> None:
    done = run("langford", *arguments, "--count")
    assert done.stdout == f"{covers}\n"
    assert done.returncode == (0 if covers else 1)


def test_langford_draws_arcs() -> None:
    done = run("langford", "3")
    assert done.returncode == 0
    assert done.stdout in {
        "3 1 2 1 3 2\n│ ╰─┼─╯ │ │\n│   ╰───┼─╯\n╰───────╯\n\n",
        "2 3 1 2 1 3\n│ │ ╰─┼─╯ │\n╰─┼───╯   │\n  ╰───────╯\n\n",
    }
    assert done.stderr.startswith("1 cover, no other, up to reversal: ")


def test_langford_plain_is_a_bare_row() -> None:
    done = run("langford", "--plain")
    assert re.fullmatch(r"1:\n(4 1 3 1 2 4 3 2|2 3 4 2 1 3 1 4)\n\n", done.stdout)


def test_zebra_has_one_answer_in_a_table() -> None:
    done = run("zebra")
    assert done.returncode == 0
    assert "│ pet    │ fox      │ horse   │ snail    │ dog       │ zebra   │" in (
        done.stdout.splitlines()
    )
    assert done.stderr.startswith("1 cover, no other: 94 nodes, 1,442 updates, ")


def test_zebra_without_a_clue_has_several() -> None:
    done = run("zebra", "--without", "7", "--plain")
    assert done.returncode == 0
    assert done.stdout.count("house   1") == 6
    assert done.stderr.startswith("6 covers, no others, without #7: ")


@pytest.mark.parametrize("backend", BACKENDS)
def test_zebra_count(backend: str) -> None:
    done = run("zebra", "--without", "1", "--count", "--backend", backend)
    assert (done.returncode, done.stdout) == (0, "160\n")


def test_zebra_refuses_to_leave_out_what_is_not_there() -> None:
    done = run("zebra", "--without", "17")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: there is no clue 17, just 1 to 16\n"


def test_filomino_without_arguments_solves_its_own_puzzle() -> None:
    done = run("filomino")
    assert done.returncode == 0
    assert done.stdout.startswith("╭───────┬───────┬───────────╮\n│ 4   4 │ 6   6 │ 7")
    assert done.stderr.startswith("1 cover, no other, numbers up to 7: ")


@pytest.mark.parametrize("engine", ["xcc", "xccdc"])
@pytest.mark.parametrize(
    ("puzzle", "status", "verdict", "pictures"),
    [
        ("3..\n2..", 0, "1 cover, no other, numbers up to 3: ", 1),
        ("1..\n...", 1, "no cover, numbers up to 1: ", 0),
        ("4....\n.....\n.....", 0, "2 covers, perhaps more, numbers up to 4: ", 2),
    ],
)
def test_filomino_tells_none_one_and_several_apart(
    tmp_path: Path, puzzle: str, status: int, verdict: str, pictures: int, engine: str
) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text(puzzle, encoding="utf-8")
    done = run("filomino", str(path), "--plain", "--engine", engine)
    assert done.returncode == status
    assert done.stdout.count(":\n") == pictures
    assert done.stderr.startswith(verdict)


def test_filomino_gives_more_answers_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text("...\n...", encoding="utf-8")
    arguments = [str(path), "--largest", "6"]
    assert run("filomino", *arguments, "--first", "9").stderr.startswith(
        "9 covers, per"
    )
    assert run("filomino", *arguments, "--count").stdout == "33\n"


def test_filomino_dlx_file_is_solved_and_drawn_by_its_names(tmp_path: Path) -> None:
    path = tmp_path / "ready.dlx"
    puzzle = Puzzle.from_text("3..\n2..")
    path.write_text(filomino(puzzle).to_dlx(), encoding="utf-8")
    done = run("filomino", str(path), "--plain")
    assert (done.returncode, done.stdout) == (0, "1:\n3 3 3\n2 2 1\n\n")
    assert done.stderr.startswith("1 cover, no other: ")


def test_filomino_wider_than_the_screen_is_just_numbers(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text("3..\n2..", encoding="utf-8")
    assert run("filomino", str(path), COLUMNS="13").stdout.startswith("╭")
    assert run("filomino", str(path), COLUMNS="12").stdout == "3 3 3\n2 2 1\n\n"


@pytest.mark.parametrize(
    ("text", "arguments", "reason"),
    [
        ("3..\n2.", [], "row 2 of the puzzle has 2 cells"),
        ("3..\n2.x?", [], "row 2 of the puzzle has 4 cells"),
        ("3.?", [], "'?' is neither a dot nor a number"),
        ("", [], "at least one row"),
        ("5..", ["--largest", "4"], "there is a 5, and the largest is to be 4"),
        ("5..", ["--largest", "0"], "--largest"),
        ("5..", ["--engine", "zdd"], "--engine"),
    ],
)
def test_filomino_refuses_what_makes_no_sense(
    tmp_path: Path, text: str, arguments: list[str], reason: str
) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text(text, encoding="utf-8")
    done = run("filomino", str(path), *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_filomino_refuses_files_that_are_absent_or_settled() -> None:
    assert "absent.txt: No such file" in run("filomino", "absent.txt").stderr
    done = run("filomino", "absent.dlx", "--largest", "5")
    assert done.returncode == 2
    assert "settles the largest number" in done.stderr


@pytest.mark.parametrize(("n", "covers"), [(1, 1), (2, 0), (4, 0)])
def test_partridge_count(n: int, covers: int) -> None:
    done = run("partridge", str(n), "--count")
    assert (done.returncode, done.stdout) == (0 if covers else 1, f"{covers}\n")


def test_partridge_1_is_a_box() -> None:
    done = run("partridge", "1")
    assert (done.returncode, done.stdout) == (0, "╭─╮\n╰─╯\n\n")


def test_partridge_without_cover_says_so() -> None:
    done = run("partridge", "3")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no cover: 25 nodes, 1,218 updates, ")


@compiled
@pytest.mark.parametrize("backend", BACKENDS)
def test_partridge_8_is_drawn_as_soon_as_it_is_found(backend: str) -> None:
    with started("partridge", "--backend", backend) as process:
        assert process.stdout is not None
        picture = [process.stdout.readline() for _ in range(37)]
        assert {len(line) for line in picture} == {2 * 36 + 2}
        assert sorted("".join(picture).count(str(side)) for side in range(1, 9)) == [
            0,
            *range(2, 9),
        ]
        process.kill()
        process.communicate(timeout=PROCESS_S)


def test_partridge_out_of_time_knows_nothing() -> None:
    done = run("partridge", "9", "--limit", "0.1")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("no cover yet, time is up: ")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["0"], "1<=x<=12"),
        (["13"], "1<=x<=12"),
        (["8", "--limit", "0"], "--limit"),
        (["8", "--limit", "nan"], "a number of seconds is needed"),
        (["8", "--limit", "1", "--count"], "leave --limit out"),
        (["eight"], "valid integer"),
    ],
)
def test_partridge_refuses_what_makes_no_sense(
    arguments: list[str], reason: str
) -> None:
    done = run("partridge", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_every_example_has_help(name: str) -> None:
    done = run(name, "--help")
    assert done.returncode == 0
    assert all(f"--{flag}" in done.stdout for flag in ("first", "count", "plain"))


@unix
@pytest.mark.parametrize("backend", BACKENDS)
def test_example_is_quiet_when_its_reader_leaves(backend: str) -> None:
    with started("queens", "12", "--plain", "--backend", backend) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "1:\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(PROCESS_S) == 0


@unix
@pytest.mark.parametrize("backend", BACKENDS)
def test_example_is_quiet_when_interrupted_between_covers(backend: str) -> None:
    with started("queens", "16", "--plain", "--backend", backend) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1:\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PROCESS_S)
        assert (process.returncode, errors) == (130, "")


@unix
@pytest.mark.parametrize("backend", BACKENDS)
def test_example_is_quiet_when_interrupted_deep_in_the_search(
    backend: str, tmp_path: Path
) -> None:
    # One cover at once, and then thirteen pigeons in vain search of twelve holes.
    pigeons = [f"P{k}" for k in range(13)]
    nests = [f"H{k}" for k in range(12)]
    lines = [["00", *pigeons, "|", *nests], ["00", *pigeons], ["00"]]
    lines += [[pigeon, nest] for pigeon in pigeons for nest in nests]
    path = tmp_path / "pigeons.dlx"
    path.write_text("\n".join(map(" ".join, lines)), encoding="utf-8")
    with started("pentominoes", str(path), "--plain", "--backend", backend) as process:
        assert process.stdout is not None
        picture = [process.stdout.readline() for _ in range(3)]
        assert picture == ["1:\n", "P0\n", "\n"]
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PROCESS_S)
        assert (process.returncode, output, errors) == (130, "", "")


@unix
def test_example_without_an_output_ends_as_it_would_with_one() -> None:
    for arguments, status in [("queens 4", 0), ("queens 3", 1), ("zebra", 0)]:
        shell = f"{shlex.join(command(*arguments.split()))} >&-"
        done = subprocess.run(
            shell,
            shell=True,
            cwd=ROOT,
            env=environment(),
            stderr=subprocess.PIPE,
            text=True,
            timeout=PROCESS_S,
            check=False,
        )
        assert done.returncode == status
        assert "cover" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_example_on_a_full_disk_says_so() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("queens", "4"),
            cwd=ROOT,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PROCESS_S,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "Error: No space left on device\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [("filomino", "3..\r\n2..\r\n"), ("sudoku", "....\r\n" * 4)],
)
def test_puzzle_saved_on_windows_is_read(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_bytes(text.encode("utf-8-sig"))
    done = run(name, str(path), "--first", "1", "--plain")
    assert done.returncode == 0
    assert done.stdout.startswith("1:\n")


def test_sudoku_of_the_folder_is_solved_and_the_only_one() -> None:
    done = run("sudoku", "--plain")
    assert done.returncode == 0
    assert "5 3 4 6 7 8 9 1 2\n6 7 2 1 9 5 3 4 8\n" in done.stdout
    assert done.stderr.startswith("1 cover, no other, 30 clues: ")


def test_sudoku_with_regions_and_diagonals(tmp_path: Path) -> None:
    grid, regions = tmp_path / "grid.txt", tmp_path / "regions.txt"
    grid.write_text("." * 16)
    regions.write_text("aabb\naabb\nccdd\nccdd\n")
    settings = [str(grid), "--regions", str(regions), "--diagonal", "--count"]
    assert run("sudoku", *settings).stdout == "48\n"
