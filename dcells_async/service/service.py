"""What all requests to one application share."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import anyio

from ..stream.threads import Leftovers, leftovers
from ..stream.turns import owner
from .exchange import CLOSING
from .gate import Gate
from .metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from .carrier import CarriedExchange
    from .exchange import Exchange
    from .settings import Settings

__all__ = ["Service"]

_LOOK_S = 0.02


class Service:
    """The open exchanges of one application, its gate and its metrics.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.gate = Gate(settings)
        self.metrics = Metrics(self.gate)
        self._open: set[Exchange] = set()
        self._replies = 0

    @contextmanager
    def replying(self) -> Iterator[None]:
        """Count a reply as not yet sent, while in the block."""
        self._replies += 1
        try:
            yield
        finally:
            self._replies -= 1

    @contextmanager
    def known(self, exchange: Exchange) -> Iterator[None]:
        """Have an exchange stopped when the service is closed, while in the block."""
        self._open.add(exchange)
        try:
            yield
        finally:
            self._open.remove(exchange)

    @asynccontextmanager
    async def admitted(
        self, exchange: CarriedExchange, client: str
    ) -> AsyncIterator[None]:
        """Be let in and counted, while in the block.

        What cannot be interrupted keeps its place until it is over, though the answer
        is given, or the client has gone.

        Raises
        ------
        Fault
            As by `Gate.slot`.
        """
        await self.gate.enter(client)
        calls = Leftovers()
        try:
            owner.set(client)
            leftovers.set(calls)
            with exchange.meter:
                yield
        finally:
            if calls.n_running:
                exchange.tasks.start_soon(self._leave_late, client, calls)
            else:
                self.gate.leave(client)

    async def _leave_late(self, client: str, calls: Leftovers) -> None:
        try:
            with anyio.CancelScope(shield=True):
                while calls.n_running:  # noqa: ASYNC110 - threads set no event
                    await anyio.sleep(_LOOK_S)
        finally:
            self.gate.leave(client)

    def close(self) -> None:
        """Stop all searches, gently, and begin no more.

        To be called in the event loop, before the server waits for its connections:
        streams end with their last record.
        """
        self.gate.close()
        for exchange in [*self._open]:
            exchange.stop(CLOSING)

    async def drained(self) -> None:
        """Wait until all replies are sent; a client who does not read keeps it."""
        while self._replies:  # noqa: ASYNC110 - shutting down is no hurry
            await anyio.sleep(_LOOK_S)
