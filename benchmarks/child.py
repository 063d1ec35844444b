"""The fresh process in which one contender does one task on one row.

Usage: ``python -m benchmarks.child CONTENDER TASK FILE REPEAT LIMIT``. Results are
printed as JSON objects, one a line and each as soon as it is known, so that a run
which is cut off leaves what came before it.
"""

import faulthandler
import gc
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from time import perf_counter

from benchmarks.memory import peak_bytes
from benchmarks.peers import Contender, make
from benchmarks.puzzle import Puzzle, load

__all__ = ["CHECK", "PATIENCE_S", "TIMED_OUT"]

CHECK = "check"
PATIENCE_S = 15.0
TIMED_OUT = 1

_TINY = Puzzle(["p", "q", "r"], ["x"], [["p", "x"], ["q", "x"], ["q", "r"]])


def main(name: str, task: str, path: Path, repeat: int, limit: float) -> None:
    """Run a task up to `repeat` times and print what it took.

    Parameters
    ----------
    name : str
        The contender.
    task : str
        One of its tasks, or ``check`` to print a digest of the covers themselves.
    path : Path
        The puzzles.
    repeat : int
        How often; a task is not begun again once it has taken `PATIENCE_S` in all.
    limit : float, s
        A single run that takes longer ends the process with status `TIMED_OUT`.
    """
    puzzles = load(path)
    contender = make(name)
    if task == CHECK:
        with _deadline(limit):
            _print(digest=_digest(contender, puzzles))
        return
    run = contender.tasks()[task]
    started = perf_counter()
    run([_TINY])
    _print(warm_up=perf_counter() - started)
    spent = 0.0
    for _ in range(repeat):
        gc.collect()
        with _deadline(limit):
            reading = run(puzzles)
        _print(reading=asdict(reading))
        spent += reading.wall
        if spent > PATIENCE_S:
            break
    _print(peak=peak_bytes())


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """End the process from a thread of its own: the peers hold the GIL all along."""
    with Path(os.devnull).open("w", encoding="utf-8") as sink:
        faulthandler.dump_traceback_later(seconds, exit=True, file=sink)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


def _digest(contender: Contender, puzzles: Sequence[Puzzle]) -> str:
    total = 0
    for number, puzzle in enumerate(puzzles):
        for cover in contender.covers(puzzle):
            text = f"{number}:{contender.indices(cover, puzzle)}".encode()
            total += int.from_bytes(blake2b(text, digest_size=8).digest())
    return f"{total % 2**64:016x}"


def _print(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


if __name__ == "__main__":
    _, _name, _task, _path, _repeat, _limit = sys.argv
    main(_name, _task, Path(_path), int(_repeat), float(_limit))
