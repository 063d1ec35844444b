"""Solve a sudoku of any size: `python -m examples.sudoku puzzle.txt`."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, get_args

import click

from dcells_async.puzzles.sudoku import Sudoku, clash, digits, draw, sudoku
from dcells_async.puzzles.sudoku_generate import Symmetry, generate
from examples.show import Look, NoCoverError, Task, program

if TYPE_CHECKING:
    from dcells_async import Cover

_PUZZLE = Path(__file__).with_name("puzzle.txt")


@program
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--regions", type=click.Path(path_type=Path), help="A file with regions.")
@click.option("--diagonal", is_flag=True, help="The diagonals count, too.")
@click.option(
    "--new",
    type=click.Choice(get_args(Symmetry)),
    help="Print a new puzzle whose clues have this symmetry, and solve it.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Which new one.")
def main(
    file: Path | None,
    regions: Path | None,
    diagonal: bool,
    new: Symmetry | None,
    seed: int,
) -> Task:
    """Fill a grid so that each digit is once in each row, column and region.

    FILE holds the puzzle, in one line or in many; without one, puzzle.txt in this
    folder is solved. A file with regions has a character for each cell; otherwise the
    regions are boxes. The search stops at the second answer, unless you ask for more.
    """
    if new is not None and (file or regions or diagonal):
        raise click.UsageError("--new makes an ordinary puzzle of its own")
    if new is not None:
        text = generate(Random(seed), symmetry=new)
        click.echo(f"{draw(Sudoku.from_text(text), frame=False)}\n")
    else:
        text = (file or _PUZZLE).read_text(encoding="utf-8-sig")
    puzzle = Sudoku.from_text(
        text,
        regions=regions.read_text(encoding="utf-8-sig") if regions else None,
        diagonal=diagonal,
    )
    if (reason := clash(puzzle)) is not None:
        raise NoCoverError(reason)

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
