"""The contenders: how each is given a problem, counts, iterates, finds a first cover.

A module is named after the library that it drives, and imports that library only when
its contender is made. A library may have variants: ``dcells_async/cells``.
"""

from importlib import import_module

from benchmarks.peers.contender import Contender

__all__ = ["NAMES", "OURS", "Contender", "make", "module_name"]

OURS = "dcells_async"
NAMES = (OURS, "miniexact", "xcover", "pyxcc", "exact-cover")


def module_name(name: str) -> str:
    """Return what a contender's library is imported as."""
    return name.partition("/")[0].replace("-", "_")


def make(name: str) -> Contender:
    """Return the contender of that name, its library imported."""
    module = import_module(f"benchmarks.peers.{module_name(name)}")
    variant = name.partition("/")[2]
    contender: Contender = module.contender(*filter(None, [variant]))
    return contender
