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
from array import array
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..dlx import read
from ..errors import ProblemError
from ..problem import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .nodes import Nodes

__all__ = ["load", "save"]

_MAGIC = b"dcellsZD"
_VERSION = 1
_HEADER = struct.Struct("<8sIIQQ32sQ")
_CHECKSUM = 32

_Parts: TypeAlias = "tuple[Problem, array[int], array[int], array[int], int]"


def save(diagram: Nodes, path: str | Path) -> None:
    """Write a diagram, first to a file beside, which then takes the place."""
    path = Path(path)
    problem = diagram.problem
    text = _text(problem).encode()
    header = _HEADER.pack(
        _MAGIC,
        _VERSION,
        len(problem.options),
        len(diagram.options),
        diagram.root,
        _fingerprint(problem),
        len(text),
    )
    columns = [diagram.options, diagram.lows, diagram.highs]
    pieces: list[bytes | array[int]] = [header, text, *map(_little_endian, columns)]
    checksum = sha256()
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            for piece in pieces:
                checksum.update(piece)
                file.write(piece)
            file.write(checksum.digest())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def load(path: str | Path, problem: Problem | None) -> _Parts:
    """Read the parts of a diagram, and make sure that they are as they were written."""
    data = Path(path).read_bytes()
    if len(data) < _HEADER.size + _CHECKSUM or not data.startswith(_MAGIC):
        raise ValueError(f"{path} is no file of a diagram")
    _, version, n_options, n_nodes, root, fingerprint, n_text = _HEADER.unpack_from(
        data
    )
    if version != _VERSION:
        raise ValueError(
            f"{path} has version {version} of the format; this library reads {_VERSION}"
        )
    body = memoryview(data)[:-_CHECKSUM]
    if len(body) != _HEADER.size + n_text + 12 * n_nodes:
        raise ValueError(f"{path} is damaged: it is {len(data)} bytes long")
    if sha256(body).digest() != data[-_CHECKSUM:]:
        raise ValueError(f"{path} is damaged: its checksum is wrong")
    at = _HEADER.size
    text = bytes(body[at : at + n_text]).decode()
    if problem is None:
        if not text:
            raise ValueError(
                f"{path} has no text of its problem, which could not be written as "
                f"DLX; hand the problem over: Diagram.load(path, problem)"
            )
        problem = Problem(read(text))
    elif len(problem.options) != n_options or _fingerprint(problem) != fingerprint:
        raise ValueError(f"{path} belongs to another problem")
    at += n_text
    columns = []
    for _ in range(3):
        columns.append(array("i", _little_endian(body[at : at + 4 * n_nodes])))
        at += 4 * n_nodes
    options, lows, highs = columns
    return problem, options, lows, highs, root


def _little_endian(numbers: memoryview[int]) -> array[int]:
    """Copy numbers of 32 bits between the machine's order and that of the file."""
    copy = array("i")
    copy.frombytes(numbers.cast("B"))
    if sys.byteorder == "big":
        copy.byteswap()
    return copy


def _text(problem: Problem) -> str:
    """Write a problem as text; nothing if the text would mean another one."""
    try:
        text = problem.to_dlx()
        is_same = Problem(read(text)) == problem
    except ProblemError:
        return ""
    return text if is_same else ""


def _fingerprint(problem: Problem) -> bytes:
    """Tell problems apart by all that covers depend on, and by names."""
    digest = sha256()
    shapes: Sequence[array[int]] = (
        problem.option_start,
        problem.entry_item,
        problem.entry_color,
    )
    for numbers in shapes:
        digest.update(struct.pack("<Q", len(numbers)))
        digest.update(_little_endian(memoryview(numbers)))
    for item in problem.items:
        digest.update(repr((str(item.label), *item[1:])).encode())
    digest.update(repr([str(color) for color in problem.colors]).encode())
    return digest.digest()
