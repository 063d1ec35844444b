"""Every exception and warning of the library, blame first.

A :class:`ProblemError` says that the *input* is at fault, a :class:`SearchError`
that the *search* is. The end of a stream and cancellation stay anyio's own.
"""

from __future__ import annotations

__all__ = [
    "CapacityError",
    "CheckpointError",
    "ColorError",
    "DcellsError",
    "DiagramTooLarge",
    "DlxSyntaxError",
    "DlxWarning",
    "DuplicateItemError",
    "FrameError",
    "GivenError",
    "MultiplicityError",
    "PriceError",
    "ProblemError",
    "SearchError",
    "UnknownItemError",
]


class DcellsError(Exception):
    """The root of every error this library raises on its own account."""


class ProblemError(DcellsError, ValueError):
    """The problem that was handed in is not one; nothing was searched."""


class UnknownItemError(ProblemError):
    """An option mentions an item that was not declared."""


class DuplicateItemError(ProblemError):
    """An item is declared twice, or stands twice in one option."""


class ColorError(ProblemError):
    """A color stands where none may stand: on a primary item, or empty."""


class MultiplicityError(ProblemError):
    """The bounds of an item are impossible, or the engine knows no bounds."""


class PriceError(ProblemError):
    """A price is no integer of 64 bits, or cannot be searched with."""


class GivenError(ProblemError):
    """Options that a search is to start with, or without, are none or clash."""


class CheckpointError(DcellsError, ValueError):
    """A token to go on from is damaged, or of another search than the one asked for."""


class DlxSyntaxError(ProblemError):
    """A text is not in the DLX format.

    Attributes
    ----------
    reason : str
        What is wrong and what was expected, in one sentence.
    source : str
        Where the text came from: a path, or ``<dlx>``.
    line, column : int
        Where it is wrong, counted from 1; columns count characters.
    text : str
        The offending line; a very long one is cut to a window round the column.
    caret : str
        Blanks and one ``^`` that points into `text`.

    Examples
    --------
    >>> from dcells_async import Problem
    >>> Problem.from_dlx("a b\\na z")
    Traceback (most recent call last):
    dcells_async.errors.DlxSyntaxError: <dlx>:2:3: unknown item 'z'
      a z
        ^
    """

    def __init__(
        self, reason: str, source: str, line: int, column: int, text: str, caret: str
    ) -> None:
        super().__init__(reason, source, line, column, text, caret)
        self.reason = reason
        self.source = source
        self.line = line
        self.column = column
        self.text = text
        self.caret = caret

    def __str__(self) -> str:
        return (
            f"{self.source}:{self.line}:{self.column}: {self.reason}\n"
            f"  {self.text}\n  {self.caret}"
        )


class SearchError(DcellsError, RuntimeError):
    """The search could not go on; the problem itself is in order."""


class FrameError(SearchError):
    """A bound kept its frame, and asked it after the call it was made for."""


class CapacityError(SearchError):
    """The problem is too large for 32-bit indices, or for the memory allowed."""


class DiagramTooLarge(CapacityError):  # noqa: N818 - it reads well
    """A diagram would take more memory than its engine allows.

    Attributes
    ----------
    nodes : int
        Nodes of the search tree entered so far.
    diagram_nodes : int
        Nodes of diagrams made so far, those since superseded included.
    signatures : int
        States remembered so far.
    memory, memory_limit : int, bytes
        What the tables took, and what they might take.
    """

    def __init__(
        self,
        nodes: int,
        diagram_nodes: int,
        signatures: int,
        memory: int,
        memory_limit: int,
    ) -> None:
        super().__init__(nodes, diagram_nodes, signatures, memory, memory_limit)
        self.nodes = nodes
        self.diagram_nodes = diagram_nodes
        self.signatures = signatures
        self.memory = memory
        self.memory_limit = memory_limit

    def __str__(self) -> str:
        return (
            f"the diagram has outgrown its memory: after {self.nodes:,} nodes of the "
            f"search, {self.diagram_nodes:,} nodes of diagrams and "
            f"{self.signatures:,} signatures take {self.memory / 1e6:,.1f} MB, and the "
            f"next step would exceed {self.memory_limit / 1e6:,.1f} MB (memory_limit). "
            f"Allow more, try mrv=False or another order of the options, or, for the "
            f"number of covers alone, count()"
        )


class DlxWarning(UserWarning):
    """Something in the problem is legal and yet most likely not meant."""
