"""Problems from Python values: labels of any hashable kind, and 0/1 matrices."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from .errors import (
    ColorError,
    DuplicateItemError,
    MultiplicityError,
    ProblemError,
    UnknownItemError,
)
from .tables import Item, Tables, did_you_mean, without_primary

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

__all__ = ["from_labels", "from_matrix"]

_MOST_OFTEN = 2**31 - 1


def from_labels(
    options: Iterable[Iterable[Hashable]],
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
    multiplicity: Mapping[Hashable, int | tuple[int, int]] | None,
    prices: Iterable[int] | None,
) -> Tables:
    """Number the items and colors of options that are given as labels."""
    builder = _Builder(primary, secondary)
    for option in options:
        builder.add(option)
    labels = builder.labels()
    bounds = _bounds(multiplicity or {}, labels, builder.n_primary)
    items = tuple(
        Item(label, number < builder.n_primary, *bounds.get(label, (1, 1)))
        for number, label in enumerate(labels)
    )
    entry_item = builder.numbered()
    return Tables(
        items=items,
        n_primary=builder.n_primary,
        colors=tuple(builder.colors),
        option_start=builder.start,
        entry_item=entry_item,
        entry_color=builder.entry_color if builder.colors else array("i"),
        option_price=_prices(prices, len(builder.start) - 1),
        option_line=array("i"),
        dropped=without_primary(builder.start, entry_item, builder.n_primary),
        source="<options>",
    )


class _Builder:
    """Collects options; secondary items are -1, -2, ... until all are known."""

    def __init__(
        self, primary: Iterable[Hashable] | None, secondary: Iterable[Hashable]
    ) -> None:
        self.is_open = primary is None
        self.primary: dict[Hashable, int] = {}
        self.secondary: dict[Hashable, int] = {}
        for label in primary or ():
            self._declare(self.primary, label, len(self.primary))
        for label in secondary:
            self._declare(self.secondary, label, -1 - len(self.secondary))
        self.colors: dict[Hashable, int] = {}
        self.start = array("i", [0])
        self.entry_item = array("i")
        self.entry_color = array("i")

    def _declare(
        self, items: dict[Hashable, int], label: Hashable, number: int
    ) -> None:
        try:
            known = label in self.primary or label in self.secondary
        except TypeError:
            raise ProblemError(f"item {label!r} cannot be hashed") from None
        if known:
            raise DuplicateItemError(f"item {label!r} is declared twice")
        items[label] = number

    @property
    def n_primary(self) -> int:
        return len(self.primary)

    def labels(self) -> list[Hashable]:
        return [*self.primary, *self.secondary]

    def numbered(self) -> array[int]:
        """Give the items of all entries, secondary ones behind the primary."""
        n = self.n_primary
        return array("i", (x if x >= 0 else n - 1 - x for x in self.entry_item))

    def add(self, option: Iterable[Hashable]) -> None:
        here = f"option {len(self.start)}"
        if isinstance(option, (str, bytes)) and len(option) != 1 and not self.is_open:
            hint = " (a str is taken letter by letter; is it meant as one item?)"
        else:
            hint = ""
        seen = set()
        try:
            entries = list(option)
        except TypeError:
            raise ProblemError(f"{here} is no iterable of items: {option!r}") from None
        for entry in entries:
            item, color = self._resolve(entry, here, hint)
            if item in seen:
                label = entry[0] if color else entry  # type: ignore[index]
                raise DuplicateItemError(f"{here} mentions item {label!r} twice")
            seen.add(item)
            self.entry_item.append(item)
            self.entry_color.append(color)
        self.start.append(len(self.entry_item))

    def _resolve(self, entry: Hashable, here: str, hint: str) -> tuple[int, int]:
        try:
            number = self.primary.get(entry, self.secondary.get(entry))
        except TypeError:
            raise ProblemError(f"{here}: item {entry!r} cannot be hashed") from None
        pair = isinstance(entry, tuple) and len(entry) == 2
        base = self.secondary.get(entry[0]) if pair else None  # type: ignore[index]
        if number is not None:
            if base is not None:
                raise ProblemError(
                    f"{here}: {entry!r} is an item, and also item "
                    f"{entry[0]!r} with a color"  # type: ignore[index]
                )
            return number, 0
        if base is not None:
            return base, self._color(entry[1], here)  # type: ignore[index]
        if self.is_open:
            self.primary[entry] = len(self.primary)
            return self.primary[entry], 0
        if pair and entry[0] in self.primary:  # type: ignore[index]
            raise ColorError(
                f"{here}: primary item {entry[0]!r} must be uncolored"  # type: ignore[index]
            )
        near = did_you_mean(str(entry), map(str, self.labels()))
        raise UnknownItemError(
            f"{here} mentions {entry!r}, which is not declared{near}{hint}"
        )

    def _color(self, color: Hashable, here: str) -> int:
        if color is None or color == "":
            raise ColorError(f"{here}: a color must not be {color!r}")
        try:
            return self.colors.setdefault(color, len(self.colors) + 1)
        except TypeError:
            raise ColorError(f"{here}: color {color!r} cannot be hashed") from None


def _bounds(
    multiplicity: Mapping[Hashable, int | tuple[int, int]],
    labels: list[Hashable],
    n_primary: int,
) -> dict[Hashable, tuple[int, int]]:
    bounds = {}
    numbers = {label: number for number, label in enumerate(labels)}
    for label, given in multiplicity.items():
        if label not in numbers:
            raise UnknownItemError(f"multiplicity of {label!r}, which is no item")
        if numbers[label] >= n_primary:
            raise MultiplicityError(
                f"secondary item {label!r} cannot have a multiplicity"
            )
        low, high = given if isinstance(given, tuple) else (given, given)
        if not 0 <= low <= high <= _MOST_OFTEN or high == 0 or low % 1 or high % 1:
            raise MultiplicityError(
                f"multiplicity {low}:{high} of item {label!r}: expected "
                f"integers 0 <= low <= high, and 1 <= high <= {_MOST_OFTEN}"
            )
        bounds[label] = (int(low), int(high))
    return bounds


def _prices(prices: Iterable[int] | None, n_options: int) -> array[int]:
    if prices is None:
        return array("q")
    column = array("q")
    for number, price in enumerate(prices, 1):
        try:
            if price % 1 != 0:
                raise ProblemError(
                    f"price {price!r} of option {number} is not integral; scale the prices"
                )
            column.append(int(price))
        except TypeError:
            raise ProblemError(
                f"price {price!r} of option {number} is no number"
            ) from None
        except OverflowError:
            raise ProblemError(
                f"price {price} of option {number} exceeds 64 bits"
            ) from None
    if len(column) != n_options:
        raise ProblemError(f"{len(column)} prices for {n_options} options")
    return column


def from_matrix(matrix: Any, secondary: Iterable[int]) -> Tables:
    """Number the ones of a 0/1 matrix: rows are options, columns are items."""
    rows, n_columns = _ones(matrix)
    optional = set()
    for column in secondary:
        if column not in range(n_columns):
            raise UnknownItemError(f"column {column} is not one of {n_columns}")
        optional.add(int(column))
    return from_labels(
        rows,
        [column for column in range(n_columns) if column not in optional],
        sorted(optional),
        None,
        None,
    )


def _ones(matrix: Any) -> tuple[list[list[int]], int]:
    """Give the columns of the ones in each row, and the number of columns."""
    if len(getattr(matrix, "shape", (0, 0))) != 2:
        raise ProblemError(f"a matrix has two axes, not {len(matrix.shape)}")
    if hasattr(matrix, "tocoo"):  # any scipy sparse matrix or array
        n_rows, n_columns = matrix.shape
        entries = matrix.tocoo()
        rows: list[list[int]] = [[] for _ in range(n_rows)]
        triples = zip(
            entries.row.tolist(), entries.col.tolist(), entries.data.tolist(),
            strict=True,
        )  # fmt: skip
        for row, column, value in triples:
            if _is_one(value, row, column):
                rows[row].append(column)
        return [sorted(row) for row in rows], n_columns
    if hasattr(matrix, "tolist") and hasattr(matrix, "shape"):  # numpy
        n_columns = matrix.shape[1]
        matrix = matrix.tolist()
    else:
        matrix = [list(row) for row in matrix]
        n_columns = len(matrix[0]) if matrix else 0
    for number, row in enumerate(matrix):
        if len(row) != n_columns:
            raise ProblemError(
                f"row {number} has {len(row)} columns, and row 0 has {n_columns}"
            )
    return [
        [column for column, value in enumerate(row) if _is_one(value, number, column)]
        for number, row in enumerate(matrix)
    ], n_columns


def _is_one(value: Any, row: int, column: int) -> bool:
    if value not in (0, 1):
        raise ProblemError(
            f"row {row}, column {column}: expected 0 or 1, not {value!r}"
        )
    return bool(value)
