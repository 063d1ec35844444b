"""The command ``dcells minlex``, and the example."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from dcells_async.cli.commands import dcells
from examples.minlex.__main__ import main

GRIDS = "12" + "." * 79 + "\n" + "." * 79 + "95\n" + "." * 81 + "\n"
FORMS = ["0" * 79 + "12", "0" * 79 + "12", "0" * 81]


def test_forms_come_line_by_line():
    done = CliRunner().invoke(dcells, ["minlex", "-"], input=GRIDS)
    assert (done.stdout.split(), done.exit_code) == (FORMS, 0)


def test_unique_keeps_one_of_each_class():
    done = CliRunner().invoke(dcells, ["minlex", "--unique", "-"], input=GRIDS)
    assert (done.stdout.split(), done.exit_code) == (FORMS[1:], 0)


def test_what_is_no_grid_is_told():
    done = CliRunner().invoke(dcells, ["minlex", "-"], input="12\n" + GRIDS)
    assert done.stdout.split() == FORMS
    assert done.stderr == "line 1: there are 2 characters, not 81\n"
    assert done.exit_code == 2


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_example_finds_three_classes(backend):
    done = CliRunner().invoke(main, ["--backend", backend])
    lines = done.stdout.splitlines()
    assert len(lines) == 9
    assert sum("new" in line for line in lines) == 3
