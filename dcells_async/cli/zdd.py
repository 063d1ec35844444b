"""The command for all covers at once."""

from __future__ import annotations

import random
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import anyio
import click

from ..cover import Outcome, Stats
from ..diagram import AwaitableDiagram
from ..diagram.saving import MAGIC, is_saved
from ..errors import DlxSyntaxError, PriceError
from ..problem import Problem
from ..zdd import ZDD
from .families import FAMILY_FORMATS
from .interrupts import LateError, alarm
from .keeping import keeper_of, keeping_options, kept
from .outlet import Outlet
from .parameters import STATUS_HELP, finite, output, source
from .progress import bar_for
from .statuses import FOUND, NONE, TIMED_OUT
from .telling import Failure, told
from .words import amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagram import Diagram
    from ..zdd import Building
    from .keeping import Keeper

__all__ = ["zdd"]

_TICK_S = 0.1

_CAN_GO_ON = (Outcome.RUNNING, Outcome.CANCELLED)
_BUNCH = 1024
"""So many covers are drawn before they are written."""


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
    "--min-weight",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="WEIGHTS",
    help="Print a lightest cover.",
)
@click.option(
    "--frequencies", is_flag=True, help="Tell how many covers use each option."
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Save the diagram, to be FILE another time, or for Diagram.load.",
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
@keeping_options("it goes when that is over")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FAMILY_FORMATS)),
    default="text",
    show_default=True,
    help="Lines, or one JSON document.",
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
    min_weight: Path | None,
    frequencies: bool,
    save: Path | None,
    dot: Path | None,
    mrv: bool,
    components: bool,
    memory_limit: int | None,
    timeout: float | None,
    checkpoint: Path | None,
    every: float | None,
    resume: Path | None,
    form: str,
    progress: bool | None,
) -> None:
    """Find all covers of the problem in a file at once, as a decision diagram.

    For problems with so many covers that they cannot be listed. Prints their number,
    and the sizes of the diagram and of the search; then what else was asked for.

    FILE can also be a diagram that --save wrote: then there is no search.

    \b
    Examples:
      dcells zdd dominoes.dlx
      dcells zdd --sample 3 --seed 1 dominoes.dlx
      dcells zdd --save tilings.zdd dominoes.dlx && dcells zdd --frequencies tilings.zdd
      dcells zdd --dot tilings.dot - < small.dlx && dot -Tsvg -O tilings.dot
    """
    if seed is not None and sample is None:
        raise click.UsageError("--seed is for --sample.")
    for option, path in (("--save", save), ("--dot", dot)):
        if path == Path("-"):
            raise click.UsageError(
                f"{option} - would go among the answers, on standard output: name a "
                f"file."
            )
    with told(file), _numbers_of_any_length():
        loads = file != "-" and Path(file).is_file() and is_saved(file)
        for_search = (components, memory_limit, not mrv, checkpoint, resume)
        if loads and any(for_search):
            raise click.UsageError(
                f"{file} is a saved diagram: it is not searched, so that --leftmost, "
                f"--components, --memory-limit, --checkpoint and --resume are of no "
                f"use."
            )
        token = kept(resume, checkpoint)
        keeper = keeper_of(checkpoint, every, file=file, resume=resume)
        engine = ZDD(
            mrv=mrv,
            components=components,
            memory_limit=None if memory_limit is None else memory_limit * 10**6,
        )
        work = _Work(
            file=file,
            engine=None if loads else engine,
            form=form,
            sample=sample,
            seed=seed,
            best=[
                (name, _weights(path))
                for name, path in (
                    ("max_weight", max_weight),
                    ("min_weight", min_weight),
                )
                if path is not None
            ],
            frequencies=frequencies,
            save=save,
            dot=dot,
            keeper=keeper,
            token=token,
        )
        bar = bar_for(progress, work.stats)
        # A reader who has gone is noticed at the next piece, at the latest after a
        # tick of the heartbeat.
        with Outlet(output(), bar, lambda: None) as outlet:
            try:
                with alarm(timeout):
                    begin = monotonic()
                    work.read()
                    if timeout is not None:
                        timeout -= monotonic() - begin
                    is_any = anyio.run(work.run, outlet, timeout)
            except (TimeoutError, LateError):
                late = True
            else:
                late = False
        if late:
            click.echo(work.late(), err=True)
            ctx.exit(TIMED_OUT)
    ctx.exit(FOUND if is_any else NONE)


