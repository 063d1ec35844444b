"""Many problems at once, from any input, as one stream of answers."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, cast, get_args

from .arguments import checked_count, checked_seconds
from .engine import Engine
from .engines import XCC
from .stream.fanout import FanOut
from .stream.threads import n_cores

if TYPE_CHECKING:
    from collections.abc import Callable

    from .dlx import Source
    from .problem import Problem
    from .solving import Covers

__all__ = ["Solve", "fan_out"]

Errors: TypeAlias = Literal["answer", "raise"]


class Solve(Protocol):
    """What begins the search of one problem, as ``solve`` of an engine does."""

    def __call__(
        self, source: Problem | Source, *, limit: int | None, timeout: float | None
    ) -> Covers:
        """Give the search, not opened yet."""
        ...


_XCC = XCC()
_AHEAD = 64
_MOST_AT_A_TIME = 1_000_000


def fan_out(
    problems: Iterable[Problem | Source] | AsyncIterable[Problem | Source],
    engine: Engine | Solve = _XCC,
    *,
    concurrency: int | None = None,
    ordered: bool = True,
    limit: int | None = 1,
    timeout: float | None = None,
    errors: Errors = "answer",
    buffer: int | None = None,
) -> FanOut:
    """Search many problems, several at a time, as an asynchronous stream of answers.

    To be used with ``async with``, which gives a stream of `Answer`, one for each
    problem. Searches run in worker threads without the GIL, so they use all cores.
    Leaving the block, by whatever way, ends all of them within some milliseconds
    and leaves nothing behind.

    The input is read at most `buffer` problems ahead of the consumer. So the memory
    needed is bounded, whatever the input; and a consumer that rests brings it all
    to rest. If answers come in order, those behind a problem that takes long have
    to wait for it; when `buffer` problems are waiting, solved or not, the input is
    not read any further, and the other cores are idle until it is solved. To keep
    them busy let `buffer` be larger, `ordered` false, or set a `timeout`.

    An ordinary iterable is iterated in a worker thread, for it may block; what it
    has given before it blocks is searched meanwhile. It is left alone there if the
    block is left. A generator, asynchronous or not, is closed in the end.

    Parameters
    ----------
    problems : iterable or asynchronous iterable
        Whatever engines take: problems, DLX texts, paths, open files. It may be
        endless. What it raises comes out behind the answers to all before.
    engine : Engine or Solve, default XCC()
        What searches; or how: with ``XCC().cheapest`` and ``limit=None``, the last
        cover of each answer is a cheapest one, if the outcome is `EXHAUSTED`.
    concurrency : int, from 1 to 1,000,000, optional
        How many are searched at a time; by default as many as there are cores. Tasks
        are started only when there are problems for them.
    ordered : bool, default True
        Whether answers come in the order of the input, or as they are found.
    limit : int, covers, > 0, or None; default 1
        After how many covers a problem is done with; None for all, which are kept
        in memory. With 2, ``len(answer.covers) == 1`` says there is exactly one.
    timeout : float, seconds, optional
        How long each problem may take, the reading of it included.
    errors : {"answer", "raise"}, default "answer"
        Whether a faulty problem is one more answer, with its ``error``, or the end
        of all: then the error is raised behind the answers to the problems before.
    buffer : int, problems, >= 0, optional
        How far to read ahead; by default 64 for each one searched at a time. With 0
        a problem is read only while somebody waits for an answer.

    Raises
    ------
    TypeError, ValueError
        A parameter is none or out of range.

    Examples
    --------
    >>> import anyio
    >>> from dcells_async import fan_out
    >>> async def main():
    ...     texts = ["a b\\na\\nb", "a b\\na", "a b\\na c"]
    ...     async with fan_out(texts) as answers:
    ...         async for answer in answers:
    ...             print(answer.index, answer.outcome.value, answer.cover)
    >>> anyio.run(main)
    0 limited <Cover of options 2, 1>
    1 exhausted None
    2 failed None
    """
    is_one = isinstance(problems, (str, bytes, bytearray, memoryview))
    if is_one or not isinstance(problems, (Iterable, AsyncIterable)):
        raise TypeError(
            f"problems must be an iterable of problems, not {type(problems).__name__}"
        )
    if isinstance(engine, type):
        name = engine.__name__
        raise TypeError(
            f"engine must be an engine, such as {name}(), not {name} itself"
        )
    if not isinstance(engine, Engine) and not callable(engine):
        raise TypeError(f"engine must be an engine, not {type(engine).__name__}")
    if errors not in get_args(Errors):
        raise ValueError(f"errors are 'answer' or 'raise', not {errors!r}")
    if limit is not None:
        limit = checked_count("limit", limit, 1)
    if timeout is not None:
        timeout = checked_seconds("timeout", timeout, may_be_zero=True)
    if concurrency is None:
        concurrency = n_cores()
    concurrency = checked_count("concurrency", concurrency, 1, _MOST_AT_A_TIME)
    if buffer is None:
        buffer = _AHEAD * concurrency
    begin = engine.solve if isinstance(engine, Engine) else engine
    solve = partial(begin, limit=limit, timeout=timeout)
    return FanOut(
        problems,
        cast("Callable[[object], Covers]", solve),
        concurrency=concurrency,
        buffer=checked_count("buffer", buffer, 0),
        ordered=ordered,
        raises=errors == "raise",
        timeout=timeout,
    )
