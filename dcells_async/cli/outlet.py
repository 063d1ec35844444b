"""Writing without waiting: standard output, served by a thread of its own.

A cover goes out at once if the next one is long in coming, and in bulk if many
come at a time: the thread writes whatever has gathered while it wrote before.
And Ctrl-C, which strikes the main thread only, can never cut a line in two.
"""

from __future__ import annotations

import os
import select
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import BinaryIO, Self

    from .progress import Bar

__all__ = ["Outlet", "OutputError"]

_BACKLOG = 1 << 17
"""How many bytes may wait for the reader."""

_PIECE = 1 << 15
_POLL_S = 0.001
_TICK_S = 0.1

_PATIENCE_S = 0.1
"""How long, once in a hurry, a reader may take nothing at all."""


class OutputError(Exception):
    """Standard output takes no more, for a reason other than a closed pipe."""


class _Raw(Protocol):
    def fileno(self) -> int: ...
    def write(self, data: memoryview, /) -> int | None: ...


class Outlet:
    """Where the output goes; a context manager, which on leaving writes the rest.

    Nothing here takes a lock that a signal handler could find taken: pieces pass
    through a queue that allows for that, and two counters tell the backlog.

    Parameters
    ----------
    stream : binary file
        What to write to.
    bar : Bar
        Drawn by this thread, hence never in the midst of a line of output.
    on_failure : callable
        Called by the thread when nothing more can be written.
    """

    def __init__(
        self, stream: BinaryIO, bar: Bar, on_failure: Callable[[], None]
    ) -> None:
        # Without the buffer around it there is none to be flushed at exit, nor
        # one that the interpreter would find locked by a write that is stuck.
        self._raw: _Raw = getattr(stream, "raw", stream)
        self._bar = bar
        self._on_failure = on_failure
        self._pieces: SimpleQueue[bytes | None] = SimpleQueue()
        self._put = self._written = 0
        self._is_hurried = self._is_given_up = self._is_last = False
        self._failure: Exception | None = None
        self._thread = Thread(target=self._serve, name="dcells output", daemon=True)
        self.complete = False
        """Whether everything has been written."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pieces.put(None)
        if exc_type is None:
            self._wait(lambda: not self._thread.is_alive())
            self.complete = not self._is_given_up and self._put == self._written
        else:
            self._thread.join(_PATIENCE_S)
        self._bar.close()
        if exc_type is None:
            self._check()

    def put(self, piece: bytes) -> None:
        """Write a piece in the background, or wait if too much is waiting already.

        Does nothing once a reader has been given up.

        Raises
        ------
        BrokenPipeError
            The reader has gone.
        OutputError
            Writing failed.
        """
        self._check()
        if self._is_given_up:
            return
        self._pieces.put(piece)
        self._put += len(piece)
        if self._put - self._written > _BACKLOG:
            self._wait(lambda: self._put - self._written <= _BACKLOG)
            self._check()

    def settle(self) -> bool:
        """Wait until all that was put is written, on the disk if it is a file.

        False if a reader has been given up, and something never will be.

        Raises
        ------
        BrokenPipeError, OutputError
            As from `put`.
        """
        self._wait(lambda: self._put == self._written)
        self._check()
        if self._put != self._written:
            return False
        with suppress(OSError, AttributeError):  # a pipe, or no real file
            os.fsync(self._raw.fileno())
        return True

    def tell(self, line: str) -> None:
        """Write a line on stderr, past the bar."""
        self._bar.tell(line)

    @property
    def has_failed(self) -> bool:
        """Whether nothing more can be written."""
        return self._failure is not None

    def hurry(self) -> None:
        """From now on, wait for no reader who does not read; for signal handlers."""
        self._is_hurried = True

    def _check(self) -> None:
        failure = self._failure
        if isinstance(failure, OSError) and not _is_closed_pipe(failure):
            reason = failure.strerror or str(failure)
            raise OutputError(f"the output cannot be written: {reason}") from failure
        if isinstance(failure, OSError):
            raise BrokenPipeError from failure
        if failure is not None:
            raise failure

    def _wait(self, done: Callable[[], bool]) -> None:
        written, since = self._written, monotonic()
        while not (done() or self._failure or self._is_given_up):
            if not self._is_hurried or self._written != written:
                written, since = self._written, monotonic()
            elif monotonic() - since > _PATIENCE_S:
                self._is_given_up = True
            sleep(_POLL_S)

    def _serve(self) -> None:
        try:
            while not self._is_last:
                if piece := self._next():
                    self._bar.hide()
                    self._write(piece)
                if not self._is_last:
                    self._bar.tick()
        except Exception as failure:
            self._failure = failure
            self._on_failure()

    def _next(self) -> bytes:
        """Give what has gathered, or after a while nothing."""
        pieces: list[bytes] = []
        try:
            piece = self._pieces.get(timeout=_TICK_S)
            while piece is not None:
                pieces.append(piece)
                piece = self._pieces.get_nowait()
            self._is_last = True
        except Empty:
            if not pieces and self._is_abandoned():
                raise BrokenPipeError from None
        return b"".join(pieces)

    def _is_abandoned(self) -> bool:
        """Tell whether the reader has gone, without a write to find out by."""
        try:
            # The errors that are looked for need not be asked for.
            poll = select.poll()
            poll.register(self._raw.fileno(), 0)
            gone = select.POLLERR | select.POLLHUP
            return any(event & gone for _, event in poll.poll(0))
        except (AttributeError, OSError):  # not on Windows, or not a real file
            return False

    def _write(self, text: bytes) -> None:
        rest = memoryview(text)
        while rest:
            count = self._raw.write(rest[:_PIECE])
            if count is None:  # not blocking, and full
                sleep(_POLL_S)
            else:
                self._written += count
                rest = rest[count:]


def _is_closed_pipe(error: OSError) -> bool:
    # Windows tells "invalid argument" instead.
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == 22)
