"""The searches: pure, resumable state machines on flat integer arrays.

Every module here is an ordinary Python file that Cython also compiles. Which
variant runs is settled once, at import:

- the compiled one where it was built (``COMPILED`` is then true);
- the interpreted one otherwise, with one warning, since it takes a hundred
  times as long;
- the interpreted one without a warning where the environment variable
  ``DCELLS_ASYNC_PURE`` is set to anything but ``0``.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

if _pure := os.environ.get("DCELLS_ASYNC_PURE", "0") not in ("", "0"):
    for _folder in __path__:
        sys.path_importer_cache[_folder] = FileFinder(
            _folder, (SourceFileLoader, SOURCE_SUFFIXES)
        )

__all__ = [
    "COMPILED",
    "algebra",
    "arranging",
    "arrays",
    "bits",
    "cells",
    "cheapest",
    "clashes",
    "diagrams",
    "family",
    "gaps",
    "learning",
    "ledger",
    "mcc",
    "memo",
    "minlex",
    "names",
    "probing",
    "remains",
    "rows",
    "scales",
    "scan",
    "sieve",
    "signed",
    "spread",
    "states",
    "status",
    "sudoku",
    "sweep",
    "tally",
    "tidy",
    "walk",
    "xcc",
    "xccdc",
    "zdd",
]


def _load() -> None:
    for name in __all__[1:]:
        import_module(f".{name}", __name__)


try:
    _load()
except ModuleNotFoundError as missing:
    if missing.name != "cython":
        raise
    from . import standin

    # Lent for the moment of the import only: other packages look for Cython too.
    sys.modules["cython"] = standin
    try:
        _load()
    finally:
        del sys.modules["cython"]

COMPILED: bool = import_module(".xcc", __name__).COMPILED

if not COMPILED and not _pure:
    warnings.warn(
        "dcells_async runs interpreted, a hundred times slower than compiled: "
        "no C compiler was found when it was installed. Reinstall it with one, "
        "or set DCELLS_ASYNC_PURE=1 to keep this and silence the warning.",
        RuntimeWarning,
        stacklevel=2,
    )
