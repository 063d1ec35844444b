"""Signals: Ctrl-C that loses nothing, and a clock that rings while reading."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["LateError", "alarm", "on_interrupt"]

_LONGEST_S = 1e8
"""Some three years; clocks refuse to be set to centuries."""


class LateError(Exception):
    """The time ran out while something blocked."""


@contextmanager
def on_interrupt(action: Callable[[], None]) -> Iterator[None]:
    """Let the first Ctrl-C call a function, and not raise; the second one raises.

    Whoever started this process with interrupts ignored is obeyed.
    """
    if not _is_ours("SIGINT", signal.default_int_handler):
        yield
        return

    def act(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        action()

    signal.signal(signal.SIGINT, act)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raise `LateError` if the block takes too long, though it wait for input.

    Does nothing on Windows, which has no such clock.
    """
    if seconds is None or not _is_ours("SIGALRM", signal.SIG_DFL):
        yield
        return

    def ring(*_: object) -> None:
        raise LateError

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, min(seconds, _LONGEST_S))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _is_ours(name: str, untouched: object) -> bool:
    """Tell whether we may handle a signal: it exists, and nobody else does."""
    number = getattr(signal, name, None)
    return (
        number is not None
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(number) == untouched
    )
