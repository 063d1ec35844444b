"""What the essays of the examples show is what their reader will see."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from programs import ROOT, environment
from standing import PROCESS_S

if TYPE_CHECKING:
    from collections.abc import Iterator

ESSAYS = ("eternity", "minlex", "sudoku")


def transcripts(name: str) -> Iterator[tuple[str, str]]:
    """Give the commands of an essay that are shown with what they print."""
    text = (ROOT / "examples" / name / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"(?:^    .*\n|^\n)+", text, flags=re.MULTILINE):
        lines = [line[4:] for line in block.strip("\n").split("\n")]
        if lines[0].startswith("$ "):
            yield lines[0][2:], "\n".join(lines[1:])


def comparable(text: str) -> str:
    """Leave out how long it took, and blanks at the ends of lines."""
    text = re.sub(r"\d+\.\d+ s\b", "0 s", text)
    return re.sub(r" +$", "", text, flags=re.MULTILINE).strip("\n")


CASES = [(name, *case) for name in ESSAYS for case in transcripts(name)]

# How the kernels run makes no difference to what is printed.
pytestmark = pytest.mark.slow


def test_there_are_transcripts() -> None:
    assert {name for name, *_ in CASES} == set(ESSAYS)


@pytest.mark.parametrize(
    ("command", "shown"), [case[1:] for case in CASES], ids=[case[1] for case in CASES]
)
def test_transcript_is_what_the_command_prints(command: str, shown: str) -> None:
    words = shlex.split(command)
    if words[0] == "dcells":
        words = ["python", "-m", "dcells_async", *words[1:]]
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=PROCESS_S,
        check=False,
    )
    assert comparable(done.stdout) == comparable(shown)
