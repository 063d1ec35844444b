"""A problem without covers, and DLX text of any size."""

import random
from pathlib import Path

from dcells_async import Problem
from dcells_async.puzzles.polyominoes import Board, Piece, packing

__all__ = ["LARGE", "MEDIUM", "OPTIONS", "mutilated_board", "write"]

MEDIUM = "medium.dlx"
LARGE = "large.dlx"
OPTIONS = {MEDIUM: 420_000, LARGE: 1_000_000}

_PRIMARY = 2_000
_SECONDARY = 2_000
_COLORS = 50


def mutilated_board() -> Problem:
    """Tile a 10x10 board less two opposite corners with dominoes, which cannot be.

    Both corners have one color of a chessboard, so that the search is long and in vain.
    """
    domino = Piece("I", [(0, 0), (0, 1)])
    board = Board.rectangle(10, 10, [(0, 0), (9, 9)])
    return packing(board, [domino], copies="any number")


def write(path: Path, options: int) -> None:
    """Write a problem of so many options, some 50 bytes each.

    An option has three primary items, a plain secondary item and two colored ones. The
    same number of options gives the same text.
    """
    rng = random.Random(options)
    primary = [f"p{i:05}" for i in range(_PRIMARY)]
    plain = [f"s{i:05}" for i in range(_SECONDARY // 2)]
    shared = [f"t{i:05}" for i in range(_SECONDARY // 2)]
    colored = [f"{name}:c{color:03}" for name in shared for color in range(_COLORS)]
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write(" ".join([*primary, "|", *plain, *shared]) + "\n")
        for _ in range(options):
            names = [*rng.sample(primary, 3), rng.choice(plain)]
            for index in rng.sample(range(len(shared)), 2):
                names += [colored[index * _COLORS + rng.randrange(_COLORS)]]
            file.write(" ".join(names) + "\n")
