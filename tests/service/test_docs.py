"""The commands on the page about the service give what it says."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from problems import SMALL
from serving import running
from standing import PROCESS_S

PAGE = Path(__file__).parents[2] / "docs" / "service.md"


def sessions():
    """Commands and what they print, from the blocks of the page."""
    text = PAGE.read_text("utf-8")
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = session.splitlines(keepends=True)
            command = [lines.pop(0)]
            while lines and lines[0].startswith("> "):
                command.append(lines.pop(0)[2:])
            yield "".join(command), "".join(lines)


@pytest.mark.isolated
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_commands_print_what_the_page_says(tmp_path):
    (tmp_path / "small.dlx").write_text(SMALL, encoding="utf-8")
    checker = doctest.OutputChecker()
    found = list(sessions())
    assert len(found) > 8
    with running("asyncio") as server:
        for command, expected in found:
            done = subprocess.run(
                ["sh", "-c", command.replace("http://127.0.0.1:8000", server.url)],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=PROCESS_S,
                check=True,
            )
            printed = done.stdout if done.stdout.endswith("\n") else done.stdout + "\n"
            if not expected:
                assert done.stdout == ""
            else:
                flags = doctest.ELLIPSIS
                example = doctest.Example(command, expected)
                assert checker.check_output(expected, printed, flags), (
                    checker.output_difference(example, printed, flags)
                )