@dataclass(kw_only=True)
class _Work:
    """All that was asked for, and how far it is."""

    file: str
    engine: ZDD | None
    form: str
    sample: int | None
    seed: int | None
    best: list[tuple[str, tuple[Path, list[int]]]]
    frequencies: bool
    save: Path | None
    dot: Path | None
    keeper: Keeper | None
    token: bytes | None
    problem: Problem | None = None
    building: Building | None = None
    diagram: Diagram | None = None

    def stats(self) -> Stats:
        """Tell how far the search is."""
        try:
            return self.building.stats if self.building is not None else Stats()
        except RuntimeError:  # it is not open yet
            return Stats()

    def late(self) -> str:
        """Tell what the time was too short for."""
        if self.diagram is None:
            return "timed out: the diagram was not finished"
        return "timed out: the diagram is finished, and not all that was asked of it"

    def read(self) -> None:
        """Read the problem, if it has to be searched.

        This is for the main thread, where Ctrl-C and the alarm end a read that blocks;
        a worker thread would keep the process alive until it got something.
        """
        if self.engine is None:
            return
        try:
            self.problem = Problem.from_dlx(source(self.file))
        except DlxSyntaxError as error:
            if error.line == 1 and error.text.startswith(MAGIC.decode()):
                name = "standard input" if self.file == "-" else self.file
                raise Failure(
                    f"dcells: {name}: this is a saved diagram, which must be in a "
                    f"regular file; give the name of that"
                ) from error
            raise

    async def run(self, outlet: Outlet, timeout: float | None) -> bool:
        """Do it all, and tell whether there is any cover."""
        with anyio.fail_after(timeout):
            self.diagram = diagram = await self._made(outlet)
            for _, (path, weights) in self.best:
                _check_number(path, weights, len(diagram.problem.options))
            ask = diagram.awaitable
            if self.save is not None:
                try:
                    await ask.save(self.save)
                except OSError as error:
                    # It is written under another name first, which nobody asked for.
                    raise Failure(f"dcells: {self.save}: {error.strerror}") from error
            if self.dot is not None:
                self.dot.write_text(diagram.to_dot(), encoding="utf-8")
            await self._tell(diagram, outlet)
        return bool(diagram)

    async def _made(self, outlet: Outlet) -> Diagram:
        """Build the diagram, or load it."""
        if self.engine is None or self.problem is None:
            try:
                return await AwaitableDiagram.load(self.file)
            except ValueError as error:
                raise Failure(f"dcells: {error}") from error
        self.building = self.engine.build(
            self.problem, pulse_interval=_TICK_S, resume=self.token
        )
        async with self.building as building:
            try:
                async for _ in building.heartbeat:
                    outlet.put(b"")
                    if self.keeper is not None and not building.result.is_over:
                        self.keeper.keep_if_due(building.checkpoint, outlet)
            finally:
                if self.keeper is not None and building.outcome in _CAN_GO_ON:
                    self.keeper.keep(building.checkpoint(), outlet)
            diagram = await building
        if self.keeper is not None:
            self.keeper.discard()
        return diagram

    async def _tell(self, diagram: Diagram, outlet: Outlet) -> None:
        """Write the answers, each as soon as it is known."""

        def put(pieces: Iterable[bytes]) -> None:
            for piece in pieces:
                outlet.put(piece)

        ask, form = diagram.awaitable, FAMILY_FORMATS[self.form](diagram)
        search = None if self.building is None else self.building.stats
        put(form.sizes(await ask.count(), search))
        if self.sample is not None:
            draws = random.Random(self.seed)
            outlet.put(form.open_draws())
            last = self.sample if diagram else 0
            for first in range(1, last + 1, _BUNCH):
                n = min(_BUNCH, last + 1 - first)
                put(form.draws(first, await ask.sample(n, draws)))
            outlet.put(form.close_draws())
        for name, (path, weights) in self.best:
            best = ask.max_weight if name == "max_weight" else ask.min_weight
            try:
                cover = await best(weights) if diagram else None
            except PriceError as error:
                raise Failure(f"dcells: {path}: {error}") from error
            put(form.best(name, cover))
        if self.frequencies:
            put(form.frequencies(await ask.frequencies()))
        outlet.put(form.end())


def _weights(path: Path) -> tuple[Path, list[int]]:
    try:
        words = path.read_text(encoding="utf-8-sig").split()
    except UnicodeDecodeError:
        raise Failure(f"dcells: {path}: no text in UTF-8") from None
    weights = []
    for number, word in enumerate(words, 1):
        try:
            weight = int(word)
        except ValueError:
            raise Failure(
                f"dcells: {path}: weight {number} is {word!r}, no whole number"
            ) from None
        if not -(1 << 63) <= weight < 1 << 63:
            raise Failure(f"dcells: {path}: weight {number} exceeds 64 bits")
        weights.append(weight)
    return path, weights


def _check_number(path: Path, weights: list[int], n_options: int) -> None:
    if len(weights) != n_options:
        raise Failure(
            f"dcells: {path}: {amount(len(weights), 'weight')} for "
            f"{amount(n_options, 'option')}; one for each is wanted"
        )


@contextmanager
def _numbers_of_any_length() -> Iterator[None]:
    """Let Python write numbers of more than some thousand digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
