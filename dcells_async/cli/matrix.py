"""The matrix of a problem as it is at a step: what has left it is dimmed, or a dot."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from ..problem import Problem
    from ..tracing import Step

__all__ = ["is_drawable", "plain", "table"]

_MOST_ITEMS = 40
_MOST_OPTIONS = 60


def is_drawable(problem: Problem) -> bool:
    """Tell whether the matrix is small enough to look at."""
    return len(problem.items) <= _MOST_ITEMS and len(problem.options) <= _MOST_OPTIONS


def _rows(problem: Problem) -> list[dict[int, str]]:
    """Give for each option, by item, the color there, or a one."""
    rows = []
    for index in range(len(problem.options)):
        begin, end = problem.option_start[index], problem.option_start[index + 1]
        colors = problem.entry_color[begin:end] or [0] * (end - begin)
        rows.append(
            {
                item: str(problem.colors[color - 1]) if color else "1"
                for item, color in zip(
                    problem.entry_item[begin:end], colors, strict=True
                )
            }
        )
    return rows


def plain(step: Step) -> str:
    """Draw with letters: what is live, the chosen options starred, dots elsewhere.

    Examples
    --------
    >>> from dcells_async import trace
    >>> *_, last = (step for step, _ in zip(trace("a b\\na\\na b\\nb"), range(4)))
    >>> print(last, plain(last), sep="\\n")
    hide option 2: a b
          . b
    *   1 1 .
        2 . .
        3 . 1
    """
    problem = step.problem
    rows = _rows(problem)
    names = problem.item_names
    widths = [
        max(len(name), *(len(row.get(item, "")) for row in rows), 1)
        for item, name in enumerate(names)
    ]
    heads = [
        name if item in step.live_items else "." for item, name in enumerate(names)
    ]
    lines = [["     ", *heads]]
    for number, row in enumerate(rows, 1):
        is_chosen = number in step.chosen
        is_there = is_chosen or number in step.live_options
        cells = [
            row.get(item, ".")
            if is_there and (is_chosen or item in step.live_items)
            else "."
            for item in range(len(names))
        ]
        lines.append([f"{'*' if is_chosen else ' '}{number:4}", *cells])
    return "\n".join(
        " ".join(
            [
                line[0],
                *(cell.rjust(w) for cell, w in zip(line[1:], widths, strict=True)),
            ]
        )
        for line in lines
    )


def table(step: Step) -> Table:
    """Draw with rich: covered columns and rows that have left are dimmed."""
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    problem = step.problem
    drawn = Table(box=None, pad_edge=False, padding=(0, 1))
    drawn.add_column("", justify="right")
    for item, name in enumerate(problem.item_names):
        style = "bold" if item in step.live_items else "dim"
        style += " reverse" * (item == step.item)
        drawn.add_column(Text(name, style), justify="right")
    for number, row in enumerate(_rows(problem), 1):
        is_chosen = number in step.chosen
        is_dim = not is_chosen and number not in step.live_options
        head = Text(str(number), "bold green" if is_chosen else "dim" * is_dim)
        cells = []
        for item in range(len(problem.items)):
            style = "green" * is_chosen
            if is_dim or (item not in step.live_items and not is_chosen):
                style = "dim"
            cells.append(Text(row.get(item, "\u00b7"), style))
        drawn.add_row(head, *cells)
    return drawn
