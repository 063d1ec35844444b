"""Solve a sudoku of any size: `python -m examples.sudoku puzzle.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcells_async.puzzles.sudoku import Sudoku, digits, draw, sudoku
from examples.show import Look, Task, program

if TYPE_CHECKING:
    from dcells_async import Cover

_PUZZLE = Path(__file__).with_name("puzzle.txt")


@program
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--regions", type=click.Path(path_type=Path), help="A file with regions.")
@click.option("--diagonal", is_flag=True, help="The diagonals count, too.")
def main(file: Path | None, regions: Path | None, diagonal: bool) -> Task:
    """Fill a grid so that each digit is once in each row, column and region.

    FILE holds the puzzle, in one line or in many; without one, puzzle.txt in this
    folder is solved. A file with regions has a character for each cell; otherwise the
    regions are boxes. The search stops at the second answer, unless you ask for more.
    """
    puzzle = Sudoku.from_text(
        (file or _PUZZLE).read_text(encoding="utf-8"),
        regions=regions.read_text(encoding="utf-8") if regions else None,
        diagonal=diagonal,
    )

    def picture(cover: Cover, look: Look) -> str:
        is_small = 4 * puzzle.size + 1 <= look.width
        return draw(puzzle, digits(cover), frame=is_small and not look.plain)

    return Task(
        problem=sudoku(puzzle),
        draw=picture,
        note=f"{len(puzzle.given)} clues",
        enough=2,
    )


if __name__ == "__main__":
    main()
