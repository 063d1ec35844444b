# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""A family of sets of options, as a zero-suppressed decision diagram (ZDD).

A node asks about one option. Its *low* child is the family of those sets that go on
without the option, its *high* child that of those that go on with it. There are two
sinks: node 0 is the empty family, node 1 the family whose one set is empty. A diagram
is *ordered*: options grow on every way down. And it is *reduced*: no node has node 0
as its high child (zero suppression: an option that is not asked about is not in the
set), and no two nodes are equal. Then every family has just one diagram, in which
every node but node 0 leads to some set.

Here all children have smaller indices than their parents. So what has to be computed
from the leaves up takes one walk through the arrays, and what has to be computed
from the root down takes one walk backwards; neither needs a stack. The kernels that
walk are subclasses, and all of them go on for so many nodes at a call, so that whoever
calls can do something else in between, or have enough.

The arrays, parallel:

- ``options[v]``: the option of node v, from 0; -1 for the sinks;
- ``lows[v], highs[v]``: its children; without meaning for the sinks.

Source: S. Minato, Zero-suppressed BDDs for set manipulation in combinatorial problems
(DAC 1993); D. E. Knuth, The Art of Computer Programming 4A, section 7.1.4.
"""

from __future__ import annotations

import cython

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Buffer

COMPILED: bool = cython.compiled


@cython.cclass
class Family:
    """The arrays.

    Parameters
    ----------
    options, lows, highs : array('i') or memoryview, shape (n_nodes,)
    root : int
        The node that stands for the whole family.
    n_options : int
    """

    def __init__(
        self,
        options: Buffer,
        lows: Buffer,
        highs: Buffer,
        root: int,
        n_options: int,
    ) -> None:
        self.options = options
        self.lows = lows
        self.highs = highs
        self.root = root
        self.n_nodes = len(options)
        self.n_options = n_options

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def level(self, node: cython.int) -> cython.int:
        """Give the option of a node; for the sinks, what comes after all options."""
        return self.options[node] if node > 1 else self.n_options
