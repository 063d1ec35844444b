"""Questions for those who do not want to choose an engine, and may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from .auto import Auto
from .engine import Engine
from .engines import MCC, XCC, XCCDC
from .minimizer import Minimizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .cover import Cover
    from .dlx import Source
    from .pricing import Bound, Price, TaxMethod
    from .problem import Problem
    from .search.opening import Make
    from .solving import Covers
    from .stream.dance import Dance

__all__ = [
    "EngineName",
    "count",
    "counting",
    "dance",
    "first",
    "is_unique",
    "minimize",
    "solve",
]

EngineName = Literal["auto", "xcc", "mcc", "xccdc", "zdd"]
"""What an engine may be called, instead of being given."""

_ENGINES: Mapping[str, Callable[[], Engine]] = {
    "auto": Auto,
    "xcc": XCC,
    "mcc": MCC,
    "xccdc": XCCDC,
    "zdd": lambda: Auto(racers=("ZDD",)),
}


def _engine(engine: Engine | EngineName) -> Engine:
    if isinstance(engine, Engine):
        return engine
    if engine not in _ENGINES:
        names = ", ".join(map(repr, get_args(EngineName)))
        raise ValueError(f"engine is one of {names}, or an Engine, not {engine!r}")
    return _ENGINES[engine]()


def solve(
    source: Problem | Source,
    *,
    engine: Engine | EngineName = "auto",
    given: Iterable[int] = (),
    without: Iterable[int] = (),
    resume: bytes | None = None,
    limit: int | None = None,
    timeout: float | None = None,
) -> Covers:
    """Search for all covers, synchronously: an iterator, best used with ``with``.

    Parameters
    ----------
    source : Problem or Source
        What to search.
    engine : Engine or {"auto", "xcc", "mcc", "xccdc", "zdd"}, default "auto"
        How to search; see `Auto`. With "zdd", covers are taken out of a diagram of all
        of them.
    given, without, resume, limit, timeout
        As for `Engine.solve`.

    Raises
    ------
    ValueError
        There is no such engine, or a parameter is out of range.
    CheckpointError
        The token is none, or of a search that was not asked for in the same way.

    Examples
    --------
    >>> from dcells_async import solve
    >>> with solve("a b c\\na b\\nc\\na c\\nb") as covers:
    ...     [cover.numbers for cover in covers]
    ...     covers.stats.engine
    [(1, 2), (3, 4)]
    'XCC'
    >>> solve("a b c\\na b\\nc\\na c\\nb", engine="zdd").count()
    2
    """
    return _engine(engine).solve(
        source,
        given=given,
        without=without,
        resume=resume,
        limit=limit,
        timeout=timeout,
    )


def dance(
    source: Problem | Source,
    *,
    engine: Engine | EngineName = "auto",
    given: Iterable[int] = (),
    without: Iterable[int] = (),
    resume: bytes | None = None,
    buffer: int = 1024,
    limit: int | None = None,
    timeout: float | None = None,
    pulse_interval: float = 1.0,
) -> Dance:
    """Search for all covers, as an asynchronous stream, to be used with ``async with``.

    Parameters
    ----------
    source, engine
        As for `solve`.
    given, without, resume, buffer, limit, timeout, pulse_interval
        As for `Engine.dance`.

    Raises
    ------
    ValueError
        There is no such engine, or a parameter is out of range.
    CheckpointError
        The token is none, or of a search that was not asked for in the same way.

    Examples
    --------
    >>> import anyio
    >>> from dcells_async import dance
    >>> async def main():
    ...     async with dance("a b c\\na b\\nc\\na c\\nb") as result:
    ...         async for cover in result.solutions:
    ...             print(cover.numbers)
    ...     print(result.stats.engine)
    >>> anyio.run(main)
    (1, 2)
    (3, 4)
    XCC
    """
    return _engine(engine).dance(
        source,
        given=given,
        without=without,
        resume=resume,
        buffer=buffer,
        limit=limit,
        timeout=timeout,
        pulse_interval=pulse_interval,
    )


async def first(
    source: Problem | Source,
    *,
    engine: Engine | EngineName = "auto",
    given: Iterable[int] = (),
    without: Iterable[int] = (),
) -> Cover | None:
    """Give a cover, that which is found first, or None if there is none.

    Parameters
    ----------
    source, engine
        As for `solve`.
    given, without
        As for `Engine.dance`.

    Raises
    ------
    ValueError
        There is no such engine.

    Examples
    --------
    >>> import anyio
    >>> from dcells_async import first
    >>> anyio.run(first, "a b\\na b\\na")
    <Cover of options 1>
    """
    return await _engine(engine).first(source, given=given, without=without)


async def count(
    source: Problem | Source,
    *,
    engine: Engine | EngineName = "auto",
    given: Iterable[int] = (),
    without: Iterable[int] = (),
) -> int:
    """Give the number of covers, without making any.

    Parameters
    ----------
    source, engine
        As for `solve`.
    given, without
        As for `Engine.dance`.

    Raises
    ------
    ValueError
        There is no such engine.

    Examples
    --------
    The ways to cover a chessboard with dominoes:

    >>> import anyio
    >>> from dcells_async import count
    >>> from dcells_async.puzzles.boards import Board
    >>> from dcells_async.puzzles.dominoes import dominoes
    >>> anyio.run(count, dominoes(Board.rectangle(8, 8)))
    12988816
    """
    return await _engine(engine).count(source, given=given, without=without)


async def is_unique(
    source: Problem | Source,
    *,
    engine: Engine | EngineName = "auto",
    given: Iterable[int] = (),
    without: Iterable[int] = (),
) -> bool:
    """Tell whether there is exactly one cover; stops at the second.

    Parameters
    ----------
    source, engine
        As for `solve`.
    given, without
        As for `Engine.dance`.

    Raises
    ------
    ValueError
        There is no such engine.

    Examples
    --------
    >>> import anyio
    >>> from dcells_async import is_unique
    >>> anyio.run(is_unique, "a b\\na b\\na\\nb")
    False
    """
    return await _engine(engine).is_unique(source, given=given, without=without)


def counting(
    source: Problem | Source,
    *,
    engine: Engine | EngineName = "auto",
    given: Iterable[int] = (),
    without: Iterable[int] = (),
    resume: bytes | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    pulse_interval: float = 1.0,
) -> Dance:
    """Count the covers, and tell how far that is; to be used with ``async with``.

    Parameters
    ----------
    source, engine
        As for `solve`.
    given, without, resume, limit, timeout, pulse_interval
        As for `Engine.dance`.

    Raises
    ------
    ValueError
        There is no such engine, or a parameter is out of range.
    CheckpointError
        The token is none, or of a search that was not asked for in the same way.

    Examples
    --------
    >>> import anyio
    >>> from dcells_async import counting
    >>> async def main():
    ...     async with counting("a b\\na b\\na\\nb", timeout=60) as result:
    ...         await result.wait()
    ...     print(result.stats.covers, result.stats.why)
    >>> anyio.run(main)
    2 XCC finished first; no other was begun
    """
    return _engine(engine).counting(
        source,
        given=given,
        without=without,
        resume=resume,
        limit=limit,
        timeout=timeout,
        pulse_interval=pulse_interval,
    )


def minimize(
    source: Problem | Source | Make,
    price: Price = None,
    *,
    engine: Engine | EngineName = "auto",
    best: int = 1,
    bound: Bound | None = None,
    taxes: TaxMethod = "auto",
    resume: bytes | None = None,
    buffer: int = 1024,
    limit: int | None = None,
    timeout: float | None = None,
    pulse_interval: float = 1.0,
) -> Dance:
    """Search for the cheapest covers, as an asynchronous stream of improvements.

    Parameters
    ----------
    source : Problem, Source or callable
        What to search, or what makes it.
    engine : Engine or {"auto", "xcc", "mcc"}, default "auto"
        How to search; by default as the multiplicities ask for.
    price, best, bound, taxes, resume, buffer, limit, timeout, pulse_interval
        As for `Minimizer.minimize`.

    Raises
    ------
    ValueError
        There is no such engine, or it knows no prices, or a parameter is out of range.

    Examples
    --------
    >>> import anyio
    >>> from dcells_async import minimize
    >>> async def main():
    ...     async with minimize("2|a b\\na |5\\na b |1\\na |2\\nb") as result:
    ...         async for cover in result.solutions:
    ...             best = cover
    ...     print(best.price, result.optimal)
    >>> anyio.run(main)
    3 True
    """
    chosen = _engine(engine)
    if not isinstance(chosen, Minimizer) or engine == "zdd":
        raise ValueError(f"{engine!r} knows no prices: XCC and MCC do, and 'auto'")
    return chosen.minimize(
        source,
        price,
        best=best,
        bound=bound,
        taxes=taxes,
        resume=resume,
        buffer=buffer,
        limit=limit,
        timeout=timeout,
        pulse_interval=pulse_interval,
    )
