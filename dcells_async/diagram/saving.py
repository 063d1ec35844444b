"""Diagrams in files: a header, the problem as text, the nodes, and a checksum.

The layout, all numbers little-endian:

==========  ==================================================================
8 bytes     ``dcellsZD``
4 bytes     the version of the format, 1
4 bytes     the number of options
8 bytes     the number of nodes
8 bytes     the root
32 bytes    the fingerprint of the problem
8 bytes     the length of the text
            the problem in the DLX format, UTF-8; nothing if it cannot be written
4 n bytes   the options of the nodes
4 n bytes   their low children
4 n bytes   their high children
32 bytes    SHA-256 of everything above
==========  ==================================================================
"""

from __future__ import annotations

import os
import struct
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..dlx import read
from ..errors import CapacityError, ProblemError
from ..files import replacing
from ..fingerprint import fingerprint, little_endian
from ..kernels.arrays import pages
from ..problem import Problem
from .nodes import MOST_NODES

if TYPE_CHECKING:
    from .nodes import Column, Nodes
    from .steps import Steps

__all__ = ["MAGIC", "is_saved", "load", "save"]

MAGIC = b"dcellsZD"
"""What a file of a diagram begins with."""

_VERSION = 1
_HEADER = struct.Struct("<8sIIQQ32sQ")
_CHECKSUM = 32

_PIECE = 1 << 18
"""So many numbers are written or read at a time."""

_Parts: TypeAlias = "tuple[Problem, Column, Column, Column, int]"


def save(diagram: Nodes, path: str | Path) -> Steps[None]:
    """Write a diagram, first to a file beside, which then takes the place."""
    problem = diagram.problem
    text = _text(problem).encode()
    header = _HEADER.pack(
        MAGIC,
        _VERSION,
        len(problem.options),
        len(diagram.options),
        diagram.root,
        fingerprint(problem),
        len(text),
    )
    checksum = sha256()
    with replacing(path) as file:
        for piece in (header, text):
            checksum.update(piece)
            file.write(piece)
        for column in (diagram.options, diagram.lows, diagram.highs):
            for at in range(0, len(column), _PIECE):
                numbers = little_endian(column[at : at + _PIECE])
                checksum.update(numbers)
                file.write(numbers)
                yield
        file.write(checksum.digest())


def load(path: str | Path, problem: Problem | None) -> Steps[_Parts]:
    """Read the parts of a diagram, and make sure that they are as they were written."""
    with Path(path).open("rb") as file:
        header = file.read(_HEADER.size)
        size = os.fstat(file.fileno()).st_size
        if size < _HEADER.size + _CHECKSUM or not header.startswith(MAGIC):
            raise ValueError(f"{path} is no file of a diagram")
        _, version, n_options, n_nodes, root, digest, n_text = _HEADER.unpack(header)
        if version != _VERSION:
            raise ValueError(
                f"{path} has version {version} of the format; this library reads "
                f"{_VERSION}"
            )
        if size != _HEADER.size + n_text + 12 * n_nodes + _CHECKSUM:
            raise ValueError(f"{path} is damaged: it is {size} bytes long")
        if n_nodes >= MOST_NODES:
            raise CapacityError(f"{n_nodes:,} nodes are too many for this library")
        checksum = sha256(header)
        written = file.read(n_text)
        checksum.update(written)
        columns = [pages(n_nodes) for _ in range(3)]
        for column in columns:
            for at in range(0, n_nodes, _PIECE):
                numbers = column[at : at + _PIECE].cast("B")
                if file.readinto(numbers) != len(numbers):
                    raise ValueError(f"{path} is damaged: it ends too early")
                checksum.update(numbers)
                yield
        if file.read() != checksum.digest():
            raise ValueError(f"{path} is damaged: its checksum is wrong")
    if sys.byteorder == "big":
        columns = [little_endian(column) for column in columns]
    if problem is None:
        if not written:
            raise ValueError(
                f"{path} has no text of its problem, which could not be written as "
                f"DLX; hand the problem over: Diagram.load(path, problem)"
            )
        yield
        problem = Problem(read(written))
    elif len(problem.options) != n_options or fingerprint(problem) != digest:
        raise ValueError(f"{path} belongs to another problem")
    options, lows, highs = columns
    return problem, options, lows, highs, root


def is_saved(path: str | Path) -> bool:
    """Tell whether a file begins like one that `save` wrote."""
    with Path(path).open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _text(problem: Problem) -> str:
    """Write a problem as text; nothing if the text would mean another one."""
    try:
        text = problem.to_dlx()
        is_same = Problem(read(text)) == problem
    except ProblemError:
        return ""
    return text if is_same else ""
