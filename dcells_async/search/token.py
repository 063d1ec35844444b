"""Where a search stands, as bytes: to go on later, or elsewhere.

The position is that of the consumer. A token holds the state of the search, and also
the covers that the search had found and nobody had taken: they come first when it
goes on. So over all its pieces a stream gives each cover once.

The layout:

==========  ==================================================================
8 bytes     ``dcellsCP``
4 bytes     the version of the format, 1, little-endian
            blocks end to end, with their number and lengths before them: the head
            (JSON), the covers not taken (option numbers from 0, and where each
            ends), the prices to beat, and the parts of the search (`Stretch`)
32 bytes    SHA-256 of everything above
==========  ==================================================================

A search by one worker has one part, in which is the state of its kernel. Several
workers leave as many as they had, in the order of the tree; any number of them can go
on with those.

The states are the kernels' own arrays, as they stand in memory. So they mean
something to the same version of the library only, and to machines of the same byte
order; the head tells both, and what is of another kind is refused.
"""

from __future__ import annotations

import json
import struct
import sys
from array import array
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from .._version import __version__
from ..arguments import checked_numbers
from ..cover import Stats
from ..errors import CheckpointError, SearchError
from ..fingerprint import fingerprint
from ..kernels.arrays import pack, unpack
from .stretch import Stretch, joined, parted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..cover import Cover
    from ..layout import Layout
    from ..problem import Problem
    from .crew import Crew
    from .kernel import Kernel
    from .session import Session

__all__ = ["MAGIC", "Origin", "Token", "damaged", "named"]

_PREFIX = struct.Struct("<8sI")
MAGIC = b"dcellsCP"
_VERSION = 1
_CHECKSUM = 32

_MOST = 1 << 62

_NO_SHAPE = frozenset({"debug", "memory_limit", "ordered", "workers"})
"""Knobs of engines that leave the search as it is."""


class Origin(NamedTuple):
    """What a search is of, but for the problem.

    Attributes
    ----------
    search : str
        What is looked for and by which engine: all that shapes the search.
    given, without : tuple of int
        Numbers of options, as for `Engine.dance`.
    token : Token or None
        Where to go on; by default, at the beginning.
    """

    search: str
    given: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    token: Token | None = None

    @classmethod
    def of(
        cls,
        search: str,
        resume: bytes | None,
        given: Iterable[int] = (),
        without: Iterable[int] = (),
    ) -> Origin:
        """Put together what the caller of an engine says.

        Raises
        ------
        CheckpointError
            The token is none, or of another search.
        TypeError
            `given` or `without` is no iterable.
        """
        given = checked_numbers("given", given)
        without = checked_numbers("without", without)
        if resume is None:
            return cls(search, given, without)
        token = Token.of_bytes(resume)
        if token.search != search:
            raise CheckpointError(
                f"this token is of a search for {token.search}, not for {search}"
            )
        for name, ours, its in (
            ("given", given, token.given),
            ("without", without, token.without),
        ):
            if ours and ours != its:
                raise CheckpointError(
                    f"this token is of a search with {name}={[*its]}, not {[*ours]}; "
                    f"leave it out to go on"
                )
        return cls(search, token.given, token.without, token)


def named(engine: object) -> str:
    """Give an engine's name with the knobs that shape its searches otherwise.

    Examples
    --------
    >>> from dcells_async import XCC
    >>> named(XCC(debug=True)), named(XCC(kernel="bits", workers=2))
    ('XCC()', "XCC(kernel='bits')")
    """
    knobs = (
        f"{knob.name}={value!r}"
        for knob in fields(engine)  # type: ignore[arg-type]
        if knob.name not in _NO_SHAPE
        and (value := getattr(engine, knob.name)) != knob.default
    )
    return f"{type(engine).__name__}({', '.join(knobs)})"


def _form_of(layout: Layout, kernel: Kernel | None) -> str:
    """Tell what may differ, for one problem and engine, in what a kernel is made of.

    On a compiled problem it is the kernel that begins with the options given. And
    taxes depend on the linear program that levies them, if one does.
    """
    told = []
    if layout.start is not None:
        told.append("compiled")
    ledger = getattr(kernel, "ledger", None)
    if ledger is not None:
        told.append(f"taxes {sha256(pack(ledger.figures())).hexdigest()[:16]}")
    return ", ".join(told)


