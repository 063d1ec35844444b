"""A service elsewhere as an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import inf
from operator import index
from typing import TYPE_CHECKING, Literal, get_args

from ..arguments import checked_count, checked_seconds
from ..cover import Cover, Outcome
from ..pricing import TaxMethod, priced
from .asking import Request
from .dance import RemoteDance
from .diagram import RemoteDiagram
from .errors import RemoteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import httpx

    from ..dlx import Source
    from ..pricing import Price
    from ..problem import Problem

__all__ = ["Remote", "solve_remote"]

EngineName = Literal["xcc", "mcc", "xccdc"]

_MOST = 2**53
"""What a service takes at most for a number; no search finds so many covers."""


@dataclass(frozen=True)
class Remote:
    """A service elsewhere, with the methods of an engine at home.

    Parameters
    ----------
    url : str
        Where it is, such as ``http://127.0.0.1:8000``.
    engine : {"xcc", "mcc", "xccdc"}, default "xcc"
        How it is to search.
    token : str, optional
        Its bearer token; in the address of no request, and in no message.
    http : httpx.AsyncClient, optional
        To ask by, for connections that are kept, certificates, proxies; it is not
        closed. By default each search has one of its own, which heeds what the
        environment says of proxies and certificates, as httpx does.
    """

    url: str
    engine: EngineName = "xcc"
    token: str | None = field(default=None, repr=False)
    http: httpx.AsyncClient | None = None

    def __post_init__(self) -> None:
        _check_choice("engine", self.engine, EngineName)
        token = self.token
        if token is not None and not (token.isprintable() and token == token.strip()):
            raise ValueError("token has blanks around it, or line ends in it")
        if token == "":
            raise ValueError("token must not be empty; None stands for none")

    def dance(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
        buffer: int = 1024,
        limit: int | None = None,
        timeout: float | None = None,
        pulse_interval: float = 1.0,
    ) -> RemoteDance:
        """Search for all covers; see `Engine.dance`.

        Parameters
        ----------
        source, given, without, buffer, limit, timeout, pulse_interval
            As there; the connection holds some covers more than `buffer`, and the
            service may be stricter about `timeout`.

        Raises
        ------
        ValueError
            A parameter is out of range.
        ProblemError, OSError, SearchError
            On entering the block; a `RemoteError` is about the service.
        """
        knobs = {
            **_start(given, without),
            "limit": _limit(limit),
            "timeout": _timeout(timeout),
            "names": False,
        }
        return self._dance("solve", source, knobs, buffer, pulse_interval)

    def minimize(
        self,
        source: Problem | Source,
        price: Price = None,
        *,
        best: int = 1,
        taxes: TaxMethod = "auto",
        buffer: int = 1024,
        limit: int | None = None,
        timeout: float | None = None,
        pulse_interval: float = 1.0,
    ) -> RemoteDance:
        """Search for the cheapest covers; see `Minimizer.minimize`.

        Parameters
        ----------
        source, price, best, taxes, buffer, limit, timeout, pulse_interval
            As there. Prices are made here, and sent; a bound cannot be.

        Raises
        ------
        ValueError, ProblemError, OSError, SearchError
            As by `dance`.
        """
        _check_choice("taxes", taxes, TaxMethod)
        knobs = {
            "limit": _limit(limit),
            "timeout": _timeout(timeout),
            "best": checked_count("best", best, 1),
            "taxes": taxes,
            "names": False,
        }
        make = partial(priced, price=price)
        return self._dance("minimize", source, knobs, buffer, pulse_interval, make)

    async def first(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
    ) -> Cover | None:
        """Give the first cover, or None if there is none; see `Engine.first`."""
        dance = self.dance(source, given=given, without=without, limit=1)
        async with dance as result:
            async for cover in result.solutions:
                return cover
        return None

    async def count(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
    ) -> int:
        """Give the number of covers, without listing them; see `Engine.count`.

        Raises
        ------
        RemoteError
            The service's time for it ran out.
        """
        counting = self.counting(source, given=given, without=without)
        outcome, covers = await _counted(counting)
        if outcome is not Outcome.EXHAUSTED:
            raise RemoteError("the service's time ran out before all were counted")
        return covers

    async def is_unique(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
    ) -> bool:
        """Tell whether there is exactly one cover; see `Engine.is_unique`.

        Raises
        ------
        RemoteError
            The service's time for it ran out.
        """
        knobs = _start(given, without)
        outcome, covers = await _counted(self._dance("unique", source, knobs, 0, 1.0))
        if covers < 2 and outcome is not Outcome.EXHAUSTED:
            raise RemoteError("the service's time ran out before that was known")
        return covers == 1

    def counting(
        self,
        source: Problem | Source,
        *,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
        timeout: float | None = None,
        pulse_interval: float = 1.0,
    ) -> RemoteDance:
        """Count the covers, and tell how far that is; see `Engine.counting`.

        Parameters
        ----------
        source, given, without, timeout, pulse_interval
            As for `dance`.

        Raises
        ------
        ValueError, ProblemError, OSError, SearchError
            As by `dance`.
        """
        knobs = {**_start(given, without), "timeout": _timeout(timeout)}
        return self._dance("count", source, knobs, 0, pulse_interval)

    def diagram(
        self, source: Problem | Source, *, timeout: float | None = None
    ) -> RemoteDiagram:
        """Ask about all covers at once, by a decision diagram; see `ZDD`.

        Parameters
        ----------
        source, timeout
            As for `dance`.

        Raises
        ------
        ValueError
            A parameter is out of range.

        Examples
        --------
        ::

            diagram = Remote(url).diagram(problem)
            print(await diagram.count(), await diagram.sample(3))
        """
        seconds = _timeout(timeout)

        def ask(knobs: Mapping[str, object]) -> RemoteDance:
            request = self._request("zdd", {"timeout": seconds, "pulse": 1.0, **knobs})
            return RemoteDance(source, request)

        return RemoteDiagram(ask)

    def _dance(
        self,
        what: str,
        source: Problem | Source,
        knobs: Mapping[str, object],
        buffer: int,
        pulse_interval: float,
        price: Callable[[Problem], Problem] | None = None,
    ) -> RemoteDance:
        seconds = checked_seconds("pulse_interval", pulse_interval)
        knobs = {
            "engine": self.engine,
            "pulse": min(60.0, max(0.05, seconds)),
            **knobs,
        }
        request = self._request(what, knobs)
        return RemoteDance(
            source, request, buffer=buffer, pulse_interval=pulse_interval, price=price
        )

    def _request(self, what: str, knobs: Mapping[str, object]) -> Request:
        return Request(
            url=self.url,
            path=f"/v1/{what}",
            knobs=knobs,
            token=self.token,
            http=self.http,
        )


def _check_choice(name: str, value: object, choices: object) -> None:
    words = get_args(choices)
    if value not in words:
        *others, last = map(repr, words)
        raise ValueError(f"{name} is {', '.join(others)} or {last}, not {value!r}")


def _limit(limit: int | None) -> int | None:
    """Give what the service is told of a limit: nothing of one that is out of reach."""
    if limit is None:
        return None
    count = checked_count("limit", limit, 1)
    return count if count <= _MOST else None


def _timeout(timeout: float | None) -> float | None:
    """Give what the service is told of a time: nothing if it has no end."""
    if timeout is None:
        return None
    seconds = checked_seconds("timeout", timeout, may_be_zero=True)
    return None if seconds == inf else seconds


def _start(given: Iterable[int], without: Iterable[int]) -> dict[str, list[int] | None]:
    """Give lists for the service; the numbers are checked as those of a search at home.

    Raises
    ------
    TypeError
        It is no integer.
    """
    return {
        "given": [index(number) for number in given] or None,
        "without": [index(number) for number in without] or None,
    }


async def _counted(counting: RemoteDance) -> tuple[Outcome, int]:
    async with counting as result:
        async for _ in result.solutions:
            pass
    return result.outcome, result.stats.covers


def solve_remote(
    url: str,
    source: Problem | Source,
    *,
    given: Iterable[int] = (),
    without: Iterable[int] = (),
    engine: EngineName = "xcc",
    token: str | None = None,
    buffer: int = 1024,
    limit: int | None = None,
    timeout: float | None = None,
    pulse_interval: float = 1.0,
    http: httpx.AsyncClient | None = None,
) -> RemoteDance:
    """Have a service search for all covers, as an asynchronous stream.

    To be used with ``async with``, which gives a `Result`, as `Engine.dance` does.
    Leaving the block hangs up, and that ends the search.

    Parameters
    ----------
    url : str
        Where the service is, such as ``http://127.0.0.1:8000``.
    source : Problem or Source
        What to search. A text is read here, so its errors are the same as at home.
    engine, token, http
        As for `Remote`.
    given, without, buffer, limit, timeout, pulse_interval
        As for `Remote.dance`.

    Raises
    ------
    ValueError
        A parameter is out of range.
    ProblemError, OSError, SearchError
        On entering the block; a `RemoteError` is about the service.
    """
    return Remote(url, engine, token, http).dance(
        source,
        given=given,
        without=without,
        buffer=buffer,
        limit=limit,
        timeout=timeout,
        pulse_interval=pulse_interval,
    )
