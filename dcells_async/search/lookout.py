"""When and where a search on cells is better gone on with on bits.

A *lookout* looks at the search from time to time, counted in steps, and names the node
of its path below which bits should take over. That is the first one, from the root on,
of which three things hold:

- The table of the options that are left there is not too large.
- The subtree has taken as long already as it takes to make that table. So little is
  lost if it is over soon, and if it is not, it was worth it. (The argument is that of
  renting skis until they would have been cheaper to buy.)
- Bits promise to be faster. They go through whole rows at every node, while cells touch
  nothing but what is near; so it depends on how many steps a node takes on cells, and
  how many words a row has. Measured on queens, dominoes and Langford pairs of many
  sizes, bits have no chance if a row has more than half as many words, or a few more.

Whether they keep what they promise is tried out once the table is there: to count the
options of items takes them a few steps for most problems, and many for those with many
items that all have as many options. A *trial* that fails has cost as much as the table
again, so from then on rows must be half as long.

What that came to, in nanoseconds of processor time for each node of some seconds of
search (``-k`` stands for k trials that failed before, or in vain; all but Langford,
dominoes and queens are from before the weights of a trial were fitted):

=====================  =======  =========  ==========  ======  ======
.                      options  to bits    from level  cells   auto
=====================  =======  =========  ==========  ======  ======
hexominoes 15 by 15     27,324      5,114          18   8,760   1,220
pentominoes, 5 sets     74,480      7,446          37   3,700     950
random sets             30,000      3,774           2   8,400   1,510
random sets             40,000      1,065       6, -1   4,450   2,100
tetrominoes 50 by 50    44,733      2,592     576, -1   1,040     570
Langford 40              2,340        429      19, -1     160     108
dominoes 40              3,120       none          -2      47      49
queens 60                3,600      2,179           9     298     275
queens 160              25,600      4,137          71     325     203
de Bruijn 8             65,026       none          -2   1,970   2,000
Latin squares 34        39,304       none          -1      82      85
edges 12 by 12          41,616       none           .  20,400  20,700
=====================  =======  =========  ==========  ======  ======

To narrow the rows once more, deeper in the tree, was measured too: pentominoes on 6 by
10 take as long with tables of 1,171 options and less, made 72 times, as with the one
of all 2,056.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from ..kernels.clashes import bytes_of_clashes, words_of_row

if TYPE_CHECKING:
    from ..kernels.remains import Remains
    from ..kernels.rows import BitRows
    from ..kernels.xcc import XccKernel

__all__ = ["Lookout"]

_LEAST_TRIAL = 2_000

_WIDEST = 1 << 30


class Tally(NamedTuple):
    """What a search has done so far, or in a while."""

    updates: int
    steps: int
    nodes: int

    @classmethod
    def of(cls, kernel: XccKernel | BitRows) -> Tally:
        """Read the counters of a kernel."""
        return cls(kernel.updates, kernel.steps, kernel.nodes)

    def since(self, then: Tally) -> Tally:
        """Tell what was done since then."""
        return Tally(
            self.updates - then.updates,
            self.steps - then.steps,
            self.nodes - then.nodes,
        )


class Lookout:
    """Looks at a search on cells from time to time.

    Parameters
    ----------
    remains : Remains
        What is left of the problem at each node.
    largest : int, bytes
        No larger table is made.
    patience : int, steps
        What a table costs, beyond a step for each of its bytes.
    interval : int, steps
        The time between two looks doubles until it is as long as that.
    is_ready : bool
        Whether the table of the whole problem is there already.

    Attributes
    ----------
    next_look : int, steps
        How many the search is to have done by then, updates included.
    prefers_cells : bool
        Whether at the last look bits had no chance at any node.
    """

    def __init__(
        self,
        remains: Remains,
        largest: int,
        *,
        patience: int,
        interval: int,
        is_ready: bool = False,
    ) -> None:
        self._remains = remains
        self._largest = largest
        self._patience = patience
        self._interval = interval
        self._is_ready = is_ready
        self._widest = _WIDEST
        self.prefers_cells = False
        first = self.cost(0, remains.n_options, remains.n_primary) // 2
        self.next_look = max(1, min(first, interval))
        # The path at the last look, what had been spent when each of its nodes was
        # seen first, what the search had done by then, and what between two looks.
        self._path: list[int] = []
        self._begun: list[int] = []
        self._done = self._lately = Tally(0, 0, 0)

    def cost(self, level: int, n_options: int, n_primary: int) -> int:
        """Tell how many steps the table of a node takes to make."""
        if level == 0 and self._is_ready:
            return self._patience
        return self._patience + bytes_of_clashes(n_options, n_primary)

    def look(self, kernel: XccKernel, spent: int) -> int | None:
        """Give the level of the node from which to go on on bits, if there is one.

        Parameters
        ----------
        kernel : XccKernel
            The search on cells.
        spent : int, steps
            What the search took so far, also on bits.
        """
        path, done = kernel.path(), Tally.of(kernel)
        pairs = enumerate(zip(path, self._path, strict=False))
        shorter = min(len(path), len(self._path))
        common = next((k for k, (new, old) in pairs if new != old), shorter)
        begun = self._begun[: common + 1]
        self._lately, self._done = done.since(self._done), done
        self._path = path
        self._begun = begun + [spent] * (len(path) + 1 - len(begun))
        total = done.updates + done.steps
        # To look along a long path takes time, too.
        interval = self._interval * (200 + len(path)) // 200
        self.next_look = total + min(total, interval)
        # A node on the first way down takes longer than those that come after it.
        if not begun or self._lately.nodes < 2 * (len(path) - common):
            return None
        left = self._remains.follow(path[:common])
        # What is left is less and less from level to level.
        promising = range(bisect_left(left, True, key=self._promises), len(left))
        self.prefers_cells = not promising
        for level in promising:
            if 2 * (spent - begun[level]) >= self.cost(level, *left[level]):
                return level
        return None

    def _promises(self, left: tuple[int, int]) -> bool:
        """Tell whether the table is small enough, and its rows short enough."""
        updates, steps, nodes = self._lately
        width = words_of_row(*left)
        return (
            bytes_of_clashes(*left) <= self._largest
            and width <= self._widest
            and 2 * nodes * width <= updates + steps + 8 * nodes
        )

    def trial(self, n_options: int, n_primary: int) -> int:
        """Tell how many steps a trial on bits takes: an eighth of its table's."""
        return _LEAST_TRIAL + n_options * words_of_row(n_options, n_primary)

    def accepts(self, trial: Tally, n_options: int, n_primary: int) -> bool:
        """Judge by a trial on bits whether they are faster, and learn if they are not.

        The weights are tenths of nanoseconds, fitted to eighteen problems, from blocks
        that have nothing to do with each other (16 ns a node on cells) to pentominoes
        (3,400), with a sixth more for bits, to be on the safe side.
        """
        updates, steps, nodes = self._lately
        on_cells = 60 * updates + 26 * steps + 140 * nodes
        on_bits = 200 * trial.updates + 25 * trial.steps
        if on_bits * nodes <= on_cells * trial.nodes:
            return True
        self._widest = words_of_row(n_options, n_primary) // 2
        return False

    def twin(self, remains: Remains) -> Lookout:
        """Make one for a part of the search, which is not sure yet, but as wise."""
        other = Lookout(
            remains,
            self._largest,
            patience=self._patience,
            interval=self._interval,
            is_ready=self._is_ready,
        )
        other._widest = self._widest
        other.prefers_cells = self.prefers_cells
        return other

    def save(self) -> array[int]:
        """Give the whole state."""
        numbers = [self.next_look, self._widest, *self._done, *self._lately]
        numbers += [self.prefers_cells, *self._path, *self._begun]
        return array("q", numbers)

    def load(self, numbers: array[int]) -> None:
        """Take up a state that `save` gave.

        Raises
        ------
        ValueError
            It is damaged.
        """
        length = len(numbers) - 9
        if length < 0 or (length > 0 and length % 2 == 0):
            raise ValueError("this is no state of such a search")
        self.next_look, self._widest = numbers[:2]
        self._done, self._lately = Tally(*numbers[2:5]), Tally(*numbers[5:8])
        self.prefers_cells = bool(numbers[8])
        half = 9 + length // 2
        self._path, self._begun = list(numbers[9:half]), list(numbers[half:])
