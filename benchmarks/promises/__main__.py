"""The promises, each measured in a fresh process: ``python -m benchmarks.promises``."""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

from benchmarks.promises.problems import OPTIONS, write
from benchmarks.table import Table

__all__ = ["main"]

_BACKENDS = ("asyncio", "trio")
_PROMISES = {
    "first_cover": _BACKENDS,
    "importing": _BACKENDS[:1],
    "pausing": _BACKENDS,
    "cancelling": _BACKENDS,
    "fairness": _BACKENDS,
    "parsing": _BACKENDS[:1],
}
_ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the promises and print them; return 1 if one could not be measured."""
    options = _parser().parse_args(arguments)
    if options.inside:
        name, backend, folder = options.inside
        measure = import_module(f"benchmarks.promises.{name}").measure
        print(json.dumps(anyio.run(measure, Path(folder), backend=backend)))
        return 0
    figures: dict[str, dict[str, str]] = {}
    failed = 0
    with TemporaryDirectory() as folder:
        for file, count in OPTIONS.items():
            write(Path(folder, file), count)
        for name in options.promises:
            for backend in _PROMISES[name]:
                print(f"{name}, {backend}", file=sys.stderr, flush=True)
                found = _in_fresh_process(name, backend, folder)
                failed += found is None
                for what, figure in (found or {name: "failed"}).items():
                    figures.setdefault(what, {})[backend] = figure
    body = [
        [what, *(by_backend.get(backend, "") for backend in _BACKENDS)]
        for what, by_backend in figures.items()
    ]
    table = Table("Promises", ["", *_BACKENDS], body)
    print(table.as_markdown() if options.markdown else table.as_text())
    return int(failed > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.promises",
        description="Measure what dcells_async promises.",
    )
    parser.add_argument(
        "--promises", nargs="+", choices=_PROMISES, default=list(_PROMISES)
    )
    parser.add_argument("--markdown", action="store_true", help="a table in Markdown")
    parser.add_argument("--inside", nargs=3, help=argparse.SUPPRESS)
    return parser


def _in_fresh_process(name: str, backend: str, folder: str) -> dict[str, str] | None:
    command = [sys.executable, "-m", "benchmarks.promises"]
    done = subprocess.run(
        [*command, "--inside", name, backend, folder],
        cwd=_ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        return None
    figures: dict[str, str] = json.loads(done.stdout)
    return figures


if __name__ == "__main__":
    sys.exit(main())
