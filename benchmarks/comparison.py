"""The comparison with the peers: ``python -m benchmarks.comparison``."""

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.child import CHECK, PATIENCE_S
from benchmarks.peers import NAMES, OURS, module_name
from benchmarks.processes import Measurement, import_seconds, measure
from benchmarks.puzzle import save
from benchmarks.report import BACKENDS, Results, complaints, overhead, tables
from benchmarks.rows import ROWS, MissingDataError, data_folder
from dcells_async import COMPILED

__all__ = ["main"]

_IMPORTS = 5
_OVERHEAD_ROW = "queens-12"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison and print it; return 1 if any count is wrong."""
    options = _parser().parse_args(arguments)
    names = [name for name in options.peers if find_spec(module_name(name))]
    for name in options.peers:
        if name not in names:
            _say(f"{name} is not installed: left out")
    if not COMPILED:
        _say("dcells_async is INTERPRETED here: its figures say nothing of its speed")
    results: Results = {}
    try:
        for key, name, task, path in _work(options, names):
            results[key, name, task] = _measured(
                results, key, name, task, path, options
            )
    except KeyboardInterrupt:
        _say("interrupted: what follows is what was measured")
    if not results:
        return 0
    imports = {name: import_seconds(module_name(name), _IMPORTS) for name in names}
    print(_preface(names, options.repeat), end="\n\n")
    for table in tables(results, names, imports):
        text = table.as_markdown() if options.markdown else table.as_text()
        print(text, end="\n\n")
    for line in overhead(results, _OVERHEAD_ROW):
        print(line)
    wrong = complaints(results)
    for line in wrong:
        _say(f"WRONG COUNT! {line}")
    if not wrong:
        print("\nAll counts are the known ones.")
    return int(bool(wrong))


def _work(
    options: argparse.Namespace, names: Sequence[str]
) -> Iterator[tuple[str, str, str, Path]]:
    """Yield row, contender, task and file of all that is to be measured."""
    with TemporaryDirectory() as folder:
        for key in options.rows:
            path = Path(folder, f"{key}.json")
            try:
                save(ROWS[key].build(data_folder(options.data)), path)
            except MissingDataError as error:
                _say(f"{key} is left out: {error}")
                continue
            for name in names:
                for task in _tasks(name, key, check=options.check):
                    yield key, name, task, path


def _measured(
    results: Results,
    key: str,
    name: str,
    task: str,
    path: Path,
    options: argparse.Namespace,
) -> Measurement:
    """Measure, unless the same contender could not even count in time."""
    counted = results.get((key, name, "count"))
    if counted is not None and counted.is_late and "first" not in task:
        return counted
    _say(f"{key}: {name}, {task}")
    found = measure(name, task, path, options.repeat, options.limit)
    if found.failure:
        _say(f"{key}: {name}, {task}: {found.failure}")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.comparison",
        description="Compare dcells_async with its peers.",
    )
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS))
    parser.add_argument("--peers", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument(
        "--repeat", type=int, default=3, help="runs of each task; the least counts"
    )
    parser.add_argument(
        "--limit", type=float, default=120.0, help="seconds that one run may take"
    )
    parser.add_argument("--data", type=Path, help="folder with filomino-15x15.dlx")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")
    parser.add_argument(
        "--check", action="store_true", help="compare the covers too, not just counts"
    )
    return parser


def _tasks(name: str, row: str, *, check: bool) -> list[str]:
    tasks = ["count", "iterate", "first"]
    if name == OURS:
        tasks += [*BACKENDS, *(f"{backend}-first" for backend in BACKENDS)]
        if row == _OVERHEAD_ROW:
            tasks += [f"{backend}-bare" for backend in BACKENDS]
    return [*tasks, CHECK] if check else tasks


def _preface(names: Sequence[str], repeat: int) -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return (
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores; {versions}."
        f"\nThe least of {repeat} runs, or of fewer where they took more than "
        f"{PATIENCE_S:g} s together; in brackets the ratio to dcells_async."
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
