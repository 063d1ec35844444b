"""Diagrams for other libraries, which know all the rest of family algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphillion import setset
    from oxidd.zbdd import ZBDDFunction, ZBDDManager

    from .nodes import Nodes

__all__ = ["to_graphillion", "to_oxidd"]

_ROOM = 10
"""A new manager of OxiDD has room for so many times the nodes of the diagram."""

_LEAST_ROOM = 1 << 16


def to_oxidd(diagram: Nodes, manager: ZBDDManager | None) -> ZBDDFunction:
    """Make the nodes one by one; see `Diagram.to_oxidd`."""
    try:
        from oxidd.zbdd import ZBDDManager  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(
            "OxiDD is not installed: pip install 'dcells-async[oxidd]'"
        ) from error
    options, lows, highs = diagram.options, diagram.lows, diagram.highs
    n_options = len(diagram.problem.options)
    if manager is None:
        room = max(_ROOM * len(options), _LEAST_ROOM)
        manager = ZBDDManager(room, room, 1)
    if manager.num_vars() == 0:
        manager.add_vars(n_options)
    if manager.num_vars() != n_options:
        raise ValueError(
            f"the manager has {manager.num_vars()} variables, and the problem "
            f"{n_options} options"
        )
    singletons: dict[int, ZBDDFunction] = {}
    nodes = [manager.empty(), manager.base()]
    for node in range(2, len(options)):
        option = options[node]
        if option not in singletons:
            singletons[option] = manager.singleton(option)
        nodes.append(
            singletons[option].make_node(nodes[highs[node]], nodes[lows[node]])
        )
    return nodes[diagram.root]


def to_graphillion(diagram: Nodes) -> setset:
    """Hand the nodes over as text; see `Diagram.to_graphillion`."""
    try:
        from graphillion import setset  # noqa: PLC0415
    except ImportError as error:
        raise ImportError(
            "Graphillion is not installed: pip install 'dcells-async[graphillion]'"
        ) from error
    setset.set_universe(list(range(1, len(diagram.problem.options) + 1)))
    options, lows, highs = diagram.options, diagram.lows, diagram.highs
    # Graphillion writes even names for its nodes, and the root last.
    names = ["B", "T", *map(str, range(4, 2 * len(options), 2))]
    lines = [
        f"{names[node]} {options[node] + 1} {names[lows[node]]} {names[highs[node]]}"
        for node in range(2, len(options))
    ]
    if diagram.root < 2:
        lines = [names[diagram.root]]
    return setset.loads("\n".join([*lines, ".", ""]))
