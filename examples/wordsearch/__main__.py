"""Hide words in a board of letters: `python -m examples.wordsearch words.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.wordsearch import fill, places, roomy, wordsearch
from dcells_async.puzzles.wordsearch_pictures import columns, draw, svg
from examples.show import Look, Task, board_size, limited, program

if TYPE_CHECKING:
    from dcells_async import Cover

_WORDS = Path(__file__).with_name("words.txt")


@program
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--size",
    metavar="RxC",
    help="Rows and columns; by default a square with some cells to spare.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Decides what is random."
)
@limited
@click.option(
    "--fill",
    "alphabet",
    metavar="LETTERS",
    help="What to fill the other cells with; by default letters of the words.",
)
@click.option(
    "--svg",
    "picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the first board to this file as well, with its words marked.",
)
def main(
    file: Path | None,
    size: str | None,
    seed: int,
    limit: float | None,
    alphabet: str | None,
    picture: Path | None,
) -> Task:
    """Hide the words of a list in a board of letters, in eight directions.

    FILE holds the words, with blanks or line ends between them, in any script; without
    one, words.txt in this folder is taken. Draws the board, and below it once more with
    the words marked, by colors at a terminal and otherwise by dots between them. One
    board is made, unless you ask for more.
    """
    words = (file or _WORDS).read_text(encoding="utf-8-sig").split()
    board = Board.rectangle(*board_size(size)) if size else roomy(words)

    def drawn(cover: Cover, look: Look) -> str:
        grid = fill(cover, board, seed, alphabet)
        marked = draw(cover, board, grid if look.color else None, color=look.color)
        hidden = _wrapped(sorted(places(cover)), look.width)
        return f"{draw(cover, board, grid)}\n\n{hidden}\n\n{marked}"

    def keep(cover: Cover) -> None:
        if picture is not None:
            grid = fill(cover, board, seed, alphabet)
            picture.write_text(svg(cover, board, grid), encoding="utf-8")

    return Task(
        problem=wordsearch(words, board, seed),
        draw=drawn,
        note=f"seed {seed}",
        enough=1,
        timeout=limit,
        keep=keep if picture else None,
    )


def _wrapped(words: list[str], width: int) -> str:
    lines: list[str] = []
    for word in words:
        if lines and columns(lines[-1]) + 2 + columns(word) <= width:
            lines[-1] += f"  {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


if __name__ == "__main__":
    main()
