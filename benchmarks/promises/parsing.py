"""Large texts are parsed fast and in few times their own memory."""

from pathlib import Path
from time import process_time

from benchmarks.memory import peak_bytes, resident_bytes
from benchmarks.promises.problems import LARGE
from dcells_async import Problem

__all__ = ["measure"]


async def measure(folder: Path) -> dict[str, str]:
    """Parse a text that is in memory as bytes, once."""
    text = (folder / LARGE).read_bytes()
    before, started = resident_bytes(), process_time()
    problem = Problem.from_dlx(text)
    seconds, peak, after = process_time() - started, peak_bytes(), resident_bytes()
    what = f"parse {len(text) / 1e6:.0f} MB, {len(problem.options):,} options"
    figures = {f"{what}: speed": f"{len(text) / seconds / 1e6:.1f} MB/s"}
    if before is not None and peak is not None and after is not None:
        figures |= {
            f"{what}: peak beyond the text": f"{(peak - before) / len(text):.1f} texts",
            f"{what}: kept by the Problem": f"{(after - before) / len(text):.1f} texts",
        }
    return figures
