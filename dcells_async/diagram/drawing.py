"""Pictures of diagrams: for Graphviz, and small ones as SVG at once."""

from __future__ import annotations

from html import escape
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .nodes import Nodes

__all__ = ["to_dot", "to_svg"]

_MOST_NODES = 100
"""A larger diagram is not drawn: nobody could read it."""

_LONGEST = 24
"""Characters of an option that fit its node."""

_SINKS = "⊥⊤"  # noqa: RUF001
_ACROSS, _DOWN = 30, 64
_CHARACTER, _HEIGHT = 7, 24


def to_dot(diagram: Nodes) -> str:
    """Write the diagram in the language of Graphviz."""
    lines = ["digraph {"]
    for node in _reached(diagram):
        label = _label(diagram, node, None).replace("\\", "\\\\").replace('"', '\\"')
        box = "shape=box, " if node < 2 else ""
        lines.append(f'  {node} [{box}label="{label}"]')
    for node, child, is_high in _edges(diagram):
        lines.append(f"  {node} -> {child}" + " [style=dashed]" * (not is_high))
    return "\n".join([*lines, "}"])


def to_svg(diagram: Nodes) -> str | None:
    """Draw the diagram row by row, a row for each option; None if it is too large."""
    if diagram.nodes > _MOST_NODES:
        return None
    rows = _rows(diagram)
    labels = {
        node: _label(diagram, node, _LONGEST) for node in chain.from_iterable(rows)
    }
    widths = {node: len(text) * _CHARACTER + 14 for node, text in labels.items()}
    spans = [sum(widths[node] + _ACROSS for node in row) for row in rows]
    width = max(spans)
    places: dict[int, tuple[float, float]] = {}
    for level, (row, span) in enumerate(zip(rows, spans, strict=True)):
        left = (width - span + _ACROSS) / 2
        for node in row:
            places[node] = (left + widths[node] / 2, (level + 0.5) * _DOWN)
            left += widths[node] + _ACROSS
    height = len(rows) * _DOWN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" '
        f'fill="none" stroke="#444">'
    ]
    for node, child, is_high in _edges(diagram):
        (x1, y1), (x2, y2) = places[node], places[child]
        # Bent a little apart, so that two edges to one child can be told.
        bend = (x1 + x2) / 2 + (10 if is_high else -10)
        dash = "" if is_high else ' stroke-dasharray="4 3"'
        lines.append(
            f'<path d="M{x1:.0f} {y1 + _HEIGHT / 2:.0f}Q{bend:.0f} {(y1 + y2) / 2:.0f} '
            f'{x2:.0f} {y2 - _HEIGHT / 2:.0f}"{dash}/>'
        )
    for node, (x, y) in places.items():
        corner = 2 if node < 2 else _HEIGHT // 2
        lines.append(
            f'<rect x="{x - widths[node] / 2:.0f}" y="{y - _HEIGHT / 2:.0f}" '
            f'width="{widths[node]}" height="{_HEIGHT}" rx="{corner}" fill="#fff"/>'
            f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle" fill="#000" '
            f'stroke="none">{escape(labels[node])}</text>'
        )
    return "\n".join([*lines, "</svg>"])


def _reached(diagram: Nodes) -> list[int]:
    """Give the nodes that the root reaches, sinks first."""
    if diagram.root < 2:
        return [diagram.root]
    inner = range(2, len(diagram.options))
    return [*([0] * (0 in diagram.lows[2:])), 1, *inner]


def _edges(diagram: Nodes) -> list[tuple[int, int, bool]]:
    """Give each edge: from where, to where, and whether it is a high one."""
    lows, highs = diagram.lows, diagram.highs
    return [
        edge
        for node in _reached(diagram)
        if node > 1
        for edge in ((node, lows[node], False), (node, highs[node], True))
    ]


def _label(diagram: Nodes, node: int, longest: int | None) -> str:
    if node < 2:
        return _SINKS[node]
    option = diagram.options[node]
    text = f"{option + 1}: {' '.join(diagram.problem.option_names(option))}"
    if longest is not None and len(text) > longest:
        text = f"{text[: longest - 1]}…"
    return text


def _rows(diagram: Nodes) -> list[list[int]]:
    """Put the nodes of an option into a row, each near the middle of its parents."""
    by_option: dict[int, list[int]] = {}
    for node in _reached(diagram):
        option = diagram.options[node] if node > 1 else len(diagram.problem.options)
        by_option.setdefault(option, []).append(node)
    parents: dict[int, list[int]] = {}
    for node, child, _ in _edges(diagram):
        parents.setdefault(child, []).append(node)
    rows = []
    middle: dict[int, float] = {}
    for _, row in sorted(by_option.items()):
        wish = {
            node: sum(middle[parent] for parent in parents[node]) / len(parents[node])
            for node in row
            if node in parents
        }
        row.sort(key=lambda node: (wish.get(node, 0.5), node))
        for place, node in enumerate(row, 1):
            middle[node] = place / (len(row) + 1)
        rows.append(row)
    return rows
