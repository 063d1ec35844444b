"""Fresh processes: what a contender took, and what importing a module takes."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.child import TIMED_OUT
from benchmarks.peers.contender import Reading

__all__ = ["Measurement", "import_seconds", "measure"]

_ROOT = Path(__file__).resolve().parent.parent
_GRACE_S = 180.0

_IMPORT = """
from time import perf_counter
{before}
started = perf_counter()
import {module}
print(perf_counter() - started)
"""


@dataclass(slots=True)
class Measurement:
    """What one contender took for one task on one row.

    Parameters
    ----------
    readings : list of Reading
        The runs that ended.
    warm_up : float or None, s
        The wall time of the task's first run, on a tiny problem.
    peak : int or None, bytes
        The most memory the process held.
    digest : str
        The covers themselves, in a form to compare; empty unless asked for.
    failure : str
        Why there is no reading, in a word or two; empty if there is one.
    is_late : bool
        Whether the first run did not end in time.
    """

    readings: list[Reading] = field(default_factory=list)
    warm_up: float | None = None
    peak: int | None = None
    digest: str = ""
    failure: str = ""
    is_late: bool = False

    @property
    def covers(self) -> int:
        """The number of covers found."""
        return self.readings[0].covers

    @property
    def cpu(self) -> float:
        """The least processor time of any run, in seconds."""
        return min(reading.cpu for reading in self.readings)

    @property
    def wall(self) -> float:
        """The least wall time of any run, in seconds."""
        return min(reading.wall for reading in self.readings)


def measure(name: str, task: str, path: Path, repeat: int, limit: float) -> Measurement:
    """Run `benchmarks.child` and return what it printed.

    Raises
    ------
    subprocess.TimeoutExpired
        If the process neither ends nor obeys its own time limit.
    """
    arguments = [name, task, str(path), str(repeat), str(limit)]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.child", *arguments],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=repeat * limit + _GRACE_S,
        check=False,
    )
    result = Measurement()
    for line in done.stdout.splitlines():
        _note(result, json.loads(line))
    if not result.readings and not result.digest:
        complaint = done.stderr.strip()
        if done.returncode == TIMED_OUT and not complaint:
            result.failure = f"> {limit:g}"
            result.is_late = True
        else:
            result.failure = _last_line(complaint) or f"exit {done.returncode}"
    return result


def import_seconds(
    module: str, repeat: int, *, after: Sequence[str] = ()
) -> list[float]:
    """Return what importing a module takes in fresh processes, in order.

    Parameters
    ----------
    module : str
        What to import on the clock.
    repeat : int
        In how many processes.
    after : sequence of str
        What to import before the clock starts.
    """
    before = "\n".join(f"import {other}" for other in after)
    program = _IMPORT.format(before=before, module=module)
    command = [sys.executable, "-W", "ignore", "-c", program]
    return [
        float(subprocess.check_output(command, cwd=_ROOT, text=True))
        for _ in range(repeat)
    ]


def _note(result: Measurement, fields: dict[str, Any]) -> None:
    if "reading" in fields:
        result.readings.append(Reading(**fields["reading"]))
    result.warm_up = fields.get("warm_up", result.warm_up)
    result.peak = fields.get("peak", result.peak)
    result.digest = fields.get("digest", result.digest)


def _last_line(text: str) -> str:
    return text.splitlines()[-1] if text else ""
