"""Tile a board with dominoes, in all ways at once: `python -m examples.domino 8x8`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import click

from dcells_async import ZDD
from dcells_async.puzzles.boards import Board
from dcells_async.puzzles.domino_pictures import Picture, chances, draw, tiling
from dcells_async.puzzles.dominoes import (
    Sweep,
    aztec,
    cut_rectangle,
    dominoes,
    kasteleyn,
    products,
)
from examples.show import Look, RefusedError, Task, board_size, counted, program

if TYPE_CHECKING:
    from dcells_async import Cover, Diagram


_SUFFIXES = (".svg", ".png")


@program
@click.argument("board", required=False, metavar="[RxC]")
@click.option(
    "--aztec", "order", type=click.IntRange(1, 200), help="Tile the Aztec diamond."
)
@click.option("--cut", is_flag=True, help="Leave out two opposite corners.")
@click.option(
    "--by",
    "sweep",
    type=click.Choice(["rows", "diagonals"]),
    help="In which order to go over the board; by default diagonals for a diamond.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Decides what is random."
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a random tiling to this file too, in colors: .svg or .png.",
)
@click.option(
    "--chances",
    "likely",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file what is likely to lie where: .svg or .png.",
)
def main(
    board: str | None,
    order: int | None,
    cut: bool,
    sweep: Sweep | None,
    seed: int,
    picture: Path | None,
    likely: Path | None,
) -> Task:
    """Tile a rectangle (8x8 by default), or an Aztec diamond, with dominoes.

    Says how many tilings there are, and draws one at random, all being equally likely,
    and the heaviest one. For that each cell has a value from 1 to 9, and a domino
    weighs the product of the two. --first K draws K at random. A .png needs Pillow:
    pip install 'dcells-async[png]'.
    """
    if order is not None and (board or cut):
        raise RefusedError("an Aztec diamond has an order, and neither size nor cut")
    for path in (picture, likely):
        if path is not None and path.suffix not in _SUFFIXES:
            raise RefusedError(f"a picture is an .svg or a .png, not {path.name!r}")
    area, expected = _board(board or "8x8", cut) if order is None else _diamond(order)
    problem = dominoes(area, sweep or ("rows" if order is None else "diagonals"))
    return Tilings(
        problem=problem,
        draw=_picture,
        expected=expected,
        seed=seed,
        picture=picture,
        likely=likely,
    )


@dataclass(frozen=True, kw_only=True)
class Tilings(Task):
    """To find all tilings at once, and draw two.

    Attributes
    ----------
    expected : (str, int), optional
        A formula for their number, and what it gives.
    seed : int
    picture, likely : Path, optional
        Where to write a picture of a random tiling, and one of all of them.
    """

    expected: tuple[str, int] | None
    seed: int
    picture: Path | None
    likely: Path | None

    async def count(self) -> int:
        """Print how many tilings there are, and return the exit status."""
        if self.picture is not None or self.likely is not None:
            raise click.UsageError("a count draws nothing: leave the pictures out")
        number = await (await self.family()).awaitable.count()
        click.echo(number)
        return 0 if number else 1

    async def show(self, first: int | None, look: Look) -> int:
        """Print what there is to say and to see, and return the exit status."""
        family = await self.family()
        number = await family.awaitable.count()
        if self.expected is not None and self.expected[1] != number:
            raise AssertionError(f"{number} tilings, but {self.expected} by formula")
        proof = f", as {self.expected[0]} says" if self.expected else ""
        click.echo(f"{counted(number, 'tiling')}{proof}\n")
        if number:
            await self.tilings(family, first or 1, look)
        verdict = counted(number, "cover") if number else "no cover"
        nodes = counted(family.nodes, "node")
        options = counted(len(self.problem.options), "option")
        click.echo(f"{verdict}: a diagram of {nodes}, {options}", err=True)
        return 0 if number else 1

    async def tilings(self, family: Diagram, n: int, look: Look) -> None:
        """Draw so many random tilings, and the heaviest."""
        weights = products(self.problem, self.seed)
        ask = family.awaitable
        draws = await ask.sample(n, Random(self.seed))
        for cover in draws:
            weight = sum(weights[index] for index in cover.indices)
            click.echo(f"one at random, of weight {weight:,}:")
            click.echo(f"{self.draw(cover, look)}\n")
        heaviest = await ask.max_weight(weights)
        click.echo(f"the heaviest, of weight {heaviest.price:,}:")
        click.echo(f"{self.draw(heaviest, look)}\n")
        if self.picture is not None:
            _write(self.picture, tiling(draws[0]))
        if self.likely is not None:
            _write(self.likely, chances(self.problem, await ask.frequencies()))

    async def family(self) -> Diagram:
        """Build the diagram of all tilings."""
        # Leftmost first goes over the board as the items do.
        return await ZDD(mrv=False).build(self.problem)


def _write(path: Path, picture: Picture) -> None:
    if path.suffix == ".png":
        path.write_bytes(picture.png())
    else:
        path.write_text(picture.svg(), encoding="utf-8")


def _board(text: str, cut: bool) -> tuple[Board, tuple[str, int] | None]:
    rows, columns = board_size(text)
    if cut:
        return cut_rectangle(rows, columns), None
    formula = "Kasteleyn's product", kasteleyn(rows, columns)
    return Board.rectangle(rows, columns), formula


def _diamond(order: int) -> tuple[Board, tuple[str, int]]:
    power = order * (order + 1) // 2
    return aztec(order), (f"2^{power}", 2**power)


def _picture(cover: Cover, look: Look) -> str:
    if look.plain:
        return draw(cover, "letters")
    picture = draw(cover, color=look.color)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", picture).splitlines()
    return picture if max(map(len, lines)) <= look.width else draw(cover)


if __name__ == "__main__":
    main()
