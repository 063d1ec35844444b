"""Diagrams made the plain way, from a list of all sets: obvious and slow.

Nothing here imports the library, but for the class that holds the result.
"""

from __future__ import annotations

from dcells_async import Diagram


def columns_of(sets):
    """Build the diagram of some sets of options, numbered from 0.

    Returns
    -------
    (options, lows, highs), root
    """
    nodes = [(-1, 0, 0), (-1, 0, 0)]
    known = {}

    def node_of(family):
        if not family:
            return 0
        option = min((s[0] for s in family if s), default=None)
        if option is None:
            return 1
        low = node_of([s for s in family if not s or s[0] != option])
        high = node_of([s[1:] for s in family if s and s[0] == option])
        if (option, low, high) not in known:
            known[option, low, high] = len(nodes)
            nodes.append((option, low, high))
        return known[option, low, high]

    root = node_of(sorted({tuple(sorted(s)) for s in sets}))
    return [list(column) for column in zip(*nodes, strict=True)], root


def diagram_of(problem, covers):
    """Build the diagram of some covers, given by option numbers from 1."""
    columns, root = columns_of([[number - 1 for number in c] for c in covers])
    return Diagram(problem, *columns, root=root)


def in_order(covers):
    """Sort covers as a diagram does: those without the first differing option first.

    Compared are the sets' characteristic vectors, option 1 first.
    """
    n = max((max(c, default=0) for c in covers), default=0)
    return sorted(
        (tuple(sorted(c)) for c in covers),
        key=lambda c: [number in c for number in range(1, n + 1)],
    )
