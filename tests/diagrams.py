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


def tilings(cells):
    """Build the diagram of all domino tilings of a board, cell by cell.

    The options are, for each cell in the order given, the domino to the right and the
    one down, as far as they fit; row by row is a good order.

    Returns
    -------
    options : list of pairs of cells
    (options, lows, highs), root
    """
    place = {cell: k for k, cell in enumerate(cells)}
    options, moves = [], []
    for r, c in cells:
        others = [cell for cell in ((r, c + 1), (r + 1, c)) if cell in place]
        moves.append([(len(options) + i, place[o]) for i, o in enumerate(others)])
        options += [((r, c), other) for other in others]
    # What is covered beyond cell k, as bits from k on, level by level.
    levels = [{0}]
    for k in range(len(cells)):
        after = set()
        for covered in levels[-1]:
            if covered & 1:
                after.add(covered >> 1)
            else:
                ahead = [1 << other - k for _, other in moves[k]]
                after.update((covered | bit) >> 1 for bit in ahead if not covered & bit)
        levels.append(after)
    nodes, known = [(-1, 0, 0), (-1, 0, 0)], {}
    at = {0: 1}
    for k in range(len(cells) - 1, -1, -1):
        here = {}
        for covered in sorted(levels[k]):
            if covered & 1:
                here[covered] = at[covered >> 1]
                continue
            node = 0
            for option, other in reversed(moves[k]):
                bit = 1 << other - k
                high = 0 if covered & bit else at[(covered | bit) >> 1]
                if high and (option, node, high) not in known:
                    known[option, node, high] = len(nodes)
                    nodes.append((option, node, high))
                node = known[option, node, high] if high else node
            here[covered] = node
        at = here
    return options, [list(column) for column in zip(*nodes, strict=True)], at[0]


def aztec(order):
    """Give the cells of an Aztec diamond, row by row."""
    n = order
    reach = [min(i, 2 * n - 1 - i) for i in range(2 * n)]
    return [
        (i, j) for i in range(2 * n) for j in range(n - 1 - reach[i], n + 1 + reach[i])
    ]
