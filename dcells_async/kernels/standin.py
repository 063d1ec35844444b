"""What a kernel needs of the ``cython`` module when it runs interpreted.

Compiled kernels never import ``cython``; interpreted ones do, for its
decorators alone. On a machine without a C compiler and without Cython this
module stands in for it, so that the library depends on nothing but anyio.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, TypeVar

compiled = False

_T = TypeVar("_T")


def cclass(cls: _T) -> _T:
    """Leave a class as it is."""
    return cls


cfunc = cclass


def exceptval(*_: object, check: bool = True) -> Any:
    """Leave the decorated function as it is."""
    return cclass


class _NoGil(nullcontext[None]):
    """``cython.nogil``: a decorator and a context manager, doing nothing."""

    def __call__(self, function: _T) -> _T:
        return function


nogil = _NoGil()
