"""One request and its answer, as the work between them sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio
from starlette.websockets import WebSocketDisconnect

from ..records import dumped, numbers_of
from .faults import Fault, fault_of
from .incoming import HungUpError

if TYPE_CHECKING:
    from collections.abc import (
        Awaitable,
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from typing import Self

    from ..cover import Pulse
    from .forms import Form
    from .metrics import Meter
    from .settings import Settings

__all__ = ["Exchange"]

FAILED = "failed"
CLOSING = "the service is shutting down"


class Exchange(ABC):
    """What a piece of work may do: read its order, put records, be stopped.

    Attributes
    ----------
    settings : Settings
    form : Form
        How records are written.
    meter : Meter
        Counts what goes on.
    pulse_seconds : float
        The time between pulses; the work sets it.
    stop_reason : str or None
        Why it was stopped, if it was.
    """

    def __init__(self, settings: Settings, form: Form, meter: Meter) -> None:
        self.settings = settings
        self.form = form
        self.meter = meter
        self.pulse_seconds = settings.pulse_seconds
        self.stop_reason: str | None = None
        self.has_begun = False
        self._scope: anyio.CancelScope | None = None

    # -- for the work ----------------------------------------------------------------

    @property
    def buffer(self) -> int:
        """How far a search may run ahead."""
        return self.settings.buffer

    def timeout(self, wanted: float | None) -> float:
        """Give the seconds that a search may last."""
        most = self.settings.max_seconds
        return most if wanted is None else min(wanted, most)

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Let `stop` end the block, quietly."""
        with anyio.CancelScope() as scope:
            self._scope = scope
            if self.stop_reason is not None:
                scope.cancel()
            try:
                yield
            finally:
                self._scope = None

    def stop(self, reason: str, kind: str | None = None) -> None:
        """End what is stoppable; the last record will say why.

        Parameters
        ----------
        reason : str
        kind : str, optional
            What it is called in metrics, if not so.
        """
        if self.stop_reason is None:
            self.stop_reason = reason
            self.meter.cancelled(kind or reason)
        if self._scope is not None:
            self._scope.cancel()

    def stopped(self) -> Fault:
        """Say that it was stopped before it had begun."""
        return Fault(503, "stopped", "It was stopped first", self.stop_reason)

    async def begin(self, **fields: object) -> None:
        """Tell that there will be an answer; what is wrong later comes at its end."""
        self.has_begun = self.form.is_stream
        if self.form.is_stream:
            await self.put("start", [_record("start", fields)])

    async def pulse(self, stats: Pulse) -> None:
        """Tell how far it has come."""
        if self.form.is_stream:
            fields = {**numbers_of(stats), "gap": stats.gap}
            await self.put("pulse", [_record("pulse", fields)])

    @abstractmethod
    def regulate(self, allow: Callable[[int], None]) -> None:
        """Take over how far ahead things may be made that are to be sent."""

    @abstractmethod
    async def demand(self, scope: anyio.CancelScope) -> int:
        """Wait until covers are wanted, and tell how many; 0 if none ever will be.

        Parameters
        ----------
        scope : CancelScope
            Will be cancelled should they be wanted no more.
        """

    @abstractmethod
    async def put(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> None:
        """Send records; waits until those before are on their way.

        Raises
        ------
        HungUpError
            The client has not read for too long.
        """

    # -- for what carries it -----------------------------------------------------------

    async def result_of(
        self, work: Callable[[Self], Awaitable[Mapping[str, object]]]
    ) -> Mapping[str, object]:
        """Do the work, and give the fields of the last record.

        Raises
        ------
        Fault
            It failed before it had begun.
        """
        try:
            fields = await work(self)
        except (HungUpError, WebSocketDisconnect):
            raise
        except Exception as error:
            fault = fault_of(error)
            if not self.has_begun:
                self.meter.outcome = "refused"
                raise fault from error
            fields = {"outcome": FAILED, "error": fault.document}
        self.meter.outcome = str(fields.get("outcome"))
        if self.stop_reason is not None:
            fields = {**fields, "reason": self.stop_reason}
        return fields


def _record(kind: str, fields: Mapping[str, object]) -> bytes:
    return dumped({"type": kind, **fields}).encode(errors="replace")
