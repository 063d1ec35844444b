"""Exchanges over a connection: work, send and listen at the same time.

Three tasks. One does the *work*. One *sends*, a chunk at a time, and takes the next
only when the server has taken the last: so a slow reader slows the search. One
*listens*, and cancels the others when the client hangs up. The work never waits in a
server's ``send`` itself, which not every server lets go of at once; so a search ends
and frees its slot whatever state the connection is in.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import anyio

from .exchange import Exchange
from .incoming import HungUpError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from anyio.abc import TaskGroup
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from .forms import Form
    from .metrics import Meter
    from .service import Service

__all__ = ["CarriedExchange"]


class CarriedExchange(Exchange):
    """An exchange whose records go out by a task of their own.

    Parameters
    ----------
    service : Service
    form : Form
    meter : Meter
    tasks : TaskGroup
        Of this exchange alone; it is cancelled when the client hangs up.
    """

    def __init__(
        self, service: Service, form: Form, meter: Meter, tasks: TaskGroup
    ) -> None:
        super().__init__(service.settings, form, meter)
        self.tasks = tasks
        self._chunks: MemoryObjectSendStream[bytes] | None = None
        self._is_sent = anyio.Event()
        self._is_ending = False

    @abstractmethod
    async def carry(self, chunks: MemoryObjectReceiveStream[bytes]) -> None:
        """Send chunks until there are no more, and then the end.

        Raises
        ------
        OSError
            The client has gone.
        """

    def hang_up(self) -> None:
        """Drop everything: there is nobody to read it.

        But not when all is done: a server may end the connection itself then, or say
        that the request is over, and must not be interrupted at that.
        """
        if self._is_ending:
            return
        self.meter.cancelled("hang-up")
        self.tasks.cancel_scope.cancel()

    async def put(
        self, kind: str, records: Sequence[bytes], ids: Iterable[int] | None = None
    ) -> None:
        """Hand records over to the sender, when it is through with those before."""
        chunk = self.form.records(kind, records, ids)
        if chunk:
            await self._hand_over(chunk)

    async def finish(self, chunk: bytes) -> None:
        """Send the last chunk, and wait until it is sent."""
        await self._hand_over(chunk)
        self._is_ending = True
        self.close()
        with anyio.move_on_after(self.settings.slow_reader_seconds):
            await self._is_sent.wait()

    def close(self) -> None:
        """Let the sender go, if there is one."""
        if self._chunks is not None:
            self._chunks.close()

    async def _hand_over(self, chunk: bytes) -> None:
        if self._chunks is None:
            self._chunks, chunks = anyio.create_memory_object_stream[bytes](0)
            self.tasks.start_soon(self._send, chunks)
        with anyio.move_on_after(self.settings.slow_reader_seconds) as scope:
            await self._chunks.send(chunk)
        if scope.cancelled_caught:
            self.meter.cancelled("slow reader")
            raise HungUpError

    async def _send(self, chunks: MemoryObjectReceiveStream[bytes]) -> None:
        with chunks:
            try:
                await self.carry(chunks)
            except OSError:
                self.hang_up()
        self._is_sent.set()
