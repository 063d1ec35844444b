"""Five words with 24 different letters: `python -m examples.words FILE`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcells_async.puzzles.words import Answer, Lexicon, answers, five_words
from examples.show import Look, Task, counted, program

if TYPE_CHECKING:
    from dcells_async import Cover, Dance


@program
@click.argument("file", type=click.Path(path_type=Path))
def main(file: Path) -> Task:
    """Find five words of five letters each that have 24 different letters.

    FILE is any list of words, with blanks or line ends between them. Words of five
    letters from a to z count, all small or all capital; the others are left out.
    --first and --count mean answers, of which a cover gives several if there are
    several words of some letters.
    """
    lexicon = Lexicon.from_words(file.read_text(encoding="utf-8-sig").split())
    note = f"among {counted(len(lexicon), 'word')}"
    if lexicon.left_out:
        note += f" ({lexicon.left_out:,} left out)"
    problem = five_words(lexicon)

    def lines(cover: Cover, look: Look) -> str:
        return "\n".join(_line(answer, look) for answer in answers(cover, lexicon))

    return Answers(problem=problem, draw=lines, note=note, lexicon=lexicon)


@dataclass(frozen=True, kw_only=True)
class Answers(Task):
    """To list words, a line for each answer.

    Attributes
    ----------
    lexicon : Lexicon
        Where the words are from.
    """

    lexicon: Lexicon

    async def count(self) -> int:
        """Print how many answers there are, and return the exit status."""
        number = 0
        async with self.engine.dance(self.problem) as result:
            async for cover in result.solutions:
                number += sum(1 for _ in answers(cover, self.lexicon))
        click.echo(number)
        return 0 if number else 1

    async def show(self, first: int | None, look: Look) -> int:
        """Print the answers as they are found, and return the exit status."""
        number = 0
        async with self.dance(first) as result:
            async for cover in result.solutions:
                lines = self.draw(cover, look).splitlines()
                for line in lines[: first and first - number]:
                    number += 1
                    head = f"{number}: " * look.plain
                    click.echo(f"{head}{line}")
                if number == first:
                    break
            summary = self.summary(result)
        if number:
            summary = f"{counted(number, 'answer')} from {summary}"
        click.echo(summary, err=True)
        return 0 if number else 1

    def dance(self, limit: int | None) -> Dance:
        """Open the search for so many answers, to which as many covers are enough."""
        # Without a buffer the covers counted at the end are those that were read.
        return self.engine.dance(self.problem, limit=limit, buffer=0)


def _line(answer: Answer, look: Look) -> str:
    words = " ".join(answer.words)
    if look.color:
        words = words.replace(answer.doubled, f"\x1b[1;31m{answer.doubled}\x1b[0m")
    first, *others = answer.source
    where = f"in {first} and {others[0]}" if others else f"twice in {first}"
    without = " and ".join(answer.missing)
    return f"{words}  ({answer.doubled} {where}, without {without})"


if __name__ == "__main__":
    main()
