"""What all tests share: both back ends, both variants of the kernels, the data."""

from __future__ import annotations

import importlib
import importlib.util
import os
import signal
import sys
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import dcells_async
from dcells_async import kernels

if TYPE_CHECKING:
    from collections.abc import Iterator

EXPECTED = os.environ.get("DCELLS_ASYNC_EXPECT")
"""``compiled`` or ``interpreted``: what a run means to test, if it says so."""

VARIANT = "compiled" if kernels.COMPILED else "interpreted"

TWIN = "interpreted_kernels"


def pytest_report_header() -> str:
    return f"dcells_async {dcells_async.__version__}, kernels {VARIANT}"


def pytest_configure() -> None:
    if EXPECTED and EXPECTED != VARIANT:
        raise pytest.UsageError(f"expected {EXPECTED} kernels, found {VARIANT} ones")
    # In the background of a shell, Ctrl-C is ignored, and so it would be by all that
    # the tests start; some of these are ended by it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _some_cython() -> Iterator[None]:
    """Lend the stand-in for Cython where there is none, as the package does."""
    if importlib.util.find_spec("cython") is not None:
        yield
        return
    sys.modules["cython"] = importlib.import_module("dcells_async.kernels.standin")
    try:
        yield
    finally:
        del sys.modules["cython"]


def _interpreted(module: str) -> ModuleType:
    """Import a kernel module from its source, whatever was compiled."""
    folder = Path(kernels.__file__).parent
    if TWIN not in sys.modules:
        package = ModuleType(TWIN)
        package.__path__ = []
        sys.modules[TWIN] = package
    for name in (
        "status",
        "arrays",
        "bitwise",
        "gaps",
        "search",
        "cells",
        "checking",
        "names",
        "scan",
        "xcc",
        "ledger",
        "sweep",
        "priced",
        "bounded",
        "mcc",
        "triggers",
        "domains",
        "vetting",
        "xccdc",
        "learning",
        "probing",
        "marks",
        "levies",
        "cheapest",
        "diagrams",
        "arranging",
        "clashes",
        "rows",
        "bits",
        "remains",
        "family",
        "tidy",
        "tally",
        "spread",
        "scales",
        "sieve",
        "walk",
        "algebra",
        "memo",
        "states",
        "signed",
        "levels",
        "zdd",
        "sudoku",
        "twins",
        "arrangements",
        "minlex",
    ):
        if f"{TWIN}.{name}" not in sys.modules:
            spec = importlib.util.spec_from_file_location(
                f"{TWIN}.{name}", folder / f"{name}.py"
            )
            assert spec is not None
            assert spec.loader is not None
            loaded = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = loaded
            with _some_cython():
                spec.loader.exec_module(loaded)
    return sys.modules[f"{TWIN}.{module}"]


@pytest.fixture(params=["compiled", "interpreted"])
def variant(request):
    """Gives a kernel module by name, in each variant that this installation has."""
    if request.param == "interpreted":
        return _interpreted
    if not kernels.COMPILED:
        pytest.skip("nothing was compiled")
    return lambda name: importlib.import_module(f"dcells_async.kernels.{name}")


@pytest.fixture
def interpreted():
    """Gives a kernel module by name, interpreted, whose parts tests may replace."""
    return _interpreted


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    return request.param


@pytest.fixture(scope="session")
def data():
    """Gives the path of a data file that does not ship with the project."""
    folders = [os.environ.get("DCELLS_DATA"), Path(__file__).parents[2] / "shared/data"]

    def path(name: str) -> Path:
        for folder in folders:
            if folder and (Path(folder) / name).exists():
                return Path(folder) / name
        return pytest.skip(f"{name} is not here")

    return path
