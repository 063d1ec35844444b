"""Match the edges of square tiles: `python -m examples.eternity 5x5`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, get_args

import click

from dcells_async import XCC, XCCDC
from dcells_async.puzzles.edges import arrangement, edges, nearly
from dcells_async.puzzles.tile_drawing import draw, svg
from dcells_async.puzzles.tile_sets import macmahon, random_puzzle
from dcells_async.puzzles.tile_texts import read_puzzle, read_size, write_tiles
from dcells_async.puzzles.tiles import Kind, Puzzle
from examples.cheapest import LeastCost
from examples.show import Look, RefusedError, Task, program

if TYPE_CHECKING:
    from collections.abc import Callable

    from dcells_async import Cover, Engine

_ENGINES: dict[str, Callable[[], Engine]] = {"xcc": XCC, "xccdc": XCCDC}


@program
@click.argument(
    "what", required=False, metavar="[RxC|macmahon|eternity|FILE]", default="5x5"
)
@click.option(
    "--kind",
    type=click.Choice(get_args(Kind)),
    default="border",
    show_default=True,
    help="What may be at the edge of the board.",
)
@click.option(
    "--colors",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many besides that of the border; by default as many as rows.",
)
@click.option("--distinct", is_flag=True, help="No two tiles shall be equal.")
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Decides what is random."
)
@click.option(
    "--hints",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file with a board on which some tiles lie already.",
)
@click.option("--fix", is_flag=True, help="One of those that are alike when turned.")
@click.option("--nearly", "near", is_flag=True, help="As few wrong edges as possible.")
@click.option(
    "--engine",
    type=click.Choice(list(_ENGINES)),
    default="xcc",
    show_default=True,
    help="How to search.",
)
@click.option(
    "--limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop after so long.",
)
@click.option(
    "--numbers", is_flag=True, help="Show the numbers of the problem; no search."
)
@click.option(
    "--svg",
    "picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the last board to this file as well.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the tiles to this file as well.",
)
def main(
    what: str,
    kind: Kind,
    colors: int | None,
    distinct: bool,
    seed: int,
    hints: Path | None,
    fix: bool,
    near: bool,
    engine: str,
    limit: float | None,
    numbers: bool,
    picture: Path | None,
    save: Path | None,
) -> Task:
    """Lay square tiles on a board so that all edges match.

    For a size, tiles are cut from a random board; `macmahon` are MacMahon's 24
    squares, with one color all around; `eternity` is a random set like Eternity II,
    for --numbers. A file has the four colors of a tile in each line: north, east,
    south, west.
    """
    puzzle = _puzzle(what, kind, colors, distinct, seed, hints)
    if save is not None:
        save.write_text(
            write_tiles(puzzle.tiles, (puzzle.rows, puzzle.columns)), encoding="utf-8"
        )
    begin = perf_counter()
    problem = nearly(puzzle, fix=fix) if near else edges(puzzle, fix=fix)
    seconds = perf_counter() - begin

    def board(cover: Cover, look: Look) -> str:
        laid = arrangement(puzzle, cover)
        if picture is not None:
            picture.write_text(svg(puzzle, laid), encoding="utf-8")
        return draw(puzzle, laid, plain=look.plain, color=look.color)

    note = f"{puzzle.rows} x {puzzle.columns} tiles"
    if numbers:
        return Numbers(problem=problem, draw=board, puzzle=puzzle, seconds=seconds)
    if near:
        if engine != "xcc":
            raise RefusedError(f"the engine {engine} knows no prices")
        total = problem.n_primary - 2 * len(puzzle.tiles)
        return LeastCost(
            problem=problem,
            draw=board,
            note=note,
            timeout=limit,
            say=lambda price: f"{total - price} of {total} edges match, {price} wrong",
        )
    return Task(
        problem=problem,
        draw=board,
        note=note,
        engine=_ENGINES[engine](),
        timeout=limit,
    )


@dataclass(frozen=True, kw_only=True)
class Numbers(Task):
    """To tell how large the problem is.

    Attributes
    ----------
    puzzle : Puzzle
    seconds : float
        How long it took to build.
    """

    puzzle: Puzzle
    seconds: float

    async def count(self) -> int:
        """Refuse: there is no search."""
        raise click.UsageError("choose one of --numbers and --count")

    async def show(self, first: int | None, look: Look) -> int:
        """Print the numbers, and return the exit status."""
        problem, n = self.problem, len(self.puzzle.tiles)
        secondary = len(problem.items) - problem.n_primary
        click.echo(
            f"{problem.n_primary:,} primary items, {secondary:,} secondary ones\n"
            f"{len(problem.options):,} options, of {4 * n * n:,} ways to lay a tile\n"
            f"{len(problem.entry_item):,} entries, {len(problem.colors):,} colors"
        )
        click.echo(f"built in {self.seconds:.2f} s", err=True)
        return 0


def _puzzle(
    what: str,
    kind: Kind,
    colors: int | None,
    distinct: bool,
    seed: int,
    hints: Path | None,
) -> Puzzle:
    """Make or read the puzzle."""
    board = hints.read_text(encoding="utf-8") if hints else None
    if what == "macmahon":
        return read_puzzle(write_tiles(macmahon(), (4, 6)), board, kind="rim")
    if what == "eternity":
        made = random_puzzle(16, 16, 17, seed, frame=5, distinct=True)
    elif re.fullmatch(r"[0-9]+x[0-9]+", what):
        rows, columns = read_size(what)
        made = random_puzzle(
            rows, columns, colors or max(1, rows), seed, kind, distinct=distinct
        )
    else:
        return read_puzzle(Path(what).read_text(encoding="utf-8"), board, kind=kind)
    size = (made.rows, made.columns)
    return read_puzzle(write_tiles(made.tiles, size), board, kind=made.kind)


if __name__ == "__main__":
    main()
