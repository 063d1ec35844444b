# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, freethreading_compatible=True
"""What every search is to the layers above, whatever it does inside.

A search is a machine that can rest between any two of its steps. `advance` lets it
run for a while, without the interpreter lock; it stops when the budget is spent, when
enough covers are found, or when somebody calls `stop` from another thread. For what
it needs of the interpreter, more memory or an answer of the caller's, it rests too.
"""

from __future__ import annotations

import cython

from .arrays import copied, zeros
from .status import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

COMPILED: bool = cython.compiled

DONE = int(Status.DONE)
GROW = int(Status.GROW)
ASK = int(Status.ASK)

# What stands where there is nothing: searches begin by the thousand.
NOTHING = zeros(1)


@cython.cclass
class Search:
    """A resumable search over options that are given as flat arrays.

    Parameters
    ----------
    n_items : int
        Items are numbered from 0, primary ones first.
    option_start : array('i'), shape (n_options + 1,)
        Option o has the entries ``option_start[o]`` to ``option_start[o + 1]``.
    option_item : array('i'), shape (n_entries,)
        The item of each entry.
    option_color : array('i'), shape (n_entries,), or shape (0,)
        The color of each entry, 0 for none; empty if there is no color at all.
    max_depth : int
        More options than this are never chosen together.
    """

    def __init__(
        self,
        n_items: int,
        option_start: array[int],
        option_item: array[int],
        option_color: array[int],
        max_depth: int,
    ) -> None:
        self.n_items = n_items
        self.n_options = len(option_start) - 1
        self.max_depth = max_depth
        self.colored = len(option_color) > 0
        self.stopping = False
        self.keep = True
        self.updates = self.nodes = self.covers = self.steps = 0
        self.depth = self.state = 0
        self.found = self.found_ends = NOTHING
        self.n_found = self.n_found_ends = 0
        self.option_start = option_start
        self.option_item = option_item if len(option_item) else NOTHING
        self.option_color = option_color if self.colored else NOTHING

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_sound(self) -> cython.bint:
        """Tell whether all numbers are in range: what follows relies on it."""
        k: cython.int
        o: cython.int
        if self.option_start[0] != 0:
            return False
        for o in range(self.n_options):
            if self.option_start[o] > self.option_start[o + 1]:
                return False
        if self.option_start[self.n_options] > len(self.option_item):
            return False
        for k in range(self.option_start[self.n_options]):
            if self.option_item[k] < 0 or self.option_item[k] >= self.n_items:
                return False
        return True

    def advance(self, budget: int, want: int, keep: bool = True) -> Status:
        """Search on until something happens.

        Parameters
        ----------
        budget : int, steps, > 0
            A step is an update, or a look at something that takes about as long.
        want : int, > 0
            Return when so many covers were found.
        keep : bool
            Whether covers are written down for `take`, or only counted.

        Returns
        -------
        Status
            `PAUSED`, `FULL`, `DONE` or `STOPPED`.

        Raises
        ------
        MemoryError
            What has to be kept along the path no longer fits.
        """
        # There may be more digits than a word has; so many covers there never are.
        target: cython.longlong = self.covers + min(want, 1 << 60)
        until: cython.longlong = self.steps + self.updates + budget
        status: cython.int
        self.keep = keep
        if keep:
            self.make_room(want)
        while True:
            with cython.nogil:
                status = self.run(until, target)
            if status == GROW:
                self.grow()
            elif status == ASK:
                self.ask()
            else:
                return Status(status)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, until: cython.longlong, target: cython.longlong) -> cython.int:
        """Search until so many steps are done, or covers found: each in its own way."""
        return DONE

    def grow(self) -> None:
        """Enlarge what `run` has found too small; each in its own way."""

    def ask(self) -> None:
        """Ask the caller what `run` wants to know; each in its own way."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def end_cover(self) -> cython.bint:
        """End the cover that was written down; false if the next might not fit."""
        self.found_ends[self.n_found_ends] = self.n_found
        self.n_found_ends += 1
        return (
            self.n_found_ends + 1 < len(self.found_ends)
            and len(self.found) - self.n_found > self.max_depth
        )

    def best_price(self) -> int | None:
        """Give the price of the cheapest cover found; None if prices do not count."""
        return None

    def lower_bound(self) -> int | None:
        """Give what any cover costs at least; None if prices do not count."""
        return None

    def make_room(self, want: int) -> None:
        """Provide for up to `want` covers in a slice, within reason."""
        covers: int = max(1, min(want, 8192))
        room: int = max(min(covers * self.max_depth, 65536), self.max_depth)
        self.found = zeros(room + 1)
        self.found_ends = zeros(covers + 1)
        self.n_found = self.n_found_ends = 0

    def take(self) -> tuple[array[int], array[int]]:
        """Hand over the covers found: option numbers, and where each cover ends."""
        options = copied(self.found, self.n_found)
        ends = copied(self.found_ends, self.n_found_ends)
        self.found = self.found_ends = NOTHING
        self.n_found = self.n_found_ends = 0
        return options, ends

    def count_anew(self) -> None:
        """Count from nought: all that was counted is another's to tell."""
        self.updates = self.nodes = self.covers = self.steps = 0

    def stop(self) -> None:
        """Make the running slice return soon; callable from any thread."""
        self.stopping = True
