"""How figures are summed up and written."""

from collections.abc import Sequence
from math import ceil

__all__ = ["MIB", "milliseconds", "quantile"]

MIB = 1024 * 1024


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not pass.

    Examples
    --------
    >>> quantile([3.0, 1.0, 2.0], 0.5)
    2.0
    >>> quantile(range(1, 101), 0.99)
    99
    """
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds, as text.

    Examples
    --------
    >>> milliseconds(0.0123)
    '12.3 ms'
    """
    return f"{seconds * 1e3:.1f} ms"
