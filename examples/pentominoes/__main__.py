"""Fill a board with the twelve pentominoes: `python -m examples.pentominoes 6x10`."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from dcells_async import Problem
from dcells_async.puzzles.polyominoes import (
    PENTOMINOES,
    Board,
    Style,
    Turns,
    draw,
    packing,
)
from examples.show import (
    Look,
    NoCoverError,
    RefusedError,
    Task,
    board_size,
    check_cells,
    program,
)

if TYPE_CHECKING:
    from dcells_async import Cover
    from dcells_async.puzzles.shapes import Cell

_SMILE = Path(__file__).with_name("smile.txt")


@program
@click.argument("board", required=False, metavar="[RxC|FILE]")
@click.option(
    "--hole",
    "holes",
    multiple=True,
    metavar="R,C[-R,C]",
    help="Leave out a cell, or a rectangle from corner to corner, counting from 0,0.",
)
@click.option(
    "--turns",
    type=click.Choice(get_args(Turns)),
    help="Whether pieces may be rotated and turned over, rotated only, or neither.",
)
@click.option(
    "--up-to-symmetry", is_flag=True, help="Give one packing of each symmetry class."
)
def main(
    board: str | None, holes: tuple[str, ...], turns: Turns | None, up_to_symmetry: bool
) -> Task:
    """Fill a board with the twelve pentominoes.

    The board is a rectangle, such as 6x10, a text file with a picture of it, or a
    problem in a .dlx file. Without one it is as if you had asked for smile.txt, in this
    folder, up to symmetry.
    """
    if board is not None and board.endswith(".dlx"):
        if holes or turns or up_to_symmetry:
            raise RefusedError(
                "a .dlx file settles holes, turns and symmetry by itself"
            )
        return _from_dlx(Path(board))
    turns = turns or "free"
    up_to_symmetry = up_to_symmetry or board is None
    area = _board(board, holes)
    needed = sum(map(len, PENTOMINOES))
    if len(area) != needed:
        raise NoCoverError(f"the pieces have {needed} cells, the board {len(area)}")
    problem = packing(area, PENTOMINOES, turns=turns, up_to_symmetry=up_to_symmetry)
    note = f"pieces {turns}" + ", up to symmetry" * up_to_symmetry
    return _task(problem, area, note)


def _task(problem: Problem, board: Board, note: str = "") -> Task:
    _, columns = zip(*board, strict=True)
    across = 4 * (max(columns) - min(columns) + 1) + 1

    def picture(cover: Cover, look: Look) -> str:
        if look.plain:
            return draw(cover, board, "letters")
        style: Style = "walls" if across <= look.width else "lines"
        return draw(cover, board, style, color=look.color)

    return Task(problem=problem, draw=picture, note=note)


def _from_dlx(path: Path) -> Task:
    problem = Problem.from_dlx(path)
    return _task(problem, Board.from_names(str(item.label) for item in problem.items))


def _board(text: str | None, holes: tuple[str, ...]) -> Board:
    if text and re.fullmatch(r"[0-9]+x[0-9]+", text):
        board = Board.rectangle(*board_size(text))
    else:
        board = Board.from_text(Path(text or _SMILE).read_text(encoding="utf-8-sig"))
    return board.without(cell for hole in holes for cell in _hole(hole))


def _hole(text: str) -> list[Cell]:
    corners = re.fullmatch(
        r"([0-9]{1,9}),([0-9]{1,9})(?:-([0-9]{1,9}),([0-9]{1,9}))?", text
    )
    cells: list[Cell] = []
    if corners:
        top, left = int(corners[1]), int(corners[2])
        bottom, right = int(corners[3] or top), int(corners[4] or left)
        check_cells((bottom - top + 1) * (right - left + 1), f"the hole {text}")
        cells.extend(product(range(top, bottom + 1), range(left, right + 1)))
    if not cells:
        raise RefusedError(f"a hole is written like 3,3 or 3,3-4,4, not {text!r}")
    return cells


if __name__ == "__main__":
    main()
