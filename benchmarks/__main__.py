"""All benchmarks, one after another: ``python -m benchmarks``.

Each is a module of its own, ``python -m benchmarks.comparison`` for one, with flags of
its own. Its output is passed through; what went wrong is said once more at the end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

SECTIONS = (
    "comparison",
    "engines",
    "scaling",
    "heuristics",
    "growth",
    "families",
    "leastcost",
    "minlex",
    "serving",
    "promises",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sections asked for; return 1 if any of them failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("sections", nargs="*", metavar="section", help="default: all")
    options = parser.parse_args(arguments)
    for section in options.sections:
        if section not in SECTIONS:
            parser.error(f"no section {section!r}; there are {', '.join(SECTIONS)}")
    root, failed = Path(__file__).resolve().parent.parent, []
    for section in options.sections or SECTIONS:
        print(f"\n## {section}\n", flush=True)
        command = [sys.executable, "-m", f"benchmarks.{section}"]
        if subprocess.run(command, cwd=root, check=False).returncode:
            failed.append(section)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
