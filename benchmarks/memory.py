"""How much memory this process holds, without a library for it."""

import sys
from pathlib import Path

__all__ = ["peak_bytes", "resident_bytes"]

_STATUS = Path("/proc/self/status")


def resident_bytes() -> int | None:
    """Return the memory held now, or None where the system does not say."""
    return _from_status("VmRSS:")


def peak_bytes() -> int | None:
    """Return the most memory held at once so far, or None on Windows.

    Notes
    -----
    On Linux the kernel's own high-water mark is read: the figure of ``getrusage``
    starts from what the parent held when it made this process.
    """
    peak = _from_status("VmHWM:")
    if peak is not None:
        return peak
    try:
        import resource  # noqa: PLC0415 - absent on Windows
    except ImportError:
        return None
    most: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _from_status(field: str) -> int | None:
    try:
        lines = _STATUS.read_text("ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    return None
