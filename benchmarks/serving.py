"""The service against its own promises: ``python -m benchmarks.serving``.

A server process on loopback, and this process as its clients. What is measured is wall
time, and both share the machine: on two busy cores a figure is a lower bound.
"""

import argparse
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dcells_async.puzzles.queens import queens

__all__ = ["main"]

_HANG_S = 60.0
_SMALL = b"a b c\na b\nc\na c\nb"
_IDLE = 200
_END = b"0\r\n\r\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure both servers and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backends", nargs="+", default=["asyncio", "trio"])
    options = parser.parse_args(arguments)
    for backend in options.backends:
        print(f"dcells serve --backend {backend}")
        with _served(backend) as (pid, port):
            for line in _figures(pid, port):
                print("  " + line)
    return 0


def _figures(pid: int, port: int) -> Iterator[str]:
    firsts = sorted(1000 * _first_cover(port) for _ in range(30))
    yield f"first cover: median {firsts[15]:.1f} ms, 29 of 30 {firsts[28]:.1f} ms"
    yield f"streams, a connection each: {_streams(port, 3.0):,.0f} a second"
    for query, text in (("?names=false", "numbers"), ("", "with names")):
        rate = max(_rate(port, query) for _ in range(3))
        yield f"covers of 8 options, one connection, {text}: {rate:,.0f} a second"
    gone = sorted(_hang_up(port) for _ in range(20))
    yield (
        f"hang-up until the search is gone: median {1000 * statistics.median(gone):.1f}"
        f" ms, worst of 20 {1000 * gone[-1]:.1f} ms"
    )
    memory = _idle(pid, port)
    if memory is not None:
        yield f"memory of an idle open stream: {memory / 1000:,.0f} kB, of {_IDLE}"


@contextmanager
def _served(backend: str) -> Iterator[tuple[int, int]]:
    command = ["-m", "dcells_async", "serve", "--port", "0", "--backend", backend]
    process = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline().rpartition(":")[2])
        # The first request waits for the server to be up.
        _first_cover(port)
        yield process.pid, port
    finally:
        process.terminate()
        process.communicate(timeout=_HANG_S)


def _asked(
    port: int, body: bytes, query: str = "", window: int | None = None
) -> socket.socket:
    client = socket.socket()
    client.settimeout(_HANG_S)
    if window is not None:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    client.connect(("127.0.0.1", port))
    head = f"POST /v1/solve{query} HTTP/1.1\r\nhost: localhost\r\n"
    head += f"content-length: {len(body)}"
    client.sendall(f"{head}\r\n\r\n".encode() + body)
    return client


def _read_until(client: socket.socket, mark: bytes) -> None:
    tail = b""
    while mark not in tail:
        piece = client.recv(1 << 20)
        if not piece:
            raise ConnectionError("the server closed the connection")
        tail = tail[-len(mark) :] + piece


def _first_cover(port: int) -> float:
    begin = time.perf_counter()
    with _asked(port, _SMALL) as client:
        _read_until(client, b'"cover"')
        return time.perf_counter() - begin


def _streams(port: int, seconds: float) -> float:
    begin, number = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        with _asked(port, _SMALL) as client:
            _read_until(client, _END)
        number += 1
    return number / (time.perf_counter() - begin)


def _rate(port: int, query: str) -> float:
    """Cover eight items in each of 4**8 ways."""
    items = [f"i{number}" for number in range(8)]
    text = "\n".join([" ".join(items), *(item for item in items for _ in range(4))])
    begin = time.perf_counter()
    with _asked(port, text.encode(), query) as client:
        _read_until(client, _END)
    return 4**8 / (time.perf_counter() - begin)


def _open_searches(port: int) -> int:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(
            b"GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        )
        text = b""
        while piece := client.recv(1 << 16):
            text += piece
    found = next(
        line for line in text.split(b"\n") if line.startswith(b"dcells_slots ")
    )
    return int(float(found.split()[1]))


def _hang_up(port: int) -> float:
    """Leave a search that finds nothing for ages: a board of dominoes that has none."""
    cells = [
        (r, c) for r in range(10) for c in range(10) if (r, c) not in {(0, 0), (9, 9)}
    ]
    lines = [" ".join(f"{r}.{c}" for r, c in cells)]
    lines += [
        f"{r}.{c} {right}.{down}"
        for r, c in cells
        for right, down in ((r, c + 1), (r + 1, c))
        if (right, down) in set(cells)
    ]
    client = _asked(port, "\n".join(lines).encode())
    _read_until(client, b'"start"')
    time.sleep(0.05)
    begin = time.perf_counter()
    client.close()
    while _open_searches(port):
        pass
    return time.perf_counter() - begin


def _idle(pid: int, port: int) -> float | None:
    before = _resident(pid)
    body = queens(12).to_dlx().encode()
    clients = [_asked(port, body, window=4096) for _ in range(_IDLE)]
    # Resting when memory stands still.
    seen = [-1, before]
    while seen[-1] != seen[-2]:
        time.sleep(2.0)
        seen.append(_resident(pid))
    for client in clients:
        client.close()
    return (seen[-1] - before) / _IDLE if before else None


def _resident(pid: int) -> int:
    """Give a process's memory in bytes, 0 where the system does not say."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    except OSError:
        return 0
    return next(
        1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS:")
    )


if __name__ == "__main__":
    sys.exit(main())
