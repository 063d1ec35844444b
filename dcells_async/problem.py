"""A problem: items, and options that cover them.

Names of the field: an *item* is what has to be covered, an *option* is a set of
items. Every primary item has to be covered exactly once (or as often as its
bounds say), a secondary item at most once, unless all options that cover it give
it the same *color*.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from .building import from_labels, from_matrix
from .compiled import Compiled
from .dlx import read, written
from .errors import DlxWarning
from .tables import Item, Tables

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Mapping

    from .dlx import Source

__all__ = ["Item", "Note", "Option", "Problem"]

_OURS = "dcells_async."


class Note(NamedTuple):
    """Something legal that is most likely not meant; see :meth:`Problem.check`."""

    kind: str
    message: str


class Option(Sequence[Hashable]):
    """One option: labels in the order written, ``(label, color)`` where colored."""

    __slots__ = ("_index", "_problem")

    def __init__(self, problem: Problem, index: int) -> None:
        self._problem = problem
        self._index = index

    @property
    def number(self) -> int:
        """Its number among the options as written, from 1."""
        return self._index + 1

    @property
    def line(self) -> int | None:
        """Its line in the source, from 1; None if it was not read from a text."""
        lines = self._problem.option_lines
        return lines[self._index] if lines else None

    @property
    def price(self) -> int:
        """The sum of the prices written behind it; 0 without."""
        prices = self._problem.option_prices
        return prices[self._index] if prices else 0

    @property
    def names(self) -> tuple[str, ...]:
        """Its entries for the eye: ``name`` or ``name:color``."""
        return self._problem.option_names(self._index)

    def _entries(self) -> tuple[Hashable, ...]:
        problem = self._problem
        begin, end = problem.option_start[self._index : self._index + 2]
        colors = problem.entry_color[begin:end] or [0] * (end - begin)
        return tuple(
            (problem.items[item].label, problem.colors[color - 1])
            if color
            else problem.items[item].label
            for item, color in zip(problem.entry_item[begin:end], colors, strict=True)
        )

    @overload
    def __getitem__(self, at: int) -> Hashable: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Hashable, ...]: ...
    def __getitem__(self, at: int | slice) -> Hashable:
        return self._entries()[at]

    def __len__(self) -> int:
        start = self._problem.option_start
        return start[self._index + 1] - start[self._index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Option):
            return self._entries() == other._entries()
        return self._entries() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._entries())

    def __repr__(self) -> str:
        return f"<Option {self.number}: {' '.join(self.names)}>"


class _Options(Sequence[Option]):
    """All options of a problem, each made when it is looked at."""

    __slots__ = ("_problem",)

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Option]: ...
    def __getitem__(self, at: int | slice) -> Option | Sequence[Option]:
        picked = range(len(self))[at]
        if isinstance(picked, range):
            return [Option(self._problem, index) for index in picked]
        return Option(self._problem, picked)

    def __len__(self) -> int:
        return len(self._problem.option_start) - 1

    def __repr__(self) -> str:
        return f"<{len(self)} options>"


class Problem:
    """An exact cover problem, immutable; build it with one of the class methods.

    Problems are equal if their items, options and prices are, whatever they were
    built from.

    Attributes
    ----------
    items : tuple of Item
        Primary items first. A tie between items goes to the leftmost, so their
        order shapes the search.
    n_primary : int
        How many of them are primary.
    colors : tuple
        The colors in order of appearance.
    dropped : tuple of int
        Numbers of the options without a primary item. They can never be chosen
        and are kept out of the search; building such a problem gives a warning.
    source : str
        Where it came from, for messages.
    option_start, entry_item, entry_color : array('i')
        The options as numbers, end to end: see :class:`~dcells_async.layout.Layout`.
    option_prices : array('q') or None
        What each option costs, unless none costs anything.
    option_lines : array('i') or None
        The line of each option, from 1, if it was read from a text.
    tables : Tables
        All of this, as it was built.
    compiled : Compiled or None
        What `compile` has made, for all searches to use.
    digest : bytes or None
        The fingerprint that tokens of its searches bear, once it was wanted.

    Examples
    --------
    >>> problem = Problem.from_dlx("a b c\\na b\\nc\\na c\\nb")
    >>> len(problem.items), len(problem.options)
    (3, 4)
    >>> problem == Problem.from_options(["ab", "c", "ac", "b"])
    True
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.compiled: Compiled | None = None
        self.digest: bytes | None = None
        self.items = tables.items
        self.n_primary = tables.n_primary
        self.colors = tables.colors
        self.source = tables.source
        self.dropped = tables.dropped
        self.option_start = tables.option_start
        self.entry_item = tables.entry_item
        self.entry_color = tables.entry_color
        self.option_prices = tables.option_price if any(tables.option_price) else None
        self.option_lines = tables.option_line or None

    # -- building ----------------------------------------------------------------

    @classmethod
    def from_dlx(cls, source: Source) -> Problem:
        """Read a problem in the DLX format.

        Parameters
        ----------
        source : str, bytes, path-like, open file, or iterable of lines
            A ``str`` is the text itself; give a file's name as ``pathlib.Path``.
            Bytes and files are UTF-8, with or without a byte order mark.

        Raises
        ------
        DlxSyntaxError
            With line, column and the offending line.
        OSError
            The source cannot be read.

        Examples
        --------
        >>> Problem.from_dlx("a b | x\\na x:1\\nb x:1").options[1]
        <Option 2: b x:1>
        """
        problem = cls(read(source))
        problem.warn()
        return problem

    @classmethod
    def from_options(
        cls,
        options: Iterable[Iterable[Hashable]],
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        multiplicity: Mapping[Hashable, int | tuple[int, int]] | None = None,
        prices: Iterable[int] | None = None,
    ) -> Problem:
        """Build a problem from labels, which may be any hashable values.

        Parameters
        ----------
        options : iterable of iterables
            The items of each option; ``(item, color)`` gives a secondary item a
            color. (A pair that is an item itself is that item.)
        primary : iterable, optional
            The primary items in order. By default all that the options mention
            and that are not secondary, in order of first appearance.
        secondary : iterable, optional
            The secondary items in order.
        multiplicity : mapping, optional
            How often a primary item is to be covered: a number, or ``(low, high)``.
        prices : iterable of int, optional
            What each option costs.

        Raises
        ------
        UnknownItemError, DuplicateItemError, ColorError, MultiplicityError
            Naming the option and the item.
        ProblemError
            A label cannot be hashed, or a price is no 64-bit integer.

        Examples
        --------
        >>> problem = Problem.from_options(
        ...     [["p", ("x", "red")], ["q", ("x", "red")]], secondary=["x"]
        ... )
        >>> [item.label for item in problem.items]
        ['p', 'q', 'x']
        """
        tables = from_labels(options, primary, secondary, multiplicity, prices)
        problem = cls(tables)
        problem.warn()
        return problem

    @classmethod
    def from_matrix(cls, matrix: Any, secondary: Iterable[int] = ()) -> Problem:
        """Build a problem from a 0/1 matrix: rows are options, columns are items.

        Parameters
        ----------
        matrix : nested sequences, numpy array, or scipy sparse matrix or array
            Item j is labeled j, option i has the items where row i is 1.
        secondary : iterable of int, optional
            Columns to be covered at most once.

        Raises
        ------
        ProblemError
            An entry is neither 0 nor 1, or rows differ in length.

        Examples
        --------
        >>> Problem.from_matrix([[1, 0, 1], [0, 1, 0]]).options[0]
        <Option 1: 0 2>
        """
        problem = cls(from_matrix(matrix, secondary))
        problem.warn()
        return problem

    def with_prices(self, prices: array[int]) -> Problem:
        """Give this problem with other prices, one for each option as written."""
        problem = Problem(replace(self.tables, option_price=prices))
        problem.compiled = self.compiled
        return problem

    def compile(self) -> Problem:
        """Make once what every search of this problem needs, and give it itself.

        Not a must: a search makes what it needs. But then a search with `XCC` that has
        some options given or struck out starts in some 20 microseconds, and thousands
        of related searches are a matter of a moment. It takes some milliseconds, and
        64 MB at most.

        Examples
        --------
        >>> from dcells_async import XCC
        >>> problem = Problem.from_options(["ab", "c", "ac", "b"]).compile()
        >>> [XCC().solve(problem, given=[n]).count() for n in (1, 2, 3, 4)]
        [1, 1, 1, 1]
        """
        if self.compiled is None:
            self.compiled = Compiled(self.tables)
        return self

    # -- reading -----------------------------------------------------------------

    @property
    def options(self) -> Sequence[Option]:
        """All options as written, the dropped ones included."""
        return _Options(self)

    @cached_property
    def item_names(self) -> tuple[str, ...]:
        """The items' labels as text."""
        return tuple(str(item.label) for item in self.items)

    def option_names(self, index: int) -> tuple[str, ...]:
        """Give the entries of an option, counted from 0, for the eye."""
        names = self.item_names
        begin, end = self.option_start[index], self.option_start[index + 1]
        if not self.entry_color:
            return tuple([names[item] for item in self.entry_item[begin:end]])
        return tuple(
            f"{names[item]}:{self.colors[color - 1]}" if color else names[item]
            for item, color in zip(
                self.entry_item[begin:end], self.entry_color[begin:end], strict=True
            )
        )

    def to_dlx(self, label: Callable[[Hashable], str] = str) -> str:
        """Write the problem in the DLX format.

        Reading the text gives an equal problem, if all labels and colors are str.

        Parameters
        ----------
        label : callable, default str
            Gives the name of an item or color in the text.

        Raises
        ------
        ProblemError
            A name would be empty, hold blanks or a bar, or stand for two items; or
            there is no primary item, which the format cannot express.

        Examples
        --------
        >>> Problem.from_options([["p", ("x", 1)]], secondary=["x"]).to_dlx()
        'p | x\\np x:1\\n'
        """
        return written(self.tables, label)

    def check(self) -> list[Note]:
        """List what is legal and yet most likely not meant.

        Returns
        -------
        list of Note
            Of the kinds ``uncovered`` (a primary item in fewer options than it
            needs: no cover is possible), ``unused`` (a secondary item in no
            option), ``lone color`` (a color that occurs once agrees with nothing),
            ``dropped`` (options without a primary item), ``empty`` (no options at
            all) and ``colored label`` (a primary item that looks like another one
            with a color).

        Examples
        --------
        >>> for note in Problem.from_dlx("a b\\na").check():
        ...     print(note.message)
        item 'b' is in no option: there is no cover
        """
        notes = []
        mentions = Counter(self.entry_item)
        for number, item in enumerate(self.items):
            count = mentions[number]
            if item.primary and count < item.low:
                found = "no option"
                if count:
                    found = f"only {count} option{'s' * (count > 1)}"
                notes.append(
                    Note(
                        "uncovered",
                        f"item {item.label!r} is in {found}: there is no cover",
                    )
                )
            elif not count and not item.primary:
                notes.append(Note("unused", f"item {item.label!r} is in no option"))
        uses = Counter(self.entry_color)
        for number, color in enumerate(self.colors, 1):
            if uses[number] == 1:
                notes.append(
                    Note("lone color", f"color {color!r} occurs once: is it misspelt?")
                )
        if self.dropped:
            notes.append(Note("dropped", self._dropped_message()))
        if len(self.option_start) == 1:
            notes.append(
                Note(
                    "empty",
                    "there are no options; the name of a file is to be given "
                    "as pathlib.Path",
                )
            )
        labels = {item.label for item in self.items}
        for item in self.items:
            label = item.label
            if isinstance(label, tuple) and len(label) == 2 and label[0] in labels:
                notes.append(
                    Note(
                        "colored label",
                        f"item {label!r} looks like item {label[0]!r} with a color; "
                        f"only declared secondary items take colors",
                    )
                )
        return notes

    def warn(self) -> None:
        """Give the warnings that a new problem deserves, at the caller's line."""
        messages = []
        if self.dropped:
            messages.append(self._dropped_message())
        if len(self.items) == 1 and len(self.option_start) == 1:
            name = str(self.items[0].label)
            if "/" in name or "\\" in name or name.endswith((".dlx", ".txt")):
                messages.append(
                    f"{self.source}: a text of one item, {name!r}, and no options; "
                    f"the name of a file is to be given as pathlib.Path"
                )
        level, frame = 1, sys._getframe()  # noqa: SLF001
        while frame.f_back and frame.f_globals.get("__name__", "").startswith(_OURS):
            level, frame = level + 1, frame.f_back
        for message in messages:
            warnings.warn(message, DlxWarning, stacklevel=level)

    def _dropped_message(self) -> str:
        count = len(self.dropped)
        noun, places = "option", self.dropped[:5]
        if self.option_lines:
            noun = "line"
            places = tuple(self.option_lines[number - 1] for number in places)
        where = ", ".join(map(str, places)) + (", ..." if count > len(places) else "")
        return (
            f"{self.source}: {noun}{'s' * (count > 1)} {where}: an option without a "
            f"primary item can never be chosen and is left out"
        )

    # -- as a value --------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problem):
            return NotImplemented
        return self is other or (
            self.items == other.items
            and self.colors == other.colors
            and self.option_start == other.option_start
            and self.entry_item == other.entry_item
            and self.entry_color == other.entry_color
            and self.option_prices == other.option_prices
        )

    def __getstate__(self) -> dict[str, object]:
        # The table of clashes is large, and soon made anew.
        return {**self.__dict__, "compiled": None}

    def __hash__(self) -> int:
        return hash((self.items, len(self.option_start), len(self.entry_item)))

    def __repr__(self) -> str:
        return (
            f"<Problem: {len(self.options)} options, {self.n_primary}+"
            f"{len(self.items) - self.n_primary} items>"
        )
