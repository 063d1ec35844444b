# ruff: noqa: SLF001 - two faces of one thing
"""The questions to a diagram, for event loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import saving
from .steps import step_by_step

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from random import Random

    from ..cover import Cover
    from ..pricing import Price
    from ..problem import Problem
    from .diagram import Diagram

__all__ = ["AwaitableDiagram"]


class AwaitableDiagram:
    """The questions to a `Diagram`, each to be awaited.

    They are the same as those of the diagram, with the same parameters, answers and
    errors; and what one of them has computed is kept for all. The work is done in
    worker threads, in steps of some milliseconds: meanwhile the event loop is free,
    and a cancellation takes effect after the step.

    To go through the covers, there is `Diagram.solutions`.

    Parameters
    ----------
    diagram : Diagram

    Examples
    --------
    >>> import anyio
    >>> from dcells_async import ZDD
    >>> async def main():
    ...     diagram = await ZDD().build("a b\\na b\\na\\nb")
    ...     ask = diagram.awaitable
    ...     with anyio.fail_after(60):
    ...         print(await ask.count(), await ask.max_weight([5, 2, 2]))
    >>> anyio.run(main)
    2 <Cover of options 1>
    """

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram

    async def count(self) -> int:
        """Give the number of covers; see `Diagram.count`."""
        return await step_by_step(self._diagram._counting())

    async def rank(self, cover: Cover | Iterable[int]) -> int:
        """Give the place of a cover in the order; see `Diagram.rank`."""
        return await step_by_step(self._diagram._ranking_of(cover))

    async def unrank(self, rank: int) -> Cover:
        """Give the cover of a rank; see `Diagram.unrank`."""
        return await step_by_step(self._diagram._unranking(rank))

    async def random(self, rng: Random | None = None) -> Cover:
        """Draw a cover at random; see `Diagram.random`."""
        return (await self.sample(1, rng))[0]

    async def sample(self, n: int, rng: Random | None = None) -> list[Cover]:
        """Draw n covers at random; see `Diagram.sample`."""
        return await step_by_step(self._diagram._sampling(n, rng))

    async def frequencies(self) -> list[int]:
        """Give for each option how many covers use it; see `Diagram.frequencies`."""
        return await step_by_step(self._diagram._using())

    async def max_weight(self, weights: Price = None) -> Cover:
        """Give the heaviest cover; see `Diagram.max_weight`."""
        return await step_by_step(self._diagram._extreme(weights, heavy=True))

    async def min_weight(self, weights: Price = None) -> Cover:
        """Give the lightest cover; see `Diagram.min_weight`."""
        return await step_by_step(self._diagram._extreme(weights, heavy=False))

    async def heaviest(self, k: int, weights: Price = None) -> list[Cover]:
        """Give the k heaviest covers; see `Diagram.heaviest`."""
        return await step_by_step(self._diagram._ranking(k, weights, heavy=True))

    async def lightest(self, k: int, weights: Price = None) -> list[Cover]:
        """Give the k lightest covers; see `Diagram.lightest`."""
        return await step_by_step(self._diagram._ranking(k, weights, heavy=False))

    async def weight_histogram(self, weights: Price = None) -> dict[int, int]:
        """Give for each weight how many covers have it; see there."""
        return await step_by_step(self._diagram._spectrum(weights))

    async def restrict(
        self, use: Iterable[int] = (), avoid: Iterable[int] = ()
    ) -> Diagram:
        """Give the diagram of some of the covers; see `Diagram.restrict`."""
        return await step_by_step(self._diagram._restricting(use, avoid))

    async def save(self, path: str | Path) -> None:
        """Write the diagram to a file; see `Diagram.save`."""
        await step_by_step(saving.save(self._diagram, path))

    @staticmethod
    async def load(path: str | Path, problem: Problem | None = None) -> Diagram:
        """Read a diagram from a file; see `Diagram.load`.

        It is asked of the class: ``await AwaitableDiagram.load(path)``.
        """
        from .diagram import Diagram  # noqa: PLC0415 - each has the other

        return await step_by_step(Diagram._loading(path, problem))
