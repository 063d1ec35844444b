"""What the package shows, what it imports, and in which variant it runs."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from standing import PROCESS_S

import dcells_async
from dcells_async import COMPILED, errors

FOLDER = Path(dcells_async.__file__).parent

COUNT = "from dcells_async import XCC; print(XCC().solve('a b\\na b\\na\\nb').count())"


def python(code, **environment):
    """Run code in a fresh process; what it printed, warnings being errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=PROCESS_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.split()


def modules():
    """Every module but those that have demands of their own."""
    for module in pkgutil.walk_packages(dcells_async.__path__, "dcells_async."):
        room = module.name.split(".")[1]
        if room not in {"cli", "client", "service", "__main__"}:
            yield module.name


def test_every_name_of_the_face_is_there_once_and_documented():
    names = dcells_async.__all__
    assert len(names) == len(set(names))
    for name in names:
        value = getattr(dcells_async, name)
        if callable(value) and isinstance(value, type):
            assert value.__doc__


def test_nothing_public_is_left_out_of_the_face():
    public = {
        name
        for name, value in vars(dcells_async).items()
        if not name.startswith("_")
        and getattr(value, "__module__", "").startswith("dcells_async.")
    }
    assert public <= set(dcells_async.__all__)
    assert set(errors.__all__) <= set(dcells_async.__all__)


@pytest.mark.parametrize("name", list(modules()))
def test_every_module_has_the_names_it_declares_and_a_docstring(name):
    module = importlib.import_module(name)
    if not name.startswith("dcells_async.kernels."):
        assert module.__doc__
    for public in getattr(module, "__all__", []):
        assert hasattr(module, public)


def test_version_is_that_of_the_distribution():
    assert dcells_async.__version__ == importlib.metadata.version("dcells-async")


def test_types_are_declared_to_be_complete():
    assert (FOLDER / "py.typed").exists()


@pytest.mark.isolated
def test_import_loads_no_optional_package():
    loaded = python("import sys, dcells_async; print(*sys.modules)")
    heavy = {"numpy", "scipy", "trio", "click", "rich", "hypothesis", "setuptools"}
    heavy |= {"fastapi", "httpx", "pydantic", "uvicorn", "hypercorn"}
    assert not heavy & set(loaded)
    if COMPILED:
        assert not {"cython", "Cython"} & set(loaded)


@pytest.mark.isolated
def test_pure_variant_runs_on_request_and_without_a_word():
    assert python(COUNT, DCELLS_ASYNC_PURE="1") == ["2"]
    code = "import dcells_async; print(dcells_async.COMPILED)"
    assert python(code, DCELLS_ASYNC_PURE="1") == ["False"]


@pytest.mark.isolated
@pytest.mark.parametrize("value", ["0", ""])
def test_pure_variant_is_not_taken_for_nothing(value):
    if not COMPILED:
        pytest.skip("nothing was compiled")
    code = "import dcells_async; print(dcells_async.COMPILED)"
    assert python(code, DCELLS_ASYNC_PURE=value) == ["True"]


@pytest.mark.isolated
def test_pure_variant_needs_no_cython():
    code = f"import sys; sys.modules['cython'] = None\n{COUNT}\n"
    code += "print('cython' in sys.modules)"
    assert python(code, DCELLS_ASYNC_PURE="1") == ["2", "False"]


@pytest.mark.isolated
def test_missing_compiled_variant_is_warned_of():
    code = f"""
import sys, warnings
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
folder = {str(FOLDER / "kernels")!r}
finder = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
sys.path_importer_cache[folder] = finder
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import dcells_async
print(dcells_async.COMPILED, len(caught), caught[0].category.__name__)
"""
    assert python(code, DCELLS_ASYNC_PURE="0") == ["False", "1", "RuntimeWarning"]
