"""Ask who keeps the zebra: `python -m examples.zebra`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dcells_async.puzzles.zebra import draw, zebra
from examples.show import Look, Task, program

if TYPE_CHECKING:
    from dcells_async import Cover


@program
@click.option(
    "--without",
    type=int,
    multiple=True,
    metavar="K",
    help="Leave clue K out; may be given several times.",
)
def main(without: tuple[int, ...]) -> Task:
    """Say who lives in the five houses, and who keeps the zebra."""
    left_out = ", ".join(f"#{k}" for k in sorted(set(without)))
    note = f"without {left_out}" if without else ""
    return Task(problem=zebra(without), draw=_picture, note=note)


def _picture(cover: Cover, look: Look) -> str:
    return draw(cover, "words" if look.plain else "table", color=look.color)


if __name__ == "__main__":
    main()
