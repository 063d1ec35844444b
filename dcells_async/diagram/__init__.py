"""All covers at once, as a value: to count, sample, weigh, and take apart."""

from __future__ import annotations

from .awaitable import AwaitableDiagram
from .diagram import Diagram

__all__ = ["AwaitableDiagram", "Diagram"]
