"""The command for all covers at once."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click

from ..zdd import ZDD
from .formats import Text
from .interrupts import LateError, alarm
from .parameters import STATUS_HELP, finite, output, source
from .progress import bar_for
from .statuses import FOUND, NONE, TIMED_OUT
from .telling import Failure, told
from .words import amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..cover import Stats
    from ..diagram import Diagram

__all__ = ["zdd"]

_TICK_S = 0.1


@click.command(epilog=STATUS_HELP)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Print N covers drawn at random, all being equally likely.",
)
@click.option("--seed", type=int, help="Draw the same covers each time.")
@click.option(
    "--max-weight",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="WEIGHTS",
    help="Print a heaviest cover. The file has a whole number for each option.",
)
@click.option(
    "--frequencies", is_flag=True, help="Tell how many covers use each option."
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Save the diagram, for Diagram.load.",
)
@click.option(
    "--dot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Write the diagram in Graphviz's language.",
)
@click.option(
    "--mrv/--leftmost",
    default=True,
    show_default=True,
    help="Branch on the item with the fewest options, or the first.",
)
@click.option(
    "--components", is_flag=True, help="Look for independent parts of the problem."
)
@click.option(
    "--memory-limit",
    type=click.IntRange(min=1),
    metavar="MB",
    help="What the tables may take. [default: half of what is free]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    callback=finite,
    metavar="SECONDS",
    help="Stop after so long, the reading included.",
)
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr. [default: if it is a terminal]",
)
@click.pass_context
def zdd(
    ctx: click.Context,
    *,
    file: str,
    sample: int | None,
    seed: int | None,
    max_weight: Path | None,
    frequencies: bool,
    save: Path | None,
    dot: Path | None,
    mrv: bool,
    components: bool,
    memory_limit: int | None,
    timeout: float | None,
    progress: bool | None,
) -> None:
    """Find all covers of the problem in a file at once, as a decision diagram.

    For problems with so many covers that they cannot be listed. Prints their number,
    and the sizes of the diagram and of the search; then what else was asked for.

    \b
    Examples:
      dcells zdd dominoes.dlx
      dcells zdd --sample 3 --seed 1 dominoes.dlx
      dcells zdd --dot tilings.dot - < small.dlx && dot -Tsvg -O tilings.dot
    """
    if seed is not None and sample is None:
        raise click.UsageError("--seed is for --sample.")
    engine = ZDD(
        mrv=mrv,
        components=components,
        memory_limit=None if memory_limit is None else memory_limit * 10**6,
    )
    with told(file):
        try:
            with alarm(timeout):
                diagram, stats = anyio.run(_built, engine, file, timeout, progress)
        except (TimeoutError, LateError):
            click.echo("timed out: the diagram was not finished", err=True)
            ctx.exit(TIMED_OUT)
        if save is not None:
            diagram.save(save)
        if dot is not None:
            dot.write_text(diagram.to_dot(), encoding="utf-8")
        stream = output()
        for piece in _sizes(diagram, stats):
            stream.write(piece)
        if diagram:
            for piece in _answers(diagram, sample, seed, max_weight, frequencies):
                stream.write(piece)
        stream.flush()
    ctx.exit(FOUND if diagram else NONE)


async def _built(
    engine: ZDD, file: str, timeout: float | None, progress: bool | None
) -> tuple[Diagram, Stats]:
    """Build the diagram, and draw how far that is."""
    building = engine.build(source(file), timeout=timeout, pulse_interval=_TICK_S)
    async with building:
        bar = bar_for(progress, lambda: building.stats)
        try:
            async for _ in building.heartbeat:
                bar.tick()
        finally:
            bar.close()
        return await building, building.stats


def _sizes(diagram: Diagram, stats: Stats) -> Iterator[bytes]:
    memo = ", the memo was given up" if stats.memo_given_up else ""
    yield b"%d\n" % diagram.count()
    yield (
        f"diagram: {amount(diagram.nodes, 'node')}\n"
        f"search: {amount(stats.nodes, 'node')}, "
        f"{amount(stats.signatures or 0, 'signature')}, "
        f"{amount(stats.hits or 0, 'hit')}{memo}, in {stats.elapsed:.3f} s\n"
    ).encode()


def _answers(
    diagram: Diagram,
    sample: int | None,
    seed: int | None,
    max_weight: Path | None,
    frequencies: bool,
) -> Iterator[bytes]:
    options = diagram.problem.options
    form = Text(options, lists_covers=True)
    if sample is not None:
        yield b"\n"
        drawn = diagram.sample(sample, None if seed is None else random.Random(seed))
        for number, cover in enumerate(drawn, 1):
            yield form.cover(number, cover)
    if max_weight is not None:
        cover = diagram.max_weight(_weights(max_weight, len(options)))
        yield b"\nweight %d\n" % cover.price
        yield form.cover(1, cover)
    if frequencies:
        yield b"\n"
        for times, option in zip(diagram.frequencies(), options, strict=True):
            yield f"{times} {' '.join(option.names)}\n".encode()


def _weights(path: Path, n_options: int) -> list[int]:
    words = path.read_text(encoding="utf-8").split()
    if len(words) != n_options:
        raise Failure(
            f"dcells: {path}: {amount(len(words), 'weight')} for "
            f"{amount(n_options, 'option')}; one for each is wanted"
        )
    weights = []
    for number, word in enumerate(words, 1):
        try:
            weights.append(int(word))
        except ValueError:
            raise Failure(
                f"dcells: {path}: weight {number} is {word!r}, no whole number"
            ) from None
    return weights
