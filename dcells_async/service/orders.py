"""From the body of a request to a problem and its knobs."""

from __future__ import annotations

from array import array
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from ..building import from_labels_steps
from ..dlx import Reading
from ..errors import ColorError
from ..problem import Problem
from ..stream.threads import run_blocking, run_slice
from .faults import Fault, invalid
from .incoming import too_long
from .once import check_keys

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from pydantic import BaseModel

    from ..tables import Tables
    from .knobs import Knobs, Order, Structure
    from .reply import HttpExchange
    from .settings import Settings

__all__ = ["check_size", "check_sizes", "order_from", "problem_from", "read_body"]
__all__ += ["read_order", "repriced"]

_K = TypeVar("_K", bound="Knobs")
_M = TypeVar("_M", bound="BaseModel")

_SLICE_S = 0.003

_TEXTS = {"", "text/plain", "application/octet-stream", "text/x-dlx"}
# What curl says of all that it sends.
_TEXTS |= {"application/x-www-form-urlencoded"}
_JSON = "application/json"


async def read_order(
    exchange: HttpExchange, knobs: _K, model: type[Order], *, has_query: bool
) -> tuple[Problem, _K]:
    """Read a problem and its knobs from a request.

    Parameters
    ----------
    exchange : HttpExchange
    knobs : Knobs
        Those of the query.
    model : type of Order
        What a JSON document has to be; it has the knobs, too.
    has_query : bool
        Whether there are knobs in the query.

    Raises
    ------
    Fault
        Saying what is wrong with the request.
    ProblemError
        Saying what is wrong with the problem.
    HungUpError
        The client has gone.
    """
    body = await read_body(exchange, model, has_query=has_query)
    if isinstance(body, bytes):
        return await problem_from(body, exchange.settings), knobs
    # The document has all the knobs that the query could have.
    problem = await problem_from(body.problem, exchange.settings)
    return problem, body  # type: ignore[return-value]


async def read_body(
    exchange: HttpExchange, model: type[_M], *, has_query: bool
) -> bytes | _M:
    """Read a request: its text as it is, or its document, checked.

    Raises
    ------
    Fault, HungUpError
        As by `read_order`.
    """
    settings = exchange.settings
    kind = exchange.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind in _TEXTS:
        return await exchange.whole(settings.max_body)
    if kind != _JSON:
        raise Fault(
            415,
            "media-type",
            "The request is of no known type",
            "a text is text/plain, a document with knobs is application/json",
        )
    if has_query:
        raise Fault(
            422,
            "invalid",
            "The request is not as it should be",
            "with a JSON document the knobs belong into the document, not the query",
        )
    body = await exchange.whole(min(settings.max_json, settings.max_body))
    return await order_from(body, model)


async def order_from(document: bytes | str, model: type[_M]) -> _M:
    """Check a JSON document, off the event loop.

    Raises
    ------
    Fault
        It is none, or not as it should be.
    """
    try:
        return await run_blocking(partial(_checked, document, model))
    except ValidationError as error:
        raise invalid(error.errors(include_url=False, include_input=False)) from None


def _checked(document: bytes | str, model: type[_M]) -> _M:
    # In JSON a number is no text, nor the other way round; in a query it is.
    order = model.model_validate_json(document, strict=True)
    check_keys(document)
    return order


async def problem_from(source: bytes | str | Structure, settings: Settings) -> Problem:
    """Make a problem of what was sent, in slices, off the event loop.

    Raises
    ------
    Fault
        It is too large.
    ProblemError
        It is faulty.
    """
    if isinstance(source, str | bytes):
        if len(source) > settings.max_body:
            raise too_long(settings.max_body)
        problem = Problem(await _made(Reading(source).steps()))
    else:
        problem = Problem(await _made(_building(source)))
    check_size(problem, settings)
    return problem


async def _made(steps: Generator[bool, None, Tables]) -> Tables:
    tables: Tables | None = None
    while tables is None:
        tables = await run_slice(partial(_step, steps))
    return tables


def _step(steps: Generator[bool, None, Tables]) -> Tables | None:
    """Take steps for a slice's time; gives what comes out at the end."""
    end = perf_counter() + _SLICE_S
    while perf_counter() < end:
        try:
            next(steps)
        except StopIteration as over:
            tables: Tables = over.value
            return tables
    return None


def _building(structure: Structure) -> Generator[bool, None, Tables]:
    colorable = set(structure.secondary)

    def options() -> Iterator[list[str | tuple[str, str]]]:
        for number, option in enumerate(structure.options, 1):
            for entry in option:
                if isinstance(entry, tuple) and entry[0] not in colorable:
                    raise ColorError(
                        f"option {number}: item {entry[0]!r} has a color, and is not "
                        f"among the secondary items"
                    )
            yield option

    return from_labels_steps(
        options(),
        structure.primary,
        structure.secondary,
        structure.multiplicity,  # type: ignore[arg-type] # keys of mappings are invariant
    )


def check_size(problem: Problem, settings: Settings) -> None:
    """Refuse a problem that is too large.

    Raises
    ------
    Fault
        With status 413.
    """
    check_sizes(
        settings, len(problem.items), len(problem.options), len(problem.entry_item)
    )


def check_sizes(
    settings: Settings, items: int = 0, options: int = 0, nodes: int = 0
) -> None:
    """Refuse a problem that would be too large; see `check_size`."""
    for name, found, most in (
        ("items", items, settings.max_items),
        ("options", options, settings.max_options),
        ("nodes", nodes, settings.max_nodes),
    ):
        if found > most:
            raise Fault(
                413,
                "too-large",
                "The problem is too large",
                f"{found:,} {name}, and at most {most:,} are allowed",
                limit=most,
            )


def repriced(problem: Problem, prices: list[int] | None) -> Problem:
    """Give a problem the prices that were asked for.

    Raises
    ------
    Fault
        There are more or fewer than options.
    """
    if prices is None:
        return problem
    if len(prices) != len(problem.options):
        raise Fault(
            422,
            "price",
            "A price cannot be searched with",
            f"{len(prices)} prices for {len(problem.options)} options",
        )
    return problem.with_prices(array("q", prices))
