"""What may be asked, and how: in a query beside DLX text, or in a JSON document."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
)

__all__ = [
    "LISTS",
    "CountKnobs",
    "CountOrder",
    "EdgesKnobs",
    "EdgesOrder",
    "Knobs",
    "MinimizeKnobs",
    "MinimizeOrder",
    "MinlexKnobs",
    "Order",
    "SearchKnobs",
    "SolveKnobs",
    "SolveOrder",
    "SolveQuery",
    "StartKnobs",
    "Structure",
    "SudokuKnobs",
    "TraceKnobs",
    "TraceOrder",
    "ZddKnobs",
    "ZddOrder",
]

LISTS = frozenset({"prices", "given", "without"})
"""What may stand in a query more than once, as the parts of a list."""

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|[+-]?\.[0-9]+")

_MOST = 2**53
"""Larger whole numbers are not safe in everybody's JSON."""


def _split(value: Any) -> Any:  # noqa: ANN401
    """Take a query's ``1,2,3`` apart."""
    if isinstance(value, str):
        value = [value]
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return [piece for part in value for piece in part.split(",")]
    return value


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Refuse what only Python takes for a number."""
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise ValueError("Input should be a number")
    return value


Whole = Annotated[int, BeforeValidator(_plain)]
Real = Annotated[float, BeforeValidator(_plain)]
Price = Annotated[Whole, Field(ge=-(2**63), lt=2**63)]
Prices = Annotated[list[Price], BeforeValidator(_split)]
Number = Annotated[Whole, Field(ge=-_MOST, le=_MOST)]
Numbers = Annotated[list[Number], BeforeValidator(_split)]
Label = Annotated[str, BeforeValidator(lambda it: str(it) if type(it) is int else it)]
Bound = Annotated[StrictInt, Field(ge=0, lt=2**31)]


Color = Annotated[StrictInt, Field(ge=0, lt=10**9)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Structure(_Strict):
    """A problem as lists; numbers may stand for names."""

    options: list[list[Label | tuple[Label, Label]]] = Field(
        description="The items of each option; a pair gives a secondary item a color."
    )
    primary: list[Label] | None = Field(
        default=None, description="By default, those that are not secondary."
    )
    secondary: list[Label] = Field(default=[])
    multiplicity: dict[StrictStr, Bound | tuple[Bound, Bound]] = Field(
        default={}, description="How often an item is to be covered, if not once."
    )


class Knobs(_Strict):
    """What every request has."""

    timeout: Real | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="Seconds that the search may last; the service has a limit, too.",
    )
    pulse: Real | None = Field(
        default=None,
        ge=0.05,
        le=60,
        allow_inf_nan=False,
        description="Seconds between pulses.",
    )


class SearchKnobs(Knobs):
    """What every search for covers has."""

    engine: Literal["xcc", "mcc", "xccdc"] = Field(
        default="xcc", description="How to search; mcc knows multiplicities."
    )
    prices: Prices | None = Field(
        default=None, description="What each option costs, in place of those written."
    )


class StartKnobs(SearchKnobs):
    """What every search for all covers has."""

    given: Numbers = Field(
        default=[],
        description="Numbers of options that every cover is to have, from 1.",
    )
    without: Numbers = Field(
        default=[], description="Numbers of options that none is to have."
    )


class CountKnobs(StartKnobs):
    """How to count."""


class SolveKnobs(StartKnobs):
    """How to list covers."""

    limit: Whole | None = Field(
        default=None, ge=1, le=_MOST, description="End after so many covers."
    )
    names: bool = Field(
        default=True, description="Tell the names of items, or numbers alone."
    )


class MinimizeKnobs(SearchKnobs):
    """How to look for the cheapest covers."""

    engine: Literal["xcc", "mcc"] = Field(default="xcc")
    limit: Whole | None = Field(default=None, ge=1, le=_MOST)
    names: bool = True
    best: Whole = Field(
        default=1, ge=1, le=100_000, description="How many cheapest covers are sought."
    )
    taxes: Literal["auto", "greedy", "lp"] = Field(
        default="auto", description="How the lower bound is made."
    )


class ZddKnobs(Knobs):
    """What to ask of all covers at once."""

    sample: Whole = Field(
        default=0, ge=0, le=10_000, description="Covers to be drawn at random."
    )
    seed: Whole | None = Field(
        default=None, ge=-_MOST, le=_MOST, description="Draw the same covers each time."
    )
    frequencies: bool = Field(
        default=False, description="Tell how many covers use each option."
    )
    names: bool = True
    mrv: bool = Field(
        default=True, description="Branch on an item with fewest options; or the first."
    )
    components: bool = Field(
        default=False, description="Look for independent parts of the problem."
    )


class EdgesKnobs(Knobs):
    """How to lay tiles."""

    engine: Literal["xcc", "mcc", "xccdc"] = "xcc"
    limit: Whole | None = Field(default=None, ge=1, le=_MOST)
    size: str | None = Field(
        default=None, description="Rows and columns, as 3x4; by default a square."
    )
    kind: Literal["border", "rim", "open", "torus"] = Field(
        default="border", description="What is at the edge of the board."
    )
    color: Whole = Field(
        default=0, ge=0, lt=10**9, description="The color of border and rim."
    )
    fix: bool = Field(
        default=False, description="Leave out what is the same by symmetry."
    )
    nearly: bool = Field(
        default=False, description="Look for boards with as few wrong edges as may be."
    )


class TraceKnobs(Knobs):
    """How to watch a search."""

    way: Literal["links", "cells"] = Field(default="links", description="How to dance.")
    limit: Whole | None = Field(
        default=None, ge=1, le=_MOST, description="End after so many steps."
    )
    live: bool = Field(
        default=True, description="Tell what is left of the matrix at each step."
    )


class SudokuKnobs(_Strict):
    """How to solve sudokus."""

    unique: bool = Field(default=False, description="Look for a second solution, too.")


class MinlexKnobs(_Strict):
    """Nothing: there is one form of a grid."""


class Order(_Strict):
    """What a JSON document has beside the knobs."""

    problem: StrictStr | Structure = Field(
        description="In the DLX format, or as lists."
    )


class SolveOrder(SolveKnobs, Order):
    """A request for covers."""


class CountOrder(CountKnobs, Order):
    """A request for the number of covers."""


class MinimizeOrder(MinimizeKnobs, Order):
    """A request for the cheapest covers."""


class ZddOrder(ZddKnobs, Order):
    """A request for all covers at once."""


class TraceOrder(TraceKnobs, Order):
    """A request to watch a search."""


class EdgesOrder(EdgesKnobs):
    """A request for boards."""

    tiles: StrictStr | list[tuple[Color, Color, Color, Color]] = Field(
        description="A line of four colors each, or lists: north, east, south, west."
    )
    board: StrictStr | None = Field(
        default=None, description="Tiles that lie already, as text."
    )


class SolveQuery(SolveKnobs):
    """A request for covers in a query."""

    problem: str = Field(description="In the DLX format.")
