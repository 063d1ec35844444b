"""What ``dcells zdd`` writes: for people line by line, or one JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..records import dumped
from .formats import Json, Text
from .words import amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..cover import Cover, Stats
    from ..diagram import Diagram

__all__ = ["FAMILY_FORMATS", "FamilyJson", "FamilyText"]


class FamilyText:
    """Lines, with an empty one before each answer; of an empty family, its size.

    Parameters
    ----------
    diagram : Diagram
        What is told of.
    """

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._form = Text(diagram.problem.options, lists_covers=True)

    def sizes(self, count: int, stats: Stats | None) -> Iterator[bytes]:
        """Tell the number of covers, and how large all became."""
        yield f"{count}\ndiagram: {amount(self._diagram.nodes, 'node')}\n".encode()
        if stats is None:
            return
        memo = ", the memo was given up" if stats.memo_given_up else ""
        yield (
            f"search: {amount(stats.nodes, 'node')}, "
            f"{amount(stats.signatures or 0, 'signature')}, "
            f"{amount(stats.hits or 0, 'hit')}{memo}, in {stats.elapsed:.3f} s\n"
        ).encode()

    def open_draws(self) -> bytes:
        """Tell that covers drawn at random will come."""
        return b"\n" if self._diagram else b""

    def draws(self, first: int, covers: Iterable[Cover]) -> Iterator[bytes]:
        """Tell some covers drawn at random, which are counted from `first` on."""
        for number, cover in enumerate(covers, first):
            yield self._form.cover(number, cover)

    def close_draws(self) -> bytes:
        """Tell that there are no more covers drawn."""
        return b""

    def best(self, _: str, cover: Cover | None) -> Iterator[bytes]:
        """Tell the best cover, if there is one."""
        if cover is not None:
            yield b"\nweight %d\n" % cover.price
            yield self._form.cover(1, cover)

    def frequencies(self, frequencies: Iterable[int]) -> Iterator[bytes]:
        """Tell how many covers use each option."""
        if self._diagram:
            yield b"\n"
            options = self._diagram.problem.options
            for times, option in zip(frequencies, options, strict=True):
                yield f"{times} {' '.join(option.names)}\n".encode()

    def end(self) -> bytes:
        """Tell that this was all."""
        return b""


class FamilyJson(FamilyText):
    """One object, written as it grows; it has a key for whatever was asked for."""

    def __init__(self, diagram: Diagram) -> None:
        super().__init__(diagram)
        self._records = Json(diagram.problem.options, lists_covers=True)

    def sizes(self, count: int, stats: Stats | None) -> Iterator[bytes]:
        """Tell the number of covers, and how large all became."""
        yield f'{{"count": {count}, "nodes": {self._diagram.nodes}'.encode()
        search = None
        if stats is not None:
            search = {
                "nodes": stats.nodes,
                "signatures": stats.signatures,
                "hits": stats.hits,
                "memo_given_up": stats.memo_given_up,
                "elapsed": round(stats.elapsed, 6),
            }
        yield f', "search": {dumped(search)}'.encode()

    def open_draws(self) -> bytes:
        """Tell that covers drawn at random will come."""
        return b', "sample": ['

    def draws(self, first: int, covers: Iterable[Cover]) -> Iterator[bytes]:
        """Tell some covers drawn at random, which are counted from `first` on."""
        for number, cover in enumerate(covers, first):
            yield self._records.cover(number, cover)

    def close_draws(self) -> bytes:
        """Tell that there are no more covers drawn."""
        return b"]"

    def best(self, name: str, cover: Cover | None) -> Iterator[bytes]:
        """Tell the best cover, or null."""
        yield f', "{name}": '.encode()
        yield b"null" if cover is None else self._records.cover(1, cover).lstrip()

    def frequencies(self, frequencies: Iterable[int]) -> Iterator[bytes]:
        """Tell how many covers use each option."""
        yield f', "frequencies": [{", ".join(map(str, frequencies))}]'.encode()

    def end(self) -> bytes:
        """Tell that this was all."""
        return b"}\n"


FAMILY_FORMATS: Mapping[str, type[FamilyText]] = {
    "text": FamilyText,
    "json": FamilyJson,
}