@dataclass(frozen=True)
class Token:
    """Where a search stands, and what it is of.

    Attributes
    ----------
    search, given, without
        As of its `Origin`.
    digest : str
        The fingerprint of the problem, prices included; empty if the search ended
        before that was read, which makes this a token of its beginning.
    form : str
        What may differ from case to case in how the problem came to the kernel.
    stats : Stats
        The statistics; the covers are those found, taken or not.
    pending : list of sequence of int
        The covers that were found and not taken, as options from 0.
    prices : sequence of int
        In a least-cost search by several workers, the best prices so far.
    parts : list of Stretch
        The parts of the tree that are left, in its order; none if the search has come
        to its end, or not begun.
    """

    search: str
    given: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    digest: str = ""
    form: str = ""
    stats: Stats = field(default_factory=Stats)
    pending: Sequence[Sequence[int]] = ()
    prices: Sequence[int] = ()
    parts: Sequence[Stretch] = ()

    @property
    def taken(self) -> int:
        """How many covers the consumer has taken."""
        return self.stats.covers - len(self.pending)

    @property
    def is_over(self) -> bool:
        """Whether all is found."""
        return bool(self.digest) and not self.parts

    @property
    def is_divided(self) -> bool:
        """Whether it takes a crew to go on, be it one of a single worker.

        Several may have searched, and not come to divide anything.
        """
        (first, *others) = self.parts or [Stretch(b"")]
        parts = self.stats.parts
        return bool(others or first.held or first.sort or (parts and parts > 1))

    @property
    def all_covers(self) -> Iterable[Sequence[int]]:
        """The covers that it holds."""
        return chain(self.pending, *(part.held for part in self.parts))

    @property
    def engine(self) -> str:
        """The name of the engine that searches."""
        return self.search.rpartition(" by ")[2].partition("(")[0]

    def with_pending(self, covers: Iterable[Sequence[int]]) -> Token:
        """Give this token with more covers that were not taken, before its own."""
        return replace(self, pending=[*covers, *self.pending])

    def check(self, problem: Problem, digest: str) -> None:
        """Make sure that this is a token for a problem.

        Raises
        ------
        CheckpointError
            It is one for another.
        """
        if self.digest and self.digest != digest:
            raise CheckpointError(
                f"this token is of another problem than {problem.source}: their items, "
                f"options or prices differ"
            )
        n_options = len(problem.options)
        for cover in self.all_covers:
            if not all(0 <= option < n_options for option in cover):
                raise damaged("it has covers of other options")

    def check_form(self, layout: Layout, kernel: Kernel) -> None:
        """Make sure that a kernel, made for a problem, is like the one it was made of.

        Raises
        ------
        CheckpointError
            It is not.
        """
        form = _form_of(layout, kernel)
        if form != self.form and "compiled" in self.form + form:
            before = "a compiled problem" if "compiled" in self.form else "another one"
            raise CheckpointError(
                f"this token is of a search on {before}, with options given; the "
                f"problem has to be compiled now if it was then, and else not"
            )
        if form != self.form:
            raise CheckpointError(
                "this token is of a search with other taxes: those by linear "
                "programming depend on the solver that is installed; with "
                "taxes='greedy' they are the same everywhere"
            )

    @classmethod
    def blank(cls, origin: Origin, layout: Layout, kernel: Kernel | None) -> Token:
        """Give a token of a search, which does not tell where that stands.

        Without a kernel, it is over.
        """
        return cls(
            origin.search,
            origin.given,
            origin.without,
            fingerprint(layout.problem, with_prices=True).hex(),
            _form_of(layout, kernel),
        )

    @classmethod
    def of(
        cls,
        origin: Origin | None,
        session: Session | Crew | None,
        elapsed: float,
        pending: Iterable[Cover],
    ) -> Token:
        """Tell where a search stands.

        Parameters
        ----------
        origin : Origin or None
            What the search is of.
        session : Session or None
            The search, between two slices, if it has come to be one.
        elapsed : float, seconds
            How long it took, all in all.
        pending : iterable of Cover
            What the session has given out and the consumer has not taken.

        Raises
        ------
        SearchError
            It is of a kind that has no tokens.
        """
        if origin is None:
            raise SearchError("a walk through a diagram has no tokens; it has ranks")
        if session is not None:
            token = session.token(elapsed)
        elif origin.token is not None:
            token = origin.token
        else:
            token = cls(origin.search, origin.given, origin.without)
        return token.with_pending(cover.indices for cover in pending)

    # -- as bytes ------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Give the bytes that `of_bytes` reads."""
        head = {
            "library": __version__,
            "byteorder": sys.byteorder,
            "search": self.search,
            "given": self.given,
            "without": self.without,
            "digest": self.digest,
            "form": self.form,
            # A count can be longer than Python writes in decimals.
            "stats": {**asdict(self.stats), "covers": hex(self.stats.covers)},
        }
        blocks = [json.dumps(head).encode(), *joined(self.pending)]
        blocks += [array("q", self.prices), *(part.to_bytes() for part in self.parts)]
        token = _PREFIX.pack(MAGIC, _VERSION) + pack(blocks)
        return token + sha256(token).digest()

    @classmethod
    def of_bytes(cls, data: bytes) -> Token:
        """Read a token.

        Raises
        ------
        CheckpointError
            It is none, or damaged, or made by another version, or on a machine of
            another kind.
        TypeError
            It is not even bytes.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            kind = type(data).__name__
            raise TypeError(f"a token to go on from is bytes, not {kind}")
        data = bytes(data)
        if not data.startswith(MAGIC):
            raise CheckpointError("this is no token of a search")
        if len(data) < _PREFIX.size + _CHECKSUM:
            raise damaged("it ends too early")
        _, version = _PREFIX.unpack_from(data)
        if version != _VERSION:
            raise CheckpointError(
                f"this token has version {version} of the format; this library reads "
                f"{_VERSION}"
            )
        body, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
        if sha256(body).digest() != checksum:
            raise damaged("its checksum is wrong")
        try:
            head, options, ends, prices, *parts = unpack(body[_PREFIX.size :])
            told = json.loads(head)
            _check_maker(told)
            token = cls(
                search=_text(told["search"]),
                given=_numbers(told["given"]),
                without=_numbers(told["without"]),
                digest=_text(told["digest"]),
                form=_text(told["form"]),
                stats=_stats(told["stats"]),
                pending=parted(array("i", options), array("q", ends)),
                prices=array("q", prices),
                parts=[Stretch.of_bytes(part) for part in parts],
            )
            if token.taken < 0:
                raise ValueError("more covers than were found")
        except CheckpointError:
            raise
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise damaged(f"it cannot be taken apart ({error})") from error
        return token


def damaged(how: str) -> CheckpointError:
    """Say what is wrong with a token."""
    return CheckpointError(f"this token is damaged: {how}")


def _check_maker(told: dict[str, Any]) -> None:
    if told["library"] != __version__:
        raise CheckpointError(
            f"this token was made by version {told['library']} of the library, and "
            f"can be read by that only; this is {__version__}"
        )
    if told["byteorder"] != sys.byteorder:
        raise CheckpointError(
            f"this token was made on a {told['byteorder']}-endian machine, and this "
            f"one is {sys.byteorder}-endian"
        )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"no text: {value!r}")
    return value


def _number(value: object) -> int:
    if type(value) is not int or not -_MOST < value < _MOST:
        raise TypeError(f"no number: {value!r}")
    return value


def _numbers(values: list[object]) -> tuple[int, ...]:
    return tuple(_number(value) for value in values)


def _stats(told: dict[str, Any]) -> Stats:
    if told.keys() != {number.name for number in fields(Stats)}:
        raise TypeError(f"other statistics: {[*told]}")
    for name, value in told.items():
        if name in {"elapsed", "fraction"}:
            if not isinstance(value, (int, float)) or not 0 <= value < _MOST:
                raise TypeError(f"{name} is {value!r}")
        elif value is None or isinstance(value, bool) or name == "covers":
            pass
        elif name in {"engine", "why"}:
            _text(value)
        else:
            _number(value)
    stats = Stats(**{**told, "covers": int(_text(told["covers"]), 16)})
    if min(stats.nodes, stats.updates, stats.covers, stats.depth) < 0:
        raise TypeError("counters below nought")
    return stats
