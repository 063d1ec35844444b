"""Running the programs in the examples folder as their readers do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from standing import PROCESS_S

ROOT = Path(__file__).parents[1]
BACKENDS = ("asyncio", "trio")
NAMES = (
    "dance",
    "domino",
    "eternity",
    "filomino",
    "hollow",
    "langford",
    "partridge",
    "pentominoes",
    "queens",
    "sudoku",
    "transversal",
    "words",
    "wordsearch",
    "zebra",
)


def command(*arguments: str) -> list[str]:
    name, *others = arguments
    return [sys.executable, "-m", f"examples.{name}", *others]


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", **changes}


def run(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=ROOT,
        env=environment(**changes),
        capture_output=True,
        encoding="utf-8",
        timeout=PROCESS_S,
        check=False,
    )


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(*arguments),
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
