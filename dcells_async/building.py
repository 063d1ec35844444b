"""Problems from Python values: labels of any hashable kind, and 0/1 matrices."""

from __future__ import annotations

from array import array
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import (
    ColorError,
    DuplicateItemError,
    MultiplicityError,
    ProblemError,
    UnknownItemError,
)
from .tables import Item, Tables, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Generator, Hashable, Iterable, Mapping

__all__ = ["at_once", "from_labels", "from_labels_steps", "from_matrix"]

_MOST_OFTEN = 2**31 - 1

_LONGEST = 500
"""So many options are numbered in about a millisecond."""

_LONGEST_COLUMN = 50_000
"""So many numbers are copied in a few milliseconds."""

_T = TypeVar("_T")


def at_once(steps: Generator[bool, None, _T]) -> _T:
    """Take all steps, and give what comes of them."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: _T = end.value
            return made


def from_labels(
    options: Iterable[Iterable[Hashable]],
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
    multiplicity: Mapping[Hashable, int | tuple[int, int]] | None,
    prices: Iterable[int] | None,
) -> Tables:
    """Number the items and colors of options that are given as labels."""
    return at_once(from_labels_steps(options, primary, secondary, multiplicity, prices))


def from_labels_steps(
    options: Iterable[Iterable[Hashable]],
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
    multiplicity: Mapping[Hashable, int | tuple[int, int]] | None = None,
    prices: Iterable[int] | None = None,
) -> Generator[bool, None, Tables]:
    """Do it step by step; each yields False, for it never blocks.

    Options and prices are taken one by one, prices after all options: so what makes
    them does its work within the steps, too.
    """
    builder = _Builder(primary, secondary)
    for number, option in enumerate(options, 1):
        builder.add(option)
        if not number % _LONGEST:
            yield False
    entry_item = yield from builder.entry_items()
    column = yield from _prices(prices, len(builder.start) - 1)
    labels = builder.labels()
    bounds = _bounds(multiplicity or {}, labels, builder.n_primary)
    items = [Item(label) for label in builder.primary]
    items += [Item(label, primary=False) for label in builder.secondary]
    for label, (low, high) in bounds.items():
        items[builder.primary[label]] = Item(label, low=low, high=high)
    return Tables(
        items=tuple(items),
        n_primary=builder.n_primary,
        colors=tuple(builder.colors),
        option_start=builder.start,
        entry_item=entry_item,
        entry_color=builder.entry_color,
        option_price=column,
        option_line=array("i"),
        dropped=tuple(builder.bare),
        source="<options>",
    )


class _Builder:
    """Collects options; secondary items are -1, -2, ... until all are known."""

    def __init__(
        self, primary: Iterable[Hashable] | None, secondary: Iterable[Hashable]
    ) -> None:
        self.is_open = primary is None
        self.primary: dict[Hashable, int] = {}
        self.primary = self._declared(primary or (), count())
        self.secondary = self._declared(secondary, count(-1, -1))
        # What needs no second look: the items that cannot be taken for another one
        # with a color, and those with a color that were resolved before.
        self.known = {**self.primary, **self.secondary}
        if self.secondary:
            for label in filter(_is_pair, [*self.known]):
                if label[0] in self.secondary:  # type: ignore[index]
                    del self.known[label]
        self.tints: dict[Hashable, int] = {}
        self.colors: dict[Hashable, int] = {}
        self.start = array("i", [0])
        self.entries = array("i")
        # Nothing at all before the first color.
        self.entry_color = array("i")
        self.bare: list[int] = []

    def _declared(
        self, labels: Iterable[Hashable], numbers: Iterable[int]
    ) -> dict[Hashable, int]:
        """Number the items of a kind."""
        labels = [*labels]
        try:
            items = dict(zip(labels, numbers, strict=False))
        except TypeError:
            items = {}
        if len(items) < len(labels) or not items.keys().isdisjoint(self.primary):
            self._refuse(labels)
        return items

    def _refuse(self, labels: Iterable[Hashable]) -> None:
        """Tell the first label that is no new one."""
        seen = set(self.primary)
        for label in labels:
            try:
                is_known = label in seen
            except TypeError:
                raise ProblemError(f"item {label!r} cannot be hashed") from None
            if is_known:
                raise DuplicateItemError(f"item {label!r} is declared twice")
            seen.add(label)

    @property
    def n_primary(self) -> int:
        return len(self.primary)

    def labels(self) -> list[Hashable]:
        return [*self.primary, *self.secondary]

    def entry_items(self) -> Generator[bool, None, array[int]]:
        """Give the items of all entries, secondary ones behind the primary."""
        if not self.secondary:
            return self.entries
        n, items = self.n_primary, array("i")
        for begin in range(0, len(self.entries), _LONGEST_COLUMN):
            part = self.entries[begin : begin + _LONGEST_COLUMN]
            items.extend([x if x >= 0 else n - 1 - x for x in part])
            yield False
        return items

    def add(self, option: Iterable[Hashable]) -> None:
        try:
            entries = list(option)
        except TypeError:
            raise ProblemError(
                f"option {len(self.start)} is no iterable of items: {option!r}"
            ) from None
        try:
            items = [*map(self.known.__getitem__, entries)]
        except (KeyError, TypeError):
            items = []
        if len(set(items)) != len(entries):
            is_text = isinstance(option, (str, bytes)) and len(option) != 1
            items, colors = self._looked_up(entries, is_text=is_text)
        elif self.colors:
            colors = [*map(self.tints.get, entries, repeat(0))]
        if self.colors:
            missing = len(self.entries) - len(self.entry_color)
            self.entry_color.fromlist([0] * missing + colors)
        self.entries.fromlist(items)
        self.start.append(len(self.entries))
        if not items or (self.secondary and max(items) < 0):
            self.bare.append(len(self.start) - 1)

    def _looked_up(
        self, entries: list[Hashable], *, is_text: bool
    ) -> tuple[list[int], list[int]]:
        """Give the items of an option, and their colors, or 0."""
        here = f"option {len(self.start)}"
        hint = ""
        if is_text and not self.is_open:
            hint = " (a str is taken letter by letter; is it meant as one item?)"
        colors: dict[int, int] = {}
        for entry in entries:
            item, color = self._resolve(entry, here, hint)
            if item in colors:
                label = entry[0] if color else entry  # type: ignore[index]
                raise DuplicateItemError(f"{here} mentions item {label!r} twice")
            colors[item] = color
            if color:
                self.known[entry], self.tints[entry] = item, color
        return [*colors], [*colors.values()]

    def _resolve(self, entry: Hashable, here: str, hint: str) -> tuple[int, int]:
        try:
            number = self.primary.get(entry, self.secondary.get(entry))
        except TypeError:
            raise ProblemError(f"{here}: item {entry!r} cannot be hashed") from None
        pair = _is_pair(entry)
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
            self.primary[entry] = self.known[entry] = len(self.primary)
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


def _is_pair(label: Hashable) -> bool:
    return isinstance(label, tuple) and len(label) == 2


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


def _prices(
    prices: Iterable[int] | None, n_options: int
) -> Generator[bool, None, array[int]]:
    column = array("q")
    if prices is None:
        return column
    for number, price in enumerate(prices, 1):
        if not number % _LONGEST_COLUMN:
            yield False
        try:
            if price % 1 != 0:
                raise ProblemError(
                    f"price {price!r} of option {number} is no integer; scale them"
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
