"""Who may import whom: data flows one way, and so do imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from standing import PROCESS_S

import dcells_async

FOLDER = Path(dcells_async.__file__).parent

ROOMS = [
    {"errors", "_version", "arguments", "files", "numerals"},
    {"capacity"},
    {"kernels"},
    {"tables"},
    {"dlx", "building"},
    {"compiled"},
    {"problem", "cover"},
    {"layout", "verify", "report", "start", "shuffling", "fingerprint"},
    {"reducing"},
    {"frame"},
    {"pricing"},
    {"search"},
    {"together", "turnstile"},
    {"solving"},
    {"stream"},
    {"tracing"},
    {"engine"},
    {"minimizer"},
    {"diagram"},
    {"engines", "zdd"},
    {"auto"},
    {"choosing"},
    {"fanout"},
    {""},
    {"puzzles", "records"},
    {"service", "client"},
    {"cli"},
    {"__main__"},
]
"""The rooms from left to right; the nameless one is the face of the package."""

RANK = {room: rank for rank, rooms in enumerate(ROOMS) for room in rooms}

EXTRAS = {
    ("PIL", "puzzles"),
    ("highspy", "pricing"),
    ("numpy", "puzzles"),
    ("scipy", "puzzles"),
}
EXTRAS |= {("trio", "stream"), ("oxidd", "diagram"), ("graphillion", "diagram")}
"""Optional packages, imported in the functions that need them."""

KERNELS_MAY_IMPORT = {"__future__", "array", "collections", "cython", "enum", "os"}
KERNELS_MAY_IMPORT |= {"mmap", "sys"}
KERNELS_MAY_IMPORT |= {"typing", "contextlib"}


class Import(NamedTuple):
    """One import: of what, where, and whether for type checkers alone."""

    name: str
    line: int
    for_types: bool


def files():
    return sorted(FOLDER.rglob("*.py"))


def name_of(path):
    parts = path.relative_to(FOLDER).with_suffix("").parts
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(["dcells_async", *parts])


def imports(path):
    """Give what a file imports, by full names, with where and what for."""
    package = name_of(path).split(".")
    if path.stem != "__init__":
        package.pop()
    found = []

    def visit(node, for_types):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for_types = True
        if isinstance(node, ast.Import):
            found.extend(
                Import(alias.name, node.lineno, for_types) for alias in node.names
            )
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base += node.module.split(".") if node.module else []
            for alias in node.names:
                whole = [*base, alias.name]
                is_module = whole[0] == "dcells_async" and (
                    FOLDER.joinpath(*whole[1:]).with_suffix(".py").exists()
                    or FOLDER.joinpath(*whole[1:]).is_dir()
                )
                name = ".".join(whole if is_module else base)
                found.append(Import(name, node.lineno, for_types))
        for child in ast.iter_child_nodes(node):
            visit(child, for_types)

    visit(ast.parse(path.read_text(encoding="utf-8")), False)
    return found


def room_of(name):
    """Give the room of a module of ours, None for others."""
    first, *rest = name.split(".")
    if first != "dcells_async":
        return None
    return rest[0] if rest else ""


def each_file_of(*rooms, but=()):
    """Run a test for each file of these rooms, or of all; except some."""
    paths = [
        path
        for path in files()
        for room in [room_of(name_of(path))]
        if room in (rooms or RANK) and room not in but
    ]
    return pytest.mark.parametrize("path", paths, ids=name_of)


def test_every_file_is_in_a_room():
    for path in files():
        assert room_of(name_of(path)) in RANK, f"{path} has no place among the rooms"


@each_file_of()
def test_room_imports_only_what_stands_to_its_left(path):
    here = room_of(name_of(path))
    for name, line, for_types in imports(path):
        there = room_of(name)
        if there is None or there == here:
            continue
        allowed = RANK[there] < RANK[here] or (for_types and RANK[there] == RANK[here])
        assert allowed, f"{path.name}:{line} imports {name}"


@each_file_of("kernels")
def test_kernel_imports_only_siblings_and_what_compiles_away(path):
    is_kernel = path.stem != "__init__"
    for name, line, _ in imports(path):
        room = room_of(name)
        if room is not None:
            assert room == "kernels", f"{path.name}:{line} imports {name}"
        elif is_kernel:
            assert name.split(".")[0] in KERNELS_MAY_IMPORT, f"{path.name}:{line}"


@each_file_of(but={"cli", "client", "service", "__main__"})
def test_core_depends_on_nothing_but_anyio_and_only_streams_do(path):
    here = room_of(name_of(path))
    for name, line, _ in imports(path):
        top = name.split(".")[0]
        if top in sys.stdlib_module_names or top in {"dcells_async", "cython"}:
            continue
        known = (top, here) in {("anyio", "stream"), *EXTRAS}
        assert known, f"{path.name}:{line} imports {name}"


@each_file_of("kernels", "search")
def test_sans_io_rooms_have_no_clock_thread_or_loop(path):
    busy = {"time", "threading", "asyncio", "anyio", "trio", "signal", "concurrent"}
    for name, line, _ in imports(path):
        assert name.split(".")[0] not in busy, f"{path.name}:{line} imports {name}"


def test_search_for_imports_sees_them():
    found = imports(FOLDER / "search" / "session.py")
    assert ("dcells_async.cover", False) in {(name, types) for name, _, types in found}
    assert ("dcells_async.layout", True) in {(name, types) for name, _, types in found}
    found = imports(FOLDER / "stream" / "dance.py")
    assert "dcells_async.search.pace" in {name for name, *_ in found}


@pytest.mark.slow
@pytest.mark.isolated
def test_every_module_can_be_the_first_to_be_imported():
    # Compiled modules cannot be loaded twice; they import nothing of the others.
    names = [name_of(path) for path in files() if path.stem != "__main__"]
    code = f"""
import importlib, sys
for name in {names!r}:
    for loaded in [*sys.modules]:
        if loaded.startswith("dcells_async") and ".kernels" not in loaded:
            del sys.modules[loaded]
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as missing:
        optional = ("click", "fastapi", "httpx", "hypercorn", "prometheus_client",
                    "pydantic", "pydantic_settings", "rich", "starlette", "uvicorn")
        if missing.name not in optional:
            raise
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=PROCESS_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
