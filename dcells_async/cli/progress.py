"""How far the search has come, drawn on stderr."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

import click

from .words import amount

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cover import Stats

__all__ = ["Bar", "bar_for"]

_DELAY_S = 0.3
"""A search that is over before needs no bar."""

_REDRAW_S = 0.1
_LINE_S = 2.0


def covers_and_nodes(stats: Stats) -> str:
    """Tell how much was found, and how much was tried."""
    return f"{amount(stats.covers, 'cover')}  {amount(stats.nodes, 'node')}"


def bar_for(
    asked: bool | None,
    stats: Callable[[], Stats],
    words: Callable[[Stats], str] = covers_and_nodes,
) -> Bar:
    """Give the bar that was asked for; by default, one if a terminal shows it."""
    terminal = sys.stderr is not None and sys.stderr.isatty()
    if asked or (asked is None and terminal):
        return TerminalBar(stats, words) if terminal else PlainBar(stats, words)
    return Bar(stats, words)


class Bar:
    """What all bars can do; of itself, nothing.

    One thread draws and hides, between its writes to standard output; another may
    close the bar, even though the first is stuck in a write.

    Parameters
    ----------
    stats : callable
        Gives the statistics as they are.
    words : callable
        Tells them.
    """

    def __init__(
        self,
        stats: Callable[[], Stats],
        words: Callable[[Stats], str] = covers_and_nodes,
    ) -> None:
        self._stats = stats
        self._words = words

    def tick(self) -> None:
        """Draw, if it is time to."""

    def hide(self) -> None:
        """Make room for output that may go to the same terminal."""

    def tell(self, line: str) -> None:
        """Write a line on stderr, not through the bar; any thread may do this."""
        click.echo(line, err=True)

    def close(self) -> None:
        """Draw no more."""


class _TimedBar(Bar, ABC):
    """A bar that is drawn from time to time."""

    def __init__(
        self,
        stats: Callable[[], Stats],
        words: Callable[[Stats], str],
        delay: float,
        interval: float,
    ) -> None:
        super().__init__(stats, words)
        self._interval = interval
        self._next = monotonic() + delay
        self._lock = Lock()
        self._is_closed = False

    def tick(self) -> None:
        with self._lock:
            if not self._is_closed and monotonic() >= self._next:
                self._draw()
                self._next = monotonic() + self._interval

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._finish()

    @abstractmethod
    def _draw(self) -> None:
        """Draw it."""

    @abstractmethod
    def _finish(self) -> None:
        """Draw it for the last time, or clear it away."""


class PlainBar(_TimedBar):
    """A line now and then, for files and pipes."""

    def __init__(
        self, stats: Callable[[], Stats], words: Callable[[Stats], str]
    ) -> None:
        super().__init__(stats, words, _LINE_S, _LINE_S)

    def _draw(self) -> None:
        stats = self._stats()
        click.echo(
            f"{stats.fraction:7.2%}  {self._words(stats)}  {stats.elapsed:.1f} s",
            err=True,
        )

    def _finish(self) -> None:
        self._draw()


class TerminalBar(_TimedBar):
    """A bar that moves."""

    def __init__(
        self, stats: Callable[[], Stats], words: Callable[[Stats], str]
    ) -> None:
        # They take as long to import as all the rest of the command line.
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
        )

        super().__init__(stats, words, _DELAY_S, _REDRAW_S)
        self._is_in_the_way = sys.stdout is not None and sys.stdout.isatty()
        self._progress = Progress(
            BarColumn(bar_width=None),
            TaskProgressColumn("{task.percentage:>6.2f}%"),
            TextColumn("{task.fields[words]}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            expand=True,
        )
        self._task = self._progress.add_task("", total=1.0, words="")

    def _draw(self) -> None:
        stats = self._stats()
        self._progress.update(
            self._task,
            completed=stats.fraction,
            words=self._words(stats),
        )
        self._progress.start()
        self._progress.refresh()

    def hide(self) -> None:
        with self._lock:
            if self._is_in_the_way and self._progress.live.is_started:
                self._progress.stop()
                self._next = monotonic()

    def tell(self, line: str) -> None:
        with self._lock:
            self._progress.console.out(line, highlight=False)

    def _finish(self) -> None:
        self._progress.stop()
