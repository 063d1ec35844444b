"""Solve a filomino puzzle: `python -m examples.filomino puzzle.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcells_async import XCC, XCCDC, Engine, Problem
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.filomino import Puzzle, draw, filomino
from examples.show import Look, RefusedError, Task, program

if TYPE_CHECKING:
    from dcells_async import Cover

_PUZZLE = Path(__file__).with_name("puzzle.txt")
_ENGINES: dict[str, type[Engine]] = {"xccdc": XCCDC, "xcc": XCC}


@program
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--largest",
    type=click.IntRange(min=1),
    metavar="K",
    help="The largest number there may be; by default the largest one given.",
)
@click.option(
    "--engine",
    type=click.Choice(list(_ENGINES)),
    default="xccdc",
    show_default=True,
    help="What searches.",
)
def main(file: Path | None, largest: int | None, engine: str) -> Task:
    """Fill a board with numbers, equal ones forming polyominoes of their size.

    FILE holds the puzzle: a line for each row, and in it a dot or a number for each
    cell, or else, if it is a .dlx file, the problem. Without one, puzzle.txt in this
    folder is solved. The search stops at the second answer, unless you ask for more.
    """
    if file is not None and file.suffix == ".dlx":
        if largest is not None:
            raise RefusedError("a .dlx file settles the largest number by itself")
        problem = Problem.from_dlx(file)
        note = ""
    else:
        puzzle = Puzzle.from_text((file or _PUZZLE).read_text(encoding="utf-8-sig"))
        largest = largest or max(puzzle.given.values(), default=1)
        problem = filomino(puzzle, largest)
        note = f"numbers up to {largest}"
    board = Board.from_names(str(item.label) for item in problem.items)
    _, columns = zip(*board, strict=True)
    across = 4 * (max(columns) - min(columns) + 1) + 1

    def picture(cover: Cover, look: Look) -> str:
        if look.plain or across > look.width:
            return draw(cover, "numbers")
        return draw(cover, color=look.color)

    return Task(
        problem=problem, draw=picture, note=note, engine=_ENGINES[engine](), enough=2
    )


if __name__ == "__main__":
    main()
