"""Turns measurements into tables and complaints."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.peers import OURS
from benchmarks.processes import Measurement
from benchmarks.rows import ROWS
from benchmarks.table import Table

__all__ = ["Imports", "Results", "complaints", "overhead", "tables"]

BACKENDS = ("asyncio", "trio")
Results = dict[tuple[str, str, str], Measurement]
Imports = Mapping[str, Sequence[float]]

_MIB = 1024 * 1024
_FEW = 100


@dataclass(frozen=True, slots=True)
class _Column:
    """One column of a table: whose task it shows, and against which it is set."""

    title: str
    name: str
    task: str
    base: str = ""


def tables(results: Results, names: Sequence[str], imports: Imports) -> list[Table]:
    """Return every table of the comparison.

    Parameters
    ----------
    results : mapping
        A measurement for each row, contender and task that was tried.
    names : sequence of str
        The contenders, in order.
    imports : mapping
        What each contender took to import, process by process, in seconds.
    """
    rows = list(dict.fromkeys(row for row, _, _ in results))
    peers = [name for name in names if name != OURS]
    counting = [_Column(f"{OURS}", OURS, "count")]
    counting += [_Column(name, name, "count", "count") for name in peers]
    iterating = [_Column("for", OURS, "iterate")]
    iterating += [_Column(f"async for, {kind}", OURS, kind) for kind in BACKENDS]
    iterating += [_Column(name, name, "iterate", "iterate") for name in peers]
    first = [_Column(f"{OURS}", OURS, "first")]
    first += [_Column(f"async, {kind}", OURS, f"{kind}-first") for kind in BACKENDS]
    first += [_Column(name, name, "first") for name in peers]
    if OURS not in names:
        counting, iterating, first = (
            [column for column in columns if column.name != OURS]
            for columns in (counting, iterating, first)
        )
    many = [row for row in rows if ROWS[row].covers > _FEW]
    shown = [
        _table("Counting, CPU seconds", results, rows, counting, _seconds),
        _table("Every cover, CPU seconds", results, rows, iterating, _seconds),
        _table("Covers a CPU second, as iterated", results, many, iterating, _rate),
        _table("To the first cover, wall milliseconds", results, rows, first, _ms),
        _processes(results, rows, names, imports),
    ]
    return [table for table in shown if table.rows]


def overhead(results: Results, row: str) -> list[str]:
    """Return what asynchronous iteration costs a cover, beyond counting."""
    lines = []
    count = results.get((row, OURS, "count"))
    for backend in BACKENDS:
        for task, what in (("-bare", "bare"), ("", "numbers read")):
            run = results.get((row, OURS, backend + task))
            if not count or not run or not count.readings or not run.readings:
                continue
            cpu = (run.cpu - count.cpu) / run.covers * 1e6
            wall = (run.wall - count.wall) / run.covers * 1e6
            lines.append(
                f"{ROWS[row].title}, async for on {backend}, {what}: {cpu:.2f} us of "
                f"CPU and {wall:.2f} us of wall time a cover beyond counting"
            )
    return lines


def complaints(results: Results) -> list[str]:
    """Return what is wrong: counts that are not the known ones, covers that differ."""
    lines = []
    digests: dict[str, dict[str, str]] = {}
    for (row, name, task), found in results.items():
        if found.digest:
            digests.setdefault(row, {})[name] = found.digest
        wanted = 1 if "first" in task else ROWS[row].covers
        counts = {reading.covers for reading in found.readings} - {wanted}
        lines += [f"{name}, {task}, {row}: {n} covers, not {wanted}" for n in counts]
    for row, seen in digests.items():
        if len(set(seen.values())) > 1:
            lines.append(f"{row}: not the same covers: {seen}")
    return lines


def _table(
    title: str,
    results: Results,
    rows: Sequence[str],
    columns: Sequence[_Column],
    show: Callable[[Measurement], str],
) -> Table:
    header = ["work", "covers", *(column.title for column in columns)]
    body = []
    for row in rows:
        cells = [ROWS[row].title, f"{ROWS[row].covers:,}"]
        for column in columns:
            found = results.get((row, column.name, column.task))
            base = results.get((row, OURS, column.base))
            ratio = _ratio(found, base) if show is _seconds else ""
            cells.append(_cell(found, show) + ratio)
        body.append(cells)
    return Table(title, header, body)


def _processes(
    results: Results, rows: Sequence[str], names: Sequence[str], imports: Imports
) -> Table:
    body = []
    for name in names:
        seconds = imports[name]
        warm = [
            found.warm_up
            for (_, whose, _), found in results.items()
            if whose == name and found.warm_up is not None
        ]
        cells = [name, f"{sorted(seconds)[len(seconds) // 2]:.3f}", f"{seconds[0]:.3f}"]
        cells.append(f"{max(warm):.3f}" if warm else "-")
        cells += [_cell(results.get((row, name, "iterate")), _mib) for row in rows]
        body.append(cells)
    peaks = [f"MiB, {ROWS[row].title}" for row in rows]
    header = ["", "import s", "first import s", "warm-up s", *peaks]
    return Table("Importing, warming up, and the most memory held", header, body)


def _cell(found: Measurement | None, show: Callable[[Measurement], str]) -> str:
    if found is None:
        return "-"
    if found.readings:
        return show(found)
    if "no colors" in found.failure:
        return "no"
    if found.is_late:
        return found.failure if show is _seconds or show is _ms else "-"
    return "failed"


def _seconds(found: Measurement) -> str:
    return f"{found.cpu:#.3g}" if found.cpu >= 1 else f"{found.cpu:.3f}"


def _rate(found: Measurement) -> str:
    return f"{found.covers / found.cpu:,.0f}"


def _ms(found: Measurement) -> str:
    return f"{found.wall * 1e3:,.1f}"


def _mib(found: Measurement) -> str:
    return "-" if found.peak is None else f"{found.peak / _MIB:.0f}"


def _ratio(found: Measurement | None, base: Measurement | None) -> str:
    if not found or not base or not found.readings or not base.readings:
        return ""
    return f" ({found.cpu / base.cpu:.1f}x)"
