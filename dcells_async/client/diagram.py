"""All covers at once, elsewhere: questions about a diagram that stays there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..arguments import checked_count
from ..cover import Outcome
from .answer import numbers_of
from .errors import RemoteError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..cover import Cover
    from .dance import RemoteDance, RemoteResult

__all__ = ["RemoteDiagram"]


class RemoteDiagram:
    """The diagram of a problem, with some methods of one at home.

    The service keeps nothing between two requests, so each question has it built once
    more.

    Parameters
    ----------
    dance : callable
        Gives what asks the service, given the knobs of ``/v1/zdd``.

    Raises
    ------
    ProblemError, OSError, SearchError
        From all methods; a `CapacityError` if the diagram is too large, a `RemoteError`
        about the service, also if its time ran out or the answer is too large for it.
    """

    def __init__(self, dance: Callable[[Mapping[str, Any]], RemoteDance]) -> None:
        self._dance = dance

    async def count(self) -> int:
        """Give the number of covers, exactly; see `Diagram.count`."""
        _, result = await self._ask({})
        return _count(result)

    async def sample(self, n: int, seed: int | None = None) -> list[Cover]:
        """Draw n covers at random, independently; see `Diagram.sample`.

        Parameters
        ----------
        n : int, >= 0
            The service may have a limit; that of ``dcells serve`` is 10,000.
        seed : int, optional
            With the same seed come the same covers.

        Raises
        ------
        IndexError
            There is no cover.
        """
        knobs = {"sample": checked_count("n", n, 0), "seed": seed, "names": False}
        covers, result = await self._ask(knobs)
        if n and not _count(result):
            raise IndexError("there is no cover to be drawn")
        return covers

    async def frequencies(self) -> list[int]:
        """Give for each option how many covers use it; see `Diagram.frequencies`."""
        _, result = await self._ask({"frequencies": True})
        n_options = len(result.problem.option_start) - 1
        return numbers_of(result.told.get("frequencies"), n_options)

    async def _ask(self, knobs: Mapping[str, Any]) -> tuple[list[Cover], RemoteResult]:
        async with self._dance(knobs) as result:
            covers = [cover async for cover in result.solutions]
        if result.outcome is not Outcome.EXHAUSTED:
            raise RemoteError("the service's time ran out before all were found")
        return covers, result


def _count(result: RemoteResult) -> int:
    return numbers_of([result.told.get("count")], 1)[0]
